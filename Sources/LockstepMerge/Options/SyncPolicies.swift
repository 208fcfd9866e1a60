package import LockstepStore

/// The policies of a store's sync, which merges use for local edits.
///
/// Without them, and without ``MergeOptions/conflicts``, local edits are kept.
package struct SyncPolicies: Sendable {
    package var conflicts: ConflictPolicies

    package init(_ conflicts: ConflictPolicies) { self.conflicts = conflicts }
}

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
}

/// The policies of a merge for records that were created locally and have unique values of the server's.
struct UniqueValuePolicies: Sendable {
    /// The policy of the merge's options, which is also used for nested records.
    let own: UniqueValuePolicy?
    let others: ConflictPolicies?

    init(_ own: UniqueValuePolicy? = nil, others: ConflictPolicies? = nil) {
        self.own = own
        self.others = others
    }

    func policy(for plan: EntityPlan) -> UniqueValuePolicy { own ?? others?.uniqueValues(for: plan) ?? .adopt }
}

extension Store {
    func uniqueValuePolicies(_ options: MergeOptions) -> UniqueValuePolicies {
        UniqueValuePolicies(options.uniqueValues, others: storeExtension(SyncPolicies.self)?.conflicts)
    }
}

/// The policies of one merge.
struct MergePolicies: Sendable {
    let root: String
    let own: ConflictPolicy?
    let others: ConflictPolicies?

    /// The policy for an entity. The policy of the merge's options is also used for nested records, if it can decide
    /// about them.
    func policy(for plan: EntityPlan) -> ConflictPolicy {
        if let own {
            if plan.name == root { return own }
            do {
                try own.validate(for: plan)
                return own
            } catch {
                // It cannot decide about this entity.
            }
        }
        return others?.policy(for: plan) ?? .localChangesWin
    }
}
