/// Watches a payload being read: stops it when it is cancelled, and tells how far it is.
final class PayloadWatch {
    private let cancellation: MergeCancellation
    private let reports: MergeReports?
    private var stepCount = 0
    private var nextReport = (bytes: 0, records: 0)
    private var recordsMerged = 0

    /// A record takes microseconds, a look at the flag a part of one: so it stops within a millisecond.
    private static let stepsBetweenLooks = 64
    /// A bar on a screen moves a few times a second; a second is a million records or less.
    private static let recordsBetweenReports = 10_000
    /// As with the records, where these are large.
    private static let bytesBetweenReports = 4 * 1024 * 1024

    init(_ cancellation: MergeCancellation = MergeCancellation(), _ reports: MergeReports? = nil) {
        self.cancellation = cancellation
        self.reports = reports
        // A payload that is read again from its beginning says nothing until it is further than it was.
        planReport()
    }

    /// A token or a record was read.
    ///
    /// - Throws: `CancellationError`.
    func note(offset: Int, recordCount: Int) throws {
        stepCount += 1
        if stepCount % Self.stepsBetweenLooks == 0 { try cancellation.check() }
        guard offset >= nextReport.bytes || recordCount >= nextReport.records else { return }
        reports?.tell(.reading, bytesRead: offset, recordsRead: recordCount, recordsMerged: recordsMerged)
        planReport()
        try cancellation.check()
    }

    /// So many records were written.
    func noteMerged(_ recordCount: Int) { recordsMerged = recordCount }

    /// The payload was read to its end; what is left is to write the last of it.
    ///
    /// - Throws: `CancellationError`.
    func noteEnd(offset: Int, recordCount: Int) throws {
        reports?.tell(.merging, bytesRead: offset, recordsRead: recordCount, recordsMerged: recordsMerged)
        try cancellation.check()
    }

    /// More bytes are about to be read.
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
