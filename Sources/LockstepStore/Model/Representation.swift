/// A model as a value: what goes over the wire and between isolation domains.
public protocol Representation: Codable, Hashable, Sendable {
    /// The model it represents.
    associatedtype Object: Model where Object.Representation == Self
    /// The keys of its JSON.
    associatedtype CodingKeys: CodingKey

    /// Reads the representation from an object of a server's JSON.
    ///
    /// - Throws: `DecodingError` where a required value is missing, or one is of the wrong type or out of its range.
    init(from wire: borrowing WireReader<CodingKeys>) throws

    /// Writes the representation as an object of a server's JSON.
    ///
    /// - Throws: `EncodingError` where JSON cannot hold a value.
    func write(to wire: inout WireWriter<CodingKeys>) throws

    /// The record's identity on the server; `nil` where it has none yet.
    var wireIdentity: Object.WireIdentity? { get }

    /// The keys that the JSON it was read from did not have. A model keeps its values of those (rule M1), and they are
    /// not written back.
    var omittedKeys: OmittedKeys { get set }
}

extension Representation {
    public init(from decoder: any Decoder) throws {
        try self.init(from: try WireReader<CodingKeys>(decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        var wire = WireWriter<CodingKeys>(encoder, omitting: omittedKeys)
        try write(to: &wire)
    }

    /// A representation that does not remember omits nothing.
    public var omittedKeys: OmittedKeys {
        get { OmittedKeys() }
        set {}
    }

    /// Whether the JSON it was read from did not have this key. Always `false` for a representation made otherwise.
    public func omits(_ key: CodingKeys) -> Bool { omittedKeys.contains(key.stringValue) }

    /// Whether the model has every value of the representation.
    public static func == (lhs: Self, rhs: Object) -> Bool { rhs.matches(lhs) }

    /// Whether the model has every value of the representation.
    public static func == (lhs: Object, rhs: Self) -> Bool { lhs.matches(rhs) }

    /// Whether the model differs from the representation.
    public static func != (lhs: Self, rhs: Object) -> Bool { !rhs.matches(lhs) }

    /// Whether the model differs from the representation.
    public static func != (lhs: Object, rhs: Self) -> Bool { !lhs.matches(rhs) }
}
