public import LockstepStore

/// Records inside of others that a Rails-style server gives ids of its own, as `accepts_nested_attributes_for` does.
///
/// A member that is sent without an id is made, each time; one with an id is changed, and with `_destroy` taken away;
/// what is not sent stays as it is.
///
/// ```swift
/// RailsRules(nested: ["/orders": [RailsNesting("lines")]])  // takes "lines_attributes", answers with "lines"
/// ```
public struct RailsNesting: Sendable {
    /// The key in what the server has and answers with.
    public var name: String
    /// The key in requests.
    public var requestKey: String
    /// Whether there is one rather than a list.
    public var isOne: Bool
    /// Which members are passed over when they are sent (`reject_if`).
    public var rejects: @Sendable (JSONValue) -> Bool
    /// Whether a member with an id that the record has not got is refused with 404, as Rails does (`RecordNotFound`); else
    /// it is made, or with `_destroy` passed over.
    public var refusesUnknown: Bool
    /// What those records have inside of them.
    public var nested: [RailsNesting]

    /// - Parameters:
    ///   - name: The key in what the server has and answers with.
    ///   - requestKey: The key in requests; `nil` for the name with `_attributes` behind it.
    ///   - isOne: Whether there is one rather than a list.
    ///   - rejects: Which members are passed over when they are sent.
    ///   - refusesUnknown: Whether a member with an id that the record has not got is refused with 404.
    ///   - nested: What those records have inside of them.
    public init(
        _ name: String, requestKey: String? = nil, isOne: Bool = false, refusesUnknown: Bool = true,
        rejects: @escaping @Sendable (JSONValue) -> Bool = { _ in false }, nested: [RailsNesting] = []
    ) {
        self.name = name
        self.requestKey = requestKey ?? name + "_attributes"
        self.isOne = isOne
        self.rejects = rejects
        self.refusesUnknown = refusesUnknown
        self.nested = nested
    }
}

extension RailsNesting {
    /// Whether what is sent names a member that a record has not got, and is refused for it.
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
    /// Takes what was sent under the keys for nested records over into a record.
    ///
    /// - Parameter path: Where ids are counted.
    mutating func nest(
        _ sent: JSONValue, into record: inout JSONValue, _ nestings: [RailsNesting], in path: String
    ) {
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
            for member in list { nest(member, into: &members, nesting, in: path + "/" + nesting.name) }
            record[nesting.name] = nesting.isOne ? members.last ?? .null : .array(members)
        }
    }

    private mutating func nest(
        _ sent: JSONValue, into members: inout [JSONValue], _ nesting: RailsNesting, in path: String
    ) {
        guard case .object(var values) = sent else { return }
        let place = sent["id"].flatMap { id in members.firstIndex { $0["id"] == id } }
        if values.removeValue(forKey: "_destroy") == true {
            if let place { members.remove(at: place) }
            return
        }
        if place == nil, nesting.rejects(sent) { return }
        for inner in nesting.nested { (values[inner.requestKey], values[inner.name]) = (nil, nil) }
        var member = place.map { members[$0] } ?? ["id": .integer(makeIdentity(in: path))]
        for (key, value) in values where key != "id" { member[key] = value }
        for inner in nesting.nested where member[inner.name] == nil { member[inner.name] = inner.isOne ? .null : [] }
        nest(sent, into: &member, nesting.nested, in: path)
        if let place { members[place] = member } else { members.append(member) }
    }
}
