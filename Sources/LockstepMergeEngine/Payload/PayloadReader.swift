import LockstepJSON
import LockstepTables

/// Finds the records in a payload that is read in windows.
///
/// It keeps its state between two tokens, so a window may end anywhere: consumed bytes are not needed again, and the
/// next window begins after them. Everything around the records is checked to be JSON.
package struct PayloadReader {
    let shape: PayloadShape
    /// The number of values under a wrapper's key to skip because a later one counts.
    let passedOver: Int
    var position: PayloadPosition
    /// The keys of a map that is encoded as an array.
    private let indexTexts = TextArena()

    /// The part of the payload that is read next.
    enum Location: Hashable, Sendable {
        case beginning, payload
        case wrapperMemberOrEnd(isFirst: Bool), wrapperKey, wrapped, skippedValue
        case listMemberOrEnd(isFirst: Bool), listMember
        case mapMemberOrEnd(isFirst: Bool), mapMember
        case end
    }

    /// A wrapper's key occurs again: the records read so far do not count.
    package struct RepeatedKey: Error {}

    init(_ shape: PayloadShape, passingOver passedOver: Int = 0, from position: PayloadPosition = PayloadPosition()) {
        self.shape = shape
        self.passedOver = passedOver
        self.position = position
    }

    /// Whether a target takes no more records, and there may be another one.
    func isPaused(for target: some PayloadTarget) -> Bool { position.isBeforeRecord && target.isFull }

    /// Reads the records that are complete in a window, until the target is full.
    ///
    /// - Returns: The number of consumed bytes. The next window begins after them, and has more bytes than were left.
    /// - Throws: `JSONSyntaxError` with the offset in the whole payload, `PayloadError.wrongShape`, `RepeatedKey`, and
    ///   errors of `target` and `watch`.
    mutating func feed(_ window: PayloadWindow, into target: some PayloadTarget, watch: PayloadWatch) throws -> Int {
        indexTexts.reset()
        var scanner = JSONScanner(window.bytes, baseOffset: window.baseOffset)
        while true {
            // Whitespace is consumed at once, so that it is not scanned repeatedly.
            if position.location == .beginning { scanner.move(to: scanner.start, depth: 0) } else { _ = scanner.peek() }
            let step = scanner.cursor
            let isEnd = step == scanner.end && (!window.isLast || position.location == .end)
            if isEnd || isPaused(for: target) { return scanner.cursor - scanner.start }
            do {
                scanner.move(to: step, depth: depth)
                try takeStep(&scanner, in: window, into: target)
            } catch let error as JSONSyntaxError where window.mayEndTooEarly(error) {
                return step - scanner.start
            }
            try watch.didRead(offset: scanner.offset, recordCount: position.recordCount)
        }
    }

    /// The number of open arrays and objects.
    private var depth: Int {
        let isWrapped = if case .wrapped = shape { 1 } else { 0 }
        return switch position.location {
        case .beginning, .payload, .end: 0
        case .wrapperMemberOrEnd, .wrapperKey, .wrapped: 1
        case .skippedValue: 1 + position.skipped.depth
        case .listMemberOrEnd, .listMember: 1 + isWrapped
        case .mapMemberOrEnd, .mapMember: 1
        }
    }

    /// Reads a token or a record. If it throws, the state has not changed.
    private mutating func takeStep(
        _ scanner: inout JSONScanner, in window: PayloadWindow, into target: some PayloadTarget
    ) throws {
        switch position.location {
        case .beginning: try skipByteOrderMark(&scanner, in: window)
        case .payload: try begin(&scanner, in: window, into: target)
        case .wrapperMemberOrEnd(let isFirst):
            guard try scanner.isClosed(UInt8(ascii: "}"), isFirst: isFirst) else {
                return position.location = .wrapperKey
            }
            guard position.occurrences > 0 else { throw missingKey(scanner.offset - 1) }
            position.location = .end
        case .wrapperKey: try takeWrapperKey(&scanner)
        case .wrapped: try beginRecords(&scanner, in: window, into: target)
        case .skippedValue:
            if try position.skipped.takeToken(&scanner, in: window) {
                position.location = .wrapperMemberOrEnd(isFirst: false)
            }
        case .listMemberOrEnd(let isFirst):
            position.location = try scanner.isClosed(UInt8(ascii: "]"), isFirst: isFirst) ? afterRecords : .listMember
        case .listMember:
            let key = shape == .map ? indexText() : nil
            try takeRecord(&scanner, key: key, in: window, into: target)
            position.location = .listMemberOrEnd(isFirst: false)
        case .mapMemberOrEnd(let isFirst):
            position.location = try scanner.isClosed(UInt8(ascii: "}"), isFirst: isFirst) ? .end : .mapMember
        case .mapMember:
            let key = try scanner.key()
            try takeRecord(&scanner, key: key, in: window, into: target)
            position.location = .mapMemberOrEnd(isFirst: false)
        case .end: throw JSONSyntaxError(.trailingContent, at: scanner.offset)
        }
    }

    mutating func takeRecord(
        _ scanner: inout JSONScanner, key: JSONScanner.Text?, in window: PayloadWindow, into target: some PayloadTarget
    ) throws {
        try window.refuseCutNumber(&scanner)
        let isHole = shape == .map && scanner.peek() == UInt8(ascii: "n")
        if isHole {
            _ = try scanner.null()
        } else {
            do { try target.takeRecord(&scanner, index: position.index, key: key) } catch let error as JSONSyntaxError {
                if window.mayEndTooEarly(error) { target.recordIsCut() }
                throw error
            }
            position.recordCount += 1
        }
        position.index += 1
    }

    /// The index as a key, in quotes like other keys.
    private func indexText() -> JSONScanner.Text {
        let quoted = indexTexts.copy("\"\(position.index)\"")
        return JSONScanner.Text(bytes: UnsafeBufferPointer(rebasing: quoted.dropFirst().dropLast()), hasEscapes: false)
    }
}
