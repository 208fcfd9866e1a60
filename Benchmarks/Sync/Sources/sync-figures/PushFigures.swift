import Contests
import Diary
import Figures
import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting

/// Requests per second of a push over loopback, beside the HTTP client that sends the same requests by itself.
struct PushFigures {
    let workplace: Workplace
    let rounds: Int
    let count: Int

    private static let rules = RailsRules(paths: ["/articles"], identityKeys: ["/articles": "identifier"])

    static func printHeader() {
        Markdown.header([
            "push over loopback", "requests/s of `sync.push()`", "of the bare client", "push : bare, wall",
            "of a push with immediate responses", "processor for a request", "of it bare",
            "of it with immediate responses",
        ])
    }

    func print() async throws {
        let (creations, updates) = try await recorded()
        try await print("\(count) creations", creations, isUpdate: false)
        try await print("\(count) updates", updates, isUpdate: true)
        workplace.remove("push", "push-full", "push-made", "push-edited")
    }

    /// The requests of a push, and the databases before it: with records that were made, and with records that the
    /// server has and that were edited.
    private func recorded() async throws -> ([ServerRequest], [ServerRequest]) {
        let samples = (0..<count).map { Sample($0).values }
        try Workplace.write(try workplace.database("push-made")) {
            try Workplace.insert(samples, into: "article", $0)
        }
        let edited = try workplace.database("push-edited")
        try Workplace.write(edited) { database in
            try Workplace.insert(samples, into: "article", suppressesOutbox: true, database)
        }
        try Workplace.write(edited) { try $0.execute(sql: "UPDATE article SET title = title || ' again'") }
        let server = try await FakeRails.start(Self.rules)
        _ = try await push("push-made", server.url, URLSessionClient())
        let creations = server.requests
        server.clearLog()
        _ = try await push("push-edited", server.url, URLSessionClient())
        let updates = server.requests
        await server.stop()
        expect(creations.count, count, "creations")
        expect(updates.count, count, "updates")
        return (creations, updates)
    }

    private func print(_ title: String, _ requests: [ServerRequest], isUpdate: Bool) async throws {
        let name = isUpdate ? "push-edited" : "push-made"
        let runners = [
            Runner(name: "push") {
                try await withServer(isUpdate) { try await push(name, $0.url, URLSessionClient()) }
            },
            Runner(name: "bare") { try await withServer(isUpdate) { try await send(requests, to: $0.url) } },
            Runner(name: "canned") { try await push(name, FakeRails().url, CannedClient()) },
        ]
        let times = try await race(runners, rounds: rounds)
        let rates = times.map { Spread($0.map { 1 / $0.wall }).text { fixed($0, 0) } }
        let processor = times.map { duration(median($0.map(\.processor))) }
        let ratio = Ratio(times[0].map(\.wall), to: times[1].map(\.wall))
        Markdown.row([title, rates[0], rates[1], text(ratio), rates[2]] + processor)
    }

    // MARK: The work

    /// A server that has the records where they are to be edited.
    private func withServer(_ isUpdate: Bool, _ body: (FakeRails) async throws -> Time) async throws -> Time {
        let server = try await FakeRails.start(Self.rules)
        if isUpdate { server.set(try JSONValue(json: Sample.json(count)).elements, in: "/articles") }
        let time = try await body(server)
        await server.stop()
        return time
    }

    private func push(_ name: String, _ url: URL, _ client: any HTTPClient) async throws -> Time {
        workplace.remove("push")
        try FileManager.default.copyItem(at: workplace.url(name), to: workplace.url("push"))
        let store = try workplace.store(workplace.url("push"))
        let sync = Sync(store: store, remote: RESTRemote(url, client: client), maximumConcurrentPushes: 1)
        let time = try await timed(count: count) {
            let summary = try await sync.push()
            expect(summary.created + summary.updated, count, "sent")
        }
        expect(try await store.outbox.count(), 0, "pending after a push")
        try store.close()
        return time
    }

    /// Sends the same one after the other and reads the responses.
    private func send(_ requests: [ServerRequest], to url: URL) async throws -> Time {
        let client = URLSessionClient()
        let authority = "127.0.0.1:\(url.port ?? 80)"
        var fields = HTTPFields()
        for name in [HTTPField.Name.accept, .contentType] { fields[name] = "application/json" }
        return try await timed(count: count) {
            for request in requests {
                var sent = HTTPRequest(
                    method: request.method, scheme: "http", authority: authority, path: request.path,
                    headerFields: fields)
                if let name = HTTPField.Name("Idempotency-Key") { sent.headerFields[name] = request.headers[name] }
                let response = try await client.send(sent, body: request.body)
                _ = try await response.body.collected(upTo: 1_000_000)
                precondition(
                    response.head.status.kind == .successful, "the server responded \(response.head.status)")
            }
        }
    }
}

extension JSONValue {
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
}
