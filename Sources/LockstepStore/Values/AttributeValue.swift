public import GRDB

/// A value that an attribute, an element of a list or an identity can have.
///
/// The types of the schema language, lists of them, generated enums and a user's own types (through
/// ``CustomAttribute``) conform; there is no reason to conform another type by hand.
public protocol AttributeValue: IdentityValue {
    /// The value as a column holds it.
    var storedValue: DatabaseValue { get }

    /// Reads what a column holds; `nil` where it is no such value.
    init?(storedValue: DatabaseValue)

    /// The value as an element of a list's JSON text in a column.
    var storedJSON: JSONValue { get }

    /// Reads an element of a list's JSON text; `nil` where it is no such value.
    init?(storedJSON: JSONValue)

    /// Reads the value from a server's JSON.
    ///
    /// - Throws: `DecodingError` where it is no such value.
    init(wire source: WireSource) throws

    /// Writes the value as a server's JSON spells it.
    ///
    /// - Throws: `EncodingError` where JSON cannot hold it.
    func write(to target: WireTarget) throws

    /// Why the value does not keep to `limits`, or cannot be stored at all; `nil` where it is fine.
    func violation(of limits: Limits) -> LimitViolation?

    /// The value of a stand-in for a record that is not in the store: zero, empty, the first case.
    static var placeholder: Self { get }
}

extension AttributeValue {
    public var keyValues: [DatabaseValue] { [storedValue] }

    public var storedJSON: JSONValue { JSONValue(storedScalar: storedValue) }

    public init?(storedJSON: JSONValue) {
        guard let scalar = storedJSON.storedScalar else { return nil }
        self.init(storedValue: scalar)
    }

    public func violation(of limits: Limits) -> LimitViolation? { nil }

    public static func isIdentical(_ left: Self, _ right: Self) -> Bool { left == right }
}
