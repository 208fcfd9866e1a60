import Foundation
import GRDB
import LockstepStore

/// A record to send, read in one transaction, so that body and versions belong together.
struct PushRecord: Sendable {
    /// A pending change that the request settles, with the row that is sent.
    struct Settled: Sendable {
        let plan: EntityPlan
        let snapshot: OutboxSnapshot

        var change: PendingChange { snapshot.change }
    }

    let plan: EntityPlan
    let key: RecordKey
    let kind: OutgoingChange.Kind
    let identity: RemoteIdentity?
    let body: Data
    let changes: Data
    /// The record's version on the server when it was last read.
    let version: String?
    /// The value of its version attribute as the server last returned it; `nil` if there is none, or it is not known.
    let versionAttribute: OutgoingChange.VersionAttribute?
    let settled: [Settled]
    /// Changes of records that have left this one: the request has to precede theirs, which settles them.
    var departures: [Settled] = []
    /// The relationships whose changes have no way to this remote, by the schema's names.
    var unsent: [String] = []
    /// Whether a creation was sent before, without a response.
    let isRepeated: Bool
    /// Whether a creation creates a record again that the server has lost, or was rejected before with other values.
    let isAnotherTry: Bool
    /// Whether the record was deleted locally after its creation was sent.
    let isDeletedMeanwhile: Bool
    /// How often it was sent.
    let attempts: Int
    /// The embedded records that have no identity on the server yet and get one there (Rules.md, R10).
    var newMembers: [SentMember] = []
    /// Whether the server may have members whose identities are not known locally.
    var hasUnknownMembers = false
    /// Records that were sent in it and are in others now: first it has to be known whether they have arrived.
    var strangers: [Settled] = []

    /// The changes of records whose identities the server has never returned, and of those embedded in them: they
    /// cannot be sent.
    var nameless: [Settled] = []

    /// The idempotency key that is recorded with what is sent; `nil` if nothing is recorded yet.
    var notedKey: String?

    /// Whether the request deletes embedded records.
    var deletesMembers = false
    /// Records that the server keeps in their former owner until they are deleted from it, and that are new in their
    /// present one: this request deletes them, and they become creations when it is confirmed.
    var released: [Settled] = []
    /// Those of them whose former owners are deleted, and they with them: nothing has to be sent for them.
    var lost: [Settled] = []

    /// Whether there is anything to send.
    var isEmpty: Bool { kind == .update && changes.isEmpty && strangers.isEmpty }

    /// Everything that has to wait if the request fails.
    var concerned: [Settled] {
        let known = Set(departures.map(\.change.id))
        return settled + departures + released.filter { !known.contains($0.change.id) }
    }

    /// Why nothing can be sent although something was changed; `nil` if that is not so.
    var unsentReason: String? {
        guard !unsent.isEmpty else { return nil }
        return """
            this remote takes no embedded records, and nothing else sends \(unsent.joined(separator: ", ")): send the \
            key or the identities of the link (`wire: id`, `wire: ids`), or use a remote that takes embedded records
            """
    }

    /// The same for each attempt, and for no other change (Rules.md, P10).
    func idempotencyKey(of store: String) -> String {
        if let known = settled.first(where: { $0.place == place })?.change.idempotencyKey, kind == .create {
            return known
        }
        let numbers =
            settled.map { "\($0.change.id).\($0.change.version)" }
            + departures.map { "from-\($0.change.id).\($0.change.version)" }
        // A change may be smaller than before if a merge has brought a part of it.
        let content = kind == .update ? [Fingerprint.text(of: [String(decoding: changes, as: UTF8.self)])] : []
        let name = "\(store)-\(plan.name)-\(kind == .create ? "create-" : "")"
        return name + (numbers + content).joined(separator: "-")
    }
}

/// Reads records to be sent.
struct PushRecordReader {
    let store: Store
    let ownership: WireOwnership
    let database: Database
    /// Whether all of a record is sent, instead of only what was changed.
    let isWhole: Bool
    /// How a record is marked for deletion from a list.
    let nestedDeletion: NestedDeletion?

