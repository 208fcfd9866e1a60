import LockstepMerge
import LockstepSystem

/// Publishes the results of merges that have something to report.
final class MergeReports: Sendable {
    private let broadcast = Broadcast<MergeSummary>()
    /// The notes that were reported in this run: each pull makes the same ones again.
    private let notes = Locked<Set<MergeNote>>([])

    func beginRun() { notes.withLock { $0 = [] } }

    /// Reports what a merge has changed, what it could not merge, and its notes, if one of them is new.
    func report(_ summary: MergeSummary) {
        let hasNewNote = notes.withLock { known in
            let count = known.count
            known.formUnion(summary.notes)
            return known.count > count
        }
        guard summary.hasChanges || !summary.skipped.isEmpty || hasNewNote else { return }
        broadcast.send(summary)
    }

    /// The results from now on.
    func values() -> AsyncStream<MergeSummary> { broadcast.values() }
}
