import Foundation
internal import GRDB
internal import GRDBSQLite
import LockstepTables

extension Cell {
    /// Creates a cell from a column's value; texts and blobs are copied into the arena.
    init(_ value: DatabaseValue, arena: TextArena) {
        switch value.storage {
        case .null: self = .null
        case .int64(let value): self.init(integer: value)
        case .double(let value): self.init(real: value)
        case .string(let value): self.init(text: arena.copy(value))
        case .blob(let value):
            self.init(blob: value.withUnsafeBytes { arena.copy($0.bindMemory(to: UInt8.self)) })
        }
    }

    /// The value of a column of a statement's current row. Its bytes are valid until the next step.
    init(column: Int32, of statement: OpaquePointer) {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: self.init(integer: sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: self.init(real: sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(statement, column)
            self.init(
                text: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(statement, column)?.assumingMemoryBound(to: UInt8.self)
            self.init(
                blob: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
        default: self = .null
        }
    }

    /// The value as a GRDB value. Absent is NULL.
    var databaseValue: DatabaseValue {
        switch kind {
        case .absent, .null: .null
        case .integer: integer.databaseValue
        case .real: real.databaseValue
        case .text: String(decoding: bytes, as: UTF8.self).databaseValue
        case .blob: Data(bytes).databaseValue
        }
    }

    /// Binds the value to a statement's parameter, starting at 1. Absent is NULL.
    ///
    /// Nothing is copied: texts and blobs must stay valid until the statement is reset or bound again.
    func bind(to statement: OpaquePointer, parameter: Int32) {
        switch kind {
        case .absent, .null: sqlite3_bind_null(statement, parameter)
        case .integer: sqlite3_bind_int64(statement, parameter, integer)
        case .real: sqlite3_bind_double(statement, parameter, real)
        case .text:
            let start = UnsafeRawPointer(address).assumingMemoryBound(to: CChar.self)
            sqlite3_bind_text(statement, parameter, start, Int32(count), nil)
        case .blob where count == 0: sqlite3_bind_zeroblob(statement, parameter, 0)
        case .blob: sqlite3_bind_blob(statement, parameter, UnsafeRawPointer(address), Int32(count), nil)
        }
    }

    /// The address of the bytes. SQLite treats a null pointer as NULL, so an empty text needs an address too.
    private var address: UnsafePointer<UInt8> { bytes.baseAddress ?? Self.emptyText }

    /// The address of a static zero byte.
    private static var emptyText: UnsafePointer<UInt8> { ("" as StaticString).utf8Start }

    /// Whether the current row of a statement has the same value. Absent keeps any value.
    ///
    /// The same value may have been encoded differently by others: a decimal as a number or `1.0`, a UUID in upper
    /// case, JSON with whitespace. Such values are equal, so nothing is written (Rules.md, M6).
    func isEqual(to statement: OpaquePointer, column: Int32, type: StoredType) -> Bool {
        let storedType = sqlite3_column_type(statement, column)
        switch kind {
        case .absent: return true
        case .null: return storedType == SQLITE_NULL
        case .integer:
            guard storedType == SQLITE_INTEGER else { return false }
            let stored = sqlite3_column_int64(statement, column)
            return stored == integer || (type == .bool && (stored != 0) == (integer != 0))
        case .real where storedType == SQLITE_FLOAT || storedType == SQLITE_INTEGER:
            let stored = sqlite3_column_double(statement, column)
            return stored == real || (type == .float && Float(stored) == Float(real))
        case .text where storedType == SQLITE_TEXT:
            if hasBytes(sqlite3_column_text(statement, column), storedCount: sqlite3_column_bytes(statement, column)) {
                return true
            }
        case .blob where storedType == SQLITE_BLOB:
            let start = sqlite3_column_blob(statement, column)?.assumingMemoryBound(to: UInt8.self)
            return hasBytes(start, storedCount: sqlite3_column_bytes(statement, column))
        default: break
        }
        guard storedType != SQLITE_NULL, type.hasSeveralEncodings || storedType != SQLITE_TEXT else { return false }
        return type.isSameValue(Cell(column: column, of: statement).databaseValue, databaseValue)
    }

    @inline(__always)
    private func hasBytes(_ start: UnsafePointer<UInt8>?, storedCount: Int32) -> Bool {
        guard Int(storedCount) == Int(count) else { return false }
        guard let start, count > 0 else { return count == 0 }
        return memcmp(start, address, Int(count)) == 0
    }
}

extension StoredType {
    /// Whether the same value can be encoded as different texts.
    fileprivate var hasSeveralEncodings: Bool {
        switch self {
        case .decimal, .uuid, .json, .list, .custom, .data: true
        default: false
        }
    }
}
