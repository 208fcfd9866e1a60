/// Where a file has the links of a relationship that no to-one relationship of the schema has.
struct LinkColumns {
    let table: String
    /// The column with the owner's row.
    let owner: String
    /// The column with the destination's row.
    let destination: String
    /// The column with the order of the destinations; `nil` if they have none.
    let order: String?
    /// The column with the order of the owners in the other end.
    let inverseOrder: String?

    /// Finds the join table of a relationship and its inverse: `Z_3TAGS` with the columns `Z_3BOOKS` and `Z_7TAGS`, and
    /// `Z_FOK_7TAGS` if it is ordered. A relationship that is its own inverse has the column `REFLEXIVE`.
    ///
    /// - Parameters:
    ///   - name: The name of the relationship.
    ///   - source: The number of the entity that declares it.
    ///   - inverse: The name at the other end.
    ///   - target: The number of the destination.
    init?(_ file: CoreDataFile, name: String, of source: Int64, inverse: String, of target: Int64) {
        let isOwnInverse = name == inverse && source == target
        for (table, columns) in file.tables.sorted(by: { $0.key < $1.key }) where table.hasPrefix("Z_") {
            let isNamed = [name, inverse].contains {
                NumberedName(table, prefix: "Z_", name: $0, isNumbered: true) != nil
            }
            guard isNamed,
                let destination = Self.column(name, of: target, columns: columns, in: file),
                let owner = isOwnInverse
                    ? columns.first(where: { $0 == "REFLEXIVE" })
                    : Self.column(inverse, of: source, columns: columns.filter { $0 != destination }, in: file)
            else { continue }
            (self.table, self.owner, self.destination) = (table, owner, destination)
            order = Self.order(of: destination, columns: columns)
            inverseOrder = Self.order(of: owner, columns: columns)
            return
        }
        return nil
    }

    /// Finds the column in the destination's table that a to-many relationship without an inverse has.
    init?(_ file: CoreDataFile, name: String, of source: Int64, in table: String) {
        let columns = file.tables[table] ?? []
        let found = columns.first { column in
            let read = ["Z", "Z_"].lazy.compactMap { NumberedName(column, prefix: $0, name: name, isNumbered: true) }
            return read.first?.entity.map { file.root(of: $0) == file.root(of: source) } ?? false
        }
        guard let found else { return nil }
        (self.table, owner, destination) = (table, found, "Z_PK")
        order = Self.order(of: found, columns: columns)
        inverseOrder = nil
    }

    /// The column of a to-one relationship that is its own inverse: `ZSPOUSE`.
    init(toOne column: String, table: String) {
        (self.table, owner, destination) = (table, "Z_PK", column)
        (order, inverseOrder) = (nil, nil)
    }

    /// The column `Z_7TAGS`, whose number is that of an entity of the same table.
    private static func column(_ name: String, of entity: Int64, columns: [String], in file: CoreDataFile) -> String? {
        columns.first { column in
            NumberedName(column, prefix: "Z_", name: name, isNumbered: true)?.entity.map {
                file.root(of: $0) == file.root(of: entity)
            } ?? false
        }
    }

    private static func order(of column: String, columns: [String]) -> String? {
        let name = column.drop { $0 == "Z" }.drop { $0 == "_" }
        return columns.first { $0 == "Z_FOK_\(name)" }
    }
}
