import Foundation
import GRDB
import LockstepStore

/// A record as it is sent: read in one look at the store, so that body and versions belong together.
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
    /// Changes that the request makes way for, and another one settles: of records that have left this one.
    var departures: [Settled] = []
    /// The relationships whose changes this remote cannot be told of by any end, as the schema calls them.
    var untold: [String] = []
    /// Whether a creation was sent before, and nobody knows what came of it.
    let isRepeated: Bool
    /// Whether a creation makes again what the server has lost, or was refused before as it was then.
    let isAnotherTry: Bool
    /// Whether the record was deleted here after its creation was sent.
    let isDeletedMeanwhile: Bool
    /// How often it was tried.
    let attempts: Int
    /// The records in it that have no identity on the server yet, and get one there (Rules.md, R10).
    var newMembers: [SentMember] = []
    /// Whether the server may have members of it whose identities are not known here.
    var hasUnknownMembers = false
    /// Those that were sent in it and are in other records now: whether they have arrived is to be known first.
    var strangers: [Settled] = []

    /// What was changed of records that the server has taken and never named, and inside of them: it cannot be sent.
    var nameless: [Settled] = []

    /// The idempotency key that what it sends is noted with; `nil` while it is not.
    var notedKey: String?

    /// Whether it tells the server of records that are to go from it.
    var deletesMembers = false
    /// Records that the server keeps where they were until it is told that they are to go, and that are new where they
    /// are now: this request tells it, and they become creations when it is confirmed.
    var released: [Settled] = []
    /// Those of them whose former owners are gone, and they with them: there is nothing to tell.
    var lost: [Settled] = []

    /// Whether there is anything to tell the server.
    var isEmpty: Bool { kind == .update && changes.isEmpty && strangers.isEmpty }

    /// All that waits where the request fails.
    var concerned: [Settled] {
        let known = Set(departures.map(\.change.id))
        return settled + departures + released.filter { !known.contains($0.change.id) }
    }

    /// Why nothing can be sent though something was changed; `nil` where that is not so.
    var untoldReason: String? {
        guard !untold.isEmpty else { return nil }
        return """
            this remote takes no embedded records, and nothing else tells it of \(untold.joined(separator: ", ")): let the \
            key or the ids of the link travel (`wire: id`, `wire: ids`), or use a remote that takes embedded records
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
        // What is left of a change may be less than before, where a merge has brought a part of it.
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
    /// Whether all of a record is sent, and not what was changed.
    let isWhole: Bool
    /// How the server is told of a record that is to go from a list.
    let nestedDeletion: NestedDeletion?

    /// The record of an item as it is now; `nil` where nothing is pending any more.
    ///
    /// - Throws: `EncodingError` where JSON cannot hold one of its values.
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
        let untold = Untold(own, item.plan, row, base, ownership)
        if let own, !untold.isEmpty, let index = settled.firstIndex(where: { $0.change.id == own.change.id }) {
            settled[index] = PushRecord.Settled(plan: own.plan, snapshot: own.snapshot.without(untold))
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
                settled: settled, departures: departures, untold: untold.names, isRepeated: isRepeated,
                isAnotherTry: isAnotherTry,
                isDeletedMeanwhile: isDeletedMeanwhile,
                attempts: (settled + departures).map(\.change.attempts).max() ?? 0)
        }
        // A creation whose answer was lost is sent again as it was: the server may have taken it (Rules.md, P10).
        if let own, let body = own.change.sentBody {
            // What was edited since is not in it, and goes out after it.
            settled = settled.filter { $0.change.idempotencyKey == own.change.idempotencyKey }
                .map { PushRecord.Settled(plan: $0.plan, snapshot: $0.snapshot.asSent) }
            var repeated = record(
                .create, row ?? base, body: body, isRepeated: true, isDeletedMeanwhile: own.change.kind == .delete)
            // They were in it then.
            repeated.departures = []
            return repeated
        }
        if let own, own.change.kind == .delete {
            let version = try versionAttribute(of: item, row: nil, base: base)
            var deletion = record(.delete, base, versionAttribute: version)
            // What has left it goes with it there.
            (deletion.departures, deletion.released) = ([], departures)
            return deletion
        }
        guard let row else { return nil }
        let stored = try EmbeddedRecord(item.plan, row, database)
        var body = try RecordJSONWriter(database, ownership: ownership).json(of: stored)
        let versionAttribute = try versionAttribute(of: item, row: row, base: base)
        // The server makes it.
        if let path = item.plan.versionPath { body = body.removing(at: path) }
        let tree = item.plan.relationships.contains(where: \.isEmbedded) ? stored : nil
        let pending = try pendingMembers(tree)
        let known = try tree == nil ? [] : SentMembers(database: database, plans: store.plans).members(of: place(item))
        let nameless = takeNameless(tree, known, from: &settled)
        let elsewhere = try takeElsewhere(
            tree, pending, from: &settled, moves.released + moves.lost + nameless, item)
        let deleted = own?.change.kind == .create ? [] : moves.told + deletedMembers(settled)
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
        // Of one whose delete may have arrived, all is sent.
        if isWhole || marks.contains(.deletion) {
            return try sending(record(.update, row, body: whole, versionAttribute: versionAttribute))
        }
        // Where only what travels inside of it was changed, nothing of its own was.
        if let own, try untold.isAll(of: settled, own, item, row, base, database) {
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
            let change = try PendingChange.fetch(database, store.plans, where: "id = ?", [id.databaseValue]).first,
            let plan = store.plans.first(where: { $0.name == change.entity }),
            let snapshot = try OutboxSnapshot(change, plan, database)
        else { return nil }
        return PushRecord.Settled(plan: plan, snapshot: snapshot)
    }

    /// The identity that the server knows a row by; `nil` where it knows none.
    private func identity(of plan: EntityPlan, _ row: [DatabaseValue]) -> RemoteIdentity? {
        let columns = plan.remoteColumn.map { [$0] } ?? plan.keyColumns
        let values = columns.map { row[$0] }
        return values.contains(where: \.isNull) ? nil : RemoteIdentity(values.map(JSONValue.init(storedScalar:)))
    }
}

extension RelationshipWireDescription {
    /// The path of a list or of embedded records; `nil` for keys and for what does not travel.
    var ownPath: [String]? {
        switch self {
        case .none, .id: nil
        case .ids(let path), .embedded(let path): path.keys
        }
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
