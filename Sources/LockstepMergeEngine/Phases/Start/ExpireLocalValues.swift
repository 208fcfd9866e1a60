import LockstepTables

/// Forgets the local values of deleted records that were kept for too long (Rules.md, M7), before a record gets them.
struct ExpireLocalValues: MergePhase {
    func run(_ state: MergeState) throws {
        let transaction = state.transaction
        guard transaction.plan.entities.contains(where: { !$0.plan.localColumns.isEmpty }) else { return }
        try LocalValueTable.expire(
            at: transaction.now(), keptSeconds: transaction.localValues.seconds, in: transaction.database)
    }
}
