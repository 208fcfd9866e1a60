import Foundation
import LockstepStore
import LockstepSystem
import Testing

@testable import LockstepMergeEngine

@testable import LockstepMerge
@testable import LockstepSync

@Suite("Observing the reading of a payload")
struct PayloadWatchTests {
    private static let many = "[" + (0..<50_000).map { #"{"id": \#($0)}"# }.joined(separator: ",") + "]"

    @Test("Progress is reported after a number of records, not for each, and increases")
    func progress() throws {
        let reports = Locked<[MergeProgress]>([])
        let count = Self.many.utf8.count
        let watch = watch(count, reports)
        _ = try PayloadBody.text(Self.many).read(.records, passingTo: RecordingTarget(), watch: watch)
        let told = reports.withLock { $0 }
        #expect(told.map(\.recordsRead) == [10_000, 20_000, 30_000, 40_000, 50_000, 50_000])
        #expect(told.map(\.bytesRead) == told.map(\.bytesRead).sorted())
        #expect(told.allSatisfy { $0.byteCount == count && $0.bytesRead <= count })
        #expect(told.map(\.stage) == [.reading, .reading, .reading, .reading, .reading, .merging])
        #expect(told.last?.bytesRead == count)
    }

    @Test("For large records, progress is reported after a number of bytes")
    func progressOfLargeRecords() throws {
        let reports = Locked<[MergeProgress]>([])
        let text =
            "[" + (0..<10).map { _ in "\"" + String(repeating: "x", count: 2_000_000) + "\"" }.joined(separator: ",")
            + "]"
        let watch = watch(text.utf8.count, reports)
        _ = try PayloadBody.text(text).read(.records, passingTo: RecordingTarget(), watch: watch)
        #expect(reports.withLock { $0.map(\.recordsRead) } == [3, 6, 9, 10])
    }

    @Test("A payload that is read again reports no progress until it passes the previous position")
    func monotone() throws {
        let reports = Locked<[MergeProgress]>([])
        let told = try #require(
            MergeProgressReports(byteCount: Self.many.utf8.count) { report in reports.withLock { $0.append(report) } })
        for _ in 0..<2 {
            let watch = PayloadWatch(MergeCancellation(), reports: told)
            _ = try PayloadBody.text(Self.many).read(.records, passingTo: RecordingTarget(), watch: watch)
        }
        told.reportCompletion()
        let stages = reports.withLock { $0.map(\.stage) }
        #expect(stages == Array(repeating: .reading, count: 5) + [.merging, .merging, .complete])
    }

    @Test("Cancelling takes effect within a few records: in memory, in skipped values, and while counting")
    func cancellation() throws {
        let cancellation = MergeCancellation()
        let watch = PayloadWatch(cancellation)
        let target = RecordingTarget { if $0 == 1_000 { cancellation.request() } }
        #expect(throws: CancellationError.self) {
            try PayloadBody.text(Self.many).read(.records, passingTo: target, watch: watch)
        }
        #expect((1_000...1_100).contains(target.records.count))
        let wrapped = PayloadBody.text(#"{"other": \#(Self.many), "p": []}"#)
        #expect(throws: CancellationError.self) { try wrapped.repetitions(in: .wrapped(key: "p"), watch: watch) }
    }

    private func watch(_ byteCount: Int, _ reports: Locked<[MergeProgress]>) -> PayloadWatch {
        PayloadWatch(
            MergeCancellation(),
            reports: MergeProgressReports(byteCount: byteCount) { report in reports.withLock { $0.append(report) } }
        )
    }
}
