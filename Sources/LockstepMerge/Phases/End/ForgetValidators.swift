import LockstepStore

/// Forgets the validators of responses that listed a deleted record, so that the next pull asks for them again
/// (Rules.md, H1).
///
/// After ``Report``: it needs to know what was deleted.
struct ForgetValidators: MergePhase {
    func run(_ state: MergeState) throws {
        let transaction = state.transaction
        guard let summary = state.summary else { return }
        try ValidatorTable.forget(
            deleting: summary.deletedEntities, of: transaction.root.plan,
            isNamed: !transaction.options.deletedIdentities.isEmpty && transaction.options.completeness == .partial,
            transaction.plan.entities.map(\.plan), transaction.database)
    }
}
