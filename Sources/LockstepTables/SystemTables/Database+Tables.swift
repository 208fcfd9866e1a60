package import GRDB

extension Database {
    /// Whether there is a table of this name.
    ///
    /// It queries SQLite, because GRDB's schema cache outlives a rollback, which removes new tables.
    package func hasTable(_ name: String) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?)"
        return try Bool.fetchOne(cachedStatement(sql: sql), arguments: [name]) ?? false
    }

    /// Whether there is a table of this name that has a column of that name.
    func hasColumn(_ column: String, in table: String) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM pragma_table_info(?) WHERE name = ?)"
        return try Bool.fetchOne(cachedStatement(sql: sql), arguments: [table, column]) ?? false
    }

    /// Whether there is a table of this name, and it has rows.
    package func hasRows(_ name: String) throws -> Bool {
        guard try hasTable(name) else { return false }
        let sql = "SELECT EXISTS (SELECT 1 FROM \(SQLName.quoted(name)))"
        return try Bool.fetchOne(cachedStatement(sql: sql)) ?? false
    }
}
