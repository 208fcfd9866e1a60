package import LockstepJSON

/// Gives the records of a payload to a run.
package final class PayloadIntake: PayloadTarget {
    private let run: MergeRun
    private let watch: PayloadWatch
    private var recordCount = 0
    /// The indexes of the next record, and of the first one of the page.
    private var (nextIndex, firstIndex) = (0, 0)

    package init(_ run: MergeRun, watch: PayloadWatch) {
        self.run = run
        self.watch = watch
    }

    package func takeRecord(_ scanner: inout JSONScanner, index: Int, key: JSONScanner.Text?) throws {
        nextIndex = firstIndex + index + 1
        try run.take(&scanner, index: firstIndex + index, mapKey: key)
        recordCount += 1
        if try run.flushIfFull() { watch.didMerge(recordCount) }
    }

    package func payloadIsOneRecord() { run.state.isOneRecord = true }

    /// The run keeps nothing of a record that could not be read to its end.
    package func recordIsCut() {}

    /// The next records are another page of the same collection.
    package func pageEnds() { firstIndex = nextIndex }

    package func windowEnds() throws {
        try run.flush()
        watch.didMerge(recordCount)
    }
}
