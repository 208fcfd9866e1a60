import Foundation
import GRDB
import LockstepJSON
import LockstepStore

/// A value of a request, and the values that the server had before: if it returns one of those, it has not applied the
/// change (Rules.md, P21).
struct SentValue: Sendable {
    /// The record that has it: the one that is sent, or one embedded in it.
    let plan: EntityPlan
    let place: RecordPlace
    /// The identity of an embedded record; `nil` for the one that is sent.
    let member: MemberIdentity?
    /// The name in the schema.
    let name: String
    /// Where it is in the record's JSON.
    let path: [String]
    /// What was sent; for a link, the identity of the other record.
    let sent: JSONValue
    /// Empty if the server did not have the record: then only an empty value can be the former one.
    var former: [Former] = []
    let part: Part

    /// What it is of the record.
    enum Part: Sendable {
        case attribute(Int, local: DatabaseValue)
        /// The columns of a key, and where the identity is in a record that is returned instead.
        case key([Int], identity: [String])
        case link(OutboxLinkChange, identity: [String])
    }

    /// A value that the server had.
    struct Former: Sendable {
        let json: JSONValue
        /// By the columns of the part.
        let stored: [DatabaseValue]
    }

    /// What the server has instead, by the columns of the part, if it has returned this and not applied the value;
    /// `nil` if it has applied it.
    func stored(unapplied returned: JSONValue) -> [DatabaseValue]? {
        switch part {
        case .attribute(let column, let local):
            let isSame = plan.columns[column].type == .uuid ? JSONValue.isSameIdentity : JSONValue.isSameValue
            if isSame(returned, sent) || returned.isNormalized(from: sent) { return nil }
            let empty = returned.isEmptyValue ? plan.columns[column].stored(empty: returned) : nil
            if former.isEmpty { return empty.flatMap { $0 == local ? nil : [$0] } }
            guard let former = former.first(where: { isSame(returned, $0.json) }) else { return nil }
            return empty.map { [$0] } ?? former.stored
        case .key(let columns, let path):
            let identity = returned.identity(at: path)
            if JSONValue.isSameIdentity(identity, sent) { return nil }
            if former.isEmpty { return identity == .null ? columns.map { _ in .null } : nil }
            return former.first { JSONValue.isSameIdentity(identity, $0.json) }?.stored
        case .link(let link, let path):
            let isThere = returned.elements.contains { JSONValue.isSameIdentity($0.identity(at: path), sent) }
            return isThere == link.isAdded ? nil : []
        }
    }
}

/// The identity of a record in JSON, as merges compare identities (Rules.md, M5).
struct MemberIdentity: Hashable, Sendable {
    private let entity: String
    private let texts: [ExactText]

    /// Returns `nil` if a part is missing.
    init?(_ values: [JSONValue], _ plan: EntityPlan) {
        guard !values.isEmpty, values.count == plan.serverKeyColumns.count, !values.contains(.null) else { return nil }
        (entity, texts) = (plan.name, values.map(\.keyText))
    }
}

extension JSONValue {
    /// Calls a closure with each record that is embedded in the JSON of one.
    func forEachMember(of plan: EntityPlan, _ body: (JSONValue, EntityPlan) -> Void) {
        for relationship in plan.relationships {
            guard case .embedded(let path, ids: _) = relationship.wire, let value = embedded(at: path.keys) else {
                continue
            }
            let member = relationship.destination.entity.plan
            for json in value.elements {
                guard case .object = json else { continue }
                body(json, member)
                json.forEachMember(of: member, body)
            }
        }
    }

    /// The records that are embedded in the JSON of one, by identity. If there are several with one, the last counts.
    func members(of plan: EntityPlan) -> [MemberIdentity: JSONValue] {
        var members: [MemberIdentity: JSONValue] = [:]
        forEachMember(of: plan) { json, plan in
            let values = plan.serverKeyPaths.map { json.value(at: $0) ?? .null }
            if let identity = MemberIdentity(values, plan) { members[identity] = json }
        }
        return members
    }

    /// Rails returns `lines` for `lines_attributes` (Rules.md, N1).
    private func embedded(at path: [String]) -> JSONValue? {
        if let value = value(at: path) { return value }
        guard let name = path.last, name.hasSuffix(NestedAttributes.suffix) else { return nil }
        return value(at: path.dropLast() + [String(name.dropLast(NestedAttributes.suffix.count))])
    }

    /// The elements of a list, or a value in the place of one.
    fileprivate var elements: [JSONValue] {
        if case .array(let elements) = self { return elements }
        return self == .null ? [] : [self]
    }

    /// The identity, or that of a record in the place of one; null if it is empty.
    fileprivate func identity(at path: [String]) -> JSONValue {
        if isEmptyValue { return .null }
        if case .object = self { return value(at: path) ?? .null }
        return self
    }

    fileprivate static func isSameIdentity(_ one: JSONValue, _ other: JSONValue) -> Bool {
        one == .null || other == .null ? one == other : one.keyText == other.keyText
    }

    fileprivate var isEmptyValue: Bool { self == .null || self == "" || self == .array([]) || self == .object([:]) }

    fileprivate static func isSameValue(_ one: JSONValue, _ other: JSONValue) -> Bool {
        if one.isEmptyValue || other.isEmptyValue { return one.isEmptyValue == other.isEmptyValue }
        return one.says(other) && other.says(one)
    }

    /// Whether a server that was sent another value may have written it in this way: with other white space, or without
    /// the fraction of a second.
    fileprivate func isNormalized(from sent: JSONValue) -> Bool {
        switch (self, sent) {
        case (_, .string(let other)) where isEmptyValue: return other.allSatisfy(\.isWhitespace)
        case (.string(let text), .string(let other)):
            if let date = ISO8601.date(from: text), let sent = ISO8601.date(from: other) {
                return abs(date.timeIntervalSince(sent)) < 1
            }
            return text.words == other.words
        default: return false
        }
    }
}

extension String {
    /// What is between its white space.
    fileprivate var words: [ExactText] { split(whereSeparator: \.isWhitespace).map { ExactText(String($0)) } }
}

extension ColumnDescription {
    /// An empty value of a response as the store has it; `nil` if the column does not allow it.
    fileprivate func stored(empty json: JSONValue) -> DatabaseValue? {
        if json == .null {
            if isOptional { return .null }
            // A merge replaces null with the default (Rules.md, M1).
            return defaultValue.map(type.storedValue).flatMap { $0.isNull ? nil : $0 }
        }
        let valueType: any AttributeValue.Type = type.valueType
        guard let stored = type.stored(empty: json), Self.allows(stored, as: valueType, limits) else { return nil }
        return stored
    }

    private static func allows<Value: AttributeValue>(
        _ stored: DatabaseValue, as type: Value.Type, _ limits: Limits
    ) -> Bool {
        Value(storedValue: stored).map { $0.violation(of: limits) == nil } ?? false
    }
}

extension StoredType {
    fileprivate func stored(empty json: JSONValue) -> DatabaseValue? {
        switch (self, json) {
        case (.string, .string), (.enumeration(.string, closed: _), .string): "".databaseValue
        case (.data, .string): Data().databaseValue
        case (.list, .array), (.json, _): StoredJSON.text(of: json).databaseValue
        case (.custom(let custom), _): custom.stored.stored(empty: json)
        default: nil
        }
    }
}
