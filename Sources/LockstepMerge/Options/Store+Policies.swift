public import LockstepStore

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

    /// For how many days the values of attributes that are not sent (`wire: none`) are kept if a merge deletes their
    /// record because the server no longer has it (Rules.md, M7). The default is 30.
    ///
    /// If a merge inserts the record again within this time, it has them again. Each merge deletes those that were kept
    /// for longer, so set this before the first merge, right after the store was opened. 0 keeps none.
    ///
    /// ```swift
    /// let store = try Store(JournalSchema.self, at: .file(url))
    /// store.localValueRetentionDays = 90
    /// ```
    public var localValueRetentionDays: Int {
        get { localValueRetention.days }
        set { updateExtension(LocalValueRetention.self) { $0 = LocalValueRetention(days: newValue) } }
    }

    var localValueRetention: LocalValueRetention { storeExtension(LocalValueRetention.self) ?? LocalValueRetention() }
}
