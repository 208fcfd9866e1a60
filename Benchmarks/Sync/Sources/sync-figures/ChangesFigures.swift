import Contests
import Diary
import Figures
import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting
import Synchronization

/// Pulls of a few changes in large tables, and of a collection in many pages.
struct ChangesFigures {
    let workplace: Workplace
    let rounds: Int
    let count: Int

    private let changes = 10
    private let pages = 100
    private let pageSize = 100

    func print() async throws {
        try await printChanges()
        try await printPages()
    }

    // MARK: What has changed

    private func printChanges() async throws {
        let fewer = count / 10
        Markdown.header([
            "\(changes) changes", "in \(fewer / 1_000)k records", "in \(count / 1_000)k records", "\(count) : \(fewer)",
        ])
        let names = ["changes-few", "changes-many"]
        for (name, count) in zip(names, [fewer, count]) {
            let samples = (0..<count).map { Sample($0).values }
            try Workplace.write(try workplace.database(name)) { database in
                try Workplace.insert(samples, into: "article", suppressesOutbox: true, database)
            }
        }
        let pulls = try zip(names, [fewer, count]).map {
            try ChangesPull(workplace.store(workplace.url($0)), $1, changes)
        }
        for pull in pulls { try await pull.pullAll() }
        let times = try await race(
            zip(names, pulls).map { name, pull in Runner(name: name) { try await pull.pullChanges() } },
            // One takes some milliseconds.
            rounds: rounds * 20)
        let walls = times.map { $0.map(\.wall) }
        Markdown.row(
            ["`sync.pull`"] + walls.map { Spread($0).text(milliseconds) } + [text(Ratio(walls[1], to: walls[0]))])
        for pull in pulls { try pull.store.close() }
        workplace.remove("changes-few", "changes-many")
        Swift.print()
    }

    // MARK: Pages

    private func printPages() async throws {
        Markdown.header([
            "\(pages) pages of \(pageSize) records over loopback", "`sync.pull`", "requested and decoded",
            "the same, and inserted by one statement", "pull : decoded", "pull : inserted",
        ])
        let server = try await FakeRails.start(RailsRules())
        let samples = try JSONValue(json: Sample.json(pages * pageSize)).elements
        // Each runner reads every page in each round, and in the one that does not count.
        for number in 1...pages {
            var headers: HTTPFields = [.contentType: "application/json"]
            if number < pages { headers[HTTPField.Name("Link")!] = "</articles?page=\(number + 1)>; rel=\"next\"" }
            let page = try JSONValue.array(Array(samples[(number - 1) * pageSize..<number * pageSize])).json()
            server.respondNext(
                .response(ServerResponse(200, headers: headers, body: page)),
                to: ServerRequestFilter { Int($0.parameter("page") ?? "1") == number }, times: 3 * (rounds + 1))
        }
        let runners = [
            Runner(name: "pull") { try await pull(server.url) },
            Runner(name: "decode") { try await read(server.url) { _ in } },
            Runner(name: "insert") { try await insert(server.url) },
        ]
        let times = try await race(runners, rounds: rounds).map { $0.map(\.wall) }
        Markdown.row(
            ["into an empty table"] + times.map { Spread($0).text(milliseconds) }
                + [text(Ratio(times[0], to: times[1])), text(Ratio(times[0], to: times[2]))])
        await server.stop()
        workplace.remove("pages", "pages-bare")
        Swift.print()
    }

    private func pull(_ url: URL) async throws -> Time {
        let store = try workplace.store(try workplace.database("pages"))
        let sync = Sync(store: store, remote: RESTRemote(url, client: URLSessionClient()))
        let time = try await timed {
            expect(try await sync.pull(Article.self).inserted, pages * pageSize, "pulled")
        }
        try store.close()
        return time
    }

    /// Reads every page with the same client, and decodes it.
    private func read(_ url: URL, _ body: @Sendable ([ArticleRepresentation]) throws -> Void) async throws -> Time {
        let client = URLSessionClient()
        return try await timed {
            var found = 0
            for number in 1...pages {
                let request = HTTPRequest(
                    method: .get, scheme: "http", authority: "127.0.0.1:\(url.port ?? 80)",
                    path: "/articles?page=\(number)")
                let json = try await client.send(request, body: nil).body.collected(upTo: 10_000_000)
                let articles = try JSONDecoder().decode([ArticleRepresentation].self, from: json)
                found += articles.count
                try body(articles)
            }
            expect(found, pages * pageSize, "decoded")
        }
    }

    private func insert(_ url: URL) async throws -> Time {
        let queue = try Workplace.connection(try workplace.database("pages-bare"))
        defer { try? queue.close() }
        return try await read(url) { articles in
            try queue.write { database in
                let statement = try database.makeStatement(
                    sql: "INSERT INTO article (\(Sample.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
                try database.execute(sql: "INSERT INTO lockstep_quiet DEFAULT VALUES")
                for article in articles {
                    try statement.execute(arguments: [
                        article.identifier.uuidString.lowercased(), article.title, article.bodyText,
                        article.mood.rawValue, article.createdAt.timeIntervalSince1970, article.wordCount,
                        article.temperature, article.isFavourite,
                    ])
                }
                try database.execute(sql: "DELETE FROM lockstep_quiet")
            }
        }
    }
}

/// A server that lists what has changed, and responds at once: what is left is the pull itself.
private final class ChangesPull: Sendable {
    let store: Store
    private let sync: Sync
    private let client: ChangesClient
    private let changes: Int

    init(_ store: Store, _ count: Int, _ changes: Int) throws {
        self.store = store
        self.changes = changes
        client = ChangesClient(all: Sample.json(count), records: try JSONValue(json: Sample.json(changes)).elements)
        var conventions = RESTConventions()
        conventions.reads.changes = .updatedSince(deletions: .marked(by: "deleted_at"))
        let remote = RESTRemote(URL(string: "https://server.test")!, client: client, conventions: conventions)
        sync = Sync(store: store, remote: remote)
    }

    func pullAll() async throws { try await sync.pull(Article.self) }

    func pullChanges() async throws -> Time {
        client.change()
        return try await timed { expect(try await sync.pull(Article.self).updated, changes, "updated") }
    }
}

private final class ChangesClient: HTTPClient {
    private let all: Data
    private let records: [JSONValue]
    private let changed = Mutex<(number: Int, json: Data)>((0, Data("[]".utf8)))

    init(all: Data, records: [JSONValue]) {
        (self.all, self.records) = (all, records)
    }

    /// Changes each record again.
    func change() {
        changed.withLock { changed in
            changed.number += 1
            var records = records
            for index in records.indices { records[index]["title"] = .string("change \(changed.number)") }
            changed.json = (try? JSONValue.array(records).json()) ?? Data()
        }
    }

    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        let isList = request.path?.contains("updated_since") == true
        let response = HTTPResponse(
            status: .ok,
            headerFields: [.contentType: "application/json", .date: "Wed, 25 Nov 2026 12:00:00 GMT"])
        return HTTPClientResponse(response, body: .data(isList ? changed.withLock { $0.json } : all))
    }
}
