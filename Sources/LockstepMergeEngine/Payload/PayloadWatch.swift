/// Watches a payload being read: stops it if it is canceled, and reports progress.
package final class PayloadWatch {
    private let cancellation: MergeCancellation
    private let reports: MergeProgressReports?
    private var stepCount = 0
    private var nextReport = (bytes: 0, records: 0)
    private var recordsMerged: Int

    /// A record takes microseconds, a check of the flag a fraction of that, so a merge stops within a millisecond.
    private static let stepsBetweenLooks = 64
    /// Progress is displayed a few times per second, and a merge handles at most a million records per second.
    private static let recordsBetweenReports = 10_000
    /// The same for large records.
    private static let bytesBetweenReports = 4 * 1024 * 1024

    /// - Parameter recordsMerged: The number of records that were merged before.
    package init(
        _ cancellation: MergeCancellation = MergeCancellation(), reports: MergeProgressReports? = nil,
        recordsMerged: Int = 0
    ) {
        self.cancellation = cancellation
        self.recordsMerged = recordsMerged
        self.reports = reports
        // If a payload is read again from its beginning, there is no report until the previous one is exceeded.
        planReport()
    }

    /// Registers that a token or a record was read.
    ///
    /// - Throws: `CancellationError`.
    func didRead(offset: Int, recordCount: Int) throws {
        stepCount += 1
        if stepCount % Self.stepsBetweenLooks == 0 { try cancellation.check() }
        guard offset >= nextReport.bytes || recordCount >= nextReport.records else { return }
        reports?.report(.reading, bytesRead: offset, recordsRead: recordCount, recordsMerged: recordsMerged)
        planReport()
        try cancellation.check()
    }

    /// Registers the number of merged records.
    func didMerge(_ recordCount: Int) { recordsMerged = recordCount }

    /// Registers that the payload was read to its end. What remains is to write the last batch.
    ///
    /// - Throws: `CancellationError`.
    func didReachEnd(offset: Int, recordCount: Int) throws {
        reports?.report(.merging, bytesRead: offset, recordsRead: recordCount, recordsMerged: recordsMerged)
        try cancellation.check()
    }

    /// Checks for cancellation before more bytes are read.
    ///
    /// - Throws: `CancellationError`.
    func checkCancellation() throws { try cancellation.check() }

    private func planReport() {
        guard let latest = reports?.latest else { return nextReport = (.max, .max) }
        nextReport = (
            latest.bytesRead + Self.bytesBetweenReports, latest.recordsRead + Self.recordsBetweenReports
        )
    }
}
