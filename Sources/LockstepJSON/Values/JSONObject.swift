/// The members of a JSON object: values by their keys, in no order.
///
/// Keys are equal if their scalars are (RFC 8259, section 8.3), as for servers and for SQLite. “é” as one scalar and as
/// two are two keys here, but one in a `[String: JSONValue]`. `JSONDecoder` and `JSONEncoder` use such dictionaries,
/// and keep one of the two members; `JSONValue(json:)` and `JSONValue.json()` keep both.
///
/// ```swift
/// var entry: JSONObject = ["title": "Monday"]
/// entry["mood"] = "happy"
/// for (key, value) in entry { … }
/// ```
public struct JSONObject: Sendable {
    private var members: [ExactText: JSONValue]

    private init(members: [ExactText: JSONValue]) { self.members = members }

    /// No members.
    public init() { members = [:] }

    /// Members in order. If a key is repeated, the last value is used.
    public init(_ members: some Sequence<(String, JSONValue)>) {
        self.members = Dictionary(members.lazy.map { (ExactText($0), $1) }, uniquingKeysWith: { $1 })
    }

    /// The members of a dictionary.
    public init(_ dictionary: [String: JSONValue]) { self.init(dictionary.lazy.map { ($0, $1) }) }

    /// The members as a dictionary; `nil` if two keys are equal in Swift.
    public var dictionary: [String: JSONValue]? {
        let dictionary = Dictionary(members.lazy.map { ($0.text, $1) }, uniquingKeysWith: { $1 })
        return dictionary.count == count ? dictionary : nil
    }

    /// The value of a key; `nil` if there is none. Setting `nil` removes the member.
    public subscript(key: String) -> JSONValue? {
        get { members[ExactText(key)] }
        set { members[ExactText(key)] = newValue }
    }

    /// Removes a member.
    ///
    /// - Returns: Its value; `nil` if there was none.
    @discardableResult
    package mutating func removeValue(forKey key: String) -> JSONValue? { members.removeValue(forKey: ExactText(key)) }

    public var keys: [String] { members.keys.map(\.text) }

    public var values: some Collection<JSONValue> { members.values }

    public var count: Int { members.count }

    public var isEmpty: Bool { members.isEmpty }

    /// The same keys with other values.
    package func mapValues(_ transform: (JSONValue) throws -> JSONValue) rethrows -> JSONObject {
        JSONObject(members: try members.mapValues(transform))
    }

    /// The same keys with other values, without the keys that get no value.
    package func compactMapValues(_ transform: (JSONValue) throws -> JSONValue?) rethrows -> JSONObject {
        JSONObject(members: try members.compactMapValues(transform))
    }

    /// The members for which a condition holds.
    package func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> JSONObject {
        JSONObject(members: try members.filter { try isIncluded(($0.text, $1)) })
    }

    /// These members and others. If both have a key, a function chooses the value.
    package func merging(
        _ others: JSONObject, uniquingKeysWith combine: (JSONValue, JSONValue) throws -> JSONValue
    ) rethrows -> JSONObject {
        JSONObject(members: try members.merging(others.members, uniquingKeysWith: combine))
    }

    /// In the order in which they are written.
    package var sortedMembers: [Element] {
        members.sorted { $0.key < $1.key }.map { (key: $0.text, value: $1) }
    }
}

extension JSONObject: Sequence {
    public func makeIterator() -> some IteratorProtocol<(key: String, value: JSONValue)> {
        members.lazy.map { (key: $0.text, value: $1) }.makeIterator()
    }
}

extension JSONObject: Hashable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
    /// Members: `["id": 1, "title": "Monday"]`. If a key is repeated, the last value is used.
    public init(dictionaryLiteral members: (String, JSONValue)...) { self.init(members) }

    @_spi(Requirements) public var description: String {
        isEmpty ? "[:]" : "[\(sortedMembers.map { "\($0.debugDescription): \($1)" }.joined(separator: ", "))]"
    }
}

extension JSONObject: Codable {
    @_spi(Requirements) public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: JSONKey.self)
        self.init()
        for key in container.allKeys { self[key.stringValue] = try container.decode(JSONValue.self, forKey: key) }
    }

    @_spi(Requirements) public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: JSONKey.self)
        for (key, value) in self { try container.encode(value, forKey: JSONKey(key)) }
    }
}
