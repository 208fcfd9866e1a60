/// Removes reserved keys of records that are in the store now, and merges records that turned out to be the same
/// (Rules.md, R2 and C5).
///
/// Before records are deleted: what refers to a reserved key refers to its record from then on.
struct AdoptIdentities: MergePhase {
    func run(_ state: MergeState) throws {
        for pair in try state.transaction.identities.adoptArrived() {
            LocalDuplicates(state).reportAdoption(pair.plan, key: pair.other)
        }
    }
}
