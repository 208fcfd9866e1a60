/// Watches a payload being read: stops it when it is cancelled, and tells how far it is.
final class PayloadWatch {
    private let cancellation: MergeCancellation
    private let progress: (@Sendable (MergeProgress) -> Void)?
    private let byteTotal: Int
    /// How many of the records are merged. Whoever merges sets it.
    var recordsMerged = 0
    private var stepCount = 0
    private var told = (bytes: 0, records: 0)

    /// A record takes microseconds, a look at the flag a part of one: so it stops within a millisecond.
    private static let stepsBetweenLooks = 64
    /// A bar on a screen moves a few times a second; a second is a million records or less.
    private static let recordsBetweenReports = 10_000
    /// As with the records, where these are large.
    private static let bytesBetweenReports = 4 * 1024 * 1024

    init(
        byteTotal: Int, _ cancellation: MergeCancellation = MergeCancellation(),
        _ progress: (@Sendable (MergeProgress) -> Void)? = nil
    ) {
        self.byteTotal = byteTotal
        self.cancellation = cancellation
        self.progress = progress
    }

    /// A token or a record was read.
    ///
    /// - Throws: `CancellationError`.
    func note(offset: Int, recordCount: Int) throws {
        stepCount += 1
        if stepCount % Self.stepsBetweenLooks == 0 { try cancellation.check() }
        guard
            offset >= told.bytes + Self.bytesBetweenReports || recordCount >= told.records + Self.recordsBetweenReports
        else { return }
        // A payload that is read again from its beginning says nothing until it is further than it was.
        told = (max(offset, told.bytes), max(recordCount, told.records))
        report(.reading)
        try cancellation.check()
    }

    /// Tells how far it is.
    func report(_ stage: MergeProgress.Stage) {
        progress?(
            MergeProgress(
                stage: stage, bytesRead: told.bytes, byteCount: byteTotal, recordsRead: told.records,
                recordsMerged: recordsMerged))
    }

    /// More bytes are about to be read.
    ///
    /// - Throws: `CancellationError`.
    func checkCancellation() throws { try cancellation.check() }
}
