import LockstepJSON

extension SchemaChange {
    /// The change of a scope, or of who reads or writes, in words; `nil` for another property of an entity.
    static func accessText(_ key: String, from former: JSONValue?, to new: JSONValue?) -> String? {
        let subjects = ["scope": "its scope", "read": "who reads it", "write": "who writes it"]
        guard let subject = subjects[key] else { return nil }
        switch (text(former), text(new)) {
        case (let old?, let new?):
            let verb = key == "scope" ? "its records move to another scope" : "\(subject) changes"
            return "\(verb) (\(old) → \(new))"
        case (nil, let new?): return "\(subject) is set (\(new))"
        case (let old?, nil): return "\(subject) is no longer set (\(old))"
        case (nil, nil): return nil
        }
    }

    /// As it is written in a schema: `self`, `owner, members.user`.
    private static func text(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text)?: text
        case .object(let members)?: members.sortedMembers.compactMap { text($0.value) }.joined()
        case .array(let elements)?: elements.compactMap(text).joined(separator: ", ")
        default: nil
        }
    }
}
