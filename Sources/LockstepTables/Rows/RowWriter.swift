import Foundation
package import GRDB
internal import GRDBSQLite

/// Receives the values of a record one at a time, binds them to a statement or captures them, and checks them against
/// the columns' limits.
///
/// The methods that write values are in an extension, two for each type.
public struct RowWriter {
    /// `nil` if the value is captured, or only checked.
    private let statement: OpaquePointer?
    private let plan: EntityPlan
    /// Whether the value is only checked against its limits.
    private let isChecking: Bool
    @usableFromInline var column = 0
    /// The parameter to bind next, from 1.
    @usableFromInline var parameter: Int32 = 1
    /// The last captured value.
    package private(set) var captured = DatabaseValue.null
    /// The last captured attachment, whose stored value does not contain the bytes.
    package private(set) var capturedAttachment: FileAttachment?
    /// Whether a UUID is captured as such, instead of as text.
    private let keepsUUID: Bool
    private var capturedUUID: UUID?
    /// The first value that violates its limits.
    package private(set) var violation: (column: Int, reason: LimitViolation)?

    /// Binds to `statement`, beginning with its first parameter.
    package init(_ statement: OpaquePointer, plan: EntityPlan) {
        self.statement = statement
        self.plan = plan
        isChecking = false
        keepsUUID = false
    }

    /// Captures values without checking limits.
    package init(capturing plan: EntityPlan) {
        statement = nil
        self.plan = plan
        isChecking = false
        keepsUUID = false
    }

    /// Captures the only value of a key.
    package init(capturingKeyOf plan: EntityPlan) {
        statement = nil
        self.plan = plan
        isChecking = false
        keepsUUID = true
    }

    /// The captured key; `nil` for NULL.
    package var capturedKey: RecordKey? {
        if let capturedUUID { return RecordKey(capturedUUID) }
        return captured.isNull ? nil : RecordKey(captured)
    }

    /// Only checks values against their limits.
    package init(checking plan: EntityPlan) {
        statement = nil
        self.plan = plan
        isChecking = true
        keepsUUID = false
    }

    /// Processes the value of a column, which `write` writes.
    @inlinable package mutating func take(_ column: Int, write: (inout RowWriter) -> Void) {
        self.column = column
        write(&self)
        parameter += 1
    }

    /// Processes the value of a column as ``take(_:write:)`` does, and returns why it cannot be stored; `nil` if it
    /// can.
    package mutating func violation(of column: Int, _ write: (inout RowWriter) -> Void) -> LimitViolation? {
        violation = nil
        take(column, write: write)
        return violation?.reason
    }

    mutating func write<Value: AttributeValue>(integer: Int64, value: Value) {
        guard let statement else {
            return isChecking ? check(value) : keep(integer.databaseValue)
        }
        check(value)
        sqlite3_bind_int64(statement, parameter, integer)
    }

    mutating func write<Value: AttributeValue>(real: Double, value: Value) {
        guard let statement else {
            guard isChecking else { return captured = real.databaseValue }
            return real.isFinite ? check(value) : note(.notFinite)
        }
        if !real.isFinite { note(.notFinite) }
        check(value)
        sqlite3_bind_double(statement, parameter, real)
    }

    mutating func write(text: String) {
        guard let statement else { return isChecking ? check(text) : keep(text.databaseValue) }
        check(text)
        Self.bind(text: text, to: statement, parameter: parameter)
    }

    mutating func write<Value: AttributeValue>(_ value: Value) {
        guard let statement else {
            guard isChecking else { return captured = value.storedValue }
            if let reason = value.violation(of: plan.columns[column].limits) { note(reason) }
            return
        }
        // What cannot be stored is not encoded either, since it might be nested too deeply.
        if let reason = value.violation(of: plan.columns[column].limits) { return note(reason) }
        Self.bind(value.storedValue, to: statement, parameter: parameter)
    }

    /// Writes a UUID as text, without creating a string.
    mutating func write(uuid: UUID) {
        guard let statement else { return keepsUUID ? capturedUUID = uuid : write(uuid) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { text in
            uuid.write(lowercaseText: text)
            text.withMemoryRebound(to: CChar.self) {
                _ = sqlite3_bind_text(statement, parameter, $0.baseAddress, 36, Self.transient)
            }
        }
    }

    /// Writes the text of an enum's value.
    @usableFromInline
    mutating func write<Value: AttributeValue>(rawText: String, value: Value) {
        guard let statement else { return write(value) }
        check(value)
        Self.bind(text: rawText, to: statement, parameter: parameter)
    }

    @usableFromInline
    mutating func writeNull() {
        guard let statement else {
            captured = .null
            if isChecking, !plan.isOptional[column] { note(.missing) }
            return
        }
        if !plan.isOptional[column] { note(.missing) }
        sqlite3_bind_null(statement, parameter)
    }

    private mutating func check<Value: AttributeValue>(_ value: Value) {
        guard plan.isLimited[column] else { return }
        if let reason = value.violation(of: plan.columns[column].limits) { note(reason) }
    }

    mutating func capture(_ value: FileAttachment) { if statement == nil, !isChecking { capturedAttachment = value } }

    private mutating func keep(_ value: DatabaseValue) { captured = value }

    private mutating func note(_ reason: LimitViolation) { violation = violation ?? (column, reason) }
}

extension RowWriter {
    /// SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    /// Binds every parameter of a statement, with complete texts: GRDB's arguments end at a NUL.
    package static func bind(_ values: [DatabaseValue], to statement: OpaquePointer) {
        for (index, value) in values.enumerated() { bind(value, to: statement, parameter: Int32(index + 1)) }
    }

    package static func bind(_ value: DatabaseValue, to statement: OpaquePointer, parameter: Int32) {
        switch value.storage {
        case .null: sqlite3_bind_null(statement, parameter)
        case .int64(let value): sqlite3_bind_int64(statement, parameter, value)
        case .double(let value): sqlite3_bind_double(statement, parameter, value)
        case .string(let value): bind(text: value, to: statement, parameter: parameter)
        case .blob(let value): bind(bytes: value, to: statement, parameter: parameter)
        }
    }

    private static func bind(text: String, to statement: OpaquePointer, parameter: Int32) {
        var text = text
        text.withUTF8 { bytes in
            // A null pointer would be NULL instead of an empty text.
            let start = bytes.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
            withUnsafePointer(to: CChar(0)) { empty in
                _ = sqlite3_bind_text(statement, parameter, start ?? empty, Int32(bytes.count), transient)
            }
        }
    }

    private static func bind(bytes: Data, to statement: OpaquePointer, parameter: Int32) {
        guard !bytes.isEmpty else { return _ = sqlite3_bind_zeroblob(statement, parameter, 0) }
        bytes.withUnsafeBytes {
            _ = sqlite3_bind_blob(statement, parameter, $0.baseAddress, Int32($0.count), transient)
        }
    }
}
