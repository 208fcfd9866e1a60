import LockstepJSON

extension SchemaChange {
    /// The change in one line: `+ Entry.place: string?`, `Entry.bodyText → text`.
    package var text: String {
        switch action {
        case .add(let properties): "+ \(path)\(Self.type(of: properties))"
        case .remove(was: let properties): "- \(path)\(Self.type(of: properties))"
        case .rename(to: let name): "\(path) → \(name)"
        case .change(from: let former, to: let new): "\(path): \(difference(from: former, to: new))"
        }
    }

    private static func type(of properties: JSONObject) -> String {
        guard case .string(let type)? = properties["type"] ?? properties["to"], properties["cases"] == nil else {
            return ""
        }
        return ": " + type
    }

    private func difference(from former: JSONObject, to new: JSONObject) -> String {
        let keys = Set(former.keys).union(new.keys).sorted()
        return keys.map { key in
            if path.member == nil, let text = Self.accessText(key, from: former[key], to: new[key]) { return text }
            return switch (former[key] ?? usual(key), new[key] ?? usual(key)) {
            case (.string(let old)?, .string(let new)?) where key == "type" || key == "to": "\(old) → \(new)"
            case (.object(let old)?, .object(let new)?): Self.nested(key, from: old, to: new)
            case (let old?, let new?): "\(key) \(Self.text(old)) → \(Self.text(new))"
            case (nil, let new?): "+ \(Self.label(key, value: new))"
            case (let old?, nil): "- \(Self.label(key, value: old))"
            case (nil, nil): key
            }
        }.joined(separator: ", ")
    }

    /// A column and a key that are left out have the name of the member.
    private func usual(_ key: String) -> JSONValue? {
        key == "column" || key == "key" ? path.member.map(JSONValue.string) : nil
    }

    private static func nested(_ key: String, from old: JSONObject, to new: JSONObject) -> String {
        let differing = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
        let singular = ["indexes": "index", "cases": "case"]
        let key = singular[key] ?? key
        let renamed = differing.filter { name in
            new[name] == nil && differing.contains { old[$0] == nil && new[$0] == old[name] }
        }
        if !renamed.isEmpty, renamed.count * 2 == differing.count { return "\(key) names" }
        return differing.map { name in
            switch (old[name], new[name]) {
            case (nil, _?): "+ \(key) \(name)"
            case (_?, nil): "- \(key) \(name)"
            default: "\(key) \(name)"
            }
        }.joined(separator: ", ")
    }

    private static func label(_ key: String, value: JSONValue) -> String {
        if value == .bool(true) { return key }
        return "\(key == "indexes" ? "index" : key) \(text(value))"
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): return text
        case .array(let elements): return elements.map(text).joined(separator: "/")
        case .object(let members): return members.keys.sorted().joined(separator: ", ")
        default:
            var writer = JSONWriter()
            try? writer.write(value)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
    }
}
