/// A temporary view with the old and the new values of a table's rows, and what finds the rows that do not fit.
struct SQLiteRowView {
    private let table: DatabaseTable
    private let map: SQLiteRowMap
    private var columns: [(name: String, sql: String)] = []
    private var known: Set<String> = []

    init(_ table: DatabaseTable, map: SQLiteRowMap) {
        (self.table, self.map) = (table, map)
        columns.append(("row", map.row(table, alias: "s")))
    }

    var name: String { "temp.\(SQLText.name("rows of \(table.name)"))" }

    static func new(_ column: String) -> String { SQLText.name("new \(column)") }

    /// Adds the old value of a column.
    ///
    /// - Returns: Its name in the view.
    mutating func old(_ column: String) -> String {
        let name = "old \(column)"
        if known.insert(name).inserted { columns.append((name, "s.\(SQLText.name(column))")) }
        return SQLText.name(name)
    }

    mutating func addNew(_ column: String, sql: String) {
        let name = "new \(column)"
        if known.insert(name).inserted { columns.append((name, sql)) }
    }

    var statement: String {
        let list = columns.map { "\($0.sql) AS \(SQLText.name($0.name))" }.joined(separator: ",\n    ")
        return """
            CREATE TEMP VIEW \(SQLText.name("rows of \(table.name)")) AS SELECT
                \(list)
            FROM old.\(SQLText.name(table.name)) AS s;
            """
    }

    /// Lists the rows that have a reason to be left out.
    ///
    /// - Parameters:
    ///   - column: The column in the list.
    ///   - value: The value in the list, of the view's row `n`.
    ///   - reason: What is wrong, or NULL.
    func listing(_ column: String, value: String, reason: String) -> String {
        """
        INSERT INTO temp.left_out
            SELECT \(SQLText.literal(table.name)), n."row", \(SQLText.literal(column)), \(value),
                \(reason) AS "reason"
            FROM \(name) AS n WHERE "reason" IS NOT NULL;
        """
    }

    /// Lists the rows that are not left out, and that a table does not have: a trigger of the app can change them.
    ///
    /// - Parameter columns: The columns of the table, with what was copied of the view's row `n`.
    func comparison(with table: String, columns: [(name: String, value: String)]) -> String {
        let matches = columns.map { "t.\(SQLText.name($0.name)) IS \($0.value)" }
        return """
            INSERT INTO temp.left_out
                SELECT \(SQLText.literal(self.table.name)), n."row", '', NULL, 'is not in the store as it was copied'
                \(fitting)
                AND NOT EXISTS (SELECT 1 FROM main.\(SQLText.name(table)) AS t
                    WHERE \(matches.joined(separator: " AND ")));
            """
    }

    /// The view's rows that are not left out.
    var fitting: String {
        """
        FROM \(name) AS n
            WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
                WHERE l."table" = \(SQLText.literal(table.name)) AND l."row" = n."row")
            AND NOT EXISTS (SELECT 1 FROM temp.occupied)
        """
    }
}
