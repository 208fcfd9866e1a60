import LockstepJSON

/// Encodes a representation as an object of a server's JSON, using any `Encoder`.
///
/// The methods that write values are in extensions, one for each type.
public struct WireWriter<Keys: CodingKey> {
    private var output: Output

    private enum Output {
        case encoder(KeyedEncodingContainer<JSONKey>)
        /// There is no output; values are checked against the limits of an entity.
        case checker(LimitsChecker)
        /// There is no output; values are passed on in the store's encoding.
        case collector(any WireCollector)
    }

    /// Objects on the way to nested values, by path, because an encoder may return a new object for each call.
    private var nested: [[String]: KeyedEncodingContainer<JSONKey>] = [:]

    /// Keys that were absent from the representation's own JSON, and are not encoded.
    private let omitted: OmittedKeys

    /// Whether the other forms of relationships are written, too.
    private var writesOtherForms = false

    init(_ encoder: any Encoder, omitting omitted: OmittedKeys) {
        output = .encoder(encoder.container(keyedBy: JSONKey.self))
        writesOtherForms = encoder.userInfo[.writesOtherForms] as? Bool ?? false
        self.omitted = omitted
    }

    init(_ checker: LimitsChecker) {
        output = .checker(checker)
        omitted = OmittedKeys()
    }

    init(_ collector: any WireCollector, omitting omitted: OmittedKeys) {
        output = .collector(collector)
        self.omitted = omitted
    }

    /// Writes the value, or null.
    mutating func write<Value: AttributeValue>(
        _ value: Value?, key: Keys, at path: [String]?, as format: DateFormat = .iso8601, asText: Bool = false
    ) throws {
        if case .checker(let checker) = output {
            checker.check(value, at: path ?? [key.stringValue])
            return
        }
        if let (collector, field) = collected(key, at: path) {
            // The default that replaced null is not the server's value.
            if omitted.containsNull(field.key) {
                collector?.value(nil, at: field)
            } else {
                collector?.collect(value, at: field)
            }
            collectOtherForm(of: field)
            return
        }
        try writeOtherForm(of: key)
        try encode(value, key: key, at: path, as: format, asText: asText)
    }

    /// Writes the embedded representation, or null.
    @_spi(Generated) public mutating func embedded<Embedded: WireObject>(
        _ value: Embedded?, _ key: Keys, at path: [String]? = nil
    ) throws {
        if case .checker(let checker) = output {
            if let value { checker.check(embedded: value) }
            return
        }
        if let (collector, field) = collected(key, at: path) {
            collector?.embedded(value, at: field)
            return
        }
        if omitted.contains(key.stringValue) { return }
        try write(at: path ?? [key.stringValue]) { container, key in
            if let value { try container.encode(value, forKey: key) } else { try container.encodeNil(forKey: key) }
        }
    }

    /// Writes the embedded representations, or nothing if the list is `nil`. If it was decoded from null, that is
    /// written.
    @_spi(Generated) public mutating func embeddedList<Embedded: WireObject>(
        _ value: [Embedded]?, _ key: Keys, at path: [String]? = nil
    ) throws {
        if let (collector, field) = collected(key, at: path) {
            if collectOtherForm(of: field) { return }
            if let value = value ?? list(of: field) { collector?.embedded(list: value, at: field) }
            return
        }
        if try writeOtherForm(of: key) { return }
        guard let value else { return try writeNull(key, at: path) }
        if case .checker(let checker) = output { return value.forEach { checker.check(embedded: $0) } }
        try write(at: path ?? [key.stringValue]) { try $0.encode(value, forKey: $1) }
    }

    /// Writes the list of identities, or nothing if it is `nil`. If it was decoded from null, that is written.
    @_spi(Generated) public mutating func identities<Value: AttributeValue>(
        _ value: [Value]?, _ key: Keys, at path: [String]? = nil
    ) throws {
        if let (collector, field) = collected(key, at: path) {
            if collectOtherForm(of: field) { return }
            if let value = value ?? list(of: field) { collector?.collect(identities: value, at: field) }
            return
        }
        if try writeOtherForm(of: key) { return }
        guard let value else { return try writeNull(key, at: path) }
        if case .checker = output { return }
        try encode(value, key: key, at: path)
    }

    /// Encodes the value, or null, unless its key was absent.
    private mutating func encode<Value: AttributeValue>(
        _ value: Value?, key: Keys, at path: [String]?, as format: DateFormat = .iso8601, asText: Bool = false
    ) throws {
        if omitted.contains(key.stringValue) { return }
        try write(at: path ?? [key.stringValue]) { container, key in
            guard let value else { return try container.encodeNil(forKey: key) }
            try value.write(to: WireTarget(container.superEncoder(forKey: key), format: format, asText: asText))
        }
    }

    // MARK: Other forms of relationships

    /// Passes on the other form of a relationship.
    ///
    /// - Returns: Whether the JSON had nothing else.
    @discardableResult
    private func collectOtherForm(of field: WireFields.Field) -> Bool {
        guard case .collector(let collector) = output, let other = omitted.otherForm(of: field.key) else {
            return false
        }
        collector.otherForm(other.json, at: other.path)
        return !other.isBesideKey
    }

    /// Writes the other form of a relationship, for hooks.
    ///
    /// - Returns: Whether the JSON had nothing else.
    @discardableResult
    private mutating func writeOtherForm(of key: Keys) throws -> Bool {
        guard writesOtherForms, let other = omitted.otherForm(of: key.stringValue) else { return false }
        try write(at: other.path) { try $0.encode(other.json, forKey: $1) }
        return !other.isBesideKey
    }

    /// An empty list if a to-many was decoded from null (Rules.md, M1).
    private func list<Value>(of field: WireFields.Field) -> [Value]? { omitted.containsNull(field.key) ? [] : nil }

    private mutating func writeNull(_ key: Keys, at path: [String]?) throws {
        guard omitted.containsNull(key.stringValue) else { return }
        try write(at: path ?? [key.stringValue]) { try $0.encodeNil(forKey: $1) }
    }

    /// The collector and the target of this value; no collector if its key was absent. `nil` for other outputs.
    ///
    /// The target is determined in any case, because targets are recognized by their order.
    private func collected(
        _ key: Keys, at path: [String]?
    ) -> (collector: (any WireCollector)?, field: WireFields.Field)? {
        guard case .collector(let collector) = output else { return nil }
        let name = key.stringValue
        let field = collector.fields.field(of: name, at: path)
        return (omitted.contains(name) ? nil : collector, field)
    }

    // MARK: Locating a value

    private mutating func write(
        at path: [String], _ body: (inout KeyedEncodingContainer<JSONKey>, JSONKey) throws -> Void
    ) throws {
        guard case .encoder(var container) = output, let last = path.last else { return }
        if path.count == 1 {
            try body(&container, JSONKey(last))
            output = .encoder(container)
            return
        }
        for depth in 1..<path.count {
            let prefix = Array(path[..<depth])
            if let known = nested[prefix] {
                container = known
            } else {
                container = container.nestedContainer(keyedBy: JSONKey.self, forKey: JSONKey(path[depth - 1]))
                nested[prefix] = container
            }
        }
        try body(&container, JSONKey(last))
    }
}

extension CodingUserInfoKey {
    /// For a merge whose hooks get JSON: `true` to write relationships in their other forms, too.
    package static let writesOtherForms = CodingUserInfoKey(rawValue: "lockstep.writesOtherForms")!
}
