import Contests
import Diary
import Figures
import Foundation
import GRDB
import LockstepStore
import LockstepSync

/// What one more edit costs with many changes that wait: it must stay flat.
struct OutboxFigures {
    let workplace: Workplace
    let count: Int
    private let edits = 200

    func print() async throws {
        let full = try workplace.database("edit-full")
        let samples = (0..<count + 3 * edits).map { Sample($0).values }
        try Workplace.write(full) { try Workplace.insert(samples, into: "article", suppressesOutbox: true, $0) }
        Markdown.header([
            "one more edit, \(count / 1_000)k records", "by SQL, 1st of its record", "by SQL, again",
            "by a context, 1st of its record",
        ])
        for pending in [0, count / 100, count / 10, count] { try await print(pending: pending, full) }
        workplace.remove("edit", "edit-full")
        Swift.print()
    }

    private func print(pending: Int, _ full: URL) async throws {
        workplace.remove("edit")
        let url = workplace.url("edit")
        try FileManager.default.copyItem(at: full, to: url)
        let (first, again) = try edit(url, pending: pending)
        let saved = try await save(url, (count + edits..<count + 2 * edits).map { Sample($0).identifier })
        Markdown.row(["\(pending) pending"] + [first, again, saved].map { Spread($0).text(duration) })
    }

    /// Changes `pending` records, and then others one by one, each in a transaction of its own.
    private func edit(_ url: URL, pending: Int) throws -> (first: [Double], again: [Double]) {
        let queue = try Workplace.connection(url)
        try queue.write { database in
            let statement = try database.makeStatement(sql: "UPDATE article SET title = 'Before' WHERE identifier = ?")
            for place in 0..<pending { try statement.execute(arguments: [Sample(place).identifier]) }
            expect(try Workplace.pendingCount(database), pending, "pending")
        }
        try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        let identifiers = (count..<count + edits).map { Sample($0).identifier }
        let times = (first: try edit(queue, identifiers, "First"), again: try edit(queue, identifiers, "Again"))
        try queue.close()
        return times
    }

    private func edit(_ queue: DatabaseQueue, _ identifiers: [String], _ title: String) throws -> [Double] {
        try queue.writeWithoutTransaction { database in
            let statement = try database.makeStatement(sql: "UPDATE article SET title = ? WHERE identifier = ?")
            return try identifiers.map { identifier in
                try timed { try statement.execute(arguments: [title, identifier]) }.wall
            }
        }
    }

    /// Edits articles that a context has, one by one.
    private func save(_ url: URL, _ identifiers: [String]) async throws -> [Double] {
        let store = try workplace.store(url)
        let times = try await store.perform { context in
            let articles = try identifiers.compactMap { identifier in
                try UUID(uuidString: identifier).flatMap { try context.find(Article.self, $0) }
            }
            expect(articles.count, identifiers.count, "articles")
            return try articles.map { article in
                article.title = "Saved"
                return try timed { try context.save() }.wall
            }
        }
        try store.close()
        return times
    }
}

/// What a push reads of the outbox before its first request leaves.
struct FirstRequestFigures {
    let workplace: Workplace
    let rounds: Int
    let count: Int

    func print() async throws {
        Markdown.header(["until the first request leaves", "wall", "processor", "`outbox.pending()`, wall"])
        for pending in [count / 100, count / 10, count] { try await print(pending) }
        workplace.remove("first")
        Swift.print()
    }

    private func print(_ pending: Int) async throws {
        let url = try workplace.database("first")
        let samples = (0..<pending).map { Sample($0).values }
        try Workplace.write(url) { try Workplace.insert(samples, into: "article", suppressesOutbox: true, $0) }
        try Workplace.write(url) { try $0.execute(sql: "UPDATE article SET title = title || ' again'") }
        let store = try workplace.store(url)
        let times = try await race(
            [
                Runner(name: "push") { try await untilFirst(store) },
                Runner(name: "pending") {
                    try await timed { expect(try await store.outbox.pending().count, pending, "pending") }
                },
            ], rounds: rounds)
        try store.close()
        Markdown.row(
            ["\(pending) pending"]
                + [times[0].map(\.wall), times[0].map(\.processor), times[1].map(\.wall)].map {
                    Spread($0).text(milliseconds)
                })
    }

    private func untilFirst(_ store: Store) async throws -> Time {
        guard let address = URL(string: "http://127.0.0.1:9") else { fatalError("no address") }
        let client = FirstRequest()
        let sync = Sync(store: store, remote: RESTRemote(address, client: client))
        do { try await sync.push() } catch is CancellationError {}
        guard let time = client.time else { fatalError("no request left") }
        return time
    }
}
