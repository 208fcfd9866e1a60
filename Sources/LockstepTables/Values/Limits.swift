public import Foundation
package import LockstepEvolution

/// The limits of an attribute's values, as they are compared. Each is `nil` if there is no such limit.
public struct Limits: Sendable, Hashable {
    /// The least number.
    package let minimum: Decimal?
    /// The greatest number.
    package let maximum: Decimal?
    /// The least length: Unicode scalars of a string, bytes of data, elements of a list.
    package let minimumLength: Int?
    /// The greatest length: Unicode scalars of a string, bytes of data, elements of a list.
    package let maximumLength: Int?

    /// Whether a text is part of an identity, which must not contain NUL: SQLite's functions and most servers end a
    /// text there, and would take it for another record's.
    package private(set) var isOfIdentity = false

    /// The range for integers, if its ends are integers. Values need not be converted to decimals then.
    private let wholeRange: ClosedRange<Int64>?

    /// No limits.
    package static let none = Limits()

    package init(_ limits: AttributeLimits = AttributeLimits()) {
        minimum = limits.minimum.flatMap { Decimal(exactly: $0) }
        maximum = limits.maximum.flatMap { Decimal(exactly: $0) }
        minimumLength = limits.minimumLength
        maximumLength = limits.maximumLength
        let lowest = limits.minimum.map { Int64($0) } ?? .min
        let highest = limits.maximum.map { Int64($0) } ?? .max
        if let lowest, let highest, lowest <= highest { wholeRange = lowest...highest } else { wholeRange = nil }
    }

    package var hasRange: Bool { minimum != nil || maximum != nil }

    package var isEmpty: Bool { !hasRange && minimumLength == nil && maximumLength == nil && !isOfIdentity }

    /// The limits of an attribute that is part of an identity.
    package var ofIdentity: Limits {
        var limits = self
        limits.isOfIdentity = true
        return limits
    }

    package func violation(number: Decimal) -> LimitViolation? {
        if let minimum, number < minimum { return .below(minimum) }
        if let maximum, number > maximum { return .above(maximum) }
        return nil
    }

    package func violation(wholeNumber number: Int64) -> LimitViolation? {
        guard hasRange, !(wholeRange?.contains(number) ?? false) else { return nil }
        return violation(number: Decimal(number))
    }

    package func violation(number: Double) -> LimitViolation? {
        if let minimum, number < minimum.nearestDouble { return .below(minimum) }
        if let maximum, number > maximum.nearestDouble { return .above(maximum) }
        return nil
    }

    package func violation(length: Int) -> LimitViolation? {
        if let minimumLength, length < minimumLength { return .shorter(minimumLength) }
        if let maximumLength, length > maximumLength { return .longer(maximumLength) }
        return nil
    }
}

/// Why a value cannot be stored.
public enum LimitViolation: Error, Hashable, CustomStringConvertible {
    case below(Decimal)
    case above(Decimal)
    case shorter(Int)
    case longer(Int)
    /// Not-a-number, or infinite if JSON and SQL cannot represent it.
    case notFinite
    /// A number close to the limit of a decimal, which cannot be restored from its digits.
    case tooPrecise
    /// JSON with arrays and objects that are nested more deeply than this.
    case tooDeep(Int)
    /// A text with NUL, which cannot be part of an identity.
    case nul
    /// No value, although one is required.
    case missing

    /// The rule as it is written in the schema; `nil` for what no schema allows.
    package var schemaRule: String? {
        switch self {
        case .below(let minimum): "min: \(minimum)"
        case .above(let maximum): "max: \(maximum)"
        case .shorter(let length): "minLength: \(length)"
        case .longer(let length): "maxLength: \(length)"
        case .notFinite, .tooPrecise, .tooDeep, .nul, .missing: nil
        }
    }

    @_spi(Requirements) public var description: String {
        switch self {
        case .below(let minimum): "it must be at least \(minimum)"
        case .above(let maximum): "it must be at most \(maximum)"
        case .shorter(let length): "its length must be at least \(length)"
        case .longer(let length): "its length must be at most \(length)"
        case .notFinite: "it must be a finite number"
        case .tooPrecise: "it has more digits than can be read back"
        case .tooDeep(let depth): "its arrays and objects must not be nested more than \(depth) levels deep"
        case .nul: "it must not contain NUL, because it is part of an identity"
        case .missing: "it is required"
        }
    }
}
