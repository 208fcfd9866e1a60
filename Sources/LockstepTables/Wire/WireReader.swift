import LockstepJSON

/// Decodes a representation from an object of a server's JSON, using any `Decoder`.
///
/// If a key is missing, another spelling of it (`bodyText` for `body_text`) is used if exactly one key of the object
/// matches. Numbers may be encoded as text, 0 and 1 are Bools, integers are exact or an error. The methods that read
/// values are in extensions, one for each type.
public struct WireReader<Keys: CodingKey>: ~Copyable {
    private let container: KeyedDecodingContainer<JSONKey>
    private let spelling = KeySpelling()
    private let omissions = OmissionLog()
    /// The entity whose record it is; `nil` if only its values are wanted.
    private let plan: EntityPlan?

    init(_ decoder: any Decoder, plan: EntityPlan? = nil) throws {
        container = try decoder.container(keyedBy: JSONKey.self)
        self.plan = plan
    }

    /// The value at a path or, if that is missing or null, at the alternative path; `nil` if both are.
    ///
    /// - Parameter former: The paths of earlier versions, which count if the others are missing (Rules.md, N8).
    func value<Value: AttributeValue>(
        _ key: Keys, at path: [String]?, orAt alternative: [String]?, former: [[String]] = [], as format: DateFormat,
        type: Value.Type
    ) throws -> Value? {
        var isNull = false
        switch try locate(path ?? [key.stringValue], format: format) {
        case .value(let source):
            if let alternative { keepOtherForm(at: alternative.dropLast(), of: key, isBesideKey: true) }
            return try Value(wire: source)
        case .null: isNull = true
        case .absent: break
        }
        if let alternative {
            let isObject = keepOtherForm(at: alternative.dropLast(), of: key, isBesideKey: false) != nil
            switch try locate(alternative, format: format) {
            case .value(let source): return try Value(wire: source)
            // An object without its identity says nothing about the link, as in a merge of JSON.
            case .null where isObject: break
            case .null: isNull = true
            case .absent: break
            }
        }
        if isNull { return nil }
        for location in former {
            switch try locate(location, format: format) {
            case .value(let source): return try Value(wire: source)
            case .null: return nil
            case .absent: break
            }
        }
        omissions.keys.insert(key.stringValue)
        return nil
    }

    /// Keeps a relationship in the form that a representation has no property for (Rules.md, R1 and R11).
    ///
    /// - Parameter isBesideKey: Whether the JSON has the form that is sent, too. Then the other one is mostly missing,
    ///   and only the two usual spellings are tried.
    /// - Returns: The source of the other form; `nil` if it is missing or null.
    @discardableResult
    private func keepOtherForm(at path: ArraySlice<String>, of key: Keys, isBesideKey: Bool) -> WireSource? {
        guard let first = path.first else { return nil }
        if isBesideKey, !container.contains(JSONKey(first)),
            !(KeySpelling.other(first).map { container.contains(JSONKey($0)) } ?? false)
        {
            return nil
        }
        guard case .value(let source)? = try? locate(Array(path), format: .iso8601),
            let json = try? JSONValue(from: source.decoder)
        else { return nil }
        omissions.keys.insert(json, at: Array(path), of: key.stringValue, isBesideKey: isBesideKey)
        return source
    }

    /// Whether the value at a path is null or, if it is missing, that at the first former path that exists.
    func isNull(_ key: Keys, at path: [String]?, former: [[String]] = []) throws -> Bool {
        for location in [path ?? [key.stringValue]] + former {
            switch try locate(location, format: .iso8601) {
            case .null: return true
            case .value: return false
            case .absent: break
            }
        }
        return false
    }

    /// The keys that were requested so far and are absent.
    @_spi(Generated) public var omittedKeys: OmittedKeys {
        noteUnread()
        return omissions.keys
    }

    /// Records the keys that are not read although they look like those of relationships (Rules.md, M13).
    private func noteUnread() {
        guard let plan, !plan.relationships.isEmpty else { return }
        for key in container.allKeys where Keys(stringValue: key.stringValue) == nil {
            guard plan.relationshipKeys.relationship(for: key.stringValue) != nil, !isNull(key, in: container) else {
                continue
            }
            let isComposite =
                (try? container.nestedUnkeyedContainer(forKey: key)) != nil
                || (try? container.nestedContainer(keyedBy: JSONKey.self, forKey: key)) != nil
            omissions.keys.insertUnread(key.stringValue, isComposite: isComposite)
        }
    }

    /// The value at a path. If it is missing or null, the default; without a default, an error.
    func value<Value: AttributeValue>(
        _ key: Keys, at path: [String]?, former: [[String]] = [], as format: DateFormat,
        default makeDefault: () -> Value?
    ) throws -> Value {
        if let value = try value(key, at: path, orAt: nil, former: former, as: format, type: Value.self) {
            return value
        }
        if let value = makeDefault() {
            if !omissions.keys.contains(key.stringValue) { omissions.keys.insertNull(key.stringValue) }
            return value
        }
        throw missing(path ?? [key.stringValue])
    }

    /// The representation embedded under a key; `nil` if it is missing or null.
    @_spi(Generated) public func embedded<Embedded: WireObject>(_ key: Keys, at path: [String]? = nil) throws
        -> Embedded?
    {
        guard let source = try source(key, at: path) else { return nil }
        return try Embedded(from: source.decoder)
    }

