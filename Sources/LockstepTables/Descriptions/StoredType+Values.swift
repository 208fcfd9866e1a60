import Foundation
package import GRDB
import LockstepEvolution

extension StoredType {
    /// The Swift type of the values in columns of this type; for an enum, that of its raw values.
    package var valueType: any AttributeValue.Type {
        switch self {
        case .string, .enumeration(.string, closed: _): String.self
        case .bool: Bool.self
        case .int, .enumeration(.int, closed: _): Int.self
        case .int16: Int16.self
        case .int32: Int32.self
        case .int64: Int64.self
        case .float: Float.self
        case .double: Double.self
        case .decimal: Decimal.self
        case .date: Date.self
        case .day: Day.self
        case .uuid: UUID.self
        case .url: URL.self
        case .data: Data.self
        case .attachment: FileAttachment.self
        case .json: JSONValue.self
        case .custom(let custom): custom.type
        case .list(of: let element): Self.list(of: element.valueType)
        }
    }

    private static func list<Element: AttributeValue>(of type: Element.Type) -> any AttributeValue.Type {
        [Element].self
    }

    /// Whether two values of columns of this type are read as the same value.
    package func isSameValue(_ left: DatabaseValue, _ right: DatabaseValue) -> Bool {
        if left.isNull || right.isNull { return left.isNull && right.isNull }
        return Self.isSameValue(left, right, as: valueType)
    }

    private static func isSameValue<Value: AttributeValue>(
        _ left: DatabaseValue, _ right: DatabaseValue, as type: Value.Type
    ) -> Bool {
        guard let left = Value(storedValue: left), let right = Value(storedValue: right) else { return false }
        return Value.isIdentical(left, right)
    }

    /// Reads a stored value as the Swift type, and returns what is stored of it; `nil` if it is none of the type.
    package func keep(_ stored: DatabaseValue, in limits: Limits) -> Result<DatabaseValue, LimitViolation>? {
        if case .enumeration(_, closed: let cases?) = self,
            !cases.contains(where: { $0.storedValue == stored })
        {
            return nil
        }
        return Self.kept(stored, limits: limits, as: valueType)
    }

    private static func kept<Value: AttributeValue>(
        _ stored: DatabaseValue, limits: Limits, as type: Value.Type
    ) -> Result<DatabaseValue, LimitViolation>? {
        guard let value = Value(storedValue: stored) else { return nil }
        if let violation = value.violation(of: limits) { return .failure(violation) }
        return .success(value.storedValue)
    }
}

extension CustomDescription {
    /// Converts a value to the app's type, and returns what is stored then; `nil` if it is not a value of the type.
    package func keep(_ stored: DatabaseValue, in limits: Limits) -> Result<DatabaseValue, LimitViolation>? {
        StoredType.custom(self).keep(stored, in: limits)
    }
}

extension CaseValue {
    fileprivate var storedValue: DatabaseValue {
        switch self {
        case .string(let text): text.databaseValue
        case .int(let number): number.databaseValue
        }
    }
}
