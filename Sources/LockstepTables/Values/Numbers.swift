public import Foundation
public import GRDB
@_spi(Requirements) import LockstepValues

extension Int: AttributeValue {
    @_spi(Requirements) public var storedValue: DatabaseValue { databaseValue }

    @_spi(Requirements) public init?(storedValue: DatabaseValue) {
        guard case .int64(let value) = storedValue.storage else { return nil }
        self.init(exactly: value)
    }

    @_spi(Requirements) public func violation(of limits: Limits) -> LimitViolation? {
        limits.violation(wholeNumber: Int64(self))
    }

    @_spi(Requirements) public static var placeholder: Int { 0 }
}

extension Int16: AttributeValue {
    @_spi(Requirements) public var storedValue: DatabaseValue { databaseValue }

    @_spi(Requirements) public init?(storedValue: DatabaseValue) {
        guard case .int64(let value) = storedValue.storage else { return nil }
        self.init(exactly: value)
    }

    @_spi(Requirements) public func violation(of limits: Limits) -> LimitViolation? {
        limits.violation(wholeNumber: Int64(self))
    }

    @_spi(Requirements) public static var placeholder: Int16 { 0 }
}

extension Int32: AttributeValue {
    @_spi(Requirements) public var storedValue: DatabaseValue { databaseValue }

    @_spi(Requirements) public init?(storedValue: DatabaseValue) {
        guard case .int64(let value) = storedValue.storage else { return nil }
        self.init(exactly: value)
    }

    @_spi(Requirements) public func violation(of limits: Limits) -> LimitViolation? {
        limits.violation(wholeNumber: Int64(self))
    }

    @_spi(Requirements) public static var placeholder: Int32 { 0 }
}

extension Int64: AttributeValue {
    @_spi(Requirements) public var storedValue: DatabaseValue { databaseValue }

    @_spi(Requirements) public init?(storedValue: DatabaseValue) {
        guard case .int64(let value) = storedValue.storage else { return nil }
        self.init(exactly: value)
    }

    @_spi(Requirements) public func violation(of limits: Limits) -> LimitViolation? {
        limits.violation(wholeNumber: Int64(self))
    }

    @_spi(Requirements) public static var placeholder: Int64 { 0 }
}

extension Double: AttributeValue {
    @_spi(Requirements) public var storedValue: DatabaseValue { databaseValue }

    @_spi(Requirements) public init?(storedValue: DatabaseValue) {
        switch storedValue.storage {
        case .double(let value): self.init(value)
        case .int64(let value): self.init(value)
        default: return nil
        }
    }

    @_spi(Requirements) public func violation(of limits: Limits) -> LimitViolation? {
        guard isFinite else { return .notFinite }
        return limits.hasRange ? limits.violation(number: Double(self)) : nil
    }

    @_spi(Requirements) public static var placeholder: Double { 0 }
}

extension Float: AttributeValue {
    @_spi(Requirements) public var storedValue: DatabaseValue { databaseValue }

    @_spi(Requirements) public init?(storedValue: DatabaseValue) {
        switch storedValue.storage {
        case .double(let value): self.init(value)
        case .int64(let value): self.init(value)
        default: return nil
        }
    }

    @_spi(Requirements) public func violation(of limits: Limits) -> LimitViolation? {
        guard isFinite else { return .notFinite }
        return limits.hasRange ? limits.violation(number: Double(self)) : nil
    }

    @_spi(Requirements) public static var placeholder: Float { 0 }
}

extension Decimal: AttributeValue {
    /// The digits as text, so that the value is exact.
    @_spi(Requirements) public var storedValue: DatabaseValue { storedText?.databaseValue ?? .null }

    @_spi(Requirements) public init?(storedValue: DatabaseValue) {
        switch storedValue.storage {
        case .string(let text): self.init(exactly: text)
        // Values that something else wrote as numbers are accepted.
        case .int64(let value): self.init(value)
        case .double(let value): self.init(exactly: value.description)
        default: return nil
        }
    }

    @_spi(Requirements) public func violation(of limits: Limits) -> LimitViolation? {
        guard !isNaN else { return .notFinite }
        guard isReadExactly else { return .tooPrecise }
        return limits.hasRange ? limits.violation(number: self) : nil
    }

    @_spi(Requirements) public static var placeholder: Decimal { 0 }
}
