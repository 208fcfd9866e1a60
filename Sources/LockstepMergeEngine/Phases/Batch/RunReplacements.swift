/// Passes the records that an app merges itself to its function, in the order of the payload (Rules.md, M14).
///
/// After ``WriteRows``, so that the function finds the other records of the batch in the store.
struct RunReplacements: BatchPhase {
    let hooks: HookCaller

    func run(_ batch: MergeBatch, in state: MergeState) throws {
        try hooks.replaceRecords()
        // Memberships are found by key; the rows of this batch are not needed any more.
        batch.tables.forEach { $0.release() }
    }
}
