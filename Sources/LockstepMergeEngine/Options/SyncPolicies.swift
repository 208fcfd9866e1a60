import LockstepTables

/// The policies of a store's sync, which merges use for local edits.
///
/// Without them, and without ``MergeOptions/conflicts``, local edits are kept.
package struct SyncPolicies: Sendable {
    package var conflicts: ConflictPolicies

    package init(_ conflicts: ConflictPolicies) { self.conflicts = conflicts }
}

/// The policies of a merge for records that were created locally and have unique values of the server's.
package struct UniqueValuePolicies: Sendable {
    /// The policy of the merge's options, which is also used for nested records.
    let own: UniqueValuePolicy?
    let others: ConflictPolicies?

    package init(_ own: UniqueValuePolicy? = nil, others: ConflictPolicies? = nil) {
        self.own = own
        self.others = others
    }

    func policy(for plan: EntityPlan) -> UniqueValuePolicy { own ?? others?.uniqueValues(for: plan) ?? .adopt }
}

/// The policies of one merge.
package struct MergePolicies: Sendable {
    let root: String
    let own: ConflictPolicy?
    let others: ConflictPolicies?

    package init(root: String, own: ConflictPolicy?, others: ConflictPolicies?) {
        (self.root, self.own, self.others) = (root, own, others)
    }

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
