package import Foundation
import GRDB
internal import GRDBSQLite

/// Reads a row of an entity's table by the indexes of its columns.
///
/// A reader without a row returns zero values, as used by placeholders for missing records. A reader can also read
/// values in memory (`ValueRow`). The methods that read values are in an extension, two for each type.
public struct RowReader {
    /// `nil` if there is no row, or the values are in memory.
    private let statement: OpaquePointer?
    /// Also has the values in memory, so that reading a statement's row, the most frequent case, costs nothing extra.
    private let problems: RowProblems?

    /// Reads the current row of `statement`.
    package init(_ statement: OpaquePointer, problems: RowProblems) {
        self.statement = statement
        self.problems = problems
    }

    /// Reads values in memory.
    init(_ values: ValueRow) {
        statement = nil
        problems = RowProblems(reading: values)
    }

    private init() {
        statement = nil
        problems = nil
    }

    /// Whether a value of this row, or of one that was read before it, is not of the schema's type.
    package var hasProblems: Bool { problems?.firstColumn != nil }

    /// Returns zero values.
    package static var placeholder: RowReader { RowReader() }

    @usableFromInline
    package func isNull(_ column: Int) -> Bool {
        guard let statement else { return valueAtHand(column).isNull }
        return sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
    }

    package func integer(_ column: Int) -> Int64 {
        guard let statement else {
            if case .int64(let value) = valueAtHand(column).storage { return value }
            return mismatch(column, zero: 0)
        }
        // SQLite would convert anything to a number.
        guard sqlite3_column_type(statement, Int32(column)) == SQLITE_INTEGER else { return mismatch(column, zero: 0) }
        return sqlite3_column_int64(statement, Int32(column))
    }

    func wholeNumber<Number: FixedWidthInteger>(_ column: Int) -> Number {
        let value = integer(column)
        if let number = Number(exactly: value) { return number }
        problems?.note(column)
        return 0
    }

    func real(_ column: Int) -> Double {
        guard let statement else { return realAtHand(column) }
        switch sqlite3_column_type(statement, Int32(column)) {
        case SQLITE_FLOAT, SQLITE_INTEGER: return sqlite3_column_double(statement, Int32(column))
        default: return mismatch(column, zero: 0)
        }
    }

    /// A text by its length, so that it may contain NUL.
    func text(_ column: Int) -> String {
        guard let statement else {
            if case .string(let value) = valueAtHand(column).storage { return value }
            return mismatch(column, zero: "")
        }
        guard sqlite3_column_type(statement, Int32(column)) == SQLITE_TEXT else { return mismatch(column, zero: "") }
        guard let start = sqlite3_column_text(statement, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The text of an enum's value; `nil` if there is none, which is recorded as a problem.
    @usableFromInline
    func rawText(_ column: Int) -> String? {
        guard let statement else {
            if case .string(let value) = valueAtHand(column).storage { return value }
            if problems != nil { noteUnreadable(column) }
            return nil
        }
        guard sqlite3_column_type(statement, Int32(column)) == SQLITE_TEXT else { return mismatch(column, zero: nil) }
        return text(column)
    }

    /// A UUID from its text, without creating a string.
    package func uuidValue(_ column: Int) -> UUID {
        guard let statement else { return value(column) }
        // If asked for the text of anything else, SQLite would convert it, and the type would be lost.
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
            return mismatch(column, zero: Data())
        }
        let type = sqlite3_column_type(statement, Int32(column))
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        // SQLite sometimes treats an empty text as an empty blob.
        guard type == SQLITE_BLOB || type == SQLITE_TEXT && count == 0 else { return mismatch(column, zero: Data()) }
        guard let start = sqlite3_column_blob(statement, Int32(column)) else { return Data() }
        return Data(bytes: start, count: count)
    }

    /// Records that a column has a value of another type than the schema's, or NULL if a value is required.
    private func mismatch<Value>(_ column: Int, zero: Value) -> Value {
        problems?.note(column)
        return zero
    }

    /// The files with the row's attachments; `nil` if they are not known.
    var attachmentFiles: AttachmentFiles? { problems?.files }

    private func valueAtHand(_ column: Int) -> DatabaseValue { problems?.values?[column] ?? .null }

    private func realAtHand(_ column: Int) -> Double {
        switch valueAtHand(column).storage {
        case .double(let value): value
        case .int64(let value): Double(value)
        default: mismatch(column, zero: 0)
        }
    }

    /// Records that the value of a column cannot be read.
    @usableFromInline
    package func noteUnreadable(_ column: Int) { problems?.note(column) }

    /// Any value. An unreadable one is recorded, and reads as zero.
    package func value<Value: AttributeValue>(_ column: Int) -> Value {
        guard statement != nil || problems != nil else { return .placeholder }
        if let value = Value(storedValue: databaseValue(column)) { return value }
        problems?.note(column)
        return .placeholder
    }

    package func databaseValue(_ column: Int) -> DatabaseValue {
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

/// Collects values that could not be read from rows: reading a row cannot throw, fetching it can.
package final class RowProblems {
    /// The values that are read, if they are in memory instead of in a statement's row.
    let values: ValueRow?
    private(set) var firstColumn: Int?

    /// The files with the attachments of the rows.
    let files: AttachmentFiles?

    /// Rows of a store.
    package init(_ files: AttachmentFiles) {
        self.files = files
        values = nil
    }

    init(reading values: ValueRow) {
        self.values = values
        files = values.files
    }

    func note(_ column: Int) { firstColumn = firstColumn ?? column }

    /// Throws the first recorded problem of rows that have these of the entity's columns; by default, all in order.
    package func throwFirst(_ plan: EntityPlan, columns: [Int]? = nil) throws {
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
            reason: "the column “\(plan.columns[column].name)” has a value that is not of the schema's type",
            remedy:
                "Check the rows of the table “\(plan.table)”. They were not written by this schema's models.")
    }
}
