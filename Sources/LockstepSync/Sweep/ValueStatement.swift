import Foundation
import GRDB
internal import GRDBSQLite
import LockstepStore

/// A statement that is run by C calls: many times, with texts bound whole.
///
/// One that is being stepped through must not be run again from inside.
final class ValueStatement {
    private let statement: Statement
    private let database: Database
    /// GRDB's statement lives as long as this.
    private let pointer: OpaquePointer

    init(_ sql: String, _ database: Database) throws {
        statement = try database.makeStatement(sql: sql)
        pointer = statement.sqliteStatement
        self.database = database
    }

    /// Runs it, and calls `body` for each row.
    func forEachRow(_ arguments: [DatabaseValue], _ body: (RawRow) throws -> Void) throws {
        RowWriter.bind(arguments, to: pointer)
        defer { sqlite3_reset(pointer) }
        while true {
            switch sqlite3_step(pointer) {
            case SQLITE_ROW: try body(RawRow(pointer))
            case SQLITE_DONE: return
            case let code: throw failure(code)
            }
        }
    }

    /// Runs it, and gives the first column of the first row; `nil` where there is no row.
    func firstValue(_ arguments: [DatabaseValue]) throws -> DatabaseValue? {
        RowWriter.bind(arguments, to: pointer)
        defer { sqlite3_reset(pointer) }
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return RawRow(pointer).value(0)
        case SQLITE_DONE: return nil
        case let code: throw failure(code)
        }
    }

    /// Runs it.
    ///
    /// - Returns: How many rows it changed itself, without what triggers did.
    @discardableResult
    func run(_ arguments: [DatabaseValue]) throws -> Int {
        try forEachRow(arguments) { _ in }
        return Int(sqlite3_changes(database.sqliteConnection))
    }

    private func failure(_ code: Int32) -> DatabaseError {
        let extended = sqlite3_extended_errcode(database.sqliteConnection)
        return DatabaseError(
            resultCode: ResultCode(rawValue: extended == SQLITE_OK ? code : extended),
            message: sqlite3_errmsg(database.sqliteConnection).map { String(cString: $0) }, sql: statement.sql)
    }
}

/// The row that a statement stands on.
struct RawRow {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }

    func value(_ column: Int) -> DatabaseValue {
        let place = Int32(column)
        switch sqlite3_column_type(statement, place) {
        case SQLITE_INTEGER: return sqlite3_column_int64(statement, place).databaseValue
        case SQLITE_FLOAT: return sqlite3_column_double(statement, place).databaseValue
        case SQLITE_TEXT: return String(decoding: text(place), as: UTF8.self).databaseValue
        case SQLITE_BLOB:
            let count = Int(sqlite3_column_bytes(statement, place))
            guard let start = sqlite3_column_blob(statement, place) else { return Data().databaseValue }
            return Data(bytes: start, count: count).databaseValue
        default: return .null
        }
    }

    /// The key in the columns from the first on.
    func key(_ count: Int) -> RecordKey {
        guard count == 1 else { return RecordKey((0..<count).map(value)) }
        // One number or one UUID, as most keys are, without anything made on the way.
        switch sqlite3_column_type(statement, 0) {
        case SQLITE_INTEGER: return RecordKey(sqlite3_column_int64(statement, 0))
        case SQLITE_TEXT: if let uuid = UUID(lowercaseText: text(0)) { return RecordKey(uuid) }
        default: break
        }
        return RecordKey(value(0))
    }

    private func text(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(
            start: sqlite3_column_text(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
    }
}
