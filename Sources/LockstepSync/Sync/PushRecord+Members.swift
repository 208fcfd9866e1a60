import Foundation
import GRDB
import LockstepStore

// Embedded records whose identities the server makes (Rules.md, R10).
extension PushRecordReader {
    /// The body without what the server has and does not say the identity of, for it would be made once more.
    func withoutUntold(
        _ json: JSONValue, _ tree: EmbeddedRecord?, _ known: [SentMember], _ gone: [DeletedMember]
    ) -> JSONValue {
        guard let tree, !known.isEmpty || !gone.isEmpty else { return json }
        var json = json
        for (relationship, records) in tree.members {
            let description = tree.plan.relationships[relationship]
            guard let path = description.wire.ownPath, let value = json.value(at: path) else { continue }
            if case .array(let list) = value, list.count == records.count {
                var members: [JSONValue] = []
                for (member, record) in zip(list, records) where !isUntold(record, known) {
                    members.append(withoutUntold(member, record, known, gone))
                }
                members += deleted(description, of: RecordPlace(tree.plan, tree.key), path, known, gone)
                json.set(.array(members), at: path)
            } else if value == .null, records.isEmpty {
                let members = deleted(description, of: RecordPlace(tree.plan, tree.key), path, known, gone)
                if let member = members.first { json.set(member, at: path) }
            } else if case .object = value, let record = records.first {
                if isUntold(record, known) {
                    json.remove(at: path)
                } else {
                    json.set(withoutUntold(value, record, known, gone), at: path)
                }
            }
        }
        return json
    }

    private func isUntold(_ record: EmbeddedRecord, _ known: [SentMember]) -> Bool {
        known.contains { $0.state == .untold && $0.plan === record.plan && $0.key == record.key }
    }

    /// What a server wants of records that are to go, where it keeps what is left out.
    private func deleted(
        _ relationship: RelationshipDescription, of owner: RecordPlace, _ path: [String], _ known: [SentMember],
        _ gone: [DeletedMember]
    ) -> [JSONValue] {
        guard let nestedDeletion, nestedDeletion.includes(path) else { return [] }
        let plan = relationship.destination.entity.plan
        guard let remote = plan.remoteColumn, let identity = plan.columns[remote].wire?.path else { return [] }
        let members = known.filter { $0.state == .deleted } + gone.map(\.asSent)
        return members.filter { $0.owner == owner && $0.relationship == relationship.name }.map { member in
            var json: JSONValue = [nestedDeletion.key: true]
            json.set(JSONValue(stored: member.remote), at: identity)
            return json
        }
    }

    /// The records that were deleted in a record here, and that the server has in it.
    func deletedMembers(of item: PushRound.Item, _ settled: [PushRecord.Settled]) throws -> [DeletedMember] {
        let root = place(item)
        let members = try DeletedMembers.all(database, store.plans).filter { $0.root == root }
        // Those of entities with paths of their own have changes of their own.
        return members + settled.compactMap { deletedMember($0, root) }
    }

    private func deletedMember(_ settled: PushRecord.Settled, _ root: RecordPlace) -> DeletedMember? {
        let plan = settled.plan
        guard settled.change.kind == .delete, let base = settled.snapshot.base, let remote = plan.remoteColumn,
            !base[remote].isNull, let owner = ownership.owner(of: plan, row: base)
        else { return nil }
        let relationship = owner.plan.relationships.first { description in
            guard case .embedded = description.wire, description.destination.entity.plan === plan,
                let inverse = description.inverse.flatMap({ plan.relationship(named: $0) })
            else { return false }
            let columns = plan.foreignKeys[inverse]
            return !columns.isEmpty && columns.allSatisfy { !base[$0].isNull }
        }
        guard let relationship else { return nil }
        return DeletedMember(
            plan: plan, key: settled.change.key, owner: RecordPlace(owner.plan, owner.key),
            relationship: relationship.name, remote: base[remote], root: root)
    }

    /// The members that a request has, and that have no identity on the server yet.
    ///
    /// - Parameter paths: Where in the body they may be, at the top; `nil` for anywhere.
    func newMembers(_ tree: EmbeddedRecord?, in paths: [[String]]? = nil) throws -> [SentMember] {
        guard let tree else { return [] }
        var members: [SentMember] = []
        for (relationship, records) in tree.members {
            let description = tree.plan.relationships[relationship]
            guard ownership.isSent(description, of: tree.plan), let path = description.wire.ownPath,
                paths?.contains(path) ?? true
            else { continue }
            for (place, record) in records.enumerated() {
                if let member = try newMember(record, of: tree, description.name, place) { members.append(member) }
                members += try newMembers(record)
            }
        }
        return members
    }

    private func newMember(
        _ record: EmbeddedRecord, of owner: EmbeddedRecord, _ relationship: String, _ place: Int
    ) throws -> SentMember? {
        guard let remote = record.plan.remoteColumn,
            let row = try database.valueRows(record.plan.findSQL, record.key.values).first, row[remote].isNull
        else { return nil }
        return SentMember(
            plan: record.plan, key: record.key, owner: RecordPlace(owner.plan, owner.key), relationship: relationship,
            place: place, row: row)
    }

    /// The record and what is embedded in it; `nil` where nothing in there gets its identity from the server.
    func tree(of item: PushRound.Item) throws -> EmbeddedRecord? {
        guard item.plan.embedsMadeIdentities, let type = store.model(named: item.plan.name) else { return nil }
        return try tree(type, item.key)
    }

    private func tree<Object: Model>(_ type: Object.Type, _ key: RecordKey) throws -> EmbeddedRecord? {
        try store.embeddedRecords(of: type, key: key, in: database)
    }
}

extension EntityPlan {
    /// Whether its JSON embeds, at any depth, records whose identities the server makes.
    fileprivate var embedsMadeIdentities: Bool {
        var seen: Set<String> = [name]
        var rest = [self]
        while let plan = rest.popLast() {
            for relationship in plan.relationships {
                guard case .embedded = relationship.wire else { continue }
                let member = relationship.destination.entity.plan
                if member.remoteColumn != nil { return true }
                if seen.insert(member.name).inserted { rest.append(member) }
            }
        }
        return false
    }
}

extension PushRecord {
    var place: RecordPlace { RecordPlace(plan, key) }

    /// Whether it tells of records inside of it by their identities.
    var namesMembers: Bool { kind == .update && (!deletedMembers.isEmpty || !sent.identities.isEmpty) }

    /// What an answer to it is held against.
    var sent: SentRecord {
        var identities: [String: Set<String>] = [:]
        if let json = try? JSONValue(json: body) { Self.collect(json, plan, &identities) }
        return SentRecord(root: place, identities: identities)
    }

    private static func collect(_ json: JSONValue, _ plan: EntityPlan, _ identities: inout [String: Set<String>]) {
        for relationship in plan.relationships {
            guard case .embedded(let path) = relationship.wire, let value = json.value(at: path.keys) else { continue }
            let member = relationship.destination.entity.plan
            let list: [JSONValue] = if case .array(let list) = value { list } else { [value] }
            for json in list {
                if let remote = member.remoteColumn, let path = member.columns[remote].wire?.path,
                    let identity = json.value(at: path), identity != .null
                {
                    identities[member.name, default: []].insert(RemoteIdentity([identity]).text.lowercased())
                }
                collect(json, member, &identities)
            }
        }
    }
}
