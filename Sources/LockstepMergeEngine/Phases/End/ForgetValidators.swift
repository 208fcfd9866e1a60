import LockstepTables

/// Forgets the validators of responses that listed a deleted record, so that the next pull asks for them again
/// (Rules.md, H1).
///
/// After ``Report``: it needs to know what was deleted.
struct ForgetValidators: MergePhase {
    func run(_ state: MergeState) throws {
        let (transaction, options) = (state.transaction, state.transaction.options)
        guard let summary = state.summary else { return }
        try ValidatorTable.forget(
            deleting: summary.deletedEntities, of: transaction.root.plan,
            isNamed: options.isOfFeed
                || !options.deletedIdentities.isEmpty && !options.keepsDeletedIdentities
                    && options.completeness == .partial,
            plans: transaction.plan.schema, in: transaction.database)
    }
}
