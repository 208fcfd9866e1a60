import GRDB
internal import GRDBSQLite

extension Database {
    /// Returns the rows of a query, with complete texts: GRDB's end at a NUL, and could be another record's key.
    package func valueRows(_ sql: String, with arguments: [DatabaseValue] = []) throws -> [[DatabaseValue]] {
        let statement = try RawStatement(kept: sql, in: self)
        defer { statement.clear() }
        let columns = 0..<Int(sqlite3_column_count(statement.pointer))
        var rows: [[DatabaseValue]] = []
        try statement.forEachRow(arguments) { row in rows.append(columns.map(row.value)) }
        return rows
    }

    /// Runs a statement as GRDB does, so that its observers learn which rows it writes, with complete texts.
    package func recordedChange(_ sql: String, with arguments: [DatabaseValue]) throws {
        let statement = try cachedStatement(sql: sql)
        statement.setUncheckedArguments(StatementArguments())
        RowWriter.bind(arguments, to: statement.sqliteStatement)
        try statement.execute()
    }

    /// Runs a statement that returns no rows, with complete texts.
    ///
    /// - Returns: The number of rows that it has changed.
    @discardableResult
    package func change(_ sql: String, with arguments: [DatabaseValue] = []) throws -> Int {
        let statement = try RawStatement(kept: sql, in: self)
        defer { statement.clear() }
        return try statement.run(arguments)
    }
}

/// The values of a row, by their columns.
extension [DatabaseValue] {
    package func text(_ column: Int) -> String? { String.fromDatabaseValue(self[column]) }
    package func integer(_ column: Int) -> Int? { Int.fromDatabaseValue(self[column]) }
    package func real(_ column: Int) -> Double? { Double.fromDatabaseValue(self[column]) }
}
