import LockstepTables

/// Calls the participants, which write in the merge's transaction before anything is merged.
///
/// First of all, since they change what is pending: a confirmed change is no local edit any more.
struct NotifyWillMerge: MergePhase {
    func run(_ state: MergeState) throws {
        let transaction = state.transaction
        for participant in transaction.options.participants {
            try transaction.changes.suppressOutbox(transaction.database)
            try participant.willMerge(transaction.database, changes: transaction.changes)
        }
    }
}
