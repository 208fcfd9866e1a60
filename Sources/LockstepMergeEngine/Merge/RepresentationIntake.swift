import GRDB
import LockstepJSON
package import LockstepTables

/// Gives representations to a run, one after another.
package final class RepresentationIntake {
    private let run: MergeRun
    private let reader: RepresentationReader
    private let cancellation: MergeCancellation
    private let progress: (@Sendable (MergeProgress) -> Void)?
    private let count: Int
    private var index: Int

    /// A record takes microseconds, a check of the flag a fraction of that.
    private static let recordsBetweenLooks = 64
    /// Progress is displayed a few times per second, and a merge handles at most a million records per second.
    private static let recordsBetweenReports = 10_000

    /// - Parameters:
    ///   - count: The number of all records.
    ///   - index: That of the first one that the run takes.
    package init(
        _ run: MergeRun, count: Int, from index: Int = 0, cancellation: MergeCancellation,
        progress: (@Sendable (MergeProgress) -> Void)?
    ) {
        self.run = run
        self.count = count
        self.index = index
        self.cancellation = cancellation
        self.progress = progress
        reader = RepresentationReader(run.reader, root: run.root)
    }

    /// Takes the next record.
    ///
    /// - Throws: `CancellationError`, and errors of the run.
    package func take(_ value: some WireObject) throws {
        try run.didStage(try reader.read(value, of: run.root, origin: Origin(record: Int32(index))))
        try didTake()
    }

    /// Takes a record that could not be decoded as a representation, by its JSON.
    package func take(_ json: JSONValue) throws {
        try run.didStage(try reader.read(json, of: run.root, origin: Origin(record: Int32(index))))
        try didTake()
    }

    /// Takes a record of which nothing but its identity could be decoded.
    package func skip(_ record: SkippedRecord, identity: [DatabaseValue]?) throws {
        let problem = RecordProblem(record.keyPath.isEmpty ? [] : [record.keyPath], reason: record.reason)
        try reader.skip(identity, problem: problem, of: run.root, origin: Origin(record: Int32(index)))
        try didTake()
    }

    private func didTake() throws {
        run.transaction.reportSkipped()
        try run.flushIfFull()
        index += 1
        if index % Self.recordsBetweenLooks == 0 { try cancellation.check() }
        if index % Self.recordsBetweenReports == 0 || index == count {
            progress?(MergeProgress(stage: .reading, recordsRead: index))
        }
    }
}
