import Foundation
import GRDB
import LockstepMerge
import LockstepStore

// Embedded records whose identities the server assigns (Rules.md, R10).
extension PushRecordReader {
    /// Removes from what a request settles the records that were sent in it and are in another record now: first it has
    /// to be known whether they have arrived.
    func takeUnlisted(from settled: inout [PushRecord.Settled], item: PushBatch.Item) throws -> [PushRecord.Settled] {
        let owners = InsideOwners(database, ownership: ownership)
        let unlistedMembers = try settled.filter { change in
            guard change.change.kind == .create, change.change.idempotencyKey != nil, let row = change.snapshot.row,
                change.plan.remoteColumn != nil, change.plan !== item.plan || change.change.key != item.key
            else { return false }
            let root = try owners.root(of: change.plan, in: row)
            return root.map { RecordID($0.plan, key: $0.key) != recordID(of: item) } ?? true
        }
        let ids = Set(unlistedMembers.map(\.change.id))
        settled.removeAll { ids.contains($0.change.id) }
        return unlistedMembers
    }

    /// Removes from what a request settles the records that are in other records now, whose requests send them:
    /// something was learned about them after the batch was read.
    ///
    /// - Returns: Those that the server has in this one.
    func takeMoved(from settled: inout [PushRecord.Settled], item: PushBatch.Item) throws -> [PushRecord.Settled] {
        let owners = InsideOwners(database, ownership: ownership)
        var roots: [RecordID: RecordID?] = [:]
        func root(of plan: EntityPlan, in row: [DatabaseValue]?) throws -> RecordID? {
            guard let row, let owner = ownership.owner(of: plan, row: row) else { return nil }
            let recordID = RecordID(owner.plan, key: owner.key)
            if let known = roots[recordID] { return known }
            let root = try owners.root(of: plan, in: row).map { RecordID($0.plan, key: $0.key) }
            roots[recordID] = .some(root)
            return root
        }
        var (kept, moved): ([PushRecord.Settled], [PushRecord.Settled]) = ([], [])
        for change in settled {
            let (isOwn, isSent) = (change.recordID == recordID(of: item), change.change.idempotencyKey != nil)
            guard !isOwn, change.change.kind != .delete, !isSent, ownership.isContained(change.plan),
                let now = try root(of: change.plan, in: change.snapshot.row), now != recordID(of: item)
            else {
                kept.append(change)
                continue
            }
            let former = change.snapshot.base
            let isHere = try former.flatMap { ownership.owner(of: change.plan, row: $0) }.map {
                try RecordID($0.plan, key: $0.key) == recordID(of: item)
                    || root(of: change.plan, in: former) == recordID(of: item)
            }
            if change.change.kind == .update, isHere == true { moved.append(change) }
        }
        settled = kept
        return moved
    }

    /// The pending change of a record embedded in another one, and the server's values of it.
    struct PendingMember {
        let change: PendingChange
        let base: [DatabaseValue]?
    }

    /// Returns the pending changes of the records embedded in one, read once.
    func pendingMembers(_ tree: EmbeddedRecord?) throws -> [RecordID: PendingMember] {
        let inside = InsideChanges(database)
        var hasRows: [String: Bool] = [:]
        var pending: [RecordID: PendingMember] = [:]
        var open = tree?.members.flatMap(\.records) ?? []
        while let record = open.popLast() {
            open += record.members.flatMap(\.records)
            let plan = record.plan
            let mayBeChanged = try hasRows[plan.name] ?? (plan.isTracked && inside.hasRows(of: plan))
            hasRows[plan.name] = mayBeChanged
            let writer = OutboxWriter(database, plan: plan)
            guard mayBeChanged, let change = try writer.change(of: record.key) else { continue }
            pending[RecordID(plan, key: record.key)] = PendingMember(
                change: change, base: try writer.base(of: record.key))
        }
        return pending
    }

