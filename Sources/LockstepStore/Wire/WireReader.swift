/// Reads a representation from one object of a server's JSON, through any `Decoder`.
///
/// Where a key is missing as it is spelt, another spelling of it counts (`bodyText` for `body_text`) if exactly one key
/// of the object can be meant. Numbers given as text are numbers, 0 and 1 are Bools, whole numbers are exact or an error.
/// The methods that read values are in extensions, one for each type.
public struct WireReader<Keys: CodingKey>: ~Copyable {
    private let container: KeyedDecodingContainer<WireKey>
    private let spelling = KeySpelling()

    init(_ decoder: any Decoder) throws { container = try decoder.container(keyedBy: WireKey.self) }

    /// The value at a path, or else at the other one; `nil` where both are missing or null.
    func value<Value: AttributeValue>(
        _ key: Keys, at path: [String]?, orAt alternative: [String]?, as format: DateFormat, _ type: Value.Type
    ) throws -> Value? {
        if let source = try source(path ?? [key.stringValue], format) { return try Value(wire: source) }
        if let alternative, let source = try source(alternative, format) { return try Value(wire: source) }
        return nil
    }

    /// The value at a path; where it is missing or null the default, and without one an error.
    func value<Value: AttributeValue>(
        _ key: Keys, at path: [String]?, as format: DateFormat, default makeDefault: () -> Value?
    ) throws -> Value {
        if let value = try value(key, at: path, orAt: nil, as: format, Value.self) { return value }
        if let value = makeDefault() { return value }
        throw missing(path ?? [key.stringValue])
    }

    /// The representation embedded under a key; `nil` where it is missing or null.
    public func embedded<Embedded: Representation>(_ key: Keys, at path: [String]? = nil) throws -> Embedded? {
        guard let source = try source(path ?? [key.stringValue], .iso8601) else { return nil }
        return try Embedded(from: source.decoder)
    }

    /// The representations embedded under a key; `nil` where the list is missing or null.
    public func embeddedList<Embedded: Representation>(_ key: Keys, at path: [String]? = nil) throws -> [Embedded]? {
        guard let source = try source(path ?? [key.stringValue], .iso8601) else { return nil }
        var list = try source.decoder.unkeyedContainer()
        var elements: [Embedded] = []
        while !list.isAtEnd { elements.append(try list.decode(Embedded.self)) }
        return elements
    }

    /// The identities listed under a key; `nil` where the list is missing or null.
    public func identities<Value: AttributeValue>(_ key: Keys, at path: [String]? = nil) throws -> [Value]? {
        try value(key, at: path, orAt: nil, as: .iso8601, [Value].self)
    }

    // MARK: Walking to a value

    /// Where the value is; `nil` where it, or an object on the way to it, is missing or null.
    private func source(_ path: [String], _ format: DateFormat) throws -> WireSource? {
        guard let first = path.first, let key = find(first, in: container, spelling) else { return nil }
        if path.count == 1 { return WireSource(try container.superDecoder(forKey: key), format: format) }
        var decoder = try container.superDecoder(forKey: key)
        for name in path.dropFirst() {
            let object = try decoder.container(keyedBy: WireKey.self)
            guard let key = find(name, in: object, KeySpelling()) else { return nil }
            decoder = try object.superDecoder(forKey: key)
        }
        return WireSource(decoder, format: format)
    }

    private func find(
        _ name: String, in object: KeyedDecodingContainer<WireKey>, _ spelling: KeySpelling
    ) -> WireKey? {
        var key = WireKey(name)
        if !object.contains(key) {
            let other = spelling.alternative(to: name, among: object.allKeys) { Keys(stringValue: $0) != nil }
            guard let other else { return nil }
            key = other
        }
        return (try? object.decodeNil(forKey: key)) == true ? nil : key
    }

    private func missing(_ path: [String]) -> DecodingError {
        let keys = path.map { WireKey($0) }
        return .keyNotFound(
            keys[keys.count - 1],
            DecodingError.Context(
                codingPath: container.codingPath,
                debugDescription: "“\(path.joined(separator: "."))” is required; it is missing or null."))
    }
}
