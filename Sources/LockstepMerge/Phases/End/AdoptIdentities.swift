/// Forgets the keys that were reserved for records which are in the store now, and unites records that turned out to be
/// one (Rules.md, R2 and C5).
///
/// Before records are deleted: what points at a reserved key points at its record from then on.
struct AdoptIdentities: MergePhase {
    func run(_ state: MergeState) throws {
        for pair in try state.transaction.identities.adoptArrived() {
            Twins(state).reportAdoption(pair.plan, pair.other)
        }
    }
}
