/// A table that becomes an entity.
final class SQLiteEntity {
    let table: SQLiteTable
    /// The name of the entity.
    let name: String
    /// The foreign keys that become relationships.
    let keys: [SQLiteLinks.Key]
    /// The columns that identify a row; empty if each record gets a new key.
    var identity: [SQLiteColumn]
    /// How values are written, by the names of columns.
    var forms: [String: SQLiteForm] = [:]

    init(_ table: SQLiteTable, name: String, keys: [SQLiteLinks.Key]) {
        (self.table, self.name, self.keys) = (table, name, keys)
        identity = table.key.isEmpty ? Self.uniqueColumns(table) : table.key
        if identity.contains(where: \.isGenerated) { identity = [] }
    }

    /// The columns of the first unique index over columns that are required.
    private static func uniqueColumns(_ table: SQLiteTable) -> [SQLiteColumn] {
        for index in table.indexes where index.isUnique && !index.isPartial {
            let columns = index.terms.compactMap { $0.column.flatMap(table.column) }
            if columns.count == index.terms.count, columns.allSatisfy(\.isRequired) { return columns }
        }
        return []
    }

    func isOfLink(_ column: SQLiteColumn) -> Bool {
        keys.contains { $0.columns.contains { $0.isNamed(column.name) } }
    }

    /// Whether a relationship is all that a column is for.
    func isOnlyOfLink(_ column: SQLiteColumn) -> Bool {
        isOfLink(column) && !identity.contains { $0.isNamed(column.name) }
    }
}