    /// The record of an item as it is now; `nil` if nothing is pending any more.
    ///
    /// - Throws: `EncodingError` if JSON cannot represent one of its values.
    func read(_ item: PushBatch.Item) throws -> PushRecord? {
        var settled = try item.changes.compactMap(settled)
        var departures = try item.departures.compactMap(self.settled)
        departures += try takeMoved(from: &settled, item)
        guard !settled.isEmpty || !departures.isEmpty else { return nil }
        let isRepeated = settled.contains { $0.place == place(item) && $0.change.sentBody != nil }
        let strangers = try isRepeated ? [] : takeStrangers(from: &settled, item)
        let moves = try moves(in: &settled, departures, item)
        let own = settled.first { $0.plan === item.plan && $0.change.key == item.key }
        let row = try database.valueRows(item.plan.findSQL, item.key.values).first
        let base = item.plan.travels ? try OutboxWriter(database, item.plan).base(of: item.key) : nil
        let version = try VersionTable.version(of: item.key, in: item.plan, database)
        let unsent = UnsentChanges(own, item.plan, row, base, ownership)
        if let own, !unsent.isEmpty, let index = settled.firstIndex(where: { $0.change.id == own.change.id }) {
            settled[index] = PushRecord.Settled(plan: own.plan, snapshot: own.snapshot.without(unsent))
        }
        let isAnotherTry = try own.map { try self.isAnotherTry($0, base: base) } ?? false
        func record(
            _ kind: OutgoingChange.Kind, _ row: [DatabaseValue]?, body: Data = Data(), changes: Data? = nil,
            isRepeated: Bool = false, isDeletedMeanwhile: Bool = false,
            versionAttribute: OutgoingChange.VersionAttribute? = nil
        ) -> PushRecord {
            PushRecord(
                plan: item.plan, key: item.key, kind: kind, identity: row.flatMap { identity(of: item.plan, $0) },
                body: body, changes: changes ?? body, version: version, versionAttribute: versionAttribute,
                settled: settled, departures: departures, unsent: unsent.names, isRepeated: isRepeated,
                isAnotherTry: isAnotherTry,
                isDeletedMeanwhile: isDeletedMeanwhile,
                attempts: (settled + departures).map(\.change.attempts).max() ?? 0)
        }
        // A creation without a response is sent again unchanged: the server may have taken it (Rules.md, P10).
        if let own, let body = own.change.sentBody {
            // Later edits are not in it, and are sent after it.
            settled = settled.filter { $0.change.idempotencyKey == own.change.idempotencyKey }
                .map { PushRecord.Settled(plan: $0.plan, snapshot: $0.snapshot.asSent) }
            var repeated = record(
                .create, row ?? base, body: body, isRepeated: true, isDeletedMeanwhile: own.change.kind == .delete)
            // They were in it at that time.
            repeated.departures = []
            return repeated
        }
        if let own, own.change.kind == .delete {
            let version = try versionAttribute(of: item, row: nil, base: base)
            var deletion = record(.delete, base, versionAttribute: version)
            // Records that have left it are sent with it.
            (deletion.departures, deletion.released) = ([], departures)
            return deletion
        }
        guard let row else { return nil }
        let stored = try EmbeddedRecord(item.plan, row, database)
        var body = try RecordJSONWriter(database, ownership: ownership).json(of: stored)
        let versionAttribute = try versionAttribute(of: item, row: row, base: base)
        // The server creates it.
        if let path = item.plan.versionPath { body = body.removing(at: path) }
        let tree = item.plan.relationships.contains(where: \.isEmbedded) ? stored : nil
        let pending = try pendingMembers(tree)
        let known = try tree == nil ? [] : SentMembers(database: database, plans: store.plans).members(of: place(item))
        let nameless = takeNameless(tree, known, from: &settled)
        let elsewhere = try takeElsewhere(
            tree, pending, from: &settled, moves.released + moves.lost + nameless, item)
        let deleted = own?.change.kind == .create ? [] : moves.deletions + deletedMembers(settled)
        let marks = try own.map { try OutboxWriter(database, item.plan).marks(of: $0.change) } ?? []
        let changedMembers = try ChangedMembers(
            settled + departures + moves.released, of: item, ownership, marks: { try self.marks(of: $0) })
        let new = new(tree, pending, inNew: own?.change.kind == .create)
        let leftOut = Set((moves.released + moves.lost).map(\.place)).union(elsewhere)
        let writer = MemberBodies(
            ownership: ownership, nestedDeletion: nestedDeletion, known: known, deleted: deleted, leftOut: leftOut,
            new: new, changed: changedMembers)
        let json = writer.body(body, tree)
        func sending(_ record: PushRecord, _ paths: [[String]]? = nil) throws -> PushRecord {
            var record = record
            record.newMembers = try newMembers(tree, new, without: leftOut, in: paths)
            record.deletesMembers = !deleted.isEmpty
            (record.released, record.lost) = (moves.released, moves.lost)
            record.hasUnknownMembers = known.contains { $0.state == .sent || $0.state == .taken }
            record.strangers = strangers
            record.nameless = nameless
            return record
        }
        if let own, own.change.kind == .create { return try sending(record(.create, row, body: try json.json())) }
        let whole = try json.setting(versionAttribute).json()
        // If a delete of the record may have arrived, all of it is sent.
        if isWhole || marks.contains(.deletion) {
            return try sending(record(.update, row, body: whole, versionAttribute: versionAttribute))
        }
        // If only embedded records were changed, none of its own values was.
        if let own, try unsent.isAll(of: settled, own, item, row, base, database) {
            return record(.update, row, body: try json.json(), changes: Data())
        }
        let paths = changedMembers.paths(
            of: item.plan, row, own == nil ? row : base, sent: Set((own?.snapshot.unanswered ?? [:]).keys),
            links: own?.snapshot.links ?? [], marks
        ) { changedMembers.isAny(in: $0, of: tree) }
        let changed = writer.changes(body, tree, paths, marks)
        return try sending(
            record(
                .update, row, body: whole,
                changes: changed == .object([:]) ? Data() : try changed.setting(versionAttribute).json(),
                versionAttribute: versionAttribute),
            paths)
    }

