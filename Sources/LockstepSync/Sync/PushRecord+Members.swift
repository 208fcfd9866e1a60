import Foundation
import GRDB
import LockstepStore

// Embedded records whose identities the server makes (Rules.md, R10).
extension PushRecordReader {
    /// Records inside of others that have moved to another owner, where the server keeps each in the owner that it knows.
    struct Moves {
        /// What the request is to tell of.
        var told: [DeletedMember] = []
        var released: [PushRecord.Settled] = []
        /// Their former owners are gone, and they with them.
        var lost: [PushRecord.Settled] = []
    }

    /// Takes those out of what a request settles that have to leave another owner first.
    func moves(in settled: inout [PushRecord.Settled], _ departures: [PushRecord.Settled]) throws -> Moves {
        var moves = Moves()
        guard nestedDeletion != nil else { return moves }
        for departure in departures {
            guard let member = deletedMember(departure) else { continue }
            moves.told.append(member)
            moves.released.append(departure)
        }
        for move in settled {
            guard move.change.kind == .update, let row = move.snapshot.row, let member = deletedMember(move) else {
                continue
            }
            let now = ownership.owner(of: move.plan, row: row)
            if let now, RecordPlace(now.plan, now.key) == member.owner { continue }
            if try !database.valueRows(member.ownerPlan.findSQL, member.ownerKey.values).isEmpty {
                moves.told.append(member)
                moves.released.append(move)
            } else {
                moves.lost.append(move)
            }
        }
        let moved = Set((moves.released + moves.lost).map(\.change.id))
        settled.removeAll { moved.contains($0.change.id) }
        return moves
    }

    /// What the server has in an owner, and is told of where it keeps what a list lacks.
    private func deletedMember(_ settled: PushRecord.Settled) -> DeletedMember? {
        guard
            let member = DeletedMember(settled.plan, settled.change.key, base: settled.snapshot.base, ownership),
            let place = member.ownerPlan.relationship(named: member.relationship),
            let path = member.ownerPlan.relationships[place].wire.ownPath,
            nestedDeletion?.includes(path) == true
        else { return nil }
        return member
    }

    /// The records that were deleted inside of another one, and that the server has in it.
    func deletedMembers(_ settled: [PushRecord.Settled]) -> [DeletedMember] {
        settled.filter { $0.change.kind == .delete }.compactMap(deletedMember)
    }

    /// What was changed of a record besides columns and links, and has no row of its own.
    func marks(of settled: PushRecord.Settled) throws -> OutboxMarks {
        try OutboxWriter(database, settled.plan).marks(of: settled.change)
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

    /// The record and what is embedded in it; `nil` where nothing can be.
    func tree(of item: PushRound.Item) throws -> EmbeddedRecord? {
        guard item.plan.embedsRecords, let type = store.model(named: item.plan.name) else { return nil }
        return try tree(type, item.key)
    }

    private func tree<Object: Model>(_ type: Object.Type, _ key: RecordKey) throws -> EmbeddedRecord? {
        try store.embeddedRecords(of: type, key: key, in: database)
    }
}

extension EntityPlan {
    fileprivate var embedsRecords: Bool {
        relationships.contains { if case .embedded = $0.wire { true } else { false } }
    }
}

extension PushRecord.Settled {
    var place: RecordPlace { RecordPlace(plan, change.key) }
}

extension PushRecord {
    var place: RecordPlace { RecordPlace(plan, key) }

    /// Whether it tells of records inside of it by their identities.
    var namesMembers: Bool { kind == .update && (deletesMembers || !sent.identities.isEmpty) }

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
