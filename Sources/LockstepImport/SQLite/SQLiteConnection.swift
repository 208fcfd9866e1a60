import Foundation
internal import GRDBSQLite

/// A connection that only reads.
final class SQLiteConnection {
    /// Why SQLite refuses something.
    struct Refusal: Error {
        let code: Int32
        let message: String

        var primaryCode: Int32 { code & 0xFF }
    }

    private let handle: OpaquePointer
    /// The file as it was named, for errors.
    let path: String
    /// The folder of a copy, which is removed with the connection.
    private let copy: URL?

    /// The instructions of SQLite's machine that one statement may run, in thousands. A statement reads at most a
    /// thousand rows, but the pages of a damaged file can refer to each other in a circle.
    private static let instructionLimit = 200_000

    /// - Parameters:
    ///   - uri: The file as SQLite names it: `file:///…?mode=ro`.
    ///   - path: The file as it was named.
    ///   - copy: A folder to remove at the end.
    init(uri: String, path: String, copy: URL? = nil) throws(Refusal) {
        (self.path, self.copy) = (path, copy)
        var handle: OpaquePointer?
        let flags = (copy == nil ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | SQLITE_OPEN_URI
        let code = sqlite3_open_v2(uri, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(handle)
            if let copy { try? FileManager.default.removeItem(at: copy) }
            throw Refusal(code: code, message: message)
        }
        self.handle = handle
        sqlite3_extended_result_codes(handle, 1)
    }

    deinit {
        sqlite3_close_v2(handle)
        if let copy { try? FileManager.default.removeItem(at: copy) }
    }

    /// The rows of a statement.
    ///
    /// - Throws: ``ImportFailure`` that says why it cannot be read.
    func rows(_ sql: String) throws(ImportFailure) -> [[SQLiteValue]] {
        do throws(Refusal) { return try run(sql) } catch { throw failure(error) }
    }

    /// The rows of a statement.
    func run(_ sql: String) throws(Refusal) -> [[SQLiteValue]] {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard code == SQLITE_OK else { throw refusal(code) }
        defer { sqlite3_finalize(statement) }
        var count = Self.instructionLimit
        return try withUnsafeMutablePointer(to: &count) { count throws(Refusal) in
            sqlite3_progress_handler(
                handle, 1000,
                { context in
                    guard let count = context?.assumingMemoryBound(to: Int.self) else { return 1 }
                    count.pointee -= 1
                    return count.pointee > 0 ? 0 : 1
                }, count)
            defer { sqlite3_progress_handler(handle, 0, nil, nil) }
            return try step(statement)
        }
    }

    private func step(_ statement: OpaquePointer?) throws(Refusal) -> [[SQLiteValue]] {
        var rows: [[SQLiteValue]] = []
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return rows }
            guard code == SQLITE_ROW else { throw refusal(code) }
            rows.append((0..<sqlite3_column_count(statement)).map { Self.value(statement, column: $0) })
        }
    }

    private static func value(_ statement: OpaquePointer?, column: Int32) -> SQLiteValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(statement, column) else { return .text("") }
            let count = Int(sqlite3_column_bytes(statement, column))
            return .text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            guard let start = sqlite3_column_blob(statement, column) else { return .blob([]) }
            let count = Int(sqlite3_column_bytes(statement, column))
            return .blob(Array(UnsafeRawBufferPointer(start: start, count: count)))
        default: return .null
        }
    }

    /// The collation of a column, and whether it is numbered with AUTOINCREMENT.
    func metadata(table: String, column: String) -> (collation: String, isAutoincrement: Bool) {
        var collation: UnsafePointer<CChar>?
        var isAutoincrement: Int32 = 0
        let code = sqlite3_table_column_metadata(
            handle, "main", table, column, nil, &collation, nil, nil, &isAutoincrement)
        guard code == SQLITE_OK, let collation else { return ("BINARY", false) }
        return (String(cString: collation), isAutoincrement != 0)
    }

    private func refusal(_ code: Int32) -> Refusal {
        Refusal(code: code, message: String(cString: sqlite3_errmsg(handle)))
    }

    private func failure(_ refusal: Refusal) -> ImportFailure { refusal.failure(path) }
}

extension SQLiteConnection.Refusal {
    func failure(_ path: String) -> ImportFailure {
        let reason =
            switch primaryCode {
            case SQLITE_NOTADB:
                "It is encrypted or damaged: SQLite does not recognize it. Import a copy without encryption."
            case SQLITE_CORRUPT:
                "It is damaged: \(message). Run 'sqlite3 FILE .recover | sqlite3 COPY', and import COPY."
            case SQLITE_BUSY, SQLITE_LOCKED:
                "Another program is writing to it. Close that program, or import a copy."
            case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: "It cannot be read. Check its permissions."
            case SQLITE_INTERRUPT:
                "It is damaged: reading a table does not end. Run 'sqlite3 FILE .recover | sqlite3 COPY', and import "
                    + "COPY."
            default: "SQLite cannot read it: \(message). Check it with 'sqlite3 FILE \"PRAGMA integrity_check\"'."
            }
        return ImportFailure(path, reason: reason)
    }
}
