/// Values of a column, spread over the table.
struct SQLiteSample {
    /// Without NULLs; texts and bytes are cut off.
    private(set) var values: [SQLiteValue] = []
    private(set) var nullCount = 0

    /// The rows that are read of a table.
    static let rowLimit = 1000
    /// The blocks of rows that these are read in.
    private static let blockCount = 10
    /// The letters that are read of a text; more than any date, number or name of an enum's case.
    static let textLimit = 4096
    /// The columns of one statement: SQLite allows 2000.
    private static let columnLimit = 500

    private mutating func add(_ value: SQLiteValue) {
        if value == .null { nullCount += 1 } else { values.append(value) }
    }

    /// The samples of a table's columns, by their names.
    static func samples(
        of table: DatabaseTable, on connection: SQLiteConnection
    ) throws(ImportFailure) -> [String: SQLiteSample] {
        let columns = table.columns.filter { !$0.isGenerated }
        var samples: [String: SQLiteSample] = [:]
        let tails = try self.tails(table, on: connection)
        var start = 0
        while start < columns.count {
            let group = columns[start..<min(start + columnLimit, columns.count)]
            let list = group.map(expression).joined(separator: ", ")
            for tail in tails {
                let sql = "SELECT \(list) FROM main.\(SQLText.name(table.name)) \(tail)"
                for row in try connection.rows(sql) {
                    for (column, value) in zip(group, row) { samples[column.name, default: SQLiteSample()].add(value) }
                }
            }
            start += columnLimit
        }
        return samples
    }

    private static func expression(_ column: DatabaseColumn) -> String {
        let name = SQLText.name(column.name)
        return "CASE typeof(\(name)) WHEN 'text' THEN substr(\(name), 1, \(textLimit)) "
            + "WHEN 'blob' THEN substr(\(name), 1, 32) ELSE \(name) END"
    }

    /// Returns the clauses after the table, for each block.
    private static func tails(_ table: DatabaseTable, on connection: SQLiteConnection) throws(ImportFailure) -> [String]
    {
        guard let rowName = table.rowName else { return ["LIMIT \(rowLimit)"] }
        let ends = try connection.rows(
            "SELECT (SELECT min(\(rowName)) FROM main.\(SQLText.name(table.name))), "
                + "(SELECT max(\(rowName)) FROM main.\(SQLText.name(table.name)))")
        guard let first = ends.first?[0].integer, let last = ends.first?[1].integer else { return ["LIMIT 0"] }
        let (span, isOverflow) = last.subtractingReportingOverflow(first)
        if isOverflow || span < rowLimit { return ["LIMIT \(rowLimit)"] }
        let step = span / Int64(blockCount)
        return (0..<Int64(blockCount)).map { block in
            let low = first + block * step
            let end = block == Int64(blockCount) - 1 ? "" : " AND \(rowName) < \(low + step)"
            return "WHERE \(rowName) >= \(low)\(end) ORDER BY \(rowName) LIMIT \(rowLimit / blockCount)"
        }
    }
}

extension SQLiteSample {
    /// The samples of all columns, by the names of tables and columns.
    static func samples(
        of catalog: SQLiteCatalog, on connection: SQLiteConnection
    ) throws(ImportFailure) -> [String: [String: SQLiteSample]] {
        var all: [String: [String: SQLiteSample]] = [:]
        for table in catalog.tables { all[table.name] = try samples(of: table, on: connection) }
        return all
    }
}
