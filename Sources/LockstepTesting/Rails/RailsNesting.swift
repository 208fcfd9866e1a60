public import LockstepStore

/// Nested records that get ids of their own from a Rails-style server, as with `accepts_nested_attributes_for`.
///
/// A member that is sent without an id is created, each time. A member with an id is changed, or deleted with
/// `_destroy`. Members that are not sent stay unchanged.
///
/// ```swift
/// RailsRules(nested: ["/orders": [RailsNesting("lines")]])  // accepts "lines_attributes", responds with "lines"
/// ```
public struct RailsNesting: Sendable {
    /// The key in stored records and responses.
    package var name: String
    /// The key in requests.
    package var requestKey: String
    /// Whether there is one nested record rather than a list.
    package var isOne: Bool
    /// Which sent members are ignored (`reject_if`).
    package var rejects: @Sendable (JSONValue) -> Bool
    /// Whether a member with an id that the record does not have is rejected with 404, as by Rails (`RecordNotFound`).
    /// Otherwise it is created, or ignored with `_destroy`.
    package var refusesUnknown: Bool
    /// Which members of sent records are ignored, as unpermitted parameters are (`lines_attributes: [:id]`).
    package var ignores: @Sendable (_ member: String, _ value: JSONValue, _ isNew: Bool) -> Bool
    /// The records that are nested in these records.
    package var nested: [RailsNesting]

    /// - Parameters:
    ///   - name: The key in stored records and responses.
    ///   - requestKey: The key in requests; `nil` for the name followed by `_attributes`.
    ///   - isOne: Whether there is one nested record rather than a list.
    ///   - rejects: Which sent members are ignored.
    ///   - refusesUnknown: Whether a member with an id that the record does not have is rejected with 404.
    ///   - ignores: Which members of sent records are ignored. The parameters are the member, its value, and whether
    ///     the record is new.
    ///   - nested: The records that are nested in these records.
    public init(
        _ name: String, requestKey: String? = nil, isOne: Bool = false, refusesUnknown: Bool = true,
        rejects: @escaping @Sendable (JSONValue) -> Bool = { _ in false },
        ignores: @escaping @Sendable (_ member: String, _ value: JSONValue, _ isNew: Bool) -> Bool = { _, _, _ in
            false
        }, nested: [RailsNesting] = []
    ) {
        self.name = name
        self.requestKey = requestKey ?? name + "_attributes"
        self.isOne = isOne
        self.rejects = rejects
        self.refusesUnknown = refusesUnknown
        self.ignores = ignores
        self.nested = nested
    }
}

extension RailsNesting {
    /// Whether a request is rejected because it names a member that the record does not have.
    func refuses(_ sent: JSONValue, for record: JSONValue) -> Bool {
        func list(_ value: JSONValue?) -> [JSONValue] {
            switch value {
            case .array(let list)?: list
            case .object?: value.map { [$0] } ?? []
            default: []
            }
        }
        let there = list(record[name])
        return list(sent[requestKey]).contains { member in
            guard let id = member["id"], id != .null else { return false }
            guard let known = there.first(where: { $0["id"] == id }) else { return refusesUnknown }
            return nested.contains { $0.refuses(member, for: known) }
        }
    }
}

extension ServerState {
    /// Applies the nested records of a request to a record.
    ///
    /// - Parameter path: The path whose ids are counted.
    mutating func nest(_ sent: JSONValue, into record: inout JSONValue, nestings: [RailsNesting], in path: String) {
        for nesting in nestings {
            guard let value = sent[nesting.requestKey] else { continue }
            if nesting.requestKey != nesting.name { record[nesting.requestKey] = nil }
            var members: [JSONValue] =
                switch record[nesting.name] {
                case .array(let list)?: list
                case .object?: record[nesting.name].map { [$0] } ?? []
                default: []
                }
            let list: [JSONValue] = if case .array(let list) = value { list } else { [value] }
            for member in list { nest(member, into: &members, nesting: nesting, in: path + "/" + nesting.name) }
            record[nesting.name] = nesting.isOne ? members.last ?? .null : .array(members)
        }
    }

    private mutating func nest(
        _ sent: JSONValue, into members: inout [JSONValue], nesting: RailsNesting, in path: String
    ) {
        guard case .object(var values) = sent else { return }
        let position = sent["id"].flatMap { id in members.firstIndex { $0["id"] == id } }
        if values.removeValue(forKey: "_destroy") == true {
            // Without `allow_destroy`, the mark is ignored.
            if let position, !nesting.ignores("_destroy", true, false) { members.remove(at: position) }
            return
        }
        if position == nil, nesting.rejects(sent) { return }
        for inner in nesting.nested { (values[inner.requestKey], values[inner.name]) = (nil, nil) }
        var member = position.map { members[$0] } ?? ["id": .integer(makeIdentity(in: path))]
        for (key, value) in values where key != "id" && !nesting.ignores(key, value, position == nil) {
            member[key] = value
        }
        for inner in nesting.nested where member[inner.name] == nil { member[inner.name] = inner.isOne ? .null : [] }
        nest(sent, into: &member, nestings: nesting.nested, in: path)
        if let position { members[position] = member } else { members.append(member) }
    }
}
