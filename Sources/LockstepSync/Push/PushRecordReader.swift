import Foundation
import GRDB
import LockstepStore

/// Reads records to be sent.
struct PushRecordReader {
    let store: Store
    let ownership: WireOwnership
    let database: Database
    /// Whether all of a record is sent, instead of only what was changed.
    let isWhole: Bool
    /// How a record is marked for deletion from a list.
    let nestedDeletion: NestedDeletion?
    /// Whether a creation contains optional values that are not set.
    let sendsUnset: Bool

    /// The record of an item as it is now; `nil` if nothing is pending any more.
    ///
    /// - Throws: `EncodingError` if JSON cannot represent one of its values.
    func read(_ item: PushBatch.Item) throws -> PushRecord? {
        guard let record = try recordToSend(item) else { return nil }
        if let own = record.own, let body = own.change.sentBody { return try record.repeatedCreation(own, body: body) }
        if record.own?.change.kind == .delete {
            let version = try versionAttribute(of: item, row: nil, base: record.base)
            var deletion = try record.request(.delete, in: record.base, versionAttribute: version)
            // Records that have left it are sent with it.
            (deletion.departures, deletion.released) = ([], record.departures)
            return deletion
        }
        guard let row = record.row else { return nil }
        return try creationOrUpdate(record, in: row)
    }

    func recordID(of item: PushBatch.Item) -> RecordID { RecordID(item.plan, key: item.key) }

    // MARK: What the store has

    private func recordToSend(_ item: PushBatch.Item) throws -> RecordToSend? {
        var settled = try item.changes.compactMap(settled)
        var departures = try item.departures.compactMap(self.settled)
        departures += try takeMoved(from: &settled, item: item)
        guard !settled.isEmpty || !departures.isEmpty else { return nil }
        let isRepeated = settled.contains { $0.recordID == recordID(of: item) && $0.change.sentBody != nil }
        let unlistedMembers = try isRepeated ? [] : takeUnlisted(from: &settled, item: item)
        let moves = try moves(in: &settled, departures: departures, item: item)
        try leaveLaterLinks(in: &settled, item: item)
        let own = settled.first { $0.plan === item.plan && $0.change.key == item.key }
        let row = try own?.snapshot.row ?? database.valueRows(item.plan.findSQL, with: item.key.values).first
        let base = item.plan.travels ? try OutboxWriter(database, plan: item.plan).base(of: item.key) : nil
        let unsent = UnsentChanges(own, plan: item.plan, row: row, base: base, ownership: ownership)
        if let own, let index = settled.firstIndex(where: { $0.change.id == own.change.id }) {
            var snapshot = unsent.isEmpty ? own.snapshot : own.snapshot.without(unsent)
            snapshot.leave(try laterLinks(of: own, item: item))
            settled[index] = PushRecord.Settled(plan: own.plan, snapshot: snapshot)
        }
        return RecordToSend(
            item: item, settled: settled, departures: departures, unlistedMembers: unlistedMembers, moves: moves,
            own: own,
            row: row, base: base, version: try VersionTable.version(of: item.key, in: item.plan, database: database),
            unsent: unsent, isAnotherTry: try own.map { try isAnotherTry($0, base: base) } ?? false,
            spellings: try IdentitySpellings(database))
    }

    private func settled(_ id: Int64) throws -> PushRecord.Settled? {
        guard
            let change = try PendingChange.fetch(database, id: id, plans: store.plans),
            let plan = store.plans.first(where: { $0.name == change.entity }),
            let snapshot = try OutboxSnapshot(change, plan: plan, in: database)
        else { return nil }
        return PushRecord.Settled(plan: plan, snapshot: snapshot)
    }

    private func isAnotherTry(_ own: PushRecord.Settled, base: [DatabaseValue]?) throws -> Bool {
        guard own.change.kind == .create || own.change.sentBody != nil else { return false }
        if own.change.sentBody == nil { return base != nil || !own.snapshot.unconfirmed.isEmpty }
        return try OutboxWriter(database, plan: own.plan).hasFormer(own.change) || !own.snapshot.unconfirmed.isEmpty
    }

