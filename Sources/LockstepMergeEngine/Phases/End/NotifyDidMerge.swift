import LockstepTables

/// Calls the participants, which write what depends on the merge in its transaction.
///
/// Last: they read what the merge has left.
struct NotifyDidMerge: MergePhase {
    func run(_ state: MergeState) throws {
        let transaction = state.transaction
        guard let summary = state.summary else { preconditionFailure("The phase Report creates the summary.") }
        for participant in transaction.options.participants {
            try transaction.changes.suppressOutbox(transaction.database)
            try participant.didMerge(transaction.database, changes: transaction.changes, summary: summary)
        }
    }
}
