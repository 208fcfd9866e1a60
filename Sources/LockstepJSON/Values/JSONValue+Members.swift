extension JSONValue {
    /// The member of an object with this key; `nil` if there is none, or the value is not an object.
    ///
    /// Setting `nil` removes the member. Setting a member converts `null` to an object; any other value that is not an
    /// object is unchanged.
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
                // Released, so that a large object is changed in place.
                self = .null
                members[key] = newValue
                self = .object(members)
            case .null: self = .object(newValue.map { [key: $0] } ?? [:])
            default: break
            }
        }
    }

    /// The element of an array at this index; `nil` if there is none, or the value is not an array.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    /// A text: `"Monday"`.
    public init(stringLiteral value: String) { self = .string(value) }

    /// An integer: `7`.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// A Boolean value: `true`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// A list: `[1, "two"]`.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// An object: `["id": 1, "title": "Monday"]`. If a key is repeated, the last value is used.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(JSONObject(members))
    }
}

extension JSONValue {
    /// Sets the value that these keys lead to. Objects on the way are made.
    package mutating func set(_ value: JSONValue, at path: some Collection<String>) {
        guard let first = path.first else {
            self = value
            return
        }
        var members: JSONObject = [:]
        if case .object(let known) = self { members = known }
        // Released, so that a large object is changed in place.
        self = .null
        var member = members.removeValue(forKey: first) ?? .object([:])
        member.set(value, at: path.dropFirst())
        members[first] = member
        self = .object(members)
    }
}