    private func isAnotherTry(_ own: PushRecord.Settled, base: [DatabaseValue]?) throws -> Bool {
        guard own.change.kind == .create || own.change.sentBody != nil else { return false }
        if own.change.sentBody == nil { return base != nil || !own.snapshot.unanswered.isEmpty }
        return try OutboxWriter(database, own.plan).hasFormer(own.change) || !own.snapshot.unanswered.isEmpty
    }

    func place(_ item: PushBatch.Item) -> RecordPlace { RecordPlace(item.plan, item.key) }

    private func settled(_ id: Int64) throws -> PushRecord.Settled? {
        guard
            let change = try PendingChange.fetch(database, id: id, store.plans),
            let plan = store.plans.first(where: { $0.name == change.entity }),
            let snapshot = try OutboxSnapshot(change, plan, database)
        else { return nil }
        return PushRecord.Settled(plan: plan, snapshot: snapshot)
    }

    /// The identity by which the server knows a row; `nil` if it knows none.
    private func identity(of plan: EntityPlan, _ row: [DatabaseValue]) -> RemoteIdentity? {
        let columns = plan.remoteColumn.map { [$0] } ?? plan.keyColumns
        let values = columns.map { row[$0] }
        return values.contains(where: \.isNull) ? nil : RemoteIdentity(values.map(JSONValue.init(storedScalar:)))
    }
}

extension JSONValue {
    mutating func remove(at path: [String]) {
        guard let first = path.first, case .object(var members) = self else { return }
        if path.count == 1 {
            members[first] = nil
        } else if var member = members[first] {
            member.remove(at: Array(path.dropFirst()))
            members[first] = member
        }
        self = .object(members)
    }

    /// An object with the values at these paths only.
    func selecting(_ paths: [[String]]) -> JSONValue {
        var selected = JSONValue.object([:])
        for path in paths { if let value = value(at: path) { selected.set(value, at: path) } }
        return selected
    }
}
