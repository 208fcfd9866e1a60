import GRDB
internal import GRDBSQLite

extension Database {
    /// The rows that a query gives, with texts whole: GRDB's would end at a NUL, and be another record's key.
    package func valueRows(_ sql: String, _ arguments: [DatabaseValue] = []) throws -> [[DatabaseValue]] {
        let statement = try RawStatement(kept: sql, self)
        defer { statement.clear() }
        let columns = 0..<Int(sqlite3_column_count(statement.pointer))
        var rows: [[DatabaseValue]] = []
        try statement.forEachRow(arguments) { row in rows.append(columns.map(row.value)) }
        return rows
    }

    /// Runs a statement that gives no rows, with texts whole.
    ///
    /// - Returns: How many rows it has changed.
    @discardableResult
    package func change(_ sql: String, _ arguments: [DatabaseValue] = []) throws -> Int {
        let statement = try RawStatement(kept: sql, self)
        defer { statement.clear() }
        return try statement.run(arguments)
    }
}
