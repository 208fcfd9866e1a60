import LockstepStore
import LockstepSystem

/// Tells how far a merge is to whoever asked for that. From one report to the next, no number gets smaller.
final class MergeReports: Sendable {
    private let progress: @Sendable (MergeProgress) -> Void
    private let told: Locked<MergeProgress>

    /// - Returns: `nil` where nobody asks.
    init?(byteCount: Int, _ progress: (@Sendable (MergeProgress) -> Void)?) {
        guard let progress else { return nil }
        self.progress = progress
        told = Locked(MergeProgress(stage: .reading, byteCount: byteCount))
    }

    /// The last report.
    var latest: MergeProgress { told.withLock { $0 } }

    func tell(_ stage: MergeProgress.Stage, bytesRead: Int, recordsRead: Int, recordsMerged: Int) {
        let report = told.withLock { latest in
            latest = MergeProgress(
                stage: stage, bytesRead: max(bytesRead, latest.bytesRead), byteCount: latest.byteCount,
                recordsRead: max(recordsRead, latest.recordsRead),
                recordsMerged: max(recordsMerged, latest.recordsMerged))
            return latest
        }
        // Outside of the lock: it may ask for anything, and may take its time.
        progress(report)
    }

    /// The merge is done.
    func tellCompletion() {
        let latest = latest
        tell(
            .complete, bytesRead: latest.bytesRead, recordsRead: latest.recordsRead, recordsMerged: latest.recordsRead)
    }
}
