/// Finds the records that were sent inside of others without an identity (Rules.md, R10).
struct FindSentMembers: MergePhase {
    func run(_ state: MergeState) throws { state.sentMembers = try SentMemberMatch.find(state.transaction) }
}
