import Contests
import Figures
import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting

/// A push of edits to a server that is far away, one request at a time and several, beside a client that sends the same
/// requests by itself over as many connections.
struct PushLatencyFigures {
    let workplace: Workplace
    let rounds: Int
    private let count = 200
    private let connections = 4

    private static let rules = RailsRules(paths: ["/articles"], identityKeys: ["/articles": "identifier"])

    func print() async throws {
        Markdown.header([
            "\(count) edits, latency", "`sync.push()`, one at a time", "`sync.push()`, \(connections) at a time",
            "bare client, \(connections) connections", "\(connections) : one at a time", "\(connections) : bare",
        ])
        let requests = try await recorded()
        for milliseconds in [0, 20, 100] { try await print(milliseconds, requests) }
        workplace.remove("push", "push-edited")
        Swift.print()
    }

    private func print(_ latency: Int, _ requests: [ServerRequest]) async throws {
        let runners = [
            Runner(name: "one") { try await withServer { try await push(to: $0, latency, limit: 1) } },
            Runner(name: "several") { try await withServer { try await push(to: $0, latency, limit: connections) } },
            Runner(name: "bare") { try await withServer { try await send(requests, to: $0, latency) } },
        ]
        let times = try await race(runners, rounds: rounds).map { $0.map(\.wall) }
        let spreads = times.map { Spread($0).text { duration($0) } }
        Markdown.row(
            ["\(latency) ms"] + spreads + [text(Ratio(times[1], to: times[0])), text(Ratio(times[1], to: times[2]))])
    }

    /// The requests of a push.
    private func recorded() async throws -> [ServerRequest] {
        let samples = (0..<count).map { Sample($0).values }
        let edited = try workplace.database("push-edited")
        try Workplace.write(edited) { database in
            try Workplace.insert(samples, into: "article", suppressesOutbox: true, database)
        }
        try Workplace.write(edited) { try $0.execute(sql: "UPDATE article SET title = title || ' again'") }
        return try await withServer { server in
            _ = try await push(to: server, 0, limit: 1)
            expect(server.requests.count, count, "edits")
            return server.requests
        }
    }

    private func withServer<Value>(_ body: (FakeRails) async throws -> Value) async throws -> Value {
        let server = try await FakeRails.start(Self.rules)
        server.set(try JSONValue(json: Sample.json(count)).elements, in: "/articles")
        let value = try await body(server)
        await server.stop()
        return value
    }

    private func push(to server: FakeRails, _ latency: Int, limit: Int) async throws -> Time {
        workplace.remove("push")
        try FileManager.default.copyItem(at: workplace.url("push-edited"), to: workplace.url("push"))
        let store = try workplace.store(workplace.url("push"))
        let remote = RESTRemote(server.url, client: DistantClient(milliseconds: latency))
        let sync = Sync(store: store, remote: remote, maximumConcurrentPushes: limit)
        let time = try await timed { expect(try await sync.push().updated, count, "sent") }
        expect(try await store.outbox.count(), 0, "pending after a push")
        try store.close()
        return time
    }

    /// Sends the same requests over some connections, and reads the responses.
    private func send(_ requests: [ServerRequest], to server: FakeRails, _ latency: Int) async throws -> Time {
        let client = DistantClient(milliseconds: latency)
        return try await timed {
            try await withThrowingTaskGroup(of: Void.self) { group in
                var rest = requests[...]
                for request in rest.prefix(connections) {
                    group.addTask { try await send(request, to: server, client) }
                }
                rest = rest.dropFirst(connections)
                while try await group.next() != nil {
                    if let request = rest.popFirst() {
                        group.addTask { try await send(request, to: server, client) }
                    }
                }
            }
        }
    }

    private func send(_ request: ServerRequest, to server: FakeRails, _ client: DistantClient) async throws {
        var sent = HTTPRequest(
            method: request.method, scheme: "http", authority: "127.0.0.1:\(server.url.port ?? 80)", path: request.path)
        for name in [HTTPField.Name.accept, .contentType] { sent.headerFields[name] = "application/json" }
        if let name = HTTPField.Name("Idempotency-Key") { sent.headerFields[name] = request.headers[name] }
        let response = try await client.send(sent, body: request.body)
        _ = try await response.body.collected(upTo: 1_000_000)
        precondition(response.head.status.kind == .successful, "the server responded \(response.head.status)")
    }
}

/// A client of a server that is far away.
private struct DistantClient: HTTPClient {
    let milliseconds: Int
    private let client = URLSessionClient()

    init(milliseconds: Int) { self.milliseconds = milliseconds }

    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        if milliseconds > 0 { try await Task.sleep(for: .milliseconds(milliseconds)) }
        return try await client.send(request, body: body)
    }
}
