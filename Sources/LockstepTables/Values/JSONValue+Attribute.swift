import Foundation
public import GRDB
public import LockstepJSON
@_spi(Requirements) import LockstepValues

extension JSONValue: AttributeValue {
    /// The value as JSON text with sorted keys.
    @_spi(Requirements) public var storedValue: DatabaseValue { StoredJSON.text(of: self).databaseValue }

    @_spi(Requirements) public init?(storedValue: DatabaseValue) {
        guard case .string(let text) = storedValue.storage, let value = StoredJSON.value(from: text) else { return nil }
        self = value
    }

    @_spi(Requirements) public var storedJSON: JSONValue { self }

    @_spi(Requirements) public init?(storedJSON: JSONValue) { self = storedJSON }

    @_spi(Requirements) public func violation(of limits: Limits) -> LimitViolation? { violation(depth: 0) }

    /// Not-a-number would become null, and deeply nested JSON could not be read again.
    private func violation(depth: Int) -> LimitViolation? {
        switch self {
        case .null, .bool, .integer, .string: return nil
        case .double(let value): return value.isFinite ? nil : .notFinite
        case .decimal(let value): return value.violation(of: .none)
        case .array(let elements):
            guard depth < StoredJSON.depthLimit else { return .tooDeep(StoredJSON.depthLimit) }
            return Self.firstViolation(in: elements, depth: depth + 1)
        case .object(let members):
            guard depth < StoredJSON.depthLimit else { return .tooDeep(StoredJSON.depthLimit) }
            return Self.firstViolation(in: members.values, depth: depth + 1)
        }
    }

    private static func firstViolation(in values: some Sequence<JSONValue>, depth: Int) -> LimitViolation? {
        for value in values {
            if let violation = value.violation(depth: depth) { return violation }
        }
        return nil
    }

    @_spi(Requirements) public static var placeholder: JSONValue { .null }

    /// A column's value as an element of a list's JSON text. Bytes become base64.
    package init(storedScalar: DatabaseValue) {
        switch storedScalar.storage {
        case .null: self = .null
        case .int64(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .blob(let value): self = .string(value.base64EncodedString())
        }
    }

    /// The inverse of `init(storedScalar:)`, as far as JSON allows; `nil` for arrays and objects.
    package var storedScalar: DatabaseValue? {
        switch self {
        case .null: return .null
        case .bool(let value): return value.databaseValue
        case .integer(let value): return value.databaseValue
        case .decimal(let value): return value.nearestDouble.databaseValue
        case .double(let value): return value.databaseValue
        case .string(let value): return value.databaseValue
        case .array, .object: return nil
        }
    }
}
