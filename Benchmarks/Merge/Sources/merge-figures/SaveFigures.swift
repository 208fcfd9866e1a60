import Archive
import Contests
import Figures
import Foundation
import LockstepStore
import LockstepSync

/// How long a save waits while a large payload is merged: the app's user types meanwhile.
struct SaveFigures {
    let workplace: Workplace
    let rounds: Int
    let count: Int

    /// The time between two saves, in milliseconds: more often than one types.
    private static let pause = 10

    func print() async throws {
        let payload = Payloads.articles(count)
        Markdown.header(["\(count / 1_000)k articles are merged", "merge", "longest save", "saves"])
        for (name, commits) in [
            ("in one transaction", MergeOptions.Commits.once), ("every 50 ms", .every(milliseconds: 50)),
        ] {
            for isKnown in [false, true] {
                try await print(name + (isKnown ? ", nothing changed" : ", empty table"), payload, commits, isKnown)
            }
        }
        workplace.remove("saves")
    }

    private func print(
        _ title: String, _ payload: Data, _ commits: MergeOptions.Commits, _ isKnown: Bool
    ) async throws {
        var (merges, longest, numbers): ([Double], [Double], [Double]) = ([], [], [])
        for round in 0...rounds {
            let store = try workplace.store(try workplace.database("saves", with: isKnown ? payload : nil))
            try await store.perform { context in
                _ = Author(id: 1, name: "0", context: context)
                try context.save()
            }
            var options = MergeOptions()
            options.commits = commits
            let saves = Task { try await self.saves(in: store) }
            let time = try await timed {
                let summary = try await store.merge(payload, into: Article.self, options: options)
                expect(isKnown ? summary.unchanged : summary.inserted, count)
            }
            saves.cancel()
            let waits = try await saves.value
            try store.close()
            guard round > 0 else { continue }
            merges.append(time.wall)
            longest.append(waits.max() ?? 0)
            numbers.append(Double(waits.count))
        }
        Markdown.row([
            title, milliseconds(Figures.median(merges)),
            "\(milliseconds(Figures.median(longest))) (\(milliseconds(longest.min() ?? 0))–\(milliseconds(longest.max() ?? 0)))",
            fixed(Figures.median(numbers), 0),
        ])
    }

    /// Saves an edit again and again, until it is cancelled.
    ///
    /// - Returns: The times that the saves took, in seconds.
    private func saves(in store: Store) async throws -> [Double] {
        var waits: [Double] = []
        while !Task.isCancelled {
            let number = waits.count
            waits.append(
                try await store.perform { context in
                    guard let author = try Author.find(1, in: context) else { fatalError("the author is gone") }
                    author.name = "\(number + 1)"
                    return try timed { try context.save() }.wall
                })
            try? await Task.sleep(for: .milliseconds(Self.pause))
        }
        return waits
    }
}
