import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem
import TestSupport

/// Properties of any story. Each returns the problem, or nothing.
enum MergeProperty {
    /// M1 to M5, M9, M12, M13, R1 to R8: rows and counts are those of a merger in dictionaries
    static func reference(_ story: RandomStory) async throws -> String? {
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

    /// M15 A second merge changes nothing, reports that and writes nothing
    static func twiceIsOnce(_ story: RandomStory) async throws -> String? {
        let (store, options) = (try story.openStore(), RandomStory.options())
        for (number, step) in story.steps.enumerated() {
            var first = try await story.merge(step, into: store, options)
            // Records that were skipped as incomplete, and that another part of the payload has created (M15). They can
            // complete others.
            var dry = options
            dry.isDryRun = true
            while try await story.merge(step, into: store, dry).skipped.count < first.skipped.count {
                first = try await story.merge(step, into: store, options)
            }
            let rows = try await CanonicalRows(of: store)
            let before = try await store.writer.write { $0.totalChangesCount }
            let (second, statements) = try await tracing(store) { try await story.merge(step, into: store, options) }
            let again = try await CanonicalRows(of: store)
            if second.hasChanges || again != rows {
                let difference = rows.difference(from: again)
                return "step \(number), first \(first); again \(second); once -, twice +:\n\(difference)"
            }
            let more = try await store.writer.write { $0.totalChangesCount } - before
            if more != 0 {
                return "step \(number): \(more) rows were written again:\n\(statements.joined(separator: "\n"))"
            }
        }
        return nil
    }

    /// Runs `body`, and returns the statements by which it writes, too.
    private static func tracing<Result: Sendable>(
        _ store: Store, _ body: () async throws -> Result
    ) async throws -> (Result, statements: [String]) {
        let statements = Locked<[String]>([])
        try await store.writer.write { database in
            database.trace { event in
                let sql = "\(event)"
                if ["INSERT", "UPDATE", "DELETE"].contains(where: sql.hasPrefix) {
                    statements.withLock { $0.append(sql) }
                }
            }
        }
        let result = try await body()
        try await store.writer.write { $0.trace(options: []) }
        return (result, statements.withLock { $0 })
    }

    /// M11 Any order of the records and any split into merges result in the same rows
    static func order(_ story: RandomStory) async throws -> String? {
        let expected = try await rows(after: story)
        var random = SeededRandom(seed: story.seed &+ 1)
        var other = story
        other.steps = story.steps.flatMap { step in
            step.records.map { RandomStory.Step(entity: step.entity, records: [$0], textSeed: random.next()) }
        }.shuffled(using: &random)
        let others = try await rows(after: other)
        return expected == others ? nil : "in one order -, in another +:\n\(expected.difference(from: others))"
    }

    /// M11 The batches of a payload do not affect the result
    static func batches(_ story: RandomStory) async throws -> String? {
        for limit in [1, 2, 3] {
            var options = RandomStory.options()
            let (whole, cut) = (try story.openStore(), try story.openStore())
            for (number, step) in story.steps.enumerated() {
                options.batchRecordLimit = .max
                try await story.merge(step, into: whole, options)
                options.batchRecordLimit = limit
                try await story.merge(step, into: cut, options)
                let (rows, others) = (try await CanonicalRows(of: whole), try await CanonicalRows(of: cut))
                if rows != others {
                    return "step \(number), whole -, in batches of \(limit) +:\n\(rows.difference(from: others))"
                }
            }
        }
        return nil
    }

    /// Invariant 8: representations result in the same rows and the same summary as the bytes
    static func roads(_ story: RandomStory) async throws -> String? {
        let (bytes, typed) = (try story.openStore(), try story.openStore())
        // Each store makes identities of its own.
        let (bytesOptions, typedOptions) = (RandomStory.options(), RandomStory.options())
        var random = SeededRandom(seed: story.seed &+ 8)
        for (number, step) in story.steps.enumerated() {
            let vary = RandomStory.options(&random)
            let one = await outcome { try await story.merge(step, into: bytes, vary(bytesOptions)) }
            let two = await outcome {
                let options = vary(typedOptions)
                return try await RandomStory.mergeDecoded(step, into: story.model(of: step), typed, options)
            }
            let (rows, others) = (try await CanonicalRows(of: bytes), try await CanonicalRows(of: typed))
            if rows != others { return "step \(number), bytes -, typed +:\n\(rows.difference(from: others))" }
            if one != two { return "step \(number): bytes \(one)\ntyped \(two)" }
        }
        return nil
    }

    /// Everything that a merge reports, or its error.
    private static func outcome(_ merge: () async throws -> MergeSummary) async -> String {
        do {
            let summary = try await merge()
            let skipped = summary.skipped.map { "\n\($0)" }.joined()
            // A remark is about the form of the payload, which representations do not have.
            let notes = summary.notes.filter { $0.code != .remark }.map { "\n\($0)" }.joined()
            return "\(summary.entities)\(skipped)\(notes)"
        } catch let error as MergeError {
            return "\(error.code) \(error.entity ?? "") \(error.index ?? -1) \(error.keyPath) \(error.reason)"
        } catch { return "\(error)" }
    }

    /// M10 Two concurrent merges of the same payload leave one set
    static func atOnce(_ story: RandomStory) async throws -> String? {
        let (store, other, options) = (try story.openStore(), try story.openStore(), RandomStory.options())
        for step in story.steps {
            async let one = story.merge(step, into: store, options)
            async let two = story.merge(step, into: store, options)
            let summaries = try await [one, two]
            // A record that the first one has skipped may be complete now (M15).
            let mayAddMore = summaries.contains { !$0.skipped.isEmpty }
            if summaries.allSatisfy(\.hasChanges), !mayAddMore { return "both changed something: \(summaries)" }
            for _ in 1...(mayAddMore ? 2 : 1) { try await story.merge(step, into: other, options) }
        }
        let (actual, expected) = (try await CanonicalRows(of: store), try await CanonicalRows(of: other))
        return expected == actual ? nil : expected.difference(from: actual)
    }

    /// Invariant 6: a truncated payload changes nothing, even if it ends after a record (M7.2)
    static func truncated(_ story: RandomStory) async throws -> String? {
        let (store, options) = (try story.openStore(), RandomStory.options())
        var random = SeededRandom(seed: story.seed)
        for step in story.steps {
            let before = try await CanonicalRows(of: store)
            let bytes = Array(step.text.utf8)
            var cut = Data(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
            if random.isOne(in: 3) {
                let count = Int.random(in: 0...step.records.count, using: &random)
                let records = step.records.prefix(count).map { PayloadNode.object($0).text(&random) }
                cut = Data("[\(records.joined(separator: ","))".utf8)
            }
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

    /// A dry run reports what the merge will do, and does nothing
    static func dryRun(_ story: RandomStory) async throws -> String? {
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

    private static func rows(after story: RandomStory) async throws -> CanonicalRows {
        let (store, options) = (try story.openStore(), RandomStory.options())
        for step in story.steps { try await story.merge(step, into: store, options) }
        return try await CanonicalRows(of: store)
    }
}

extension ReferenceMerger.Outcome {
    /// The differences between the counts of identified records; `nil` if there are none.
    func difference(from summary: MergeSummary) -> String? {
        let pairs: [(MergeOutcome, Set<ReferenceMerger.Listed>)] = [
            (.inserted, inserted), (.updated, updated), (.unchanged, unchanged), (.deleted, deleted),
        ]
        // Records without identity are counted too; they are replaced, whatever became of them.
        let identified = Set((inserted.union(updated).union(unchanged).union(deleted)).map(\.entity))
        for entity in summary.entities where identified.contains(entity.entity) {
            for (outcome, records) in pairs {
                let expected = records.count { $0.entity == entity.entity }
                if entity.count(outcome) != expected {
                    return "\(entity.entity): expected \(expected) \(outcome), got \(summary)"
                }
            }
        }
        // The problem of a skipped record is reported too.
        if summary.skipped.count < skippedCount { return "expected \(skippedCount) skipped, got \(summary)" }
        return nil
    }
}
