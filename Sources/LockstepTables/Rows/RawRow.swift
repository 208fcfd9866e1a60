import Foundation
import GRDB
internal import GRDBSQLite

extension RawStatement {
    /// Runs it, and calls `body` for each row; `body` must not run it again.
    package func forEachRow(_ arguments: [DatabaseValue], body: (RawRow) throws -> Void) throws {
        RowWriter.bind(arguments, to: pointer)
        defer { reset() }
        while try step() { try body(RawRow(pointer)) }
    }

    /// Runs it, and returns the first column of the first row; `nil` if there is no row.
    package func firstValue(_ arguments: [DatabaseValue]) throws -> DatabaseValue? {
        RowWriter.bind(arguments, to: pointer)
        defer { reset() }
        return try step() ? RawRow(pointer).value(0) : nil
    }

    /// Runs it.
    ///
    /// - Returns: The number of rows that it changed itself, without the effects of triggers.
    @discardableResult
    package func run(_ arguments: [DatabaseValue]) throws -> Int {
        RowWriter.bind(arguments, to: pointer)
        return try run()
    }
}

/// The current row of a statement.
package struct RawRow {
    private let statement: OpaquePointer

    package init(_ statement: OpaquePointer) { self.statement = statement }

    package func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }

    /// The value of a column, with text beyond a NUL.
    package func value(_ column: Int) -> DatabaseValue {
        let index = Int32(column)
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: return sqlite3_column_int64(statement, index).databaseValue
        case SQLITE_FLOAT: return sqlite3_column_double(statement, index).databaseValue
        case SQLITE_TEXT: return String(decoding: text(index), as: UTF8.self).databaseValue
        case SQLITE_BLOB:
            guard let start = sqlite3_column_blob(statement, index) else { return Data().databaseValue }
            return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, index))).databaseValue
        default: return .null
        }
    }

    /// The key in the first columns.
    package func key(_ count: Int) -> RecordKey {
        guard count == 1 else { return RecordKey((0..<count).map(value)) }
        // One number or one UUID, as most keys are, without intermediate values.
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
