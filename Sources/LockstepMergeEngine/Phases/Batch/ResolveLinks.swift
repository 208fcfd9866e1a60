import LockstepTables

/// Gives each staged row its local key, and turns links into foreign keys (Rules.md, R1, R2 and R4).
///
/// After ``MatchSentMembers``, which decides what the key of a sent member is. All later phases find rows by key.
struct ResolveLinks: BatchPhase {
    func run(_ batch: MergeBatch, in state: MergeState) throws {
        let transaction = state.transaction
        let resolver = LinkResolver(staging: transaction.staging, identities: transaction.identities)
        try resolver.resolve()
        for (table, link) in resolver.withoutRequired() {
            let relationship = table.entity.plan.relationships[Int(link.relationship)]
            try transaction.skip(
                Int(link.row), of: table.entity, at: relationship.wire.path, reason: "is required; it is null")
        }
    }
}
