import Foundation
import GRDB
internal import GRDBSQLite

/// Reads a row of an entity's table by the places of its columns.
///
/// A reader without a row gives zero values: what a stand-in for a missing record has. One can also read values that
/// are at hand (`ValueRow`). The methods that read values are in an extension, two for each type.
public struct RowReader {
    /// `nil` if there is no row, or the values are at hand.
    private let statement: OpaquePointer?
    /// Also where the values at hand are: so that reading a statement's row, which is done most, pays nothing for them.
    private let problems: RowProblems?

    /// Reads the row that `statement` stands on.
    init(_ statement: OpaquePointer, problems: RowProblems) {
        self.statement = statement
        self.problems = problems
    }

    /// Reads values that are at hand.
    init(_ values: ValueRow) {
        statement = nil
        problems = RowProblems(reading: values)
    }

    private init() {
        statement = nil
        problems = nil
    }

    /// Gives zero values.
    static var placeholder: RowReader { RowReader() }

    @usableFromInline
    func isNull(_ column: Int) -> Bool {
        guard let statement else { return valueAtHand(column).isNull }
        return sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
    }

    func integer(_ column: Int) -> Int64 {
        guard let statement else {
            if case .int64(let value) = valueAtHand(column).storage { return value }
            return mismatch(column, 0)
        }
        // SQLite would make a number of anything.
        guard sqlite3_column_type(statement, Int32(column)) == SQLITE_INTEGER else { return mismatch(column, 0) }
        return sqlite3_column_int64(statement, Int32(column))
    }

    func wholeNumber<Number: FixedWidthInteger>(_ column: Int) -> Number {
        let value = integer(column)
        if let number = Number(exactly: value) { return number }
        problems?.note(column)
        return Number(truncatingIfNeeded: value)
    }

    func real(_ column: Int) -> Double {
        guard let statement else { return realAtHand(column) }
        switch sqlite3_column_type(statement, Int32(column)) {
        case SQLITE_FLOAT, SQLITE_INTEGER: return sqlite3_column_double(statement, Int32(column))
        default: return mismatch(column, 0)
        }
    }

    /// A text by its length, so that NUL is a character as any other.
    func text(_ column: Int) -> String {
        guard let statement else {
            if case .string(let value) = valueAtHand(column).storage { return value }
            return mismatch(column, "")
        }
        guard sqlite3_column_type(statement, Int32(column)) == SQLITE_TEXT else { return mismatch(column, "") }
        guard let start = sqlite3_column_text(statement, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The text that stands for an enum's value; `nil` if there is none, which is noted.
    @usableFromInline
    func rawText(_ column: Int) -> String? {
        guard let statement else {
            if case .string(let value) = valueAtHand(column).storage { return value }
            if problems != nil { noteUnreadable(column) }
            return nil
        }
        guard sqlite3_column_type(statement, Int32(column)) == SQLITE_TEXT else { return mismatch(column, nil) }
        return text(column)
    }

    /// A UUID from its text, without making a string of it.
    func uuidValue(_ column: Int) -> UUID {
        guard let statement else { return value(column) }
        // Asked for the text of anything else, SQLite would convert it, and its type be lost.
        if sqlite3_column_type(statement, Int32(column)) == SQLITE_TEXT,
            let start = sqlite3_column_text(statement, Int32(column)),
            let value = UUID(
                lowercaseText: UnsafeBufferPointer(
                    start: start, count: Int(sqlite3_column_bytes(statement, Int32(column)))))
        {
            return value
        }
        return value(column)
    }

    func bytes(_ column: Int) -> Data {
        guard let statement else {
            if case .blob(let value) = valueAtHand(column).storage { return value }
            return mismatch(column, Data())
        }
        let type = sqlite3_column_type(statement, Int32(column))
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        // SQLite takes an empty text for an empty blob in some places.
        guard type == SQLITE_BLOB || type == SQLITE_TEXT && count == 0 else { return mismatch(column, Data()) }
        guard let start = sqlite3_column_blob(statement, Int32(column)) else { return Data() }
        return Data(bytes: start, count: count)
    }

    /// Notes that a column holds a value of another type than the schema's, NULL included where one is required.
    private func mismatch<Value>(_ column: Int, _ zero: Value) -> Value {
        problems?.note(column)
        return zero
    }

    /// Where the attachments of the row are; `nil` if that is not known.
    var attachmentFiles: AttachmentFiles? { problems?.files }

    private func valueAtHand(_ column: Int) -> DatabaseValue { problems?.values?[column] ?? .null }

    private func realAtHand(_ column: Int) -> Double {
        switch valueAtHand(column).storage {
        case .double(let value): value
        case .int64(let value): Double(value)
        default: mismatch(column, 0)
        }
    }

    /// Notes that a column holds what cannot be read.
    @usableFromInline
    func noteUnreadable(_ column: Int) { problems?.note(column) }

    /// Any value; what cannot be read is noted, and reads as zero.
    func value<Value: AttributeValue>(_ column: Int) -> Value {
        guard statement != nil || problems != nil else { return .placeholder }
        if let value = Value(storedValue: databaseValue(column)) { return value }
        problems?.note(column)
        return .placeholder
    }

    func databaseValue(_ column: Int) -> DatabaseValue {
        guard let statement else { return valueAtHand(column) }
        switch sqlite3_column_type(statement, Int32(column)) {
        case SQLITE_INTEGER: return integer(column).databaseValue
        case SQLITE_FLOAT: return real(column).databaseValue
        case SQLITE_TEXT: return text(column).databaseValue
        case SQLITE_BLOB: return bytes(column).databaseValue
        default: return .null
        }
    }
}

/// Collects what could not be read from rows: reading a row cannot throw, fetching it can.
final class RowProblems {
    /// The values that are read, where they are at hand rather than in a statement's row.
    let values: ValueRow?
    private(set) var firstColumn: Int?

    /// Where the attachments of the rows are.
    let files: AttachmentFiles?

    /// Rows of a store.
    init(_ files: AttachmentFiles) {
        self.files = files
        values = nil
    }

    init(reading values: ValueRow) {
        self.values = values
        files = values.files
    }

    func note(_ column: Int) { firstColumn = firstColumn ?? column }

    /// Throws what was noted of rows that have these of the entity's columns; without a list, all in order.
    func throwFirst(_ plan: EntityPlan, columns: [Int]? = nil) throws {
        guard var column = firstColumn else { return }
        if let columns, column < columns.count { column = columns[column] }
        guard column < plan.columns.count else { return }
        throw StoreError.unreadable(column, of: plan)
    }
}

extension StoreError {
    /// A column holds what is no value of its type.
    static func unreadable(_ column: Int, of plan: EntityPlan) -> StoreError {
        StoreError(
            .unreadableValue, doing: "reading the store", entity: plan.name, attribute: plan.columns[column].memberName,
            reason: "the column “\(plan.columns[column].name)” holds a value that is not of the schema's type",
            remedy:
                "Look at the rows of the table “\(plan.table)”; something other than this schema's models wrote them.")
    }
}
