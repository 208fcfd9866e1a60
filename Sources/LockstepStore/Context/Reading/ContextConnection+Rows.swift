import GRDB
internal import GRDBSQLite

extension ContextConnection {
    /// Steps through a statement whose arguments are set.
    func forEachRow(
        of statement: Statement, in database: Database, plan: EntityPlan, body: (RowReader) throws -> Void
    ) throws {
        try step(through: statement, in: database, of: plan) { row in
            try body(row)
            return true
        }
    }

    /// Steps through a statement whose arguments are set, until `body` stops it.
    func step(
        through statement: Statement, in database: Database, of plan: EntityPlan, body: (RowReader) throws -> Bool
    ) throws {
        let pointer = statement.sqliteStatement
        let problems = RowProblems(base.files)
        let row = RowReader(pointer, problems: problems)
        let wasBehind = commits.mayBeBehind
        var isFirst = true
        sqlite3_reset(pointer)
        defer {
            sqlite3_reset(pointer)
            commits.mayBeBehind = wasBehind
        }
        while true {
            switch sqlite3_step(pointer) {
            case SQLITE_ROW:
                if isFirst {
                    // From its first step on, the statement sees one state of the store. Every commit in it was
                    // announced before.
                    commits.mayBeBehind = base.hub.announced != commits.seenCommit
                    isFirst = false
                }
                if try body(row) { continue }
                fallthrough
            case SQLITE_DONE:
                try problems.throwFirst(plan)
                return
            case let code: throw database.lastError(code)
            }
        }
    }

    /// The first value of internal SQL as an integer; `nil` if there is no row, or it is NULL.
    func integer(_ sql: String, with arguments: [DatabaseValue]) throws -> Int? {
        try read { database in
            let statement = try database.cachedStatement(sql: sql)
            let pointer = statement.sqliteStatement
            sqlite3_reset(pointer)
            defer { sqlite3_reset(pointer) }
            for (index, argument) in arguments.enumerated() {
                RowWriter.bind(argument, to: pointer, parameter: Int32(index + 1))
            }
            switch sqlite3_step(pointer) {
            case SQLITE_ROW:
                return sqlite3_column_type(pointer, 0) == SQLITE_NULL ? nil : Int(sqlite3_column_int64(pointer, 0))
            case SQLITE_DONE: return nil
            case let code: throw database.lastError(code)
            }
        }
    }
}
