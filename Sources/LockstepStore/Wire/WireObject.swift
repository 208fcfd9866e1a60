/// A value that is one object of a server's JSON, as far as reading and writing it goes. Every representation is one.
public protocol WireObject: Codable, Hashable, Sendable {
    /// The keys of its JSON.
    associatedtype CodingKeys: CodingKey

    /// What the store knows of the entity whose records it represents.
    static var entity: EntityDescription { get }

    /// Reads the value from an object of a server's JSON.
    ///
    /// - Throws: `DecodingError` if a required value is missing, or one is of the wrong type or out of its range.
    init(from wire: borrowing WireReader<CodingKeys>) throws

    /// Writes the value as an object of a server's JSON.
    ///
    /// - Throws: `EncodingError` if JSON cannot hold a value.
    func write(to wire: inout WireWriter<CodingKeys>) throws

    /// The keys that the JSON it was read from did not have. A model keeps its values of those (rule M1), and they are
    /// not written back.
    var omittedKeys: OmittedKeys { get set }
}

extension WireObject {
    public init(from decoder: any Decoder) throws {
        try self.init(from: try WireReader<CodingKeys>(decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        var wire = WireWriter<CodingKeys>(encoder, omitting: omittedKeys)
        try write(to: &wire)
    }

    /// A value that does not remember omits nothing.
    public var omittedKeys: OmittedKeys {
        get { OmittedKeys() }
        set {}
    }

    /// Whether the JSON it was read from did not have this key. Always `false` for a value made otherwise.
    public func omits(_ key: CodingKeys) -> Bool { omittedKeys.contains(key.stringValue) }
}