    private func members(of record: inout RecordToSend, stored: EmbeddedRecord) throws -> MembersToSend {
        let (item, moves) = (record.item, record.moves)
        let tree = item.plan.relationships.contains(where: \.isEmbedded) ? stored : nil
        let pending = try pendingMembers(tree)
        let known =
            try tree == nil ? [] : SentMembers(database: database, plans: store.plans).members(of: recordID(of: item))
        let unnamed = nameless(known)
        let nameless = takeNameless(unnamed, of: tree, from: &record.settled)
        let elsewhere = try takeElsewhere(
            tree, pending: pending, from: &record.settled, others: moves.released + moves.lost + nameless, item: item)
        let isCreation = record.own?.change.kind == .create
        return MembersToSend(
            tree: tree, known: known, nameless: nameless,
            deleted: isCreation ? [] : moves.deletions + deletedMembers(record.settled),
            changed: try ChangedMembers(
                record.settled + record.departures + moves.released, of: item, ownership: ownership,
                marks: { try marks(of: $0) }),
            new: new(tree, pending: pending, inNew: isCreation),
            leftOut: Set((moves.released + moves.lost).map(\.recordID) + unnamed.map(\.recordID)).union(elsewhere))
    }

    // MARK: The request

    private func creationOrUpdate(_ record: RecordToSend, in row: [DatabaseValue]) throws -> PushRecord {
        var record = record
        let plan = record.item.plan
        let stored = try EmbeddedRecord(plan, row: row, in: database)
        let isNew = record.own?.change.kind == .create
        // The server may still have other values of a record that it had before.
        let json = RecordJSONWriter(
            database, ownership: ownership, later: record.item.later,
            leavesOutUnset: isNew && record.base == nil && !sendsUnset)
        var body = try json.json(of: stored)
        // The server assigns the version.
        if let path = plan.versionPath { body = body.removing(at: path) }
        let members = try members(of: &record, stored: stored)
        let writer = MemberBodies(
            ownership: ownership, nestedDeletion: nestedDeletion, known: members.known, deleted: members.deleted,
            leftOut: members.leftOut, new: members.new, changed: members.changed)
        guard isNew else { return try update(record, row: row, body: body, members: members, writer: writer) }
        let sent = writer.body(body, in: members.tree)
        var request = try adding(members, of: record, to: record.request(.create, in: row, body: sent.json()))
        request.missingLink = plan.missingLink(in: sent, ownership: ownership)
        request.sentValues = try sentValues(of: record.settled, json: sent, item: record.item)
        return request
    }

    private func update(
        _ record: RecordToSend, row: [DatabaseValue], body: JSONValue, members: MembersToSend, writer: MemberBodies
    ) throws -> PushRecord {
        let (item, own) = (record.item, record.own)
        let marks = try own.map { try OutboxWriter(database, plan: item.plan).marks(of: $0.change) } ?? []
        let json = writer.body(body, in: members.tree)
        // If only embedded records were changed, none of its own values was.
        let isSentWhole = isWhole || marks.contains(.deletion)
        if !isSentWhole, let own,
            try record.unsent.isAll(of: record.settled, own: own, item: item, row: row, base: record.base, in: database)
        {
            return try record.request(.update, in: row, body: try json.json(), changes: Data())
        }
        let versionAttribute = try versionAttribute(of: item, row: row, base: record.base)
        let whole = try json.setting(versionAttribute).json()
        let sentValues = try sentValues(of: record.settled, json: json, item: item)
        // If a delete of the record may have arrived, all of it is sent.
        if isSentWhole {
            var request = try record.request(.update, in: row, body: whole, versionAttribute: versionAttribute)
            request.sentValues = sentValues
            return try adding(members, of: record, to: request)
        }
        let paths = members.changed.paths(
            of: item.plan, in: row, base: own == nil ? row : record.base,
            sent: Set((own?.snapshot.unconfirmed ?? [:]).keys), links: own?.snapshot.links ?? [], marks: marks
        ) { members.changed.isAny(in: $0, of: members.tree) }
        let changed = writer.changes(body, in: members.tree, paths: paths, marks: marks)
        let changes = changed == .object([:]) ? Data() : try changed.setting(versionAttribute).json()
        var request = try record.request(
            .update, in: row, body: whole, changes: changes, versionAttribute: versionAttribute)
        request.sentValues = sentValues
        return try adding(members, of: record, to: request, in: paths)
    }

