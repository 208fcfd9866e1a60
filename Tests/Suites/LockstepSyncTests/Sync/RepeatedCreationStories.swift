import Foundation
import HTTPTypes
import Journal
import LockstepStore
import LockstepSync
import LockstepTesting
import Shop
import Testing

/// Creations whose response was lost, with servers without idempotency keys: they reject a record that they have.
@Suite("Repeated creations")
struct RepeatedCreationStories {
    private let clock = ManualClock()
    private let id = UUID()
    private var key: String { id.uuidString.lowercased() }

    private func sync(
        _ store: Store, _ remote: any Remote, conflicts: ConflictPolicies = .localChangesWin
    ) -> Sync {
        Sync(
            store: store, remote: remote, conflicts: conflicts, retries: RetrySchedule(attemptsPerPush: 1),
            clock: clock, random: { 0.5 })
    }

    /// A typical server: only the table's key prevents a record from being created twice.
    private func server(refusingWith status: Int) -> FakeRails {
        FakeRails(
            RailsRules(
                identityKeys: ["/entries": "identifier"], honoursIdempotencyKeys: false, takenStatus: status))
    }

    private func remote(_ server: FakeRails) -> RESTRemote { RESTRemote(server.url, client: server.client) }

    /// A device with an entry that was sent, and that the server received, or not.
    private func journal(_ server: FakeRails, _ response: ScriptedServerResponse) async throws -> (Store, Sync) {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote(server))
        try await store.perform { [id] context in
            Entry(identifier: id, title: "Monday", bodyText: "Rain", context: context)
            try context.save()
        }
        server.respondNext(response, to: .method(.post))
        await #expect(throws: SyncError.self) { try await sync.push() }
        clock.advance(by: 600)
        server.clearLog()
        return (store, sync)
    }

    private func change(_ store: Store, _ body: @escaping @Sendable (Entry) -> Void) async throws {
        try await store.perform { [id] context in
            body(try #require(try Entry.find(id, in: context)))
            try context.save()
        }
    }

    // MARK: The record exists

    @Test(
        "P10.2 A creation that the server has and rejects the second time is confirmed by the existing record",
        arguments: [409, 422, 500])
    func isThere(status: Int) async throws {
        let server = server(refusingWith: status)
        let (store, sync) = try await journal(server, .responseLost)

        let summary = try await sync.push()
        #expect(summary.created == 1)
        #expect(summary.parked.isEmpty && summary.remaining == 0)
        #expect(server.log == ["POST /entries", "GET /entries/\(key)"])
        #expect(server.records(of: "/entries").count == 1)
        #expect(try await store.outbox.pending().isEmpty)
        #expect(try await sync.push().sent == 0)
    }

    @Test("P10.10 C3 A creation that is repeated after others have deleted the record leaves no record on this device")
    func deletedInBetween() async throws {
        let server = FakeRails(RailsRules(identityKeys: ["/entries": "identifier"]))
        let (store, sync) = try await journal(server, .responseLost)
        let options = MergeOptions(records: .all)
        server.remove(key, from: "/entries")
        try await sync.pull(Entry.self, options: options)
        #expect(try await sync.push().created == 1)
        #expect(server.records(of: "/entries").isEmpty)
        #expect(try await store.outbox.pending().isEmpty)
        try await sync.pull(Entry.self, options: options)
        #expect(try await store.perform { try $0.count(Entry.all()) } == 0)
    }

    @Test("P4 P10 Later edits are sent after it, as an update", arguments: [409, 500])
    func edited(status: Int) async throws {
        let server = server(refusingWith: status)
        let (store, sync) = try await journal(server, .responseLost)
        try await change(store) { $0.title = "Tuesday" }
        server.edit(key, of: "/entries", ["bodyText": "Sun"])

        try await sync.push()
        try await sync.push()
        #expect(server.log.suffix(1) == ["PATCH /entries/\(key)"])
        #expect(server.record(key, of: "/entries")?["title"] == "Tuesday")
        // Others have edited this field since, and it was not edited locally.
        #expect(server.record(key, of: "/entries")?["bodyText"] == "Sun")
        let saved = try await store.perform { [id] in try Entry.find(id, in: $0)?.bodyText }
        #expect(saved == "Sun")
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P10 C3 A record deleted since is deleted on the server", arguments: [409, 500])
    func deleted(status: Int) async throws {
        let server = server(refusingWith: status)
        let (store, sync) = try await journal(server, .responseLost)
        try await store.perform { [id] context in
            context.delete(try #require(try Entry.find(id, in: context)))
            try context.save()
        }

        try await sync.push()
        #expect(server.records(of: "/entries").isEmpty)
        #expect(try await store.outbox.pending().isEmpty)
    }

    /// A device with an entry whose creation arrives twice: only the second response is received.
    private func arrivingTwice(_ server: FakeRails) async throws -> (Store, Sync) {
        var twice = Faults.none
        twice.duplicated = 1
        let network = FaultyNetwork(seed: 1, faults: twice, clock: clock)
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, RESTRemote(server.url, client: network.client(server.client)))
        try await store.perform { [id] context in
            Entry(identifier: id, title: "Monday", bodyText: "Rain", context: context)
            try context.save()
        }
        return (store, sync)
    }

    @Test(
        "P10.2 A creation that arrives twice, with only its rejection received, is confirmed by the existing record",
        arguments: [409, 422])
    func arrivesTwice(status: Int) async throws {
        let server = server(refusingWith: status)
        let (store, sync) = try await arrivingTwice(server)

        let summary = try await sync.push()
        #expect(summary.created == 1 && summary.parked.isEmpty)
        #expect(server.records(of: "/entries").count == 1)
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P4 P10 Later edits are sent, and are not lost if a pull fetches the record")
    func editedAfterArrivingTwice() async throws {
        let server = server(refusingWith: 422)
        let (store, sync) = try await arrivingTwice(server)
        _ = try await sync.push()
        try await change(store) { $0.title = "Tuesday" }
        _ = try? await sync.push()

        try await sync.pull(Entry.self)
        try await sync.push()
        #expect(server.record(key, of: "/entries")?["title"] == "Tuesday")
        let saved = try await store.perform { [id] in try Entry.find(id, in: $0)?.title }
        #expect(saved == "Tuesday")
    }

    // MARK: The record does not exist

    @Test(
        "P8 P10.7 The rejection counts if the server never returns the record, and the corrected record is sent",
        arguments: [ScriptedServerResponse.status(500), .response(ServerResponse(200, body: Data("<p>".utf8)))])
    func cannotAskAtAll(response: ScriptedServerResponse) async throws {
        let server = FakeRails(
            RailsRules(identityKeys: ["/entries": "identifier"]) { _, record in
                record["title"] == "bad" ? ["title": ["is bad"]] : [:]
            })
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote(server))
        try await store.perform { [id] context in
            Entry(identifier: id, title: "bad", context: context)
            try context.save()
        }
        server.respondNext(response, to: .method(.get), times: 100)
        for _ in 0..<4 {
            // It may be the rejection of a copy, and the error a passing one.
            #expect(try await sync.push().remaining == 1)
            let change = try #require(try await store.outbox.pending().first)
            #expect(change.parked == nil)
            #expect(change.lastError?.contains("the creation was rejected (422)") == true)
            clock.advance(by: 600)
        }
        #expect(try await sync.push().parked.map(\.parked?.status) == [422])

        try await change(store) { $0.title = "good" }
        #expect(try await sync.push().created == 1)
        #expect(server.record(key, of: "/entries")?["title"] == "good")
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test(
        "P10.7 A creation whose copy has arrived waits if the record cannot be fetched, and later edits follow",
        arguments: [
            ScriptedServerResponse.connectionFails, .status(503),
            .response(ServerResponse(200, body: Data("<p>".utf8))),
        ])
    func copyHasArrived(response: ScriptedServerResponse) async throws {
        let server = server(refusingWith: 422)
        let (store, sync) = try await arrivingTwice(server)
        server.respondNext(response, to: .method(.get), times: 2)
        _ = try? await sync.push()
        #expect(try await store.outbox.pending().map(\.parked?.status) == [nil])
        try await change(store) { $0.title = "Tuesday" }

        for _ in 0..<2 {
            clock.advance(by: 600)
            _ = try? await sync.push()
        }
        #expect(server.records(of: "/entries").count == 1)
        #expect(server.record(key, of: "/entries")?["title"] == "Tuesday")
        #expect(server.record(key, of: "/entries")?["bodyText"] == "Rain")
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("C1 C3 P10 A record that others have created again too is merged by policy", arguments: [true, false])
    func madeAgainByBoth(isLost: Bool) async throws {
        let server = server(refusingWith: 409)
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote(server))
        let theirs: JSONObject = ["identifier": .string(key), "bodyText": "Rain", "mood": "neutral"]
        server.set(.object(theirs.merging(["title": "Monday"]) { $1 }), in: "/entries")
        try await sync.pull(Entry.self)
        try await change(store) { $0.title = "MINE" }
        server.remove(key, from: "/entries")
        try await sync.pull(Entry.self, options: MergeOptions(records: .all))
        if isLost {
            server.respondNext(.connectionFails, to: .method(.post))
            _ = try? await sync.push()
            clock.advance(by: 600)
        }
        server.set(.object(theirs.merging(["title": "THEIRS", "bodyText": "Sun"]) { $1 }), in: "/entries")

        try await sync.push()
        #expect(server.record(key, of: "/entries")?["title"] == "MINE")
        #expect(server.record(key, of: "/entries")?["bodyText"] == "Sun")
        #expect(try await store.representations(Entry.all()).map(\.title) == ["MINE"])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P8 P10.2 A creation rejected at once is parked after the server was asked for the record")
    func refusedAtOnce() async throws {
        let server = server(refusingWith: 422)
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote(server))
        try await store.perform { [id] context in
            Entry(identifier: id, title: "Monday", context: context)
            try context.save()
        }
        server.respondNext(.status(422), to: .method(.post))

        let summary = try await sync.push()
        #expect(summary.parked.map(\.parked?.status) == [422])
        #expect(server.log == ["POST /entries", "GET /entries/\(key)"])
    }

    @Test("P10.5 A creation missing on the server is sent again before it is parked")
    func isNotThere() async throws {
        let server = server(refusingWith: 422)
        let (store, sync) = try await journal(server, .connectionFails)
        try await change(store) { $0.title = "Tuesday" }
        server.respondNext(.status(409), to: .method(.post))

        let summary = try await sync.push()
        #expect(summary.created == 1)
        #expect(server.log == ["POST /entries", "GET /entries/\(key)", "POST /entries"])
        #expect(server.record(key, of: "/entries")?["title"] == "Tuesday")
    }

    @Test("P8 P10.5 A creation missing on the server and rejected again is parked")
    func refusedForGood() async throws {
        let server = server(refusingWith: 422)
        let (store, sync) = try await journal(server, .connectionFails)
        server.respondNext(.status(422), to: .method(.post), times: 3)

        let summary = try await sync.push()
        #expect(summary.parked.map(\.parked?.status) == [422])
        #expect(server.log == ["POST /entries", "GET /entries/\(key)", "POST /entries", "GET /entries/\(key)"])
        #expect(try await sync.push().sent == 0)
        #expect(try await store.outbox.pending().count == 1)
    }

    @Test("P7 P10.5 If the server fails and has no such record, the creation is retried later")
    func failing() async throws {
        let server = server(refusingWith: 422)
        let (store, sync) = try await journal(server, .connectionFails)
        server.respondNext(.status(500), to: .method(.post))

        let waiting = try await sync.push()
        #expect(waiting.remaining == 1 && waiting.parked.isEmpty)
        clock.advance(by: 600)
        #expect(try await sync.push().created == 1)
        #expect(try await store.outbox.pending().isEmpty)
    }

    // MARK: The record cannot be fetched

    @Test("P10.7 A creation is not given up while the record cannot be fetched")
    func cannotAskNow() async throws {
        let server = server(refusingWith: 409)
        let (store, sync) = try await journal(server, .responseLost)
        server.respondNext(.status(503), to: .method(.get))

        let waiting = try await sync.push()
        #expect(waiting.parked.isEmpty && waiting.remaining == 1)
        clock.advance(by: 600)
        #expect(try await sync.push().created == 1)
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P10.7 While the server asks to come later, the rejection does not count", arguments: [429, 503])
    func comesLater(status: Int) async throws {
        let server = server(refusingWith: 409)
        let (store, sync) = try await journal(server, .responseLost)
        server.respondNext(.status(status), to: .method(.get), times: 6)
        for _ in 0..<6 {
            _ = try? await sync.push()
            #expect(try await store.outbox.pending().map { $0.parked == nil } == [true])
            clock.advance(by: 3600)
        }
        #expect(try await sync.push().created == 1)
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P8 If a remote has no single records, a rejection counts")
    func cannotAsk() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let memory = MemoryRemote(traits: RemoteTraits())
        let sync = sync(store, memory)
        try await store.perform { context in
            Entry(title: "Monday", context: context)
            try context.save()
        }
        memory.respondNext(.connectionFails)
        await #expect(throws: SyncError.self) { try await sync.push() }
        clock.advance(by: 600)
        memory.respondNext(.refused(status: 409), to: .changes)
        memory.respondNext(
            .fails(SyncError(.unsupported, reason: "there are whole lists only", remedy: "Pull them.")), to: .fetches)

        #expect(try await sync.push().parked.map(\.parked?.status) == [409])
    }

    @Test("P8 A response that is not the record proves nothing", arguments: [#"[]"#, #"{"identifier":"other"}"#])
    func otherResponse(body: String) async throws {
        let server = server(refusingWith: 409)
        let (_, sync) = try await journal(server, .responseLost)
        server.respondNext(.response(ServerResponse(200, body: Data(body.utf8))), to: .method(.get))
        #expect(try await sync.push().parked.map(\.parked?.status) == [409])
    }

    @Test("P10.7 P13 While a page is the response to the fetch, the creation waits")
    func page() async throws {
        let server = server(refusingWith: 409)
        let (store, sync) = try await journal(server, .responseLost)
        server.respondNext(.response(ServerResponse(200, body: Data("<p>".utf8))), to: .method(.get))
        let summary = try? await sync.push()
        #expect(summary?.parked.isEmpty ?? true)
        #expect(try await store.outbox.pending().map { $0.parked == nil } == [true])
    }
}

/// Identities that several devices can choose: the same one can belong to two records.
@Suite("Repeated creations of natural keys")
struct NaturalKeyStories {
    private let clock = ManualClock()

    /// A device with a tag with a chosen number, whose creation got no response.
    private func tag(
        _ server: FakeRails, _ response: ScriptedServerResponse, conflicts: ConflictPolicies = .localChangesWin
    ) async throws -> (Store, Sync) {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: RESTRemote(server.url, client: server.client), conflicts: conflicts,
            retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        try await store.perform { context in
            Tag(id: 5, name: "vegan", context: context)
            try context.save()
        }
        server.respondNext(response, to: .method(.post))
        await #expect(throws: SyncError.self) { try await sync.push() }
        clock.advance(by: 600)
        server.clearLog()
        return (store, sync)
    }

    private let server = FakeRails(RailsRules(honoursIdempotencyKeys: false, takenStatus: 409))

    private func names(_ store: Store) async throws -> [String] {
        try await store.representations(Tag.all()).map(\.name)
    }

    private func delete(_ store: Store) async throws {
        try await store.perform { context in
            context.delete(try #require(try Tag.find(5, in: context)))
            try context.save()
        }
    }

    @Test("P10.3 A record with the sent values is the one that was sent")
    func same() async throws {
        let (store, sync) = try await tag(server, .responseLost)
        #expect(try await sync.push().created == 1)
        #expect(try await store.outbox.pending().isEmpty)
        #expect(server.log == ["POST /tags", "GET /tags/5"])
    }

    @Test(
        "P10.4 C1 Another record with the same natural key is merged by policy",
        arguments: [(ConflictPolicies.localChangesWin, "vegan"), (.serverWins, "meat")])
    func other(policies: ConflictPolicies, name: String) async throws {
        let (store, sync) = try await tag(server, .connectionFails, conflicts: policies)
        server.set(["id": 5, "name": "meat"], in: "/tags")

        try await sync.push()
        #expect(try await names(store) == [name])
        #expect(server.record("5", of: "/tags")?["name"] == .string(name))
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test(
        "P10.4 C1 A pull merges it by policy too",
        arguments: [(ConflictPolicies.localChangesWin, "vegan"), (.serverWins, "meat")])
    func pulled(policies: ConflictPolicies, name: String) async throws {
        let (store, sync) = try await tag(server, .connectionFails, conflicts: policies)
        server.set(["id": 5, "name": "meat"], in: "/tags")

        try await sync.pull(Tag.self)
        #expect(try await names(store) == [name])
        try await sync.push()
        #expect(server.record("5", of: "/tags")?["name"] == .string(name))
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P10.3 P10.4 A locally deleted record is deleted on the server only if it is the one that was sent")
    func deleted() async throws {
        let (store, sync) = try await tag(server, .responseLost)
        try await delete(store)
        try await sync.push()
        #expect(server.records(of: "/tags").isEmpty)
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P10.4 A record that others have created under the same natural key is not deleted", arguments: [409, 500])
    func deletedOther(status: Int) async throws {
        let server = FakeRails(RailsRules(honoursIdempotencyKeys: false, takenStatus: status))
        let (store, sync) = try await tag(server, .connectionFails)
        server.set(["id": 5, "name": "meat"], in: "/tags")
        try await delete(store)
        try await sync.push()
        #expect(server.record("5", of: "/tags")?["name"] == "meat")
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("C1 C4 A creation that finds another record is merged by policy if the remote has versions")
    func versions() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let remote = MemoryRemote()
        let sync = Sync(store: store, remote: remote, clock: clock, random: { 0.5 })
        remote.set(["id": 5, "name": "meat"], id: "5", in: "/tags")
        try await store.perform { context in
            Tag(id: 5, name: "vegan", context: context)
            try context.save()
        }
        try await sync.push()
        #expect(try await names(store) == ["vegan"])
        #expect(remote.record("5", of: "/tags")?["name"] == "vegan")
        #expect(try await store.outbox.pending().isEmpty)
    }
}

/// Records created by `PUT` at their own address.
@Suite("Creations by PUT")
struct PutCreationStories {
    private let clock = ManualClock()
    private let id = UUID()
    private var key: String { id.uuidString.lowercased() }

    private func journal(_ server: FakeRails, usesVersions: Bool = false) async throws -> (Store, Sync) {
        var conventions = RESTConventions()
        conventions.writes.createsByPut = true
        let remote = RESTRemote(
            server.url, client: server.client, conventions: conventions, usesVersions: usesVersions)
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        try await store.perform { [id] context in
            Entry(identifier: id, title: "Monday", context: context)
            try context.save()
        }
        return (store, sync)
    }

    private func server(hasVersions: Bool = false) -> FakeRails {
        FakeRails(
            RailsRules(
                identityKeys: ["/entries": "identifier"], hasVersions: hasVersions, honoursIdempotencyKeys: false,
                createsByPut: true))
    }

    @Test("P10 A creation by PUT creates one record, however often it is sent", arguments: [false, true])
    func repeated(hasVersions: Bool) async throws {
        let server = server(hasVersions: hasVersions)
        let (store, sync) = try await journal(server, usesVersions: hasVersions)
        server.respondNext(.responseLost, to: .method(.put))
        await #expect(throws: SyncError.self) { try await sync.push() }
        clock.advance(by: 600)

        try await sync.push()
        #expect(server.records(of: "/entries").map { $0["title"] } == ["Monday"])
        #expect(server.log.prefix(2) == ["PUT /entries/\(key)", "PUT /entries/\(key)"])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("C4 With versions, a creation by PUT replaces nothing")
    func condition() async throws {
        let server = server(hasVersions: true)
        let (store, sync) = try await journal(server, usesVersions: true)
        server.set(["identifier": .string(key), "title": "Sunday", "bodyText": "Sun"], in: "/entries")

        try await sync.push()
        let put = try #require(server.requests.first { $0.method == .put })
        #expect(put.headers[.ifNoneMatch] == "*")
        #expect(server.record(key, of: "/entries")?["title"] == "Monday")
        #expect(try await store.outbox.pending().isEmpty)
    }
}
