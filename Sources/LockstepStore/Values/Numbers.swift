public import Foundation
public import GRDB

extension Int: AttributeValue {
    public var storedValue: DatabaseValue { databaseValue }

    public init?(storedValue: DatabaseValue) {
        guard case .int64(let value) = storedValue.storage else { return nil }
        self.init(exactly: value)
    }

    public func violation(of limits: Limits) -> LimitViolation? {
        limits.violation(wholeNumber: Int64(self))
    }

    public static var placeholder: Int { 0 }
}

extension Int16: AttributeValue {
    public var storedValue: DatabaseValue { databaseValue }

    public init?(storedValue: DatabaseValue) {
        guard case .int64(let value) = storedValue.storage else { return nil }
        self.init(exactly: value)
    }

    public func violation(of limits: Limits) -> LimitViolation? {
        limits.violation(wholeNumber: Int64(self))
    }

    public static var placeholder: Int16 { 0 }
}

extension Int32: AttributeValue {
    public var storedValue: DatabaseValue { databaseValue }

    public init?(storedValue: DatabaseValue) {
        guard case .int64(let value) = storedValue.storage else { return nil }
        self.init(exactly: value)
    }

    public func violation(of limits: Limits) -> LimitViolation? {
        limits.violation(wholeNumber: Int64(self))
    }

    public static var placeholder: Int32 { 0 }
}

extension Int64: AttributeValue {
    public var storedValue: DatabaseValue { databaseValue }

    public init?(storedValue: DatabaseValue) {
        guard case .int64(let value) = storedValue.storage else { return nil }
        self.init(exactly: value)
    }

    public func violation(of limits: Limits) -> LimitViolation? {
        limits.violation(wholeNumber: Int64(self))
    }

    public static var placeholder: Int64 { 0 }
}

extension Double: AttributeValue {
    public var storedValue: DatabaseValue { databaseValue }

    public init?(storedValue: DatabaseValue) {
        switch storedValue.storage {
        case .double(let value): self.init(value)
        case .int64(let value): self.init(value)
        default: return nil
        }
    }

    public func violation(of limits: Limits) -> LimitViolation? {
        guard isFinite else { return .notFinite }
        return limits.hasRange ? limits.violation(number: Double(self)) : nil
    }

    public static var placeholder: Double { 0 }
}

extension Float: AttributeValue {
    public var storedValue: DatabaseValue { databaseValue }

    public init?(storedValue: DatabaseValue) {
        switch storedValue.storage {
        case .double(let value): self.init(value)
        case .int64(let value): self.init(value)
        default: return nil
        }
    }

    public func violation(of limits: Limits) -> LimitViolation? {
        guard isFinite else { return .notFinite }
        return limits.hasRange ? limits.violation(number: Double(self)) : nil
    }

    public static var placeholder: Float { 0 }
}

extension Decimal: AttributeValue {
    /// The digits as text, so that the value is exact.
    public var storedValue: DatabaseValue { storedText?.databaseValue ?? .null }

    public init?(storedValue: DatabaseValue) {
        switch storedValue.storage {
        case .string(let text): self.init(exactly: text)
        // Values that something else wrote as numbers are accepted.
        case .int64(let value): self.init(value)
        case .double(let value): self.init(exactly: value.description)
        default: return nil
        }
    }

    public func violation(of limits: Limits) -> LimitViolation? {
        guard !isNaN else { return .notFinite }
        guard isReadExactly else { return .tooPrecise }
        return limits.hasRange ? limits.violation(number: self) : nil
    }

    public static var placeholder: Decimal { 0 }
}