    /// - Parameter paths: The paths at the top of the body that may contain new members; `nil` for all.
    private func adding(
        _ members: MembersToSend, of record: RecordToSend, to request: PushRecord, in paths: [[String]]? = nil
    ) throws -> PushRecord {
        var request = request
        request.newMembers = try newMembers(members.tree, for: members.new, without: members.leftOut, in: paths)
        request.deletesMembers = !members.deleted.isEmpty
        (request.released, request.lost) = (record.moves.released, record.moves.lost)
        request.hasUnknownMembers = members.known.contains { $0.state == .sent || $0.state == .taken }
        request.unlistedMembers = record.unlistedMembers
        request.nameless = members.nameless
        if members.tree != nil {
            let unknown = UnknownMembers(database: database, ownership: ownership, nestedDeletion: nestedDeletion)
            request.replacesUnknown = try unknown.areReplaced(by: request)
        }
        return request
    }
}

/// A record with pending changes, as the store has it.
private struct RecordToSend {
    let item: PushBatch.Item
    var settled: [PushRecord.Settled]
    let departures: [PushRecord.Settled]
    let unlistedMembers: [PushRecord.Settled]
    let moves: PushRecordReader.Moves
    /// The change of the record itself; `nil` if only embedded records were changed.
    let own: PushRecord.Settled?
    let row: [DatabaseValue]?
    /// The values that the server has; `nil` if it has none, or only embedded records were changed.
    let base: [DatabaseValue]?
    let version: String?
    let unsent: UnsentChanges
    let isAnotherTry: Bool
    let spellings: IdentitySpellings

    func request(
        _ kind: OutgoingChange.Kind, in row: [DatabaseValue]?, body: Data = Data(), changes: Data? = nil,
        isRepeated: Bool = false, isDeletedMeanwhile: Bool = false,
        versionAttribute: OutgoingChange.VersionAttribute? = nil
    ) throws -> PushRecord {
        PushRecord(
            plan: item.plan, key: item.key, kind: kind, identity: try row.flatMap(identity), body: body,
            changes: changes ?? body, version: version, versionAttribute: versionAttribute, settled: settled,
            departures: departures, unsent: unsent.names, isRepeated: isRepeated, isAnotherTry: isAnotherTry,
            isDeletedMeanwhile: isDeletedMeanwhile,
            attempts: (settled + departures).map(\.change.attempts).max() ?? 0)
    }

    /// A creation without a response is sent again unchanged: the server may have taken it (Rules.md, P10).
    func repeatedCreation(_ own: PushRecord.Settled, body: Data) throws -> PushRecord {
        var sent = self
        // Later edits are not in it, and are sent after it.
        sent.settled = settled.filter { $0.change.idempotencyKey == own.change.idempotencyKey }
            .map { PushRecord.Settled(plan: $0.plan, snapshot: $0.snapshot.asSent) }
        var repeated = try sent.request(
            .create, in: row ?? base, body: body, isRepeated: true, isDeletedMeanwhile: own.change.kind == .delete)
        // They were in it at that time.
        repeated.departures = []
        return repeated
    }

    /// The identity by which the server knows a row; `nil` if it knows none.
    private func identity(of row: [DatabaseValue]) throws -> RemoteIdentity? {
        try spellings.identity(of: row, plan: item.plan).map { RemoteIdentity($0) }
    }
}

/// The embedded records of a record, and what a request contains of them.
private struct MembersToSend {
    /// The record with its embedded records; `nil` if its entity embeds none.
    let tree: EmbeddedRecord?
    let known: [SentMember]
    let nameless: [PushRecord.Settled]
    let deleted: [DeletedMember]
    let changed: ChangedMembers
    /// Those that are new to the server.
    let new: Set<RecordID>
    /// Those that the request leaves out.
    let leftOut: Set<RecordID>
}
