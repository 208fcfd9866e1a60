import Foundation
import GRDB
import LockstepJSON
import LockstepMerge
import LockstepStore
import LockstepSystem

/// Selects, in the transaction, what of a feed is new to the store, and notes what was merged of it (Rules.md, H3).
///
/// What is not above the stored version is old: the record has come with the response to a push, or with an earlier
/// page. While everything is read again, only what this reading has brought counts as known.
struct FeedSelection: Sendable {
    let changes: FeedChanges
    let reading: Int64
    /// Whether this reading has reached the end of the feed before.
    let isWhole: Bool
    let outcome: FeedOutcome

    private var plan: EntityPlan { changes.plan }

    /// The version that the store has of a record; `nil` if it says nothing about what is received.
    private func version(_ known: ScopeTable.Known?) -> Int64? {
        let counts = known?.row?.isWithdrawn != true && (isWhole || known?.row?.reading == reading)
        return counts ? known?.version : nil
    }

    // MARK: Records

    /// The records to merge; `nil` if there are none.
    func records(_ database: Database) throws -> MergeSelection? {
        let keys = try changes.records.map { record in
            try record.identity.flatMap { try plan.localKey(of: $0, in: database) }
        }
        let known = try ScopeTable.known(keys.compactMap(\.self), of: plan, in: database)
        var new: [FeedChanges.Record] = []
        var confirmed: [ScopeTable.Mention] = []
        for (record, key) in zip(changes.records, keys) {
            guard let key, let version = self.version(known[ExactText(plan.recordText(key))]), record.version <= version
            else {
                new.append(record)
                continue
            }
            // The response to a push does not say which scope the record belongs to.
            if record.version == version { confirmed.append(ScopeTable.Mention(key, scope: record.scope)) }
        }
        try ScopeTable.keep(confirmed, in: reading, of: plan, database: database)
        outcome.select(new, of: plan.name)
        if new.isEmpty { return nil }
        var list = Data("[".utf8)
        for (index, record) in new.enumerated() {
            if index > 0 { list.append(UInt8(ascii: ",")) }
            list.append(record.json)
        }
        list.append(UInt8(ascii: "]"))
        return MergeSelection(json: list)
    }

    /// Notes the versions and the scopes of the records that were selected and merged.
    func noteRecords(_ summary: MergeSummary, in database: Database) throws {
        let skipped = Set(summary.skipped.map(\.index))
        let selected = outcome.selected(of: plan.name)
        let hasConflict = summary.notes.contains { $0.code == .uniqueConflict }
        // If a record was refused that came several times, only one of them is reported.
        let reported = selected.indices.filter(skipped.contains).compactMap { selected[$0].identity }
        let refused = hasConflict ? Set(reported) : []
        var merged: [ScopeTable.Mention] = []
        for (index, record) in selected.enumerated() {
            guard let identity = record.identity, let key = try plan.localKey(of: identity, in: database) else {
                continue
            }
            if !skipped.contains(index), !refused.contains(identity) {
                merged.append(ScopeTable.Mention(key, scope: record.scope, version: record.version))
                continue
            }
            try keep(&merged, in: database)
            // It is merged when it comes again, whatever the version of the row is.
            guard try plan.isStored(key, in: database) else { continue }
            if let version = try VersionTable.number(of: key, in: plan, database: database), version >= record.version {
                try VersionTable.keep(nil, of: key, in: plan, database: database)
            }
            merged.append(ScopeTable.Mention(key, scope: record.scope))
        }
        try keep(&merged, in: database)
        if hasConflict { outcome.noteConflict(of: plan.name) }
    }

    /// Keeps what the records are mentioned with, and empties the list.
    private func keep(_ mentions: inout [ScopeTable.Mention], in database: Database) throws {
        try ScopeTable.keep(mentions, in: reading, of: plan, database: database)
        mentions = []
    }

    // MARK: Deletions

    /// Chooses the records to delete, before anything is deleted. Those that have moved only get another scope.
    func chooseDeletions(_ database: Database) throws {
        let keys = try changes.deletions.map { try plan.localKey(of: $0.identity, in: database) }
        var all = try ScopeTable.known(keys.compactMap(\.self), of: plan, in: database)
        var chosen: [FeedOutcome.Deletion] = []
        for (deletion, key) in zip(changes.deletions, keys) {
            guard let key else { continue }
            let known = all[ExactText(plan.recordText(key))]
            guard applies(deletion, to: known),
                try plan.isStored(key, in: database) || PendingChange.fetch(database, of: key, plan: plan) != nil
            else { continue }
            if let scope = deletion.movedTo {
                let row = ScopeTable.Row(scope: scope, reading: known?.row?.reading ?? reading)
                let mention = ScopeTable.Mention(key, scope: scope)
                try ScopeTable.keep([mention], in: row.reading, of: plan, database: database)
                all[ExactText(plan.recordText(key))] = ScopeTable.Known(row: row, version: known?.version)
            } else {
                chosen.append(FeedOutcome.Deletion(identity: deletion.identity, key: key))
            }
        }
        // The server does not have them any more for this device.
        try ScopeTable.withdraw(Set(chosen.map { plan.recordText($0.key) }), of: plan, in: database)
        outcome.delete(chosen, of: plan.name)
    }

