import GRDB
internal import GRDBSQLite

/// Statements, and what is reported to the tracker.
extension SaveRun {
    /// Runs internal SQL for an object.
    ///
    /// - Returns: The number of rows that it changed.
    @discardableResult
    func run(
        _ sql: String, with arguments: [DatabaseValue], table: String, in database: Database, of object: ManagedObject,
        write: RecordWrite
    ) throws -> Int {
        let statement = try database.cachedStatement(sql: sql)
        RowWriter.bind(arguments, to: statement.sqliteStatement)
        guard table == object.plan.table else {
            tracker.noteInsertions(into: table)
            return try run(statement, in: database, of: object, write: write, table: table)
        }
        return try tracker.expecting(object.recordKey, of: object.plan) {
            try run(statement, in: database, of: object, write: write, table: table)
        }
    }

    /// Runs a statement whose arguments are set.
    ///
    /// - Returns: The number of rows that it changed.
    func run(
        _ statement: Statement, in database: Database, of object: ManagedObject, write: RecordWrite, table: String
    ) throws -> Int {
        try step(statement, in: database, of: object, write: write, table: table)
        return database.changesCount
    }

    func step(
        _ statement: Statement, in database: Database, of object: ManagedObject, write: RecordWrite, table: String
    ) throws {
        try note(RowWrite(table: table, event: write.event), in: database)
        try finish(statement, in: database, of: object, write: write)
    }

    /// Runs a statement whose effects are reported already.
    func finish(_ statement: Statement, in database: Database, of object: ManagedObject, write: RecordWrite) throws {
        let pointer = statement.sqliteStatement
        let code = sqlite3_step(pointer)
        guard code == SQLITE_DONE else {
            let error = database.lastError(code)
            sqlite3_reset(pointer)
            throw StoreError(error, during: write, plan: object.plan, record: object.recordKey)
        }
        sqlite3_reset(pointer)
    }

    /// Records that rows of a table are written, with possible effects.
    func note(_ write: RowWrite, in database: Database) throws {
        if let latestWrite, latestWrite.event == write.event, latestWrite.table == write.table { return }
        latestWrite = write
        tables.insert(write.table)
        try tracker.noteTriggers(of: write, in: database)
    }

    /// Throws if a value violates the schema. A save has checked this before; this check is for later changes.
    func check(_ writer: borrowing RowWriter, of object: ManagedObject, write: RecordWrite) throws {
        if let violation = writer.violation {
            throw StoreError(violation.reason, of: violation.column, of: object, doing: write.operation)
        }
    }
}
