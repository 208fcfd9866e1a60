/// Gives the records of a payload to a run.
final class PayloadIntake: PayloadTarget {
    private let run: MergeRun
    private let watch: PayloadWatch
    /// Whether the bytes that go away first are all that there are.
    private let isOneWindow: Bool
    private var recordCount = 0

    init(_ run: MergeRun, _ watch: PayloadWatch, isOneWindow: Bool) {
        self.run = run
        self.watch = watch
        self.isOneWindow = isOneWindow
    }

    func takeRecord(_ scanner: inout JSONScanner, index: Int, key: JSONScanner.Text?) throws {
        try run.take(&scanner, index: index, mapKey: key)
        recordCount += 1
        if try run.flushIfFull() { watch.noteMerged(recordCount) }
    }

    func payloadIsOneRecord() { run.isOneRecord = true }

    /// The run keeps nothing of a record that it could not read to its end.
    func recordIsCut() {}

    func windowEnds() throws {
        try run.flush(isLast: isOneWindow)
        watch.noteMerged(recordCount)
    }
}