    /// The embedded records that have to leave another owner first, or may have arrived there: another request settles
    /// their changes, and those of the records embedded in them.
    func takeElsewhere(
        _ tree: EmbeddedRecord?, pending: [RecordID: PendingMember], from settled: inout [PushRecord.Settled],
        others: [PushRecord.Settled], item: PushBatch.Item
    ) throws -> Set<RecordID> {
        guard let tree, !pending.isEmpty else { return [] }
        let owners = InsideOwners(database, ownership: ownership)
        let known = Set(settled.map(\.recordID)).union(others.map(\.recordID))
        var elsewhere: Set<RecordID> = []
        var open = tree.held
        while let record = open.popLast() {
            open += record.held
            let recordID = record.recordID
            guard ownership.isContained(record.plan), let member = pending[recordID] else { continue }
            if let base = member.base, member.change.kind != .create || member.change.idempotencyKey != nil,
                ownership.owner(of: record.plan, row: base) != nil,
                let root = try owners.root(of: record.plan, in: base),
                RecordID(root.plan, key: root.key) != self.recordID(of: item)
            {
                elsewhere.insert(recordID)
            } else if !known.contains(recordID),
                let snapshot = try OutboxSnapshot(member.change, plan: record.plan, in: database)
            {
                // It was changed after the batch was read.
                settled.append(PushRecord.Settled(plan: record.plan, snapshot: snapshot))
            }
        }
        let inside = inside(elsewhere.union(others.map(\.recordID)), of: tree)
        settled.removeAll { elsewhere.contains($0.recordID) || inside.contains($0.recordID) }
        return elsewhere
    }

    /// The members that a request leaves out, because the server has taken them without returning their identities and
    /// would create them again. A list that it replaces contains them, and so does a record that it creates again.
    func nameless(_ known: [SentMember]) -> [SentMember] {
        let unnamed = known.filter { $0.state == .unnamed }
        var repeated = Set(unnamed.filter { !isKept($0) }.map(\.recordID))
        var count: Int
        repeat {
            count = repeated.count
            repeated.formUnion(unnamed.filter { repeated.contains($0.owner) }.map(\.recordID))
        } while repeated.count > count
        return unnamed.filter { !repeated.contains($0.recordID) }
    }

    /// Whether the server keeps a member that its list lacks.
    private func isKept(_ member: SentMember) -> Bool {
        let owner = store.plans[member.owner.entity]
        let path = owner?.relationships.first { $0.name == member.relationship }?.wire.ownPath
        return path.map { nestedDeletion?.includes($0) == true } ?? true
    }

    /// Removes from what a request settles the changes of records that it leaves out because they are nameless, and of
    /// what is embedded in them. It cannot name those that have to be deleted either.
    func takeNameless(
        _ unnamed: [SentMember], of tree: EmbeddedRecord?, from settled: inout [PushRecord.Settled]
    ) -> [PushRecord.Settled] {
        guard let tree, !unnamed.isEmpty else { return [] }
        let ids = Set(unnamed.map(\.recordID))
        let kept = ids.union(inside(ids, of: tree))
        let stored = tree.recordIDs
        let deleted = deletedByName(unnamed, in: stored)
        let owners = deleted.union(kept.intersection(stored))
        let isNameless = { [ownership] (settled: PushRecord.Settled) in
            guard settled.change.kind == .delete else { return kept.contains(settled.recordID) }
            // What is in a record that is left out cannot be deleted there either.
            let owner = settled.snapshot.base.flatMap { ownership.owner(of: settled.plan, row: $0) }
            return deleted.contains(settled.recordID)
                || owner.map { owners.contains(RecordID($0.plan, key: $0.key)) } == true
        }
        defer { settled.removeAll(where: isNameless) }
        return settled.filter(isNameless)
    }

    /// The records that have to be named if they are deleted: those whose owner stays, or has to be named itself.
    private func deletedByName(_ unnamed: [SentMember], in stored: Set<RecordID>) -> Set<RecordID> {
        var (owners, rest): (Set<RecordID>, [SentMember]) = (stored, unnamed)
        var named: Set<RecordID> = []
        repeat {
            owners = Set(rest.filter { owners.contains($0.owner) }.map(\.recordID))
            named.formUnion(owners)
            rest.removeAll { owners.contains($0.recordID) }
        } while !owners.isEmpty
        return named
    }

