import Foundation
import GRDB
import LockstepJSON
import LockstepMerge
import LockstepStore

/// A value of a request, and the values that the server had before: if it returns one of those, it has not applied the
/// change (Rules.md, P21).
struct SentValue: Sendable {
    /// The record that has it: the one that is sent, or one embedded in it.
    let plan: EntityPlan
    let recordID: RecordID
    /// The identity of an embedded record; `nil` for the one that is sent.
    let member: MemberIdentity?
    let part: Part
    /// The sent value; for a link, the identity of the other record.
    var sent = JSONValue.null
    /// Empty if the server did not have the record: then only an empty value can be the former one.
    var former: [Former] = []

    /// The part of the record.
    enum Part: Sendable {
        case attribute(Int, local: DatabaseValue)
        /// The columns of a relationship's key, and the part of the identity that is compared.
        case key([Int], of: Int, part: Int)
        case link(OutboxLinkChange, of: Int)
        /// All of an embedded record that is new in its owner.
        case addition(MemberPosition)
        /// All of an embedded record that was deleted.
        case deletion
    }

    /// A value that the server had.
    struct Former: Sendable {
        let json: JSONValue
        /// By the columns of the part.
        let stored: [DatabaseValue]
    }

    /// The name in the schema.
    var name: String {
        switch part {
        case .attribute(let column, local: _): plan.columns[column].memberName
        case .key(_, let relationship, part: _), .link(_, let relationship): plan.relationships[relationship].name
        case .addition, .deletion: plan.name
        }
    }

    /// Whether it is all of a record, and not a value of one.
    var isRecord: Bool {
        switch part {
        case .attribute, .key, .link: false
        case .addition, .deletion: true
        }
    }

    /// Returns the values that the server has instead, by the columns of the part, if a response shows that it has not
    /// applied the value; `nil` if it shows that it has applied it, or nothing.
    func stored(unappliedIn response: ReceivedTree) -> [DatabaseValue]? {
        switch part {
        case .attribute(let column, let local):
            return response[member]?.attribute(column).flatMap { stored(unapplied: $0, column: column, local: local) }
        case .key(let columns, let relationship, let part):
            guard let returned = response[member]?.key(of: relationship, part: part) else { return nil }
            let identity = returned.isEmptyValue ? .null : returned
            if JSONValue.isSameIdentity(identity, sent) { return nil }
            if former.isEmpty { return identity == .null ? columns.map { _ in .null } : nil }
            return former.first { JSONValue.isSameIdentity(identity, $0.json) }?.stored
        case .link(let link, let relationship):
            guard let returned = response[member]?.identities(of: relationship) else { return nil }
            let isThere = returned.contains { $0.count == 1 && JSONValue.isSameIdentity($0[0], sent) }
            return isThere == link.isAdded ? nil : []
        case .addition(let position): return response.lacks(member, at: position) ? [] : nil
        case .deletion: return response[member] == nil ? nil : []
        }
    }

    private func stored(unapplied returned: JSONValue, column: Int, local: DatabaseValue) -> [DatabaseValue]? {
        let isSame = plan.columns[column].type == .uuid ? JSONValue.isSameIdentity : JSONValue.isSameValue
        if isSame(returned, sent) || returned.isNormalized(from: sent) { return nil }
        let empty = returned.isEmptyValue ? plan.columns[column].stored(empty: returned) : nil
        if former.isEmpty {
            // If the column does not allow the value, the server has none that the device could have.
            let stored = empty ?? .null
            return returned.isEmptyValue && stored != local ? [stored] : nil
        }
        guard let former = former.first(where: { isSame(returned, $0.json) }) else { return nil }
        return empty.map { [$0] } ?? former.stored
    }
}

/// A record in JSON, with those that are embedded in it, by identity. If there are several with one, the last counts.
struct ReceivedTree {
    private let root: ReceivedRecord
    private var members: [MemberIdentity: (record: ReceivedRecord, position: MemberPosition?)] = [:]

    init(_ json: JSONValue, plan: EntityPlan) {
        root = ReceivedRecord(json, plan: plan)
        add(recordsIn: root, identity: nil)
    }

    /// - Parameter identity: That of an owner that is embedded itself.
    private mutating func add(recordsIn owner: ReceivedRecord, identity: MemberIdentity?, isNamed: Bool = true) {
        for (index, relationship) in owner.plan.relationships.enumerated() where relationship.isEmbedded {
            for record in owner.records(of: index) {
                let member = MemberIdentity(record.identity, plan: record.plan)
                let position = isNamed ? MemberPosition(owner: identity, relationship: index) : nil
                if let member { members[member] = (record, position) }
                add(recordsIn: record, identity: member, isNamed: member != nil)
            }
        }
    }

    /// An embedded record, or, for `nil`, the one that embeds them.
    subscript(member: MemberIdentity?) -> ReceivedRecord? { member.map { members[$0]?.record } ?? root }

    /// The embedded records that have an identity.
    var all: [ReceivedRecord] { members.values.map(\.record) }

    /// Where an embedded record is; `nil` if its owner has no identity, or it is missing.
    func position(of member: MemberIdentity) -> MemberPosition? { members[member]?.position }

    /// Whether a record is not in the list that should have it, which is there.
    func lacks(_ member: MemberIdentity?, at position: MemberPosition) -> Bool {
        guard let member, members[member] == nil, let owner = self[position.owner],
            let listed = owner.identities(of: position.relationship)
        else { return false }
        let plan = owner.plan.relationships[position.relationship].destination
        return !listed.contains { MemberIdentity($0, plan: plan) == member }
    }
}

/// The list of a record that an embedded record is in.
struct MemberPosition: Sendable {
    /// `nil` for the record that embeds all others.
    let owner: MemberIdentity?
    let relationship: Int
}

/// The identity of a record in JSON, as merges compare identities (Rules.md, M5).
struct MemberIdentity: Hashable, Sendable {
    private let entity: String
    private let key: RecordKey

    /// Returns `nil` if a part is missing, or none of its type.
    init?(_ values: [JSONValue], plan: EntityPlan) {
        let stored = zip(plan.serverKeyColumns, values).compactMap { try? $1.stored(in: plan.columns[$0]) }
        guard !values.isEmpty, values.count == plan.serverKeyColumns.count, stored.count == values.count else {
            return nil
        }
        (entity, key) = (plan.name, RecordKey(stored))
    }
}

extension JSONValue {
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
    /// The words between its white space.
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
        guard let stored = type.stored(empty: json), Self.allows(stored, as: valueType, limits: limits) else {
            return nil
        }
        return stored
    }

    private static func allows<Value: AttributeValue>(
        _ stored: DatabaseValue, as type: Value.Type, limits: Limits
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
