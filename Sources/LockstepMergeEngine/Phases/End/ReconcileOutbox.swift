/// Removes the pending changes of records that differ in nothing from the server's any more (Rules.md, C1 and C2), and
/// entries of the journal of conflicts that are too old or too many (C6).
///
/// After everything that writes rows: what is left of a change is decided from the rows.
struct ReconcileOutbox: MergePhase {
    func run(_ state: MergeState) throws {
        try state.local?.reconcile()
        try state.transaction.conflicts.trim()
    }
}
