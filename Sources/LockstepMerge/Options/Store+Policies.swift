package import LockstepStore

extension Store {
    /// Sets the policies for merges into this store, from the next one on; `nil` for none.
    ///
    /// - Throws: `MergeError` with the code `conflictPolicy` if a policy cannot decide about its entity.
    package func useConflictPolicies(_ policies: ConflictPolicies?) throws {
        try policies?.validate(plans)
        updateExtension(SyncPolicies.self) { $0 = policies.map { SyncPolicies($0) } }
    }

    /// The policies of a merge: that of its options for the merged entity, those of the sync for others, and without
    /// either ``ConflictPolicy/localChangesWin``.
    func conflictPolicies(_ options: MergeOptions, for plan: EntityPlan) throws -> MergePolicies {
        try options.conflicts?.validate(for: plan)
        return MergePolicies(
            root: plan.name, own: options.conflicts, others: storeExtension(SyncPolicies.self)?.conflicts)
    }

    func uniqueValuePolicies(_ options: MergeOptions) -> UniqueValuePolicies {
        UniqueValuePolicies(options.uniqueValues, others: storeExtension(SyncPolicies.self)?.conflicts)
    }
}
