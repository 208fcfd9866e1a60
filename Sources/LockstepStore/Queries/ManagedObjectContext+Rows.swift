import GRDB
internal import GRDBSQLite

extension ManagedObjectContext {
    /// The rows of a request as a table of internal SQL, under the name `t`.
    ///
    /// Limits, joins and groups of the request are in a subquery; SQLite flattens it if it can. The prefix matters: to
    /// SQLite, a `"name"` that is not a column is a text.
    static func rows<Object: Model>(of request: QueryInterfaceRequest<Object>) -> SQL { "(\(request)) AS t" }

    /// A column of ``rows(of:)``.
    static func column(_ column: Int, of plan: EntityPlan) -> SQL {
        SQL(sql: "t." + SQLName.quoted(plan.columns[column].name))
    }

    /// Steps through the rows of internal SQL, until `body` stops it.
    ///
    /// - Parameter columns: The indexes in the plan of the selected columns; by default, all in order.
    /// - Throws: `StoreError` if a value cannot be read, or the request does not have the required columns.
    func scan(_ sql: SQL, of plan: EntityPlan, columns: [Int]? = nil, body: (RowReader) throws -> Bool) throws {
        try read { database in
            try connection.refreshSchema(database)
            let statement: Statement
            do {
                statement = try SQLRequest<Row>(literal: sql, cached: true)
                    .makePreparedRequest(database, forSingleResult: false).statement
            } catch let error as DatabaseError where error.message?.hasPrefix("no such column: t.") == true {
                throw StoreError(
                    .wrongColumns, doing: "reading the store", entity: plan.name,
                    reason: "the request selects columns other than the entity's (\(error.message ?? ""))",
                    remedy: "Use requests without `select` here, and GRDB's own fetches for the others.",
                    underlyingError: error)
            }
            try scan(statement, in: database, of: plan, columns: columns, body: body)
        }
    }

    /// Steps through a statement whose arguments are set, until `body` stops it.
    func scan(
        _ statement: Statement, in database: Database, of plan: EntityPlan, columns: [Int]? = nil,
        body: (RowReader) throws -> Bool
    ) throws {
        let pointer = statement.sqliteStatement
        let problems = RowProblems(base.files)
        let row = RowReader(pointer, problems: problems)
        sqlite3_reset(pointer)
        defer { sqlite3_reset(pointer) }
        while true {
            switch sqlite3_step(pointer) {
            case SQLITE_ROW:
                if try body(row) { continue }
                fallthrough
            case SQLITE_DONE: return try problems.throwFirst(plan, columns: columns)
            case let code: throw database.lastError(code)
            }
        }
    }
}
