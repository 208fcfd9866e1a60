import LockstepSystem
import LockstepTables

/// Reports the progress of a merge. The numbers never decrease from one report to the next.
package final class MergeProgressReports: Sendable {
    private let progress: @Sendable (MergeProgress) -> Void
    private let lastReport: Locked<MergeProgress>

    /// - Returns: `nil` if no progress is requested.
    package init?(byteCount: Int, _ progress: (@Sendable (MergeProgress) -> Void)?) {
        guard let progress else { return nil }
        self.progress = progress
        lastReport = Locked(MergeProgress(stage: .reading, byteCount: byteCount))
    }

    /// The last report.
    var latest: MergeProgress { lastReport.withLock { $0 } }

    func report(_ stage: MergeProgress.Stage, bytesRead: Int, recordsRead: Int, recordsMerged: Int) {
        let report = lastReport.withLock { latest in
            latest = MergeProgress(
                stage: stage, bytesRead: max(bytesRead, latest.bytesRead), byteCount: latest.byteCount,
                recordsRead: max(recordsRead, latest.recordsRead),
                recordsMerged: max(recordsMerged, latest.recordsMerged))
            return latest
        }
        // Called without the lock, since the closure may do anything and take any time.
        progress(report)
    }

    /// Reports that the merge is complete.
    package func reportCompletion() {
        let latest = latest
        report(
            .complete, bytesRead: latest.bytesRead, recordsRead: latest.recordsRead, recordsMerged: latest.recordsRead)
    }
}
