import LockstepEvolution

extension PostgreSQLPlanner {
    /// The new structure with the names that tables and columns have between the two files, and with the entities that
    /// are removed by the second one.
    ///
    /// - Returns: `nil` if both versions cannot be in one structure. For example, a new table is not created before a
    ///   former one with its name is dropped.
    func between(_ evolution: SchemaEvolution) -> SchemaStructure? {
        guard late.isEmpty else { return nil }
        var structure = evolution.new
        for index in structure.entities.indices { rename(&structure.entities[index]) }
        return FormerEntities(evolution).added(to: structure) { column, table in
            kept[table]?.column(column)?.isSame ?? false
        }
    }

    private func rename(_ entity: inout EntityStructure) {
        let table = entity.table
        for index in entity.attributes.indices {
            entity.attributes[index].column = name(ofColumn: entity.attributes[index].column, in: table)
        }
        for index in entity.relationships.indices {
            switch entity.relationships[index].storage {
            case .foreignKey(let columns, let position):
                entity.relationships[index].storage = .foreignKey(
                    columns: columns.map { name(ofColumn: $0, in: table) },
                    position: position.map { name(ofColumn: $0, in: table) })
            case .joinTable(var join):
                join.leftColumns = join.leftColumns.map { name(ofColumn: $0, in: join.name) }
                join.rightColumns = join.rightColumns.map { name(ofColumn: $0, in: join.name) }
                join.leftPosition = join.leftPosition.map { name(ofColumn: $0, in: join.name) }
                join.rightPosition = join.rightPosition.map { name(ofColumn: $0, in: join.name) }
                join.name = name(ofTable: join.name)
                entity.relationships[index].storage = .joinTable(join)
            case .inverseJoinTable(let name):
                entity.relationships[index].storage = .inverseJoinTable(self.name(ofTable: name))
            case .inverseForeignKey: break
            }
        }
        entity.table = name(ofTable: table)
    }

    private func name(ofTable table: String) -> String { kept[table]?.name ?? table }

    private func name(ofColumn column: String, in table: String) -> String {
        kept[table]?.column(column)?.name ?? column
    }

    /// The tables, by their names between the files, whose rows get values that devices do not compute in the same way.
    var refilledTables: Set<String> {
        Set(kept.values.filter { $0.columns.contains(where: \.isRefilled) }.map(\.name))
    }
}

extension PostgreSQLColumn {
    /// Whether values are converted, or computed for each row.
    fileprivate var isRefilled: Bool {
        switch origin {
        case .same: source.expression != nil
        case .replaced(let former): source.expression != nil || former.type != definition.type
        case .added: filledValue != nil || seed?.contains("(") == true
        }
    }
}

/// The statements of a server in the two files.
package struct PostgreSQLServerSteps: Sendable {
    /// Marks the tables as those of two versions, in the first file. The server takes the rights to it from users.
    let mark: String
    /// Removes the objects that depend on tables and columns, at the beginning of both files.
    let removal: String
    /// Creates the server for both versions, at the end of the first file; `nil` if the former server stays.
    let between: String?
    /// Creates the server of the new version, at the end of the second file.
    let after: String

    package init(mark: String, removal: String, between: String?, after: String) {
        (self.mark, self.removal, self.between, self.after) = (mark, removal, between, after)
    }
}
