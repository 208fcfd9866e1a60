import Contests
import Diary
import Figures
import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting

/// A pull over loopback, beside downloading alone and merging alone.
struct PullFigures {
    let workplace: Workplace
    let rounds: Int
    let count: Int

    func print() async throws {
        let json = Sample.json(count)
        let server = try await FakeRails.start(RailsRules())
        var headers = HTTPFields()
        headers[.contentType] = "application/json"
        server.respondNext(.response(ServerResponse(200, headers: headers, body: json)), times: 10_000)
        Markdown.header([
            "pull over loopback", "`sync.pull`", "download alone", "merge alone", "pull : both",
            "processor of the pull",
            "of both",
        ])
        let title = "\(count / 1_000)k records, \(megabytes(Double(json.count)))"
        try await print(title + ", empty table", json, server, isEmpty: true)
        try await print("the same again, nothing changed", json, server, isEmpty: false)
        await server.stop()
        workplace.remove("pull", "pull-merge")
        Swift.print()
    }

    private func print(_ title: String, _ json: Data, _ server: FakeRails, isEmpty: Bool) async throws {
        let runners = [
            Runner(name: "pull") { try await pull(server.url, isEmpty: isEmpty) },
            Runner(name: "download") { try await download(server.url, json.count) },
            Runner(name: "merge") { try await merge(json, isEmpty: isEmpty) },
        ]
        let times = try await race(runners, rounds: rounds)
        let both = zip(times[1], times[2]).map { Time(wall: $0.wall + $1.wall, processor: $0.processor + $1.processor) }
        let walls = times.map { Spread($0.map(\.wall)).text(milliseconds) }
        let ratio = Ratio(times[0].map(\.wall), to: both.map(\.wall))
        let processor = [times[0], both].map { milliseconds(median($0.map(\.processor))) }
        Markdown.row([title] + walls + [text(ratio)] + processor)
    }

    private func store(_ name: String, isEmpty: Bool) throws -> Store {
        let url = isEmpty ? try workplace.database(name) : workplace.url(name)
        return try workplace.store(url)
    }

    private func pull(_ url: URL, isEmpty: Bool) async throws -> Time {
        let store = try store("pull", isEmpty: isEmpty)
        let sync = Sync(store: store, remote: RESTRemote(url, client: URLSessionClient()))
        let time = try await timed {
            let summary = try await sync.pull(Article.self)
            expect(isEmpty ? summary.inserted : summary.unchanged, count, "pulled")
        }
        try store.close()
        return time
    }

    private func download(_ url: URL, _ size: Int) async throws -> Time {
        let client = URLSessionClient()
        return try await timed {
            let request = HTTPRequest(
                method: .get, scheme: "http", authority: "127.0.0.1:\(url.port ?? 80)", path: "/articles")
            var bytes = 0
            for try await piece in try await client.send(request, body: nil).body { bytes += piece.count }
            expect(bytes, size, "downloaded bytes")
        }
    }

    private func merge(_ json: Data, isEmpty: Bool) async throws -> Time {
        let store = try store("pull-merge", isEmpty: isEmpty)
        let time = try await timed {
            let summary = try await store.merge(json, into: Article.self)
            expect(isEmpty ? summary.inserted : summary.unchanged, count, "merged")
        }
        try store.close()
        return time
    }
}
