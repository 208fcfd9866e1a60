import Contests
import Diary
import Figures
import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting

/// What it takes until a change that is saved on one device is shown on another, both following the same server.
struct LatencyFigures {
    let workplace: Workplace
    private let changes = 100

    private static let warmUp = """
        {"identifier":"00000000-0000-0000-0000-000000000001","title":"Here already","body_text":"","mood":"happy",\
        "created_at":"2024-01-01T00:00:00Z","word_count":0,"temperature":0,"is_favourite":false}
        """

    @MainActor func print() async throws {
        let server = try await FakeFirebase.start()
        server.set(try JSONValue(json: Data(Self.warmUp.utf8)), at: "/articles/00000000-0000-0000-0000-000000000001")
        let stores = try ["latency-one", "latency-other"].map { try workplace.store(try workplace.database($0)) }
        let runs = stores.map { store in
            Task {
                try await Sync(store: store, remote: FirebaseRemote(server.url, client: URLSessionClient())).run()
            }
        }
        // Both have merged what the server had when they began to follow it.
        for store in stores {
            while try await store.perform({ try $0.count(Article.all()) }) == 0 {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        Markdown.header(["until another device shows it", "median", "95 %", "lowest", "highest"])
        try await print(stores[0].mainContext, stores[1])
        for run in runs { run.cancel() }
        for run in runs { try await run.value }
        for store in stores { try store.close() }
        await server.stop()
        workplace.remove("latency-one", "latency-other")
        Swift.print()
    }

    @MainActor private func print(_ context: ManagedObjectContext, _ other: Store) async throws {
        let results = other.results(Article.order(\.identifier))
        let snapshots = results.makeAsyncIterator()
        guard let first = await snapshots.next(isolation: MainActor.shared) else { fatalError("no snapshot") }
        expect(first.items.count, 1, "articles at first")
        /// Saves, and waits until the other device shows what was changed.
        func wait(until isShown: ([Article]) -> Bool) async throws -> Double {
            let start = Contests.Clock()
            try await context.save()
            while let snapshot = await snapshots.next(isolation: MainActor.shared) {
                if isShown(snapshot.items) { return start.time().wall }
            }
            fatalError("the results have ended")
        }
        var creations: [Double] = []
        var articles: [Article] = []
        for place in 0..<changes {
            articles.append(article(place, context))
            creations.append(try await wait { $0.count == place + 2 })
        }
        var updates: [Double] = []
        for (place, article) in articles.enumerated() {
            let title = "Edition \(place)"
            article.title = title
            updates.append(try await wait { $0.contains { $0.identifier == article.identifier && $0.title == title } })
        }
        results.stop()
        printRow("\(changes) creations, one after the other", Spread(creations))
        printRow("\(changes) edits, one after the other", Spread(updates))
    }

    @MainActor private func article(_ place: Int, _ context: ManagedObjectContext) -> Article {
        let sample = Sample(place)
        return Article(
            title: sample.title, bodyText: sample.bodyText,
            createdAt: Date(timeIntervalSince1970: Double(sample.createdAt)),
            wordCount: sample.wordCount, temperature: sample.temperature, isFavourite: sample.isFavourite,
            context: context)
    }

    private func printRow(_ title: String, _ times: Spread) {
        Markdown.row(
            [title]
                + [times.median, times.percentile(95), times.values.min() ?? .nan, times.values.max() ?? .nan]
                .map(milliseconds))
    }
}
