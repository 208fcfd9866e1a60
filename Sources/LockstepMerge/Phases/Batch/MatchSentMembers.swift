/// Gives records that were sent without an identity the one that the server made (Rules.md, R10).
///
/// First, while the staged rows have no local keys yet: the members are found by those then.
struct MatchSentMembers: BatchPhase {
    func run(_ batch: MergeBatch, _ state: MergeState) throws { try state.sentMembers?.match() }
}
