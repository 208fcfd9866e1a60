import GRDB
import LockstepTables

/// The state that the phases of one merge pass to each other.
final class MergeState {
    let transaction: MergeTransaction
    /// The records that the payload is about; `nil` for all.
    var scope: ResolvedScope?
    /// The values that the scope gives to records that lack them, by column; with the relationship if the column is in
    /// its key.
    var fill: [(column: Int, cell: Cell, relationship: Int?)] = []
    /// Whether the payload is one record rather than a list.
    var isOneRecord = false
    /// The unconfirmed local changes; `nil` if there are none.
    var local: LocalEdits?
    /// The members that were sent without an identity; `nil` if there are none.
    var sentMembers: SentMemberMatch?
    /// The retry hints of earlier attempts of this merge.
    var retryHints: MergeRetryHints
    /// The refused records that were reported, by entity and identity.
    var reportedRefusals: [Int: Set<KeyFingerprint>] = [:]
    /// Records that are deleted at the end, unless the payload turns out to list them elsewhere.
    private(set) var pendingDeletes: [RecordReference] = []
    /// Records that the server has withdrawn: it may still have them, but not for this device (Rules.md, H3).
    var withdrawn: [RecordReference] = []
    /// Records that the payload has brought, if it is newer than lists may be.
    private(set) var confirmed: [RecordReference] = []
    /// Records that were replaced by others at the other end of a to-one that holds the key.
    var replacedTargets = ReplacedTargets()
    /// Records whose unique values are written at the end.
    var deferredUniqueValues = DeferredUniqueValues()

    /// The summary of the merge; `nil` before ``Report``.
    var summary: MergeSummary?

    init(_ transaction: MergeTransaction, retryHints: MergeRetryHints = MergeRetryHints()) {
        self.transaction = transaction
        self.retryHints = retryHints
    }

    /// Deletes a record at the end, unless a later part of the payload lists it.
    func scheduleDelete(_ key: [Cell], of entity: MergeEntity) {
        pendingDeletes.append(RecordReference(entity: entity.index, key: RecordKey(key.map(\.databaseValue))))
    }

    /// How many confirmed records of a merge are kept: each may cost a request. A merge that brings more is the first
    /// one, or follows a long time without any.
    private static let confirmedLimit = 1_000

    func noteConfirmed(_ key: RecordKey, of entity: MergeEntity) {
        guard confirmed.count < Self.confirmedLimit else { return }
        confirmed.append(RecordReference(entity: entity.index, key: key))
    }

    /// Whether a record has never reached the server, so that no server can list it.
    func isOnlyLocal(_ key: [Cell], of entity: MergeEntity) throws -> Bool {
        if let edits = try local?.edits(of: entity), try edits.pending(of: key)?.change == .create {
            return true
        }
        // A deferred record gets its identity back at the end of the merge.
        guard let remote = entity.plan.remoteColumn, sentMembers?.isGone(key, of: entity) != true,
            !deferredUniqueValues.has(key.fingerprint, of: entity)
        else { return false }
        let find = try transaction.statements(of: entity).find.get()
        find.bind(key)
        defer { find.reset() }
        return try find.step() && find.cell(remote).kind == .null
    }
}
