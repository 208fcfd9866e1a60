import Foundation
import LockstepStore
import LockstepSync
import TestSupport
import Testing

/// Payloads of random servers, merged into stores of random schemas, held against a merger in dictionaries.
///
/// `MERGE_SEEDS=20000 swift test --filter RandomMergeTests` looks longer; `MERGE_FIRST_SEED` says where to begin.
@Suite("Merging anything into anything")
struct RandomMergeTests {
    /// How many stories each property is tried with.
    private static let seeds: Range<UInt64> = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["MERGE_FIRST_SEED"].flatMap { UInt64($0) } ?? 0
        let count = environment["MERGE_SEEDS"].flatMap { UInt64($0) } ?? 15
        return first..<(first + count)
    }()

    /// More than this many failures say nothing new.
    private static let failureLimit = 3

    /// Tries a property with many stories; of one that fails, it tells the shortest that fails too.
    private func check(
        _ style: PayloadStyle, states: Int, _ property: @Sendable (RandomStory) async throws -> String?
    ) async {
        var failures = 0
        for seed in Self.seeds where failures < Self.failureLimit {
            let story = RandomStory(seed: seed, style, stateCount: states)
            guard let answer = await Self.answer(story, property) else { continue }
            failures += 1
            let shrunk = await story.shrunk { await Self.answer($0, property) != nil }
            Issue.record(
                "\(shrunk.report(await Self.answer(shrunk, property) ?? "gone"))\nbefore it was shrunk:\n\(answer)")
        }
    }

    /// What is wrong with a story; an error is wrong too.
    static func answer(
        _ story: RandomStory, _ property: @Sendable (RandomStory) async throws -> String?
    ) async -> String? {
        do { return try await property(story) } catch { return "\(error)" }
    }

    @Test("M1 to M5, M9, M12, M13, R1 to R8: rows and counts are those of a merger in dictionaries")
    func reference() async { await check(.wild, states: 3, MergeProperty.reference) }

    @Test("M15 Twice is once: the second merge changes nothing, says so and writes nothing")
    func twiceIsOnce() async { await check(.wild, states: 2, MergeProperty.twiceIsOnce) }

    @Test("M15 M16 Twice is once, also where a payload contradicts itself")
    func twiceTornIsOnce() async { await check(.torn, states: 2, MergeProperty.twiceIsOnce) }

    @Test("M16 Of a payload that contradicts itself, rows and counts are those of a merger in dictionaries")
    func tornReference() async {
        await check(.torn, states: 2, MergeProperty.reference)
    }

    @Test("M11 M16 How a payload that contradicts itself is cut into batches does not show")
    func tornBatches() async { await check(.torn, states: 2, MergeProperty.batches) }

    @Test("M11 Any order of the records and any split into merges end in the same rows")
    func order() async { await check(.complete, states: 1, MergeProperty.order) }

    @Test("M11 How a payload is cut into batches does not show")
    func batches() async { await check(.complete, states: 2, MergeProperty.batches) }

    @Test("M11 Windows of every size, files, pages and batches do not show, in rows nor in what is reported")
    func pieces() async { await check(.complete, states: 2, PieceProperty.pieces) }

    @Test("M11 M12 Nor where records want values that others have, with all that is nested in them")
    func contestedPieces() async { await check(.contested, states: 2, PieceProperty.pieces) }

    @Test("M11 M16 Nor in the rows where a payload contradicts itself")
    func tornPieces() async { await check(.torn, states: 2, PieceProperty.rowsOfPieces) }

    @Test("Invariant 8: representations that a decoder made end in the same rows as the bytes")
    func roads() async { await check(.representable, states: 3, MergeProperty.roads) }

    @Test("M10 Two merges at once with the same payload leave one set")
    func atOnce() async { await check(.complete, states: 2, MergeProperty.atOnce) }

    @Test("Invariant 6: a payload that ends too soon changes nothing")
    func truncated() async { await check(.complete, states: 2, MergeProperty.truncated) }

    @Test("P3 What is sent of a record is what its representation encodes")
    func sending() async { await check(.wild, states: 3, SendingProperty.sameAsRepresentations) }

    @Test("A dry run says what the merge will do, and does nothing")
    func dryRun() async { await check(.wild, states: 2, MergeProperty.dryRun) }
}
