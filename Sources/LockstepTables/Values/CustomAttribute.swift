public import GRDB

/// A custom type of an attribute, which is stored and sent as one of the schema's types.
///
/// ```swift
/// struct Money: CustomAttribute {
///     var stored: Decimal
///     init(stored: Decimal) { self.stored = stored }
/// }
/// ```
public protocol CustomAttribute: AttributeValue {
    /// The schema's type that it is stored as, which `stored:` names.
    associatedtype Stored: AttributeValue

    /// Creates the value from a stored value.
    init(stored: Stored)

    /// The value to store.
    var stored: Stored { get }
}

extension CustomAttribute {
    public var storedValue: DatabaseValue { stored.storedValue }

    public init?(storedValue: DatabaseValue) {
        guard let stored = Stored(storedValue: storedValue) else { return nil }
        self.init(stored: stored)
    }

    public var storedJSON: JSONValue { stored.storedJSON }

    public init?(storedJSON: JSONValue) {
        guard let stored = Stored(storedJSON: storedJSON) else { return nil }
        self.init(stored: stored)
    }

    public init(wire source: WireSource) throws { self.init(stored: try Stored(wire: source)) }

    public func write(to target: WireTarget) throws { try stored.write(to: target) }

    public func violation(of limits: Limits) -> LimitViolation? { stored.violation(of: limits) }

    public static func isIdentical(_ left: Self, _ right: Self) -> Bool {
        left == right && Stored.isIdentical(left.stored, right.stored)
    }

    public static var placeholder: Self { Self(stored: .placeholder) }
}
