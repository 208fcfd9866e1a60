package import LockstepStore

/// What the merges of a store go by where something was changed here, as its sync has attached it.
///
/// Without it, and without ``MergeOptions/conflicts``, merges take the server's values, and what was pending of the
/// merged records is dropped.
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
        attach(SyncPolicies.self) { $0 = policies.map { SyncPolicies($0) } }
    }

    /// What a merge goes by: its options' policy for the entity that it is about, the sync's for all others.
    func conflictPolicies(_ options: MergeOptions, for plan: EntityPlan) throws -> MergePolicies? {
        let attached = attached(SyncPolicies.self)?.conflicts
        try options.conflicts?.validate(for: plan)
        guard attached != nil || options.conflicts != nil else { return nil }
        return MergePolicies(root: plan.name, own: options.conflicts, others: attached)
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
