/// The user info of an element, which other libraries have written. What is read is taken out of it.
struct CoreDataUserInfo {
    struct Entry {
        let key: String
        let value: String
        let line: Int
    }

    private(set) var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    mutating func add(_ key: String, value: String, line: Int) {
        entries.append(Entry(key: key, value: value, line: line))
    }

    /// Takes the values of keys, and returns that of the first one that is there.
    mutating func take(_ keys: String...) -> String? {
        if entries.isEmpty { return nil }
        defer { entries.removeAll { keys.contains($0.key) } }
        return keys.compactMap { key in entries.first { $0.key == key }?.value }.first
    }

    /// Takes the values of keys, one of which is set if it does not say no.
    mutating func takeFlag(_ keys: String...) -> Bool {
        if entries.isEmpty { return false }
        defer { entries.removeAll { keys.contains($0.key) } }
        return entries.contains { keys.contains($0.key) && !["no", "false", "0"].contains($0.value.lowercased()) }
    }

    /// Takes the keys in JSON, from the outermost.
    mutating func takeKey() -> [String] {
        let path = take("sync.remoteKey", "hyper.remoteKey", "JSONKeyPath", "mappedKeyName")
        return path == "null" ? [] : path?.split(separator: ".").map(String.init) ?? []
    }

    /// What to do about an entry that was not taken.
    static func help(_ key: String) -> String? {
        switch key {
        case "sync.valueTransformer", "hyper.valueTransformer", "JSONTransformerName":
            "Use a type of your own (`types:`), which converts the value."
        case "attributeValueClassName", "attributeValueScalarType", "RawType":
            "For an enum, declare it in `enums:`, and use it as the attribute's type."
        case "spDisableSync": "To keep it on the device, write `wire: none`, or `remote: none` for an entity."
        case "unwrapOptional": "If it is always there, remove the `?`."
        default: nil
        }
    }
}
