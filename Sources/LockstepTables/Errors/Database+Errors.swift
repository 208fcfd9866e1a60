import GRDB
internal import GRDBSQLite

extension Database {
    /// SQLite's error for the call that just failed.
    package func lastError(_ code: Int32) -> DatabaseError {
        guard let connection = sqliteConnection else { return DatabaseError(resultCode: ResultCode(rawValue: code)) }
        return DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection)))
    }
}
