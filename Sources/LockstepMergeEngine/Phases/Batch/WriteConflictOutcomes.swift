/// Updates the pending changes of the records that were merged, and records what happened to each row
/// (Rules.md, C2 and C3).
///
/// After ``WriteRows``: a row that could not be written is skipped by then, and its pending change stays as it is.
struct WriteConflictOutcomes: BatchPhase {
    func run(_ batch: MergeBatch, in state: MergeState) throws {
        for table in batch.tables {
            try table.writePendingUpdates()
            table.recordOutcomes()
            try table.forgetFormerValues()
        }
    }
}
