import Foundation
import LockstepStore
import TestSupport

@testable import LockstepMerge

/// M11 The delivery of a payload does not affect the result.
enum PieceProperty {
    /// Merges each payload as a whole, and in pieces; returns the differences.
    static func pieces(_ story: RandomStory) async throws -> String? {
        try await pieces(story, comparesReports: true)
    }

    /// The same for rows only: a record that one piece changes and a later one changes back counts as updated.
    static func rowsOfPieces(_ story: RandomStory) async throws -> String? {
        try await pieces(story, comparesReports: false)
    }

    /// After several transactions, and one merge in a single transaction, a store has every row that it would have
    /// without the several ones. It can have more: what a to-one had, and what has no owner.
    static func rowsOfCommits(_ story: RandomStory) async throws -> String? {
        for count in [1, 2] {
            let (whole, pieces) = (try story.openStore(), try story.openStore())
            let (options, others) = (RandomStory.options(), RandomStory.options())
            var commits = others
            commits.commits = .every(milliseconds: 50)
            commits.pieceRecordCount = count
            for (number, step) in story.steps.enumerated() {
                try await story.merge(step, into: whole, options)
                let summary = try await story.merge(step, into: pieces, commits)
                // Those without an identity are replaced, which counts as a delete.
                if let deleted = summary.entities.first(where: { $0.deleted > 0 && isIdentified($0, story) }) {
                    return "step \(number), \(count) at a time: \(deleted)"
                }
                try await story.merge(step, into: pieces, others)
                let (rows, cutRows) = (try await CanonicalRows(of: whole), try await CanonicalRows(of: pieces))
                if !cutRows.contains(rows) {
                    return "step \(number), whole -, \(count) at a time +:\n\(rows.difference(from: cutRows))"
                }
            }
        }
        return nil
    }

    private static func isIdentified(_ entity: EntityMerge, _ story: RandomStory) -> Bool {
        story.plans.contains { $0.name == entity.entity && !$0.isWithoutIdentity }
    }

    private static func pieces(_ story: RandomStory, comparesReports: Bool) async throws -> String? {
        try await withTemporaryFolder { folder in
            for cut in Cut.some(for: story) {
                let (whole, pieces) = (try story.openStore(), try story.openStore())
                let (options, others) = (RandomStory.options(), RandomStory.options())
                for (number, step) in story.steps.enumerated() {
                    let one = try await story.merge(step, into: whole, options)
                    let file = folder.appendingPathComponent("payload.json")
                    let other = try await cut.merge(step, of: story.model(of: step), into: pieces, file, others)
                    let (rows, cutRows) = (try await CanonicalRows(of: whole), try await CanonicalRows(of: pieces))
                    if rows != cutRows {
                        return "step \(number), whole -, \(cut) +:\n\(rows.difference(from: cutRows))"
                    }
                    if comparesReports, one.told != other.told {
                        return "step \(number), whole: \(one.told)\n\(cut): \(other.told)"
                    }
                }
            }
            return nil
        }
    }

    /// A way to split a payload.
    enum Cut {
        case batches(Int)
        /// A file of which this number of bytes is available at first.
        case windows(Int)
        /// Pages of this number of records.
        case pages(Int)

        /// The number of ways to split a story; the others are used for other seeds.
        private static let countOfEach = 3

        static func some(for story: RandomStory) -> [Cut] {
            let largest = story.steps.map { $0.text.utf8.count }.max() ?? 1
            var random = SeededRandom(seed: story.seed &+ 7)
            let anywhere = Int.random(in: 1...max(1, largest), using: &random)
            let cuts: [Cut] = [
                .batches(1), .batches(2), .batches(3), .windows(1), .windows(100), .windows(anywhere),
                .windows(largest + 1), .pages(1), .pages(2),
            ]
            return Array(cuts.shuffled(using: &random).prefix(Self.countOfEach))
        }

        func merge<Object: Model>(
            _ step: RandomStory.Step, of type: Object.Type, into store: Store, _ file: URL,
            _ options: MergeOptions
        ) async throws -> MergeSummary {
            var options = options
            switch self {
            case .batches(let limit):
                options.batchRecordLimit = limit
                return try await store.merge(step.text, into: type, options: options)
            case .windows(let size):
                options.windowByteCount = size
                try Data(step.text.utf8).write(to: file)
                return try await store.merge(contentsOf: file, into: type, options: options)
            case .pages(let count):
                let pages = stride(from: 0, to: max(1, step.records.count), by: count).map { first in
                    var page = step
                    page.records = Array(step.records[first..<min(first + count, step.records.count)])
                    return (body: PayloadBody.text(page.text), shape: PayloadShape.records)
                }
                return try await store.merge(pages, into: type, scope: .all, options: options)
            }
        }
    }
}

extension MergeSummary {
    /// All that the summary reports of the records.
    fileprivate var told: String {
        (entities.map(\.description) + skipped.map(\.description) + notes.map(\.description).sorted())
            .joined(separator: "\n")
    }
}
