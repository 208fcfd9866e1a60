/// A value that is encoded as an object of a server's JSON. Every representation conforms to it.
public protocol WireObject: Codable, Hashable, Sendable {
    /// The keys of its JSON.
    associatedtype CodingKeys: CodingKey

    /// The description of the entity whose records it represents.
    static var entity: EntityDescription { get }

    /// Decodes the value from an object of a server's JSON.
    ///
    /// - Throws: `DecodingError` if a required value is missing, or a value has the wrong type or is out of range.
    init(from wire: borrowing WireReader<CodingKeys>) throws

    /// Encodes the value as an object of a server's JSON.
    ///
    /// - Throws: `EncodingError` if JSON cannot represent a value.
    func write(to wire: inout WireWriter<CodingKeys>) throws

    /// The keys that were absent from the JSON it was decoded from. A model keeps its values for those (rule M1), and
    /// they are not encoded.
    var omittedKeys: OmittedKeys { get set }
}

extension WireObject {
    @_spi(Generated) public init(from decoder: any Decoder) throws {
        try self.init(from: try WireReader<CodingKeys>(decoder, plan: Self.entity.plan))
    }

    @_spi(Generated) public func encode(to encoder: any Encoder) throws {
        var wire = WireWriter<CodingKeys>(encoder, omitting: omittedKeys)
        try write(to: &wire)
    }

    /// A value that does not store this omits nothing.
    @_spi(Generated) public var omittedKeys: OmittedKeys {
        get { OmittedKeys() }
        set {}
    }

    /// Whether this key was absent from the JSON it was decoded from. It is `false` for a value that was not decoded.
    public func omits(_ key: CodingKeys) -> Bool { omittedKeys.contains(key.stringValue) }
}
