/// Gives to-many relationships the members that the payload lists (Rules.md, R3, R5 and R6).
///
/// After ``WriteRows`` and ``RunReplacements``: the members are in the store then, and it is known which owners are.
struct WriteMemberships: BatchPhase {
    func run(_ batch: MergeBatch, in state: MergeState) throws { try batch.links.write() }
}