    /// The records to delete; `nil` if there are none.
    func deletions() -> MergeSelection? {
        let deleted = outcome.deleted(of: plan.name)
        if deleted.isEmpty { return nil }
        var selection = MergeSelection()
        selection.deleted = deleted.map(\.identity)
        return selection
    }

    /// Whether a deletion is about the record as the store knows it.
    private func applies(_ deletion: FeedChanges.Deletion, to known: ScopeTable.Known?) -> Bool {
        // It has moved, and the other scope says what became of it.
        if let scope = known?.row?.scope, scope != deletion.scope { return false }
        // This is where it is now, whatever was done to it since.
        if deletion.movedTo != nil { return true }
        guard let version = self.version(known) else { return true }
        // A push may have moved the record: the response had the version of the move.
        return known?.row?.scope == nil ? deletion.version > version : deletion.version >= version
    }

    /// Notes what became of the records that were deleted on the server. One that is still in the store stays
    /// withdrawn: something requires it, or its change is yet to be sent.
    func noteDeletions(_ database: Database) throws {
        for deletion in outcome.deleted(of: plan.name) {
            let change = try PendingChange.fetch(database, of: deletion.key, plan: plan)
            if change?.kind != .create, try plan.isStored(deletion.key, in: database) { continue }
            try ScopeTable.forget(deletion.key, in: plan, database: database)
            try VersionTable.keep(nil, of: deletion.key, in: plan, database: database)
        }
    }
}

/// Notes, in the transaction, what was merged of a selection.
struct FeedParticipant: MergeParticipant {
    let selection: FeedSelection
    /// Whether it is about deletions.
    let isDeletion: Bool

    func didMerge(_ database: Database, changes: RawChanges, summary: MergeSummary) throws {
        try isDeletion ? selection.noteDeletions(database) : selection.noteRecords(summary, in: database)
    }
}

/// What the parts of a transaction pass to each other.
final class FeedOutcome: Sendable {
    /// A merge in the transaction.
    enum Step: Sendable { case records, deletions, withdrawal, recordsAgain }

    /// A record to delete, with its local key.
    struct Deletion: Sendable {
        let identity: RemoteIdentity
        let key: RecordKey
    }

    private struct State {
        var selected: [String: [FeedChanges.Record]] = [:]
        var deleted: [String: [Deletion]] = [:]
        var conflicts: Set<String> = []
        var steps: [(step: Step, entity: String)] = []
    }

    private let state = Locked(State())

    /// Begins the transaction, or begins it again.
    func begin() { state.withLock { $0 = State() } }

    func select(_ records: [FeedChanges.Record], of entity: String) {
        state.withLock { $0.selected[entity] = records }
    }

    func selected(of entity: String) -> [FeedChanges.Record] { state.withLock { $0.selected[entity] ?? [] } }

    func delete(_ records: [Deletion], of entity: String) { state.withLock { $0.deleted[entity] = records } }

    func deleted(of entity: String) -> [Deletion] { state.withLock { $0.deleted[entity] ?? [] } }

    func note(_ step: Step, of entity: String) { state.withLock { $0.steps.append((step, entity)) } }

    /// The summaries of the merges, in their order. What came again reports what was refused in the end.
    func reported(_ summaries: [MergeSummary]) -> [MergeSummary] {
        let steps = state.withLock(\.steps)
        let again = Set(steps.filter { $0.step == .recordsAgain }.map(\.entity))
        return zip(summaries, steps).map { summary, step in
            guard step.step == .records, again.contains(step.entity) else { return summary }
            return MergeSummary(
                entities: summary.entities, notes: summary.notes.filter { $0.code != .uniqueConflict },
                trace: summary.trace, isDryRun: summary.isDryRun)
        }
    }

    /// A record was refused because another one has its unique value.
    func noteConflict(of entity: String) { state.withLock { _ = $0.conflicts.insert(entity) } }

    /// Whether a record of the entity was refused, for one more attempt.
    func takeConflict(of entity: String) -> Bool { state.withLock { $0.conflicts.remove(entity) != nil } }

    /// Whether a record was refused in the end.
    var hasConflicts: Bool { state.withLock { !$0.conflicts.isEmpty } }
}
