package import Foundation
import LockstepJSON
package import LockstepSystem
package import LockstepTables

/// The bytes of a payload that was received completely.
package enum PayloadBody: Sendable {
    case data(Data)
    case text(String)
    case bytes([UInt8])
    case file(OpenFile)

    /// - Throws: `FileError.cannotRead`.
    package func byteCount() throws -> Int {
        switch self {
        case .data(let data): data.count
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .file(let file): try file.byteCount()
        }
    }
}

extension PayloadBody {
    /// Passes the records to `target`, one after another.
    ///
    /// A payload in memory is one window, without a copy; a file is read in windows.
    ///
    /// - Returns: The number of records.
    /// - Throws: `JSONSyntaxError` with the offset in the whole payload; `PayloadError`; `FileError`;
    ///   `CancellationError`; errors of `target`; `PayloadReader.RepeatedKey` if the records passed so far do not
    ///   count, and the payload must be read again with `repetitions(in:_:)`.
    func read(
        _ shape: PayloadShape, passingOver passedOver: Int = 0, windowSize: Int = PayloadFileWindows.defaultSize,
        passingTo target: some PayloadTarget, watch: PayloadWatch
    ) throws -> Int {
        var position = PayloadPosition()
        try read(
            from: &position, as: shape, passingOver: passedOver, windowSize: windowSize, passingTo: target,
            watch: watch)
        return position.recordCount
    }

    /// Passes the records after a position to `target`, until it is full.
    ///
    /// - Returns: Whether the payload was read to its end.
    @discardableResult
    func read(
        from position: inout PayloadPosition, as shape: PayloadShape, passingOver passedOver: Int, windowSize: Int,
        passingTo target: some PayloadTarget, watch: PayloadWatch
    ) throws -> Bool {
        var reader = PayloadReader(shape, passingOver: passedOver, from: position)
        try feed(&reader, windowSize: windowSize, into: target, watch: watch)
        position = reader.position
        return !reader.isPaused(for: target)
    }

    /// The number of occurrences of a wrapper's key before the last one, which counts.
    package func repetitions(
        in shape: PayloadShape, windowSize: Int = PayloadFileWindows.defaultSize, watch: PayloadWatch
    ) throws -> Int {
        var reader = PayloadReader(shape, passingOver: .max)
        try feed(&reader, windowSize: windowSize, into: NoTarget(), watch: watch)
        return max(0, reader.position.occurrences - 1)
    }

    private func feed(
        _ reader: inout PayloadReader, windowSize: Int, into target: some PayloadTarget, watch: PayloadWatch
    ) throws {
        switch self {
        case .data(let data):
            try data.withUnsafeBytes {
                try $0.withMemoryRebound(to: UInt8.self) { try reader.feed($0, into: target, watch: watch) }
            }
        case .text(var text): try text.withUTF8 { try reader.feed($0, into: target, watch: watch) }
        case .bytes(let bytes): try bytes.withUnsafeBufferPointer { try reader.feed($0, into: target, watch: watch) }
        case .file(let file):
            var windows = try PayloadFileWindows(file, size: windowSize, from: reader.position.offset)
            try windows.feed(&reader, into: target, watch: watch)
        }
    }
}

/// A target that ignores the records, to read only what surrounds them.
private final class NoTarget: PayloadTarget {
    func takeRecord(_ scanner: inout JSONScanner, index: Int, key: JSONScanner.Text?) throws { try scanner.skipValue() }
    func recordIsCut() {}
    func windowEnds() {}
}

extension PayloadReader {
    /// Reads the whole payload at once, or what is left of it.
    fileprivate mutating func feed(
        _ bytes: UnsafeBufferPointer<UInt8>, into target: some PayloadTarget, watch: PayloadWatch
    ) throws {
        try watch.checkCancellation()
        let start = position.offset
        let rest = UnsafeBufferPointer(rebasing: bytes[start...])
        position.offset += try feed(
            PayloadWindow(bytes: rest, baseOffset: start, isLast: true), into: target, watch: watch)
        if !isPaused(for: target) { try watch.didReachEnd(offset: bytes.count, recordCount: position.recordCount) }
        try target.windowEnds()
    }
}
