import LockstepJSON
package import LockstepTables

/// Gives the records of a payload to a run.
package final class PayloadIntake: PayloadTarget {
    private let run: MergeRun
    private let watch: PayloadWatch
    private var recordCount: Int
    /// The number of records after which it is full.
    private let limit: Int
    /// The indexes of the next record, and of the first one of the page.
    private var (nextIndex, firstIndex) = (0, 0)

    /// - Parameters:
    ///   - position: Where in the payload the run begins.
    ///   - count: How many records the run takes at most.
    package init(
        _ run: MergeRun, watch: PayloadWatch, from position: PayloadPosition = PayloadPosition(), count: Int = .max
    ) {
        self.run = run
        self.watch = watch
        recordCount = position.recordCount
        limit = count == .max ? .max : recordCount + count
    }

    var isFull: Bool { recordCount >= limit }

    func takeRecord(_ scanner: inout JSONScanner, index: Int, key: JSONScanner.Text?) throws {
        nextIndex = firstIndex + index + 1
        try run.take(&scanner, index: firstIndex + index, mapKey: key)
        recordCount += 1
        if try run.flushIfFull() { watch.didMerge(recordCount) }
    }

    func payloadIsOneRecord() { run.state.isOneRecord = true }

    /// The run keeps nothing of a record that could not be read to its end.
    func recordIsCut() {}

    /// The next records are another page of the same collection.
    package func pageEnds() { firstIndex = nextIndex }

    func windowEnds() throws {
        try run.flush()
        watch.didMerge(recordCount)
    }
}

extension PayloadBody {
    /// Passes the records after a position to a run, until it takes no more. It is not generic, so that what reads them
    /// is compiled for this target.
    ///
    /// - Returns: The position after them; `nil` if there are no more records.
    /// - Throws: As for any target.
    @discardableResult
    package func read(
        _ shape: PayloadShape, from position: PayloadPosition = PayloadPosition(), passingOver passedOver: Int = 0,
        windowSize: Int, into intake: PayloadIntake, watch: PayloadWatch
    ) throws -> PayloadPosition? {
        var position = position
        let isAtEnd = try read(
            from: &position, as: shape, passingOver: passedOver, windowSize: windowSize, passingTo: intake,
            watch: watch)
        return isAtEnd ? nil : position
    }
}
