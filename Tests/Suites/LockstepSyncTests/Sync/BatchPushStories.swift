import Foundation
import HTTPTypes
import Journal
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import Shop
import TestSupport
import Testing

/// Several changes in one request, with a Rails-style server.
@Suite("P19 Batches")
struct BatchPushStories {
    private let clock = ManualClock()

    private func server(_ change: (inout RailsRules) -> Void = { _ in }) -> FakeRails {
        var rules = RailsRules(
            identityKeys: ["/entries": "identifier"], batches: RailsBatches(limit: 20),
            validate: { _, record in record["title"] == "bad" ? ["title": ["is bad"]] : [:] })
        change(&rules)
        return FakeRails(rules, clock: clock)
    }

    private func sync(
        _ store: Store, _ server: FakeRails, of count: Int = 20, limit: Int = 4,
        _ change: (inout RESTConventions) -> Void = { _ in }
    ) -> Sync {
        var conventions = RESTConventions()
        conventions.writes.batches = RESTConventions.Batches("/batch", of: count)
        change(&conventions)
        let remote = RESTRemote(server.url, client: server.client, conventions: conventions, clock: clock)
        return Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), maximumConcurrentPushes: limit,
            clock: clock, random: { 0.5 })
    }

    /// A push after which something waits, and so much time that it is due.
    private func pushInVain(_ sync: Sync) async {
        let summary = try? await sync.push()
        #expect(summary?.remaining != 0)
        clock.advance(by: 10_000)
    }

    private func journal(_ titles: [String]) async throws -> Store {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            for (number, title) in titles.enumerated() {
                Entry(identifier: Self.id(number), title: title, context: context)
            }
            try context.save()
        }
        return store
    }

    private static func id(_ number: Int) -> UUID {
        UUID(uuidString: "00000000-0000-4000-9000-0000000000\(number + 10)") ?? UUID()
    }

    private static func requests(in batch: ServerRequest) throws -> [JSONValue] {
        if case .array(let requests)? = try JSONValue(json: batch.body)["requests"] { requests } else { [] }
    }

    private func titles(_ server: FakeRails) -> Set<String> {
        Set(
            server.records(of: "/entries").compactMap { record in
                if case .string(let title)? = record["title"] { title } else { nil }
            })
    }

    @Test("Changes that do not depend on each other travel in one request, and each has its result")
    func together() async throws {
        let (store, server) = (try await journal((0..<10).map { "\($0)" }), server())
        let summary = try await sync(store, server).push()
        #expect(server.log == ["POST /batch"])
        #expect(summary.created == 10 && summary.remaining == 0)
        #expect(titles(server).count == 10)
        #expect(try await store.outbox.count() == 0)
    }

    @Test("A request has no more changes than the remote takes, and as many requests travel as the sync sends")
    func limited() async throws {
        let (store, server) = (try await journal((0..<10).map { "\($0)" }), server())
        let gate = Gate()
        server.respondNext(.held(gate), to: .path("/batch"), times: 2)
        let sync = sync(store, server, of: 4, limit: 2)
        let push = _Concurrency.Task { try await sync.push() }
        #expect(try await soon { server.requests.count == 2 })
        gate.open()
        #expect(try await push.value.created == 10)
        #expect(server.log == ["POST /batch", "POST /batch", "POST /batch"])
        let sizes = try server.requests.map { try Self.requests(in: $0).count }
        #expect(sizes == [4, 4, 2])
    }

    @Test("A change that the server rejects is parked with its reason, and the others are confirmed")
    func rejected() async throws {
        let (store, server) = (try await journal(["a", "bad", "c"]), server())
        let sync = sync(store, server)
        let summary = try await sync.push()
        // A creation that is rejected may exist already (P10).
        #expect(server.log == ["POST /batch", "GET /entries/" + Self.id(1).uuidString.lowercased()])
        #expect(summary.created == 2 && summary.parked.count == 1)
        #expect(titles(server) == ["a", "c"])
        let parked = try #require(try await store.outbox.pending().first)
        #expect(parked.lastError == "the server responded with 422: title: is bad")
    }

    @Test("What depends on another change is sent after the response to it")
    func dependent() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.perform { context in
            let article = Article(id: 1, title: "A", bodyText: "b", context: context)
            ArticleComment(id: 2, name: "n", text: "C", context: context).article = article
            Article(id: 3, title: "D", bodyText: "b", context: context)
            try context.save()
        }
        let server = server()
        #expect(try await sync(store, server).push().created == 3)
        #expect(server.requests.first?.path == "/batch")
        let first = try Self.requests(in: try #require(server.requests.first))
        #expect(first.map { $0["url"] } == ["/articles", "/articles"])
        #expect(server.changes.count == 3 && server.changes.last?.json["text"] == "C")
    }

    @Test("A batch whose response was lost is sent again with the same keys, and each record is created once")
    func lostResponse() async throws {
        let (store, server) = (try await journal(["a", "b", "c"]), server())
        let sync = sync(store, server)
        server.respondNext(.responseLost, to: .path("/batch"))
        await pushInVain(sync)
        try await store.perform { context in
            Entry(identifier: Self.id(9), title: "d", context: context)
            try context.save()
        }
        _ = try await sync.push()
        #expect(try await store.outbox.count() == 0)
        #expect(server.records(of: "/entries").count == 4)
        #expect(server.changes.count == 4)
    }

    @Test(
        "P19 Requests have several changes if both the remote and the sync send several, and otherwise each has one",
        arguments: Seeds.some(6, of: UInt64(0)...199))
    func counts(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let count = Int.random(in: 2...8, using: &random)
        let (limit, size) = (Int.random(in: 1...4, using: &random), Int.random(in: 1...5, using: &random))
        let (store, server) = (try await journal((0..<count).map { "\($0)" }), server())
        #expect(try await sync(store, server, of: size, limit: limit).push().created == count)
        let batches = server.log.filter { $0 == "POST /batch" }.count
        #expect((batches > 0) == (limit > 1 && size > 1), "\(limit) \(size): \(server.log)")
        #expect(limit > 1 || server.log.count == count)
    }

    @Test("P9 After a 401 in a batch, the change is sent by itself, for which the client gets another token")
    func unauthorized() async throws {
        let (store, server) = (try await journal(["a", "b"]), server())
        respond(#"[{"id": "1", "status": 401}, {"id": "2", "status": 201}]"#, server)
        #expect(try await sync(store, server).push().created == 2)
        #expect(server.log == ["POST /batch", "POST /entries"])
        #expect(titles(server) == ["a"])
    }

    @Test("P7.3 After a 429 in a batch, nothing more is sent until the time that it has set")
    func tooMany() async throws {
        let (store, server) = (try await journal((0..<6).map { "\($0)" }), server())
        respond(#"[{"id": "1", "status": 201}, {"id": "2", "status": 429, "headers": {"Retry-After": 7}}]"#, server)
        let sync = sync(store, server, of: 2)
        let gate = Gate()
        server.respondNext(.held(gate), to: .path("/batch"), times: 2)
        let push = _Concurrency.Task { try await sync.push() }
        #expect(try await soon { server.requests.count == 3 })
        gate.open()
        _ = try? await push.value
        // What travelled has its responses.
        #expect(server.log == ["POST /batch", "POST /batch", "POST /batch"])
        #expect(try await store.outbox.count() == 1)
        clock.advance(by: 8)
        #expect(try await sync.push().created == 1)
    }

    /// The response to the next batch.
    private func respond(_ responses: String, _ server: FakeRails) {
        let body = Data(#"{"responses": \#(responses)}"#.utf8)
        server.respondNext(
            .response(ServerResponse(200, headers: [.contentType: "application/json"], body: body)), to: .path("/batch")
        )
    }

    @Test("After a long time without a network, changes travel together again")
    func offline() async throws {
        let (store, server) = (try await journal(["a", "b", "c"]), server())
        let sync = sync(store, server)
        server.respondNext(.connectionFails, times: 5)
        for _ in 1...5 { await pushInVain(sync) }
        server.clearLog()
        #expect(try await sync.push().created == 3)
        #expect(server.log == ["POST /batch"])
    }

    @Test("A batch that is rejected as a whole is sent one by one")
    func rejectedBatch() async throws {
        let (store, server) = (try await journal(["a", "bad", "c"]), server { $0.batches?.limit = 2 })
        let summary = try await sync(store, server).push()
        #expect(summary.created == 2 && summary.parked.count == 1)
        #expect(server.log.first == "POST /batch")
        #expect(server.log.filter { $0 == "POST /entries" }.count == 3)
    }

    @Test("P7 A change at which the server fails each time is sent by itself after some attempts")
    func poison() async throws {
        let (store, server) = (try await journal(["a", "crash", "c"]), server())
        // The server fails at whatever contains this change.
        let crash = ServerRequestFilter { String(decoding: $0.body, as: UTF8.self).contains("crash") }
        server.respondNext(.status(500), to: crash, times: 100)
        let sync = sync(store, server)
        for _ in 1...6 { await pushInVain(sync) }
        #expect(titles(server) == ["a", "c"])
        #expect(try await store.outbox.count() == 1)
    }

    @Test("If the response lacks a result, that change is sent again")
    func missingResult() async throws {
        let (store, server) = (try await journal(["a", "b"]), server())
        server.respondNext(
            .response(
                ServerResponse(
                    200, headers: [.contentType: "application/json"],
                    body: Data(#"{"responses": [{"id": "1", "status": 201, "body": null}]}"#.utf8))),
            to: .path("/batch"))
        let sync = sync(store, server)
        await pushInVain(sync)
        #expect(try await store.outbox.count() == 1)
        let waiting = try #require(try await store.outbox.pending().first)
        #expect(waiting.lastError?.contains("without a response to request 2 of the batch") == true)
        #expect(try await sync.push().created == 1)
        #expect(titles(server) == ["b"])
    }

    @Test(
        "P13 A response that is not that of the API confirms nothing",
        arguments: ["<html>Sign in</html>", "{}", #"{"responses": {}}"#, #"{"responses": [{"status": 201}]}"#])
    func foreign(_ body: String) async throws {
        let (store, server) = (try await journal(["a", "b"]), server())
        server.respondNext(
            .response(ServerResponse(200, headers: [.contentType: "application/json"], body: Data(body.utf8))),
            to: .path("/batch"))
        let sync = sync(store, server)
        await pushInVain(sync)
        #expect(try await store.outbox.count() == 2)
        #expect(try await sync.push().created == 2)
    }

    @Test("Updates that read the record first are sent by themselves, the others together")
    func wholeRecords() async throws {
        let server = server()
        let store = try await journal(["a", "b", "c"])
        let sync = sync(store, server) { $0.writes.updates = .wholeRecord }
        _ = try await sync.push()
        server.clearLog()
        try await store.perform { context in
            for number in 0..<2 { try #require(try Entry.find(Self.id(number), in: context)).title += "!" }
            Entry(identifier: Self.id(7), title: "d", context: context)
            Entry(identifier: Self.id(8), title: "e", context: context)
            try context.save()
        }
        let summary = try await sync.push()
        #expect(summary.updated == 2 && summary.created == 2)
        #expect(titles(server) == ["a!", "b!", "c", "d", "e"])
        #expect(server.log.filter { $0 == "POST /batch" }.count == 1)
    }

    @Test("A remote that does not return a result for each change is wrong, and nothing is confirmed")
    func wrongCount() async throws {
        let store = try await journal(["a", "b"])
        let sync = Sync(
            store: store, remote: HalfRemote(), retries: RetrySchedule(attemptsPerPush: 1), clock: clock,
            random: { 0.5 })
        await pushInVain(sync)
        let pending = try await store.outbox.pending()
        #expect(
            pending.map(\.lastError) == [
                "the remote returned 1 results for a batch of 2 changes",
                "the remote returned 1 results for a batch of 2 changes",
            ])
    }
}

/// A remote that forgets results.
private struct HalfRemote: Remote {
    var traits: RemoteTraits { RemoteTraits(sends: .batches(of: 10)) }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse { .absent }

    func send(_ change: OutgoingChange) async throws -> SendResponse { .accepted(body: nil) }

    func send(batch changes: [OutgoingChange]) async throws -> [BatchResult] {
        [.response(.accepted(body: nil))]
    }
}
