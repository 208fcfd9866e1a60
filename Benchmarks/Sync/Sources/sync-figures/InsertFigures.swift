import Contests
import Diary
import Figures
import Foundation
import GRDB
import LockstepStore

/// What it costs to record new records in the outbox: rows by a prepared statement in one transaction, which fires the
/// triggers, and one save of a context.
struct InsertFigures {
    let workplace: Workplace
    let rounds: Int
    let count: Int

    func print() async throws {
        let samples = (0..<count).map { Sample($0).values }
        func runner(_ name: String, _ table: String, suppressesOutbox: Bool = false, pending: Int) -> Runner {
            Runner(name: name) {
                let queue = try Workplace.connection(try workplace.database("insert"))
                let time = try timed {
                    try queue.write {
                        try Workplace.insert(samples, into: table, suppressesOutbox: suppressesOutbox, $0)
                    }
                }
                expect(try queue.read(Workplace.pendingCount), pending, "pending")
                try queue.close()
                return time
            }
        }
        let runners = [
            runner("no triggers", "draft", pending: 0),
            runner("triggers, quiet", "article", suppressesOutbox: true, pending: 0),
            runner("triggers, capturing", "article", pending: count),
        ]
        try await print("insert \(count / 1_000)k rows by a prepared statement", runners, "no triggers")
        try await print(
            "save \(count / 1_000)k new models",
            [
                saver("not recorded", pending: 0) { sample, context in sample.draft(in: context) },
                saver("recorded", pending: count) { sample, context in sample.article(in: context) },
            ], "not recorded", budget: .capture)
        workplace.remove("insert")
    }

    /// Saves new models; creating them is not measured.
    private func saver(
        _ name: String, pending: Int, _ make: @escaping @Sendable (Sample, ManagedObjectContext) -> Void
    ) -> Runner {
        Runner(name: name) { [count] in
            let url = try workplace.database("insert")
            let store = try workplace.store(url)
            let time = try await store.perform { context in
                for number in 0..<count { make(Sample(number), context) }
                return try timed { try context.save() }
            }
            expect(try await store.outbox.pending().count, pending, "pending")
            try store.close()
            return time
        }
    }

    /// - Parameter first: What the others are compared with.
    private func print(_ title: String, _ runners: [Runner], _ first: String, budget: Budget? = nil) async throws {
        let times = try await race(runners, rounds: rounds)
        Markdown.header([title, "processor", "wall", ": \(first)"])
        for (runner, own) in zip(runners, times) {
            let ratio = Ratio(own.map(\.processor), to: times[0].map(\.processor))
            Markdown.row(
                [
                    runner.name, Spread(own.map(\.processor)).text(milliseconds),
                    Spread(own.map(\.wall)).text(milliseconds),
                ]
                    + [runner.name == runners[0].name ? "" : text(ratio)])
        }
        Swift.print()
        guard let budget else { return }
        let (floor, recorded) = (times[0].map(\.processor), times[1].map(\.processor))
        ResultsFile.append(
            BudgetResult(
                budget, lockstep: median(recorded), floor: median(floor), ratio: Ratio(recorded, to: floor)))
    }
}

extension Sample {
    fileprivate var date: Date { Date(timeIntervalSince1970: Double(createdAt)) }

    fileprivate func article(in context: ManagedObjectContext) {
        Article(
            identifier: UUID(uuidString: identifier) ?? UUID(), title: title, bodyText: bodyText,
            mood: Mood(rawValue: mood) ?? .neutral, createdAt: date, wordCount: wordCount, temperature: temperature,
            isFavourite: isFavourite, context: context)
    }

    fileprivate func draft(in context: ManagedObjectContext) {
        Draft(
            identifier: UUID(uuidString: identifier) ?? UUID(), title: title, bodyText: bodyText,
            mood: Mood(rawValue: mood) ?? .neutral, createdAt: date, wordCount: wordCount, temperature: temperature,
            isFavourite: isFavourite, context: context)
    }
}
