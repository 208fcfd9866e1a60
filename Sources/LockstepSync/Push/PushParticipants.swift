import Foundation
import GRDB
import LockstepMerge
import LockstepStore

/// Confirms a change in the transaction that merges what the server responded (Rules.md, P3).
struct ConfirmationParticipant: MergeParticipant {
    let record: PushRecord
    let response: ResponseRecord
    let version: String?
    /// Whether the version is that of what the store has then.
    let keepsVersion: Bool
    /// The values that the server has not applied (Rules.md, P21).
    let unapplied: [UnappliedValue]
    /// Whether a time that the server has set for a request that has travelled at the same time still applies.
    let isPaused: Bool
    let plans: SchemaPlan
    /// Whether the server has a feed, which is yet to say which scope the record belongs to now.
    let hasFeed: Bool
    /// When the response arrived.
    let now: Date

    func willMerge(_ database: Database, changes: RawChanges) throws { try confirm(database, changes: changes) }

    func didMerge(_ database: Database, changes: RawChanges, summary: MergeSummary) throws {
        try keepVersion(database)
        try Confirmation(database: database, changes: changes, plans: plans).parkLeftOut(of: record)
    }

    func confirm(_ database: Database, changes: RawChanges) throws {
        // First, because the record may get what was sent with another row of it by a request of its own.
        let members = SentMembers(database: database, plans: plans)
        try record.kind == .delete ? members.forget(record.recordID) : members.didTake(record.recordID)
        if try SentMembers.areThere(database) {
            for settled in record.settled where settled.change.kind == .delete {
                try members.forget(settled.plan, key: settled.change.key)
            }
        }
        try Confirmation(database: database, changes: changes, plans: plans).write(
            record, response: response, unapplied: unapplied)
        if record.kind == .delete || hasFeed { return }
        // Others can have deleted it since it was created. A list that was pulled meanwhile lacks it then.
        if record.isRepeated { try ValidatorTable.forget(record.plan.name, in: database) }
        try ConfirmedTable.note([(record.plan, record.key)], at: now, in: database)
    }

    func keepVersion(_ database: Database) throws {
        if record.kind == .delete {
            let identity = record.storedIdentity
            try RecordNotes(database).forget([.init(key: record.key, identity: identity)], in: record.plan)
            // What the user deletes is not kept: not even what a merge had of an earlier record (Rules.md, M7).
            if let identity { try LocalValueTable.forget(identity, of: record.plan, in: database) }
        } else if hasFeed {
            try ScopeTable.noteResponse(
                version: version, isKept: keepsVersion, of: record.key, in: record.plan, at: now, database: database)
        } else if keepsVersion, version != nil || record.version != nil {
            // The version that was sent is outdated, even if the response does not contain the next one.
            try VersionTable.keep(version, of: record.key, in: record.plan, database: database)
        }
        if record.kind != .delete { try record.noteVersionAttribute(in: response, database: database) }
        if !isPaused { try SyncPause.clear(database) }
    }
}

/// Records that a change was rejected, in the transaction that merges the record that the server has instead (Rules.md,
/// C4).
struct RefusalParticipant: MergeParticipant {
    let record: PushRecord
    let response: ResponseRecord
    let version: String?
    /// When the response of a server with a feed arrived; `nil` if the server has none.
    let feedAt: Date?

    func willMerge(_ database: Database, changes: RawChanges) throws {
        // A creation that was sent once was rejected; one that was sent before may be what the server has.
        if record.isRepeated { return }
        // Embedded ones are looked for first.
        let members = Set(record.newMembers.map(\.recordID))
        for settled in record.settled
        where settled.change.kind == .create && !members.contains(settled.recordID) {
            try OutboxWriter(database, plan: settled.plan).replaceSent(settled.change)
        }
    }

    func didMerge(_ database: Database, changes: RawChanges, summary: MergeSummary) throws {
        for settled in record.settled {
            let writer = OutboxWriter(database, plan: settled.plan)
            try writer.forgetSent(settled.change)
            if settled.change.kind == .create { try writer.forgetDelete(settled.change) }
        }
        try record.plan.keepVersion(version, of: record.key, feedAt: feedAt, in: database)
        try record.noteVersionAttribute(in: response, database: database)
        try SyncPause.endUnreachable(database)
    }
}

extension PushRecord {
    /// Its identity on the server, as it is stored.
    fileprivate var storedIdentity: RecordKey? {
        let values = zip(plan.serverKeyColumns, identity?.values ?? []).compactMap { column, value in
            try? value.stored(in: plan.columns[column])
        }
        return values.count == plan.serverKeyColumns.count ? RecordKey(values) : nil
    }

    /// A creation has not taken effect: it counts as never sent.
    func requeue(_ database: Database) throws {
        for settled in settled where settled.change.kind == .create {
            try OutboxWriter(database, plan: settled.plan).requeue(settled.change)
        }
    }
}