    /// The representations embedded under a key; `nil` if the list is missing or null, which is recorded, or if it has
    /// identities instead of records.
    ///
    /// - Parameter other: The path of a list of identities, which is kept for merges. If it is the path of the list
    ///   itself, each element is a record or an identity.
    @_spi(Generated) public func embeddedList<Embedded: WireObject>(
        _ key: Keys, at path: [String]? = nil, orIn other: [String]? = nil
    ) throws -> [Embedded]? {
        let (own, identities) = try listSource(key, at: path, orIn: other, hasRecords: true)
        guard let source = own else {
            if identities != nil { omissions.keys.insert(key.stringValue) }
            return nil
        }
        var list = try source.decoder.unkeyedContainer()
        var elements: [Embedded] = []
        while !list.isAtEnd { elements.append(try list.decode(Embedded.self)) }
        return elements
    }

    /// The identities listed under a key; `nil` if the list is missing or null, which is recorded.
    ///
    /// - Parameters:
    ///   - other: The path of a list of records, which is kept for merges, and whose identities are returned if there
    ///     is no other list. If it is the path of the list itself, each element is an identity or a record.
    ///   - identity: The path of the identity in such a record.
    @_spi(Generated) public func identities<Value: AttributeValue>(
        _ key: Keys, at path: [String]? = nil, orIn other: [String]? = nil, under identity: [String] = []
    ) throws -> [Value]? {
        let (own, records) = try listSource(key, at: path, orIn: other, hasRecords: false)
        if let own { return try [Value](wire: own) }
        guard let records else { return nil }
        var list = try records.decoder.unkeyedContainer()
        var values: [Value] = []
        while !list.isAtEnd {
            let element = try list.superDecoder()
            guard let object = try? element.container(keyedBy: JSONKey.self) else {
                values.append(try Value(wire: WireSource(element, format: .iso8601)))
                continue
            }
            if case .value(let source) = try locate(identity, format: .iso8601, in: object) {
                values.append(try Value(wire: source))
            }
        }
        return values
    }

    // MARK: Locating a value

    /// The result of following a path.
    private enum Location {
        /// The key, or one on the path to it, is missing.
        case absent
        /// It, or an object on the path to it, is null.
        case null
        case value(WireSource)
    }

    /// The source of a value; `nil` if it is null, or if it is missing, which is recorded.
    ///
    /// - Parameter isList: Whether it is a to-many. Then null is recorded, too: it is an empty list (Rules.md, M1).
    private func source(_ key: Keys, at path: [String]?, isList: Bool = false) throws -> WireSource? {
        switch try locate(path ?? [key.stringValue], format: .iso8601) {
        case .value(let source): return source
        case .null:
            if isList { omissions.keys.insertNull(key.stringValue) }
            return nil
        case .absent:
            omissions.keys.insert(key.stringValue)
            return nil
        }
    }

    /// The source of a to-many in the form that is sent, or in the other one.
    ///
    /// A list that may have both is in the other form if it has an element of that form.
    ///
    /// - Parameter hasRecords: Whether records are sent, rather than identities.
    private func listSource(
        _ key: Keys, at path: [String]?, orIn other: [String]?, hasRecords: Bool
    ) throws -> (own: WireSource?, other: WireSource?) {
        guard let other else { return (try source(key, at: path, isList: true), nil) }
        if case .value(let own) = try locate(path ?? [key.stringValue], format: .iso8601) {
            let isMixed = other == path ?? [key.stringValue]
            if try !isMixed || hasOnly(records: hasRecords, in: own) {
                if !isMixed { keepOtherForm(at: other[...], of: key, isBesideKey: true) }
                return (own, nil)
            }
        }
        if let source = keepOtherForm(at: other[...], of: key, isBesideKey: false) { return (nil, source) }
        return (try source(key, at: path, isList: true), nil)
    }

    /// Whether a list consists of records, or has none.
    private func hasOnly(records: Bool, in source: WireSource) throws -> Bool {
        var list = try source.decoder.unkeyedContainer()
        while !list.isAtEnd {
            let isRecord = (try? list.superDecoder().container(keyedBy: JSONKey.self)) != nil
            if isRecord != records { return false }
        }
        return true
    }

    private func locate(_ path: [String], format: DateFormat) throws -> Location {
        try locate(path, format: format, in: container, spelling: spelling)
    }

    private func locate(
        _ path: [String], format: DateFormat, in container: KeyedDecodingContainer<JSONKey>,
        spelling: KeySpelling = KeySpelling()
    ) throws -> Location {
        guard let first = path.first, let key = find(first, in: container, spelling: spelling) else { return .absent }
        if isNull(key, in: container) { return .null }
        var decoder = try container.superDecoder(forKey: key)
        for name in path.dropFirst() {
            let object = try decoder.container(keyedBy: JSONKey.self)
            guard let key = find(name, in: object, spelling: KeySpelling()) else { return .absent }
            if isNull(key, in: object) { return .null }
            decoder = try object.superDecoder(forKey: key)
        }
        return .value(WireSource(decoder, format: format))
    }

    private func find(_ name: String, in object: KeyedDecodingContainer<JSONKey>, spelling: KeySpelling) -> JSONKey? {
        let key = JSONKey(name)
        if object.contains(key) { return key }
        return spelling.alternative(to: name, among: object.allKeys) { Keys(stringValue: $0) != nil }
    }

    private func isNull(_ key: JSONKey, in object: KeyedDecodingContainer<JSONKey>) -> Bool {
        (try? object.decodeNil(forKey: key)) == true
    }

    func missing(_ path: [String]) -> DecodingError {
        let keys = path.map { JSONKey($0) }
        return .keyNotFound(
            keys[keys.count - 1],
            DecodingError.Context(
                codingPath: container.codingPath,
                debugDescription: "“\(path.joined(separator: "."))” is required; it is missing or null."))
    }
}
