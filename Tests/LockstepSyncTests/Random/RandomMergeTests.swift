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
        let count = environment["MERGE_SEEDS"].flatMap { UInt64($0) } ?? 45
        return first..<(first + count)
    }()

    /// More than this many failures say nothing new.
    private static let failureLimit = 3

    /// Tries a property with many stories; of one that fails, it tells the shortest that fails too.
    private func check(
        _ style: PayloadStyle, states: Int, _ problem: (RandomStory) async throws -> String?
    ) async throws {
        var failures = 0
        for seed in Self.seeds where failures < Self.failureLimit {
            let story = RandomStory(seed: seed, style, stateCount: states)
            guard await answer(story, problem) != nil else { continue }
            failures += 1
            let shrunk = await story.shrunk { await answer($0, problem) != nil }
            Issue.record("\(shrunk.report(await answer(shrunk, problem) ?? "gone"))")
        }
    }

    /// What is wrong with a story; an error is wrong too.
    private func answer(_ story: RandomStory, _ problem: (RandomStory) async throws -> String?) async -> String? {
        do { return try await problem(story) } catch { return "\(error)" }
    }

    // MARK: The rows are right

    @Test("M1 to M5, M9, M12, M13, R1 to R8: rows and counts are those of a merger in dictionaries")
    func reference() async throws {
        try await check(.wild, states: 3) { story in
            let (store, options) = (try story.openStore(), RandomStory.options())
            var reference = ReferenceMerger(story.plans, now: RandomStory.now.timeIntervalSince1970.databaseValue)
            for (number, step) in story.steps.enumerated() {
                let summary = try await story.merge(step, into: store, options)
                let outcome = reference.merge(step.records, into: step.entity)
                let (actual, expected) = (try await CanonicalRows(of: store), reference.store.canonicalRows)
                if actual != expected {
                    return "after step \(number), expected - and actual +:\n\(expected.difference(from: actual))"
                }
                if let difference = outcome.difference(from: summary) { return "after step \(number): \(difference)" }
            }
            return nil
        }
    }

    @Test("M15 Twice is once: the second merge changes nothing, says so and writes nothing")
    func twiceIsOnce() async throws {
        try await check(.wild, states: 2) { story in
            let (store, options) = (try story.openStore(), RandomStory.options())
            for (number, step) in story.steps.enumerated() {
                let first = try await story.merge(step, into: store, options)
                let rows = try await CanonicalRows(of: store)
                let writes = try await store.writer.write { $0.totalChangesCount }
                let second = try await story.merge(step, into: store, options)
                if second.hasChanges { return "step \(number), first \(first); again \(second)" }
                if try await CanonicalRows(of: store) != rows { return "step \(number): other rows" }
                let more = try await store.writer.write { $0.totalChangesCount } - writes
                if more != 0 { return "step \(number): \(more) rows were written again" }
            }
            return nil
        }
    }

    @Test("M11 Any order of the records and any split into merges end in the same rows")
    func order() async throws {
        try await check(.complete, states: 1) { story in
            let rows = try await rows(after: story)
            var random = SeededRandom(seed: story.seed &+ 1)
            var other = story
            other.steps = story.steps.flatMap { step in
                step.records.map { RandomStory.Step(entity: step.entity, records: [$0], textSeed: random.next()) }
            }.shuffled(using: &random)
            let others = try await self.rows(after: other)
            return rows == others ? nil : "in one order -, in another +:\n\(rows.difference(from: others))"
        }
    }

    private func rows(after story: RandomStory) async throws -> CanonicalRows {
        let (store, options) = (try story.openStore(), RandomStory.options())
        for step in story.steps { try await story.merge(step, into: store, options) }
        return try await CanonicalRows(of: store)
    }

    @Test("M10 Two merges at once with the same payload leave one set")
    func atOnce() async throws {
        try await check(.complete, states: 2) { story in
            let rows = try await rows(after: story)
            let (store, options) = (try story.openStore(), RandomStory.options())
            for step in story.steps {
                async let one = story.merge(step, into: store, options)
                async let two = story.merge(step, into: store, options)
                let summaries = try await [one, two]
                if summaries.allSatisfy(\.hasChanges) { return "both changed something: \(summaries)" }
            }
            let actual = try await CanonicalRows(of: store)
            return rows == actual ? nil : rows.difference(from: actual)
        }
    }

    // MARK: What is broken changes nothing

    @Test("Invariant 6: a payload that ends too soon changes nothing")
    func truncated() async throws {
        try await check(.complete, states: 2) { story in
            let (store, options) = (try story.openStore(), RandomStory.options())
            var random = SeededRandom(seed: story.seed)
            for step in story.steps {
                let before = try await CanonicalRows(of: store)
                let bytes = Array(step.text.utf8)
                let cut = Data(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
                do {
                    let summary = try await RandomStory.merge(cut, into: story.model(of: step), store, options)
                    return "\(cut.count) of \(bytes.count) bytes were merged: \(summary)"
                } catch is MergeError {}
                let after = try await CanonicalRows(of: store)
                if after != before { return "cut to \(cut.count):\n\(before.difference(from: after))" }
                try await story.merge(step, into: store, options)
            }
            return nil
        }
    }

    @Test("A dry run says what the merge will do, and does nothing")
    func dryRun() async throws {
        try await check(.wild, states: 2) { story in
            let (store, options) = (try story.openStore(), RandomStory.options())
            var dry = options
            dry.isDryRun = true
            for step in story.steps {
                let before = try await CanonicalRows(of: store)
                let said = try await story.merge(step, into: store, dry)
                if try await CanonicalRows(of: store) != before { return "a dry run changed rows" }
                let done = try await story.merge(step, into: store, options)
                if said.entities.map(\.description) != done.entities.map(\.description) {
                    return "said \(said), did \(done)"
                }
            }
            return nil
        }
    }
}

extension ReferenceMerger.Outcome {
    /// How the counts of identified records differ; `nil` where they do not.
    func difference(from summary: MergeSummary) -> String? {
        let pairs: [(MergeOutcome, Set<ReferenceMerger.Listed>)] = [
            (.inserted, inserted), (.updated, updated), (.unchanged, unchanged), (.deleted, deleted),
        ]
        for entity in summary.entities {
            for (outcome, records) in pairs {
                let expected = records.count { $0.entity == entity.entity }
                if entity.count(outcome) != expected {
                    return "\(entity.entity): expected \(expected) \(outcome), got \(summary)"
                }
            }
        }
        if summary.skipped.count != skippedCount { return "expected \(skippedCount) skipped, got \(summary)" }
        return nil
    }
}
