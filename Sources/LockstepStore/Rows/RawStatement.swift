package import GRDB
internal import GRDBSQLite

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A prepared statement, which is run for many rows.
///
/// It lives no longer than the access to the connection that it was made on.
package final class RawStatement {
    package let pointer: OpaquePointer
    private let database: Database
    /// Whose statement it is, where the connection keeps it.
    private let owner: Statement?

    package init(_ sql: String, _ database: Database) throws {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(
            database.sqliteConnection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw Self.error(code, database) }
        pointer = statement
        self.database = database
        owner = nil
    }

    /// A statement that the connection keeps, so that it is prepared once.
    ///
    /// Whoever asks for the same SQL gets the same statement: it is for what binds all values, runs and resets before
    /// anyone else can have a turn.
    package init(kept sql: String, _ database: Database) throws {
        let statement = try database.cachedStatement(sql: sql)
        pointer = statement.sqliteStatement
        self.database = database
        owner = statement
    }

    deinit { if owner == nil { sqlite3_finalize(pointer) } }

    /// Runs it to its next row.
    ///
    /// - Returns: Whether there is one.
    package func step() throws -> Bool {
        let code = sqlite3_step(pointer)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else {
            let error = Self.error(code, database)
            sqlite3_reset(pointer)
            throw error
        }
        return false
    }

    /// Runs a statement that gives no rows, and makes it ready for the next time.
    ///
    /// - Returns: How many rows it has changed.
    @discardableResult
    package func run() throws -> Int {
        _ = try step()
        sqlite3_reset(pointer)
        return database.changesCount
    }

    /// Runs a statement that gives no rows, of which nobody asks how many it has changed.
    package func execute() throws {
        _ = try step()
        sqlite3_reset(pointer)
    }

    package func reset() { sqlite3_reset(pointer) }

    /// Lets go of the values that were bound.
    package func clear() { sqlite3_clear_bindings(pointer) }

    private static func error(_ code: CInt, _ database: Database) -> DatabaseError {
        let resultCode = ResultCode(rawValue: sqlite3_extended_errcode(database.sqliteConnection))
        // `RAISE(ROLLBACK)` in a trigger of the app is no fault of one record: the transaction is gone, and whatever
        // were written now would stay.
        let isRolledBack = resultCode.primaryResultCode == .SQLITE_CONSTRAINT && !database.isInsideTransaction
        return DatabaseError(
            resultCode: isRolledBack ? .SQLITE_ABORT_ROLLBACK : resultCode,
            message: String(cString: sqlite3_errmsg(database.sqliteConnection)))
    }
}
