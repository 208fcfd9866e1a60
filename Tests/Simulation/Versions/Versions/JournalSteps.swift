import LockstepStore

/// What the history of the journal says, once more and by hand: how a record's JSON in the form of one version becomes
/// that of a later one.
///
/// The simulated server uses it, and what a device has after a migration is compared with it.
enum JournalSteps {
    static let tagsKey = "tagIDs"
    static let picturesKey = "pictures"
    static let notebookKey = "notebookID"
    static let identityKey = "identifier"

    /// - Parameter isWhole: Whether the members that are missing get their defaults. A change has only some members.
    static func record(
        _ json: JSONValue, of collection: JournalCollection, to version: JournalVersion, isWhole: Bool = true
    ) -> JSONValue {
        guard case .object(var members) = json else { return json }
        if version >= .second { second(&members, collection, isWhole) }
        if version >= .third { third(&members, collection, isWhole) }
        if collection == .entries, case .array(let pictures)? = members[picturesKey] {
            members[picturesKey] = .array(pictures.map { record($0, of: .pictures, to: version) })
        }
        return .object(members)
    }

    private static func second(
        _ members: inout JSONObject, _ collection: JournalCollection, _ isWhole: Bool
    ) {
        switch collection {
        case .entries:
            if let text = members.removeValue(forKey: "bodyText"), members["text"] == nil { members["text"] = text }
            if isWhole, members["pinned"] == nil { members["pinned"] = false }
        case .pictures: if isWhole, members["width"] == nil { members["width"] = 0 }
        case .notebooks, .tags: break
        }
    }

    private static func third(
        _ members: inout JSONObject, _ collection: JournalCollection, _ isWhole: Bool
    ) {
        guard collection == .entries else { return }
        members["weather"] = nil
        if case .string(let text)? = members["rating"] { members["rating"] = .integer(Int64(text) ?? 0) }
        if isWhole || members["place"] != nil, members["place"] ?? .null == .null { members["place"] = "" }
    }

    /// A record as it is compared: without members that are null, and with its lists in order.
    static func canonical(_ json: JSONValue) -> JSONValue {
        guard case .object(let members) = json else { return json }
        return .object(
            members.compactMapValues { value in
                switch value {
                case .null: nil
                case .array(let values): .array(values.map(canonical).sorted { order($0) < order($1) })
                default: value
                }
            })
    }

    /// What records, and keys of records, are sorted by.
    private static func order(_ json: JSONValue) -> String { text(json[identityKey] ?? json) }

    /// Whether a value is another one, or is a list of records that have all members of the other's.
    static func has(_ value: JSONValue, _ other: JSONValue) -> Bool {
        switch (value, other) {
        case (.array(let values), .array(let others)):
            values.count == others.count && zip(values, others).allSatisfy { has($0, $1) }
        case (.object(let members), .object(let others)):
            others.allSatisfy { members[$0.key] ?? .null == $0.value }
        default: value == other
        }
    }

    /// The texts of a list.
    static func texts(_ json: JSONValue?) -> Set<String> {
        guard case .array(let values)? = json else { return [] }
        return Set(values.compactMap { if case .string(let text) = $0 { text } else { nil } })
    }

    /// A value as text, for traces and for sorting.
    static func text(_ json: JSONValue) -> String {
        switch json {
        case .null: "null"
        case .string(let text): "“\(text)”"
        case .integer(let number): "\(number)"
        case .bool(let value): "\(value)"
        case .array(let values): "[\(values.map(text).joined(separator: ", "))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }.joined(separator: ", "))}"
        default: "\(json)"
        }
    }
}
