@testable import LockstepJSON
@testable import LockstepMerge
@testable import LockstepMergeEngine

/// Records the payload's records, as text.
final class RecordingTarget: PayloadTarget {
    private(set) var records: [Record] = []
    /// The number of records cut by the end of a window.
    private(set) var cutCount = 0
    private(set) var windowCount = 0
    /// The number of bytes scanned in records, including those that were cut.
    private(set) var scannedCount = 0
    private var beganAt: Int?
    private let onRecord: (Int) throws -> Void

    struct Record: Hashable {
        var index: Int
        var key: String?
        var offset: Int
        var json: String
    }

    init(onRecord: @escaping (Int) throws -> Void = { _ in }) { self.onRecord = onRecord }

    func takeRecord(_ scanner: inout JSONScanner, index: Int, key: JSONScanner.Text?) throws {
        _ = scanner.peek()
        let (first, offset) = (scanner.cursor, scanner.offset)
        beganAt = offset
        defer { scannedCount += scanner.offset - offset }
        try scanner.skipValue()
        try onRecord(index)
        beganAt = nil
        records.append(
            Record(
                index: index, key: key.map { String(decoding: $0.bytes, as: UTF8.self) }, offset: offset,
                json: String(decoding: UnsafeBufferPointer(start: first, count: scanner.cursor - first), as: UTF8.self))
        )
    }

    func recordIsCut() {
        precondition(beganAt != nil, "a record is cut only where one has begun")
        beganAt = nil
        cutCount += 1
    }

    func windowEnds() { windowCount += 1 }
}

/// The result of reading a payload: its records, or the error.
enum ReadingOutcome: Equatable {
    case records([RecordingTarget.Record])
    case notJSON(JSONSyntaxError)
    case refused(PayloadError)
    case repeatedKey

    var records: [RecordingTarget.Record]? {
        if case .records(let records) = self { records } else { nil }
    }

    init(_ target: RecordingTarget, reading: (RecordingTarget) throws -> Void) throws {
        do {
            try reading(target)
            self = .records(target.records)
        } catch let error as JSONSyntaxError {
            self = .notJSON(error)
        } catch let error as PayloadError {
            self = .refused(error)
        } catch is PayloadReader.RepeatedKey {
            self = .repeatedKey
        }
    }

    /// Reads a payload that is wholly in memory.
    init(_ bytes: [UInt8], _ shape: PayloadShape) throws {
        try self.init(RecordingTarget()) {
            _ = try PayloadBody.bytes(bytes).read(shape, passingTo: $0, watch: PayloadWatch())
        }
    }

    init(_ text: String, _ shape: PayloadShape = .records) throws { try self.init(Array(text.utf8), shape) }

    /// Reads a payload of which more and more is available: up to each of these positions.
    init(_ bytes: [UInt8], _ shape: PayloadShape, splitAt ends: [Int]) throws {
        try self.init(RecordingTarget()) { target in
            var reader = PayloadReader(shape)
            let watch = PayloadWatch()
            var first = 0
            for end in ends + [bytes.count] {
                // A separate allocation for each window: reading beyond its end is reported by a sanitizer.
                let window = Array(bytes[first..<end])
                first += try window.withUnsafeBufferPointer {
                    let window = PayloadWindow(bytes: $0, baseOffset: first, isLast: false)
                    return try reader.feed(window, into: target, watch: watch)
                }
                precondition(first <= end, "no more is consumed than there is")
            }
            try Array(bytes[first...]).withUnsafeBufferPointer {
                _ = try reader.feed(
                    PayloadWindow(bytes: $0, baseOffset: first, isLast: true), into: target, watch: watch)
            }
        }
    }
}
