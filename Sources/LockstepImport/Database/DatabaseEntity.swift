/// A table that becomes an entity.
final class DatabaseEntity {
    let table: DatabaseTable
    /// The name of the entity.
    let name: String
    /// The foreign keys that become relationships.
    private(set) var keys: [DatabaseLinks.Key] { didSet { linkColumns = Self.columns(of: keys) } }
    /// The names of the columns of these keys.
    private var linkColumns: Set<String>
    /// The columns that identify a row; empty if each record gets a new key.
    var identity: [DatabaseColumn]
    /// How values are written, by the names of columns.
    var forms: [String: ColumnForm] = [:]

    init(_ table: DatabaseTable, name: String, keys: [DatabaseLinks.Key]) {
        (self.table, self.name, self.keys) = (table, name, keys)
        linkColumns = Self.columns(of: keys)
        identity = table.key.isEmpty ? Self.uniqueColumns(table) : table.key
        if identity.contains(where: \.isGenerated) { identity = [] }
    }

    /// The columns of the first unique index over columns that are required.
    private static func uniqueColumns(_ table: DatabaseTable) -> [DatabaseColumn] {
        for index in table.indexes where index.isUnique && !index.isPartial {
            let columns = index.terms.compactMap { $0.column.flatMap(table.column) }
            if columns.count == index.terms.count, columns.allSatisfy(\.isRequired) { return columns }
        }
        return []
    }

    /// Removes the foreign keys with a column of the identity, and returns them.
    func removeKeysOfIdentity() -> [DatabaseLinks.Key] {
        let names = Set(identity.map(\.name))
        let removed = keys.filter { key in key.columns.contains { names.contains($0.name) } }
        keys.removeAll { key in removed.contains { $0.id == key.id } }
        return removed
    }

    private static func columns(of keys: [DatabaseLinks.Key]) -> Set<String> {
        Set(keys.flatMap { $0.columns.map(\.name) })
    }

    func isOfLink(_ column: DatabaseColumn) -> Bool { linkColumns.contains(column.name) }

    /// Whether a relationship is all that a column is for.
    func isOnlyOfLink(_ column: DatabaseColumn) -> Bool {
        isOfLink(column) && !identity.contains { $0.isNamed(column.name) }
    }
}
