/// Gives the records of a payload to a run.
final class PayloadIntake: PayloadTarget {
    private let run: MergeRun
    private let watch: PayloadWatch
    private var recordCount = 0

    init(_ run: MergeRun, _ watch: PayloadWatch) {
        self.run = run
        self.watch = watch
    }

    func takeRecord(_ scanner: inout JSONScanner, index: Int, key: JSONScanner.Text?) throws {
        try run.take(&scanner, index: index, mapKey: key)
        recordCount += 1
        if try run.flushIfFull() { watch.noteMerged(recordCount) }
    }

    /// The run keeps nothing of a record that it could not read to its end.
    func recordIsCut() {}

    func windowEnds() throws {
        try run.flush()
        watch.noteMerged(recordCount)
    }
}
