/// Gives records that were sent without an identity the one that the server has assigned (Rules.md, R10).
///
/// First, while the staged rows have no local keys, which determine how these members are matched later.
struct MatchSentMembers: BatchPhase {
    func run(_ batch: MergeBatch, in state: MergeState) throws { try state.sentMembers?.match() }
}
