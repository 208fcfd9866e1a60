package import LockstepStore

/// What the merges of a store go by where something was changed here, as its sync has attached it.
///
/// Without it, and without ``MergeOptions/conflicts``, local edits stay: nobody has said that they may go.
package struct SyncPolicies: Sendable {
    package var conflicts: ConflictPolicies

    package init(_ conflicts: ConflictPolicies) { self.conflicts = conflicts }
}

extension Store {
    /// Sets what merges of this store go by, from the next one on; `nil` for nothing.
    ///
    /// - Throws: `MergeError` with the code `conflictPolicy` where an entity cannot be decided about.
    package func useConflictPolicies(_ policies: ConflictPolicies?) throws {
        try policies?.validate(plans)
        updateExtension(SyncPolicies.self) { $0 = policies.map { SyncPolicies($0) } }
    }

    /// What a merge goes by: its options' policy for the entity that it is about, the sync's for all others, and
    /// without either
    /// ``ConflictPolicy/localChangesWin``.
    func conflictPolicies(_ options: MergeOptions, for plan: EntityPlan) throws -> MergePolicies {
        try options.conflicts?.validate(for: plan)
        return MergePolicies(
            root: plan.name, own: options.conflicts, others: storeExtension(SyncPolicies.self)?.conflicts)
    }
}

/// What one merge does where records made here have values that the server's want.
struct UniqueValuePolicies: Sendable {
    /// The merge's own, which is for what is nested, too.
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

    /// The policy for an entity. What a merge says counts for all that is nested, too, as far as it can decide there.
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
