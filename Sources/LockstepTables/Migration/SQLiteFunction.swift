import Foundation
import GRDB
internal import GRDBSQLite

/// A function for SQL whose texts may contain NUL: GRDB's functions end them there.
///
/// Only statements call it, and none of the file's triggers, views and checks (``flags``).
final class SQLiteFunction {
    private let body: ([DatabaseValue]) throws -> DatabaseValue

    private init(_ body: @escaping ([DatabaseValue]) throws -> DatabaseValue) { self.body = body }

    /// The flags of every function of the library. A file may have been made by anybody, and its triggers, views,
    /// checks and defaults run with the store's statements: they cannot call these functions. Temporary triggers, which
    /// are not in the file, can (https://www.sqlite.org/c3ref/c_deterministic.html#sqlitedirectonly).
    static let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY

    /// Adds a function.
    ///
    /// - Parameters:
    ///   - count: The number of its arguments; -1 for any.
    ///   - isPure: Whether it gives the same result for the same arguments.
    static func add(
        _ name: String, count: Int32 = -1, isPure: Bool = true, to database: Database,
        body: @escaping ([DatabaseValue]) throws -> DatabaseValue
    ) {
        // It fails only without memory, and then so does the statement that calls it.
        _ = sqlite3_create_function_v2(
            database.sqliteConnection, name, count, isPure ? flags | SQLITE_DETERMINISTIC : flags,
            Unmanaged.passRetained(SQLiteFunction(body)).toOpaque(),
            { context, count, values in
                guard let context, let values, let data = sqlite3_user_data(context) else { return }
                Unmanaged<SQLiteFunction>.fromOpaque(data).takeUnretainedValue().run(
                    context, values: values, count: Int(count))
            }, nil, nil,
            { data in
                if let data { Unmanaged<SQLiteFunction>.fromOpaque(data).release() }
            })
    }

    private func run(_ context: OpaquePointer, values: UnsafeMutablePointer<OpaquePointer?>, count: Int) {
        do {
            let arguments = (0..<count).map { values[$0].map(SQLiteValue.read) ?? .null }
            SQLiteValue.give(try body(arguments), in: context)
        } catch {
            sqlite3_result_error(context, "\(error)", -1)
        }
    }
}

/// Arguments and results of functions.
enum SQLiteValue {
    /// SQLite's `SQLITE_TRANSIENT`.
    static var isCopied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    static func text(_ value: OpaquePointer?) -> String? {
        // The number of bytes is that of the text which was asked for before.
        guard let text = sqlite3_value_text(value) else { return nil }
        return String(
            decoding: UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))), as: UTF8.self)
    }

    static func read(_ value: OpaquePointer) -> DatabaseValue {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return sqlite3_value_int64(value).databaseValue
        case SQLITE_FLOAT: return sqlite3_value_double(value).databaseValue
        case SQLITE_TEXT: return (text(value) ?? "").databaseValue
        case SQLITE_BLOB:
            let count = Int(sqlite3_value_bytes(value))
            return (sqlite3_value_blob(value).map { Data(bytes: $0, count: count) } ?? Data()).databaseValue
        default: return .null
        }
    }

    static func give(_ value: DatabaseValue, in context: OpaquePointer) {
        switch value.storage {
        case .null: sqlite3_result_null(context)
        case .int64(let number): sqlite3_result_int64(context, number)
        case .double(let number): sqlite3_result_double(context, number)
        case .string(""): sqlite3_result_text(context, "", 0, isCopied)
        case .string(var text):
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    sqlite3_result_text(context, $0.baseAddress, Int32($0.count), isCopied)
                }
            }
        // Without bytes, the result would be NULL.
        case .blob(let data) where data.isEmpty: sqlite3_result_zeroblob(context, 0)
        case .blob(let data):
            data.withUnsafeBytes { sqlite3_result_blob(context, $0.baseAddress, Int32($0.count), isCopied) }
        }
    }
}
