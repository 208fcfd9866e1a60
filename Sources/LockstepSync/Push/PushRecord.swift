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
    var body: Data
    var changes: Data
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
    var unlistedMembers: [Settled] = []

    /// The changes of records whose identities the server has never returned, and of those embedded in them: they
    /// cannot be sent.
    var nameless: [Settled] = []

    /// Whether it writes embedded records whole of which the server has members that the schema does not know: first
    /// they have to be requested (Rules.md, V11).
    var replacesUnknown = false

    /// The idempotency key that is recorded with what is sent; `nil` if nothing is recorded yet.
    var notedKey: String?

    /// The values that it sends, and those of records that are embedded in it.
    var sentValues: [SentValue] = []

    /// A required link that a creation lacks, because the server does not know the other record.
    var missingLink: String?

    /// Whether the request deletes embedded records.
    var deletesMembers = false
    /// Records that the server keeps in their former owner until they are deleted from it, and that are new in their
    /// present one: this request deletes them, and they become creations when it is confirmed.
    var released: [Settled] = []
    /// Those of them whose former owners are deleted, and they with them: nothing has to be sent for them.
    var lost: [Settled] = []

    /// Whether there is anything to send.
    var isEmpty: Bool { kind == .update && changes.isEmpty && unlistedMembers.isEmpty }

    /// Everything that has to wait if the request fails.
    var concerned: [Settled] {
        let known = Set(departures.map(\.change.id))
        return settled + departures + released.filter { !known.contains($0.change.id) }
    }

    var concernedKeys: [(plan: EntityPlan, key: RecordKey)] { concerned.map { ($0.plan, $0.change.key) } }

    /// Why nothing can be sent although something was changed; `nil` if that is not so.
    var unsentReason: String? {
        if let missingLink {
            return """
                the server does not know the record that \(plan.name).\(missingLink) refers to, and does not accept \
                \(plan.name) without it; create that record on the server, or link another one, and retry
                """
        }
        guard isEmpty, !unsent.isEmpty else { return nil }
        return """
            this remote takes no embedded records, and nothing else sends \(unsent.joined(separator: ", ")): send the \
            key or the identities of the link (`wire: id`, `wire: ids`), or use a remote that takes embedded records
            """
    }

    /// Why the schema does not let it be sent; `nil` if it does.
    var reasonNotToSend: String? {
        switch kind {
        case .create: plan.reasonNotToSend(.create)
        case .update: plan.reasonNotToSend(.update)
        case .delete: plan.reasonNotToSend(.delete)
        }
    }

    /// The same for each attempt, and for no other change (Rules.md, P10).
    func idempotencyKey(of store: String) -> String {
        if let known = settled.first(where: { $0.recordID == recordID })?.change.idempotencyKey, kind == .create {
            return known
        }
        let numbers =
            settled.map { "\($0.change.id).\($0.change.version)" }
            + departures.map { "from-\($0.change.id).\($0.change.version)" }
        // An update may be smaller than before if a merge has brought a part of it. A rejected creation may have
        // another form after a migration.
        let sent = kind == .create ? body : changes
        let content = kind == .delete ? [] : [Fingerprint.text(of: [String(decoding: sent, as: UTF8.self)])]
        let name = "\(store)-\(plan.name)-\(kind == .create ? "create-" : "")"
        return name + (numbers + content).joined(separator: "-")
    }
}

extension JSONValue {
    /// An object with the values at these paths only.
    func selecting(_ paths: [[String]]) -> JSONValue {
        var selected = JSONValue.object([:])
        for path in paths { if let value = value(at: path) { selected.set(value, at: path) } }
        return selected
    }
}