    /// Returns the records embedded in those that a request leaves out, which are left out with them.
    private func inside(_ leftOut: Set<RecordID>, of tree: EmbeddedRecord) -> Set<RecordID> {
        if leftOut.isEmpty { return [] }
        var inside: Set<RecordID> = []
        var open = tree.held.map { (record: $0, isLeftOut: false) }
        while let (record, isInside) = open.popLast() {
            let recordID = record.recordID
            if isInside { inside.insert(recordID) }
            let isLeftOut = isInside || leftOut.contains(recordID)
            open += record.held.map { (record: $0, isLeftOut: isLeftOut) }
        }
        return inside
    }

    /// Embedded records that have moved to another owner, if the server keeps each of them in the owner that it knows.
    struct Moves {
        /// The members that the request has to delete.
        var deletions: [DeletedMember] = []
        var released: [PushRecord.Settled] = []
        /// Their former owners are deleted, and they with them.
        var lost: [PushRecord.Settled] = []
    }

    /// Removes from what a request settles the records that have to leave another owner first.
    func moves(
        in settled: inout [PushRecord.Settled], departures: [PushRecord.Settled], item: PushBatch.Item
    ) throws -> Moves {
        var moves = Moves()
        guard nestedDeletion != nil else { return moves }
        let owners = InsideOwners(database, ownership: ownership)
        for departure in departures {
            guard let member = deletedMember(departure) else { continue }
            moves.deletions.append(member)
            moves.released.append(departure)
        }
        for move in settled {
            guard move.change.kind == .update, let row = move.snapshot.row, let member = deletedMember(move) else {
                continue
            }
            let now = ownership.owner(of: move.plan, row: row)
            if let now, RecordID(now.plan, key: now.key) == member.owner { continue }
            // The record leaves that owner first, by another request.
            if let base = move.snapshot.base, let root = try owners.root(of: move.plan, in: base), root.plan.travels,
                RecordID(root.plan, key: root.key) != recordID(of: item)
            {
                continue
            }
            if try !database.valueRows(member.ownerPlan.findSQL, with: member.ownerKey.values).isEmpty {
                moves.deletions.append(member)
                moves.released.append(move)
            } else {
                moves.lost.append(move)
            }
        }
        let moved = Set((moves.released + moves.lost).map(\.change.id))
        settled.removeAll { moved.contains($0.change.id) }
        return moves
    }

    /// Returns a member that the server has in an owner and that has to be deleted explicitly, if it keeps what a list
    /// lacks.
    private func deletedMember(_ settled: PushRecord.Settled) -> DeletedMember? {
        guard
            let member = DeletedMember(
                settled.plan, key: settled.change.key, base: settled.snapshot.base, ownership: ownership),
            let path = member.list.wire.ownPath, nestedDeletion?.includes(path) == true
        else { return nil }
        return member
    }

    /// The records that were deleted from another one and that the server has in it.
    func deletedMembers(_ settled: [PushRecord.Settled]) -> [DeletedMember] {
        settled.filter { $0.change.kind == .delete }.compactMap(deletedMember)
    }

    /// The changes of a record besides columns and links, without a row of their own.
    func marks(of settled: PushRecord.Settled) throws -> OutboxMarks {
        try OutboxWriter(database, plan: settled.plan).marks(of: settled.change)
    }

