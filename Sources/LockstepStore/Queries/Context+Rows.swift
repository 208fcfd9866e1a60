import GRDB
internal import GRDBSQLite

extension Context {
    /// The rows of a request as a table of our own SQL, under the name `t`.
    ///
    /// Whatever the request does (limits, joins, groups) is done inside; SQLite makes one query of it where it can. The
    /// name in front matters: a lone `"name"` that is no column is a text to SQLite.
    static func rows<Object: Model>(of request: QueryInterfaceRequest<Object>) -> SQL { "(\(request)) AS t" }

    /// A column of ``rows(of:)``.
    static func column(_ column: Int, _ plan: EntityPlan) -> SQL {
        SQL(sql: "t." + SQLName.quoted(plan.columns[column].name))
    }

    /// Steps through the rows of our own SQL, as long as `body` wants more.
    ///
    /// - Parameter columns: The places in the plan of the columns that are selected; without it, all in order.
    /// - Throws: `StoreError` where a value cannot be read, or the request has not the columns that are asked for.
    func scan(
        _ sql: SQL, _ plan: EntityPlan, columns: [Int]? = nil, _ body: (RowReader) throws -> Bool
    ) throws {
        try read { database in
            let statement: Statement
            do {
                statement = try SQLRequest<Row>(literal: sql, cached: true)
                    .makePreparedRequest(database, forSingleResult: false).statement
            } catch let error as DatabaseError where error.message?.hasPrefix("no such column: t.") == true {
                throw StoreError(
                    .wrongColumns, doing: "reading the store", entity: plan.name,
                    reason: "the request selects other columns than the entity's (\(error.message ?? ""))",
                    remedy: "Ask this of requests without `select`; use GRDB's own fetches for the others.",
                    underlyingError: error)
            }
            try scan(statement, database, plan, columns: columns, body)
        }
    }

    /// Steps through a statement whose arguments are set, as long as `body` wants more.
    func scan(
        _ statement: Statement, _ database: Database, _ plan: EntityPlan, columns: [Int]? = nil,
        _ body: (RowReader) throws -> Bool
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
