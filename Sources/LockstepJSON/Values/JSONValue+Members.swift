extension JSONValue {
    /// The member of an object under this key; `nil` where it has none, or the value is no object.
    ///
    /// Setting `nil` takes the member away. Setting a member makes an object of `null`; any other value that is no
    /// object stays as it is.
    ///
    /// ```swift
    /// var entry: JSONValue = ["title": "Monday"]
    /// entry["mood"] = "happy"
    /// if case .string(let title)? = entry["title"] { print(title) }
    /// ```
    public subscript(key: String) -> JSONValue? {
        get {
            guard case .object(let members) = self else { return nil }
            return members[key]
        }
        set {
            switch self {
            case .object(var members):
                // Let go of, so that a large object is changed in place.
                self = .null
                members[key] = newValue
                self = .object(members)
            case .null: self = .object(newValue.map { [key: $0] } ?? [:])
            default: break
            }
        }
    }

    /// The element of an array at this place, from 0; `nil` where it has none, or the value is no array.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    /// A text: `"Monday"`.
    public init(stringLiteral value: String) { self = .string(value) }

    /// A whole number: `7`.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// A truth: `true`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// A list: `[1, "two"]`.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// An object: `["id": 1, "title": "Monday"]`. Of a key that is there twice, the last counts.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(Dictionary(members, uniquingKeysWith: { _, last in last }))
    }
}

extension JSONValue {
    /// Sets the value that these keys lead to. Objects on the way are made.
    package mutating func set(_ value: JSONValue, at path: some Collection<String>) {
        guard let first = path.first else {
            self = value
            return
        }
        var members: [String: JSONValue] = [:]
        if case .object(let known) = self { members = known }
        // Released, so that a large object is changed in place.
        self = .null
        var member = members.removeValue(forKey: first) ?? .object([:])
        member.set(value, at: path.dropFirst())
        members[first] = member
        self = .object(members)
    }
}
