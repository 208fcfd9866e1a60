public import GRDB

/// A value of an attribute, an element of a list or an identity.
///
/// The types of the schema language, lists of them, generated enums and custom types (through ``CustomAttribute``)
/// conform. Do not conform other types.
public protocol AttributeValue: IdentityValue {
    /// The value as a column stores it.
    var storedValue: DatabaseValue { get }

    /// Creates the value from that of a column; `nil` if it is not a value of this type.
    init?(storedValue: DatabaseValue)

    /// The value as an element of a list's JSON text in a column.
    var storedJSON: JSONValue { get }

    /// Creates the value from an element of a list's JSON text; `nil` if it is not a value of this type.
    init?(storedJSON: JSONValue)

    /// Reads the value from a server's JSON.
    ///
    /// - Throws: `DecodingError` if it is not a value of this type.
    init(wire source: WireSource) throws

    /// Writes the value in the encoding of a server's JSON.
    ///
    /// - Throws: `EncodingError` if JSON cannot represent it.
    func write(to target: WireTarget) throws

    /// Why the value violates `limits`, or cannot be stored at all; `nil` if it is valid.
    func violation(of limits: Limits) -> LimitViolation?

    /// The value in a placeholder for a record that is not in the store: zero, empty, the first case.
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