    /// The embedded records that are new to the server: those that are created there, and those that it had in an owner
    /// that is created again. Records that were received, and those that are only shown with their owner, are not new.
    func new(_ tree: EmbeddedRecord?, pending: [RecordID: PendingMember], inNew isNew: Bool) -> Set<RecordID> {
        var new: Set<RecordID> = []
        var open = tree.map { [($0, isNew)] } ?? []
        while let (owner, isInNew) = open.popLast() {
            for (relationship, records) in owner.members {
                let columns = owner.plan.relationships[relationship].columnsOfInverse
                for record in records {
                    let recordID = record.recordID
                    let isNew =
                        columns.map { self.isNew(pending[recordID], in: owner, columns: $0, isInNew: isInNew) } ?? false
                    if isNew { new.insert(recordID) }
                    open.append((record, isNew))
                }
            }
        }
        return new
    }

    private func isNew(_ member: PendingMember?, in owner: EmbeddedRecord, columns: [Int], isInNew: Bool) -> Bool {
        guard let member else { return isInNew }
        guard member.change.kind == .update, let base = member.base else { return true }
        return isInNew && RecordKey(columns.map { base[$0] }) == owner.key
    }

    /// The members that a request contains and that have no identity on the server yet.
    ///
    /// - Parameters:
    ///   - leftOut: Those that the request leaves out.
    ///   - paths: The paths at the top of the body that may contain them; `nil` for all.
    func newMembers(
        _ tree: EmbeddedRecord?, for new: Set<RecordID>, without leftOut: Set<RecordID>,
        in paths: [[String]]? = nil
    ) throws -> [SentMember] {
        guard let tree else { return [] }
        var members: [SentMember] = []
        for (relationship, records) in tree.members {
            let description = tree.plan.relationships[relationship]
            guard ownership.isSent(description, of: tree.plan), let path = description.wire.ownPath,
                paths?.contains(path) ?? true
            else { continue }
            for (position, record) in records.enumerated()
            where !leftOut.contains(record.recordID) {
                let isNew = new.contains(record.recordID)
                if let member = try newMember(record, of: tree, for: description.name, at: position, isNew: isNew) {
                    members.append(member)
                }
                members += try newMembers(record, for: new, without: leftOut)
            }
        }
        return members
    }

    private func newMember(
        _ record: EmbeddedRecord, of owner: EmbeddedRecord, for relationship: String, at position: Int, isNew: Bool
    ) throws -> SentMember? {
        guard let remote = record.plan.remoteColumn,
            let row = try database.valueRows(record.plan.findSQL, with: record.key.values).first,
            isNew || row[remote].isNull
        else { return nil }
        return SentMember(
            plan: record.plan, key: record.key, owner: owner.recordID,
            relationship: relationship,
            position: position, row: row)
    }
}

extension EmbeddedRecord {
    /// The embedded records that hold its key; others are only shown with it.
    fileprivate var held: [EmbeddedRecord] {
        members.filter { plan.relationships[$0.relationship].columnsOfInverse != nil }.flatMap(\.records)
    }
}

extension PushRecord.Settled {
    var recordID: RecordID { RecordID(plan, key: change.key) }
}

extension PushRecord {
    var recordID: RecordID { RecordID(plan, key: key) }

    /// Whether it contains the identities of embedded records.
    var namesMembers: Bool { kind == .update && (deletesMembers || !sent.identities.isEmpty) }

    /// The sent values, with which a response is compared.
    var sent: SentRecord {
        var identities: [String: Set<ExactText>] = [:]
        let json = plan.relationships.contains(where: \.isEmbedded) ? try? JSONValue(json: body) : nil
        for member in json.map({ ReceivedTree($0, plan: plan).all }) ?? [] {
            guard member.plan.remoteColumn != nil, let identity = member.identity.first, identity != .null else {
                continue
            }
            let text = ExactText(RemoteIdentity([identity]).text.lowercased())
            identities[member.plan.name, default: []].insert(text)
        }
        return SentRecord(root: recordID, identities: identities)
    }
}

extension EmbeddedRecord {
    /// The record, and all that is embedded in it.
    fileprivate var recordIDs: Set<RecordID> {
        var ids: Set<RecordID> = []
        var open = [self]
        while let record = open.popLast() {
            ids.insert(record.recordID)
            open += record.held
        }
        return ids
    }
}
