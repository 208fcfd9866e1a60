package import GRDB
internal import GRDBSQLite

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A prepared statement that is run for many rows.
///
/// It must not outlive the access to the connection that it was created on.
package final class RawStatement {
    package let pointer: OpaquePointer
    private let database: Database
    /// The statement that owns the pointer, if the connection caches it.
    private let owner: Statement?

    package init(_ sql: String, in database: Database) throws {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(
            database.sqliteConnection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw Self.error(code, in: database) }
        pointer = statement
        self.database = database
        owner = nil
    }

    /// A statement that the connection caches, so that it is prepared once.
    ///
    /// The same SQL returns the same statement. So bind all values, run it and reset it before other code can use it.
    package init(kept sql: String, in database: Database) throws {
        let statement = try database.cachedStatement(sql: sql)
        pointer = statement.sqliteStatement
        self.database = database
        owner = statement
    }

    deinit { if owner == nil { sqlite3_finalize(pointer) } }

    /// Runs it to its next row.
    ///
    /// - Returns: Whether there is a row.
    package func step() throws -> Bool {
        let code = sqlite3_step(pointer)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else {
            let error = Self.error(code, in: database)
            sqlite3_reset(pointer)
            throw error
        }
        return false
    }

    /// Runs a statement that returns no rows, and resets it.
    ///
    /// - Returns: The number of rows that it has changed.
    @discardableResult
    package func run() throws -> Int {
        _ = try step()
        sqlite3_reset(pointer)
        return database.changesCount
    }

    /// Runs a statement that returns no rows, without counting the rows that it has changed.
    package func execute() throws {
        _ = try step()
        sqlite3_reset(pointer)
    }

    package func reset() { sqlite3_reset(pointer) }

    /// Releases the bound values.
    package func clear() { sqlite3_clear_bindings(pointer) }

    private static func error(_ code: CInt, in database: Database) -> DatabaseError {
        let resultCode = ResultCode(rawValue: sqlite3_extended_errcode(database.sqliteConnection))
        // `RAISE(ROLLBACK)` in a trigger of the app is not an error of one record: the transaction has ended, and later
        // writes would stay.
        let isRolledBack = resultCode.primaryResultCode == .SQLITE_CONSTRAINT && !database.isInsideTransaction
        return DatabaseError(
            resultCode: isRolledBack ? .SQLITE_ABORT_ROLLBACK : resultCode,
            message: String(cString: sqlite3_errmsg(database.sqliteConnection)))
    }
}
