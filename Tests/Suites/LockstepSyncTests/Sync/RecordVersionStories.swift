import Foundation
import HTTPTypes
import Journal
import LinkSamples
import LockstepStore
import LockstepSystem
import LockstepTesting
import Shop
import Testing
import TestSupport

@testable import LockstepSync

/// Versions of records (`ETag`): what a write with an outdated one leads to, and which requests versions cost.
@Suite("Versions of records")
struct RecordVersionStories {
    private let clock = ManualClock()
    private let id = UUID()
    private var key: String { id.uuidString.lowercased() }

    /// A device whose entry is on the server.
    private func device(_ remote: MemoryRemote) async throws -> (Store, Sync) { try await device(remote, of: remote) }

    /// - Parameter network: How the device reaches the remote.
    private func device(_ network: any Remote, of remote: MemoryRemote) async throws -> (Store, Sync) {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: network, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        try await store.perform { [id] context in
            Entry(identifier: id, title: "Monday", context: context)
            try context.save()
        }
        try await sync.push()
        remote.clearLog()
        return (store, sync)
    }

    private func delete(_ store: Store) async throws {
        try await store.perform { [id] context in
            context.delete(try #require(try Entry.find(id, in: context)))
            try context.save()
        }
    }

    private func edit(_ store: Store, _ title: String) async throws {
        try await store.perform { [id] context in
            try #require(try Entry.find(id, in: context)).title = title
            try context.save()
        }
    }

    @Test("C4.1 A delete is sent with the version of the record")
    func deletes() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))
        let (store, sync) = try await device(remote)
        try await delete(store)
        #expect(try await sync.push().deleted == 1)
        #expect(remote.log.map(\.kind) == [.delete])
        #expect(remote.log.first?.version != nil)
    }

    @Test("C4.11 A version that a write has outdated is requested if the response does not contain the next one")
    func outdatedByWrite() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))
        let (store, sync) = try await device(remote)
        try await edit(store, "one")
        remote.respondNext(.response(.accepted(body: nil)), to: .changes)
        try await sync.push()
        try await edit(store, "two")
        remote.clearLog()
        #expect(try await sync.push().updated == 1)
        #expect(remote.log.map(\.kind) == [.fetch, .update])
    }

    @Test("C3 C4.2 A delete of a record that others have changed is rejected first, and sent again for their version")
    func deletesOutdated() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))
        let (store, sync) = try await device(remote)
        remote.edit(key, of: "/entries", ["title": "theirs"])
        try await delete(store)
        #expect(try await sync.push().deleted == 1)
        #expect(remote.log.map(\.outcome) == ["outdated", "accepted"])
        #expect(remote.records(of: "/entries").isEmpty)
        #expect(try await store.representations(Entry.all()).isEmpty)
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("C3 C4.2 If the rejection of a delete does not contain the record, it is requested")
    func deletesOutdatedWithoutBody() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))
        let (store, sync) = try await device(remote)
        remote.edit(key, of: "/entries", ["title": "theirs"])
        try await delete(store)
        remote.respondNext(.response(.outdated(current: nil)), to: .changes)
        #expect(try await sync.push().deleted == 1)
        #expect(remote.log.map(\.kind) == [.delete, .fetch, .delete])
        #expect(remote.records(of: "/entries").isEmpty)
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("C3 C4.2 A delete of a record that others have deleted has succeeded")
    func deletedThere() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))
        let (store, sync) = try await device(remote)
        try await delete(store)
        remote.respondNext(.response(.outdated(current: nil)), to: .changes)
        remote.remove(key, from: "/entries")
        try await sync.push()
        #expect(try await store.outbox.pending().isEmpty)
        #expect(try await store.representations(Entry.all()).isEmpty)
    }

    @Test("C4.2 A change that the rejection of its last attempt settles is not reported as waiting")
    func settledByLastRejection() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))
        let (store, sync) = try await device(remote)
        try await edit(store, "mine")
        // Others change the record before each attempt, the last time to what the device sends.
        var current = try #require(remote.record(key, of: "/entries"))
        for number in 1...PushAttempt.limit {
            let title = number == PushAttempt.limit ? "mine" : "theirs \(number)"
            current["title"] = .string(title)
            let body = try current.json()
            remote.respondNext(.response(.outdated(current: body, version: "other \(number)")), to: .changes)
        }
        try await sync.push()
        #expect(remote.log.count == PushAttempt.limit)
        #expect(remote.log.allSatisfy { $0.outcome == "outdated" })
        let retries = sync.recentDiagnostics.filter { if case .retry = $0.event { true } else { false } }
        #expect(retries.isEmpty)
        #expect(try await store.outbox.pending().isEmpty)
        #expect(try await store.representations(Entry.all()).map(\.title) == ["mine"])
    }

    @Test("C4.3 A list that shows no change keeps the version: the next write costs one request")
    func listWithoutChange() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))
        let (store, sync) = try await device(remote)
        try await sync.pull(Entry.self)
        remote.clearLog()
        try await edit(store, "mine")
        #expect(try await sync.push().updated == 1)
        #expect(remote.log.map(\.kind) == [.update])
    }

    @Test("C4.3 A list that shows a change outdates the version: the next write requests it first, and is not rejected")
    func listWithChange() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))
        let (store, sync) = try await device(remote)
        remote.edit(key, of: "/entries", ["title": "theirs"])
        try await sync.pull(Entry.self)
        remote.clearLog()
        try await edit(store, "mine")
        #expect(try await sync.push().updated == 1)
        #expect(remote.log.map(\.kind) == [.fetch, .update])
        #expect(remote.log.last?.outcome == "accepted")
    }

    @Test(
        "C4.11 P13 A response without the record is no reason to send an update without a version",
        arguments: [
            "<html><body>Please sign in.</body></html>", #"{"error": "Please sign in."}"#,
            #"{"identifier": "00000000-0000-4000-8000-000000000007", "title": "another"}"#,
        ])
    func withoutRecord(body: String) async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))
        let network = InterruptedNetwork(remote: remote, body: body)
        let (store, sync) = try await device(network, of: remote)
        remote.edit(key, of: "/entries", ["title": "theirs"])
        try await sync.pull(Entry.self)
        remote.clearLog()
        try await edit(store, "mine")
        network.isInterrupted.withLock { $0 = true }
        #expect(try await sync.push().sent == 0)
        #expect(remote.log.isEmpty)
        #expect(try await store.outbox.pending().first?.lastError?.contains("does not contain it") == true)
        network.isInterrupted.withLock { $0 = false }
        clock.advance(by: 600)
        #expect(try await sync.push().updated == 1)
        #expect(remote.log.map(\.kind) == [.fetch, .update])
        #expect(remote.log.last?.version != nil)
    }

    @Test("C4.3 No request precedes an update after a response with the record and its version, whoever names it")
    func oneRecord() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))
        let store = try Store(MuseumSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: remote, clock: clock)
        remote.set(["id": 7, "title": "Vase"], id: "7", in: "/loans")
        try await sync.pull(Loan.self, id: 7)
        remote.clearLog()
        try await store.perform { context in
            try #require(try context.fetch(Loan.all()).first).title = "Bowl"
            try context.save()
        }
        #expect(try await sync.push().updated == 1)
        #expect(remote.log.map(\.kind) == [.update])
    }
}

/// What becomes of an `ETag` between the server and the app.
@Suite("Tags of records")
struct RecordTagStories {
    private let clock = ManualClock()

    /// A device that has article 1 of the server.
    private func device(_ tags: RailsRules.Tags) async throws -> (FakeRails, Store, Sync) {
        let server = FakeRails(RailsRules(hasVersions: true, tags: tags), clock: clock)
        server.set(["id": 1, "title": "T", "body_text": "b"], in: "/articles")
        let store = try Store(ShopSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: RESTRemote(server.url, client: server.client, usesVersions: true, clock: clock),
            retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        try await sync.pull(Article.self)
        server.clearLog()
        return (server, store, sync)
    }

    private func edit(_ store: Store, _ title: String) async throws {
        try await store.perform { context in
            try #require(try Article.find(1, in: context)).title = title
            try context.save()
        }
    }

    @Test("C4.9 The version is requested without a compression, which would change it")
    func compression() async throws {
        let (server, store, sync) = try await device(.changedByCompression)
        for title in ["A", "B"] {
            try await edit(store, title)
            #expect(try await sync.push().updated == 1)
        }
        #expect(server.log == ["GET /articles/1", "PATCH /articles/1", "PATCH /articles/1"])
    }

    @Test("C4.8 P8 412 to the version that the server still returns is no conflict, and parks the change")
    func refusedTag() async throws {
        let (server, store, sync) = try await device(.strong)
        server.respondNext(.status(412), to: .method(.patch), times: 32)
        try await edit(store, "A")
        let parked = try await sync.push().parked
        #expect(parked.map(\.parked?.status) == [412])
        #expect(parked.first?.lastError?.contains("412 to the ETag that it returns") == true)
        #expect(server.log.count { $0 == "PATCH /articles/1" } == 2)
    }

    @Test("C4.9 A weak tag is no condition: what the request before an update shows counts, and it is reported once")
    func weak() async throws {
        let (server, store, sync) = try await device(.weak)
        let notes = Locked<[MergeNote]>([])
        sync.environment.diagnostics.observe { diagnostic in
            if case .merge(let note) = diagnostic.event { notes.withLock { $0.append(note) } }
        }
        server.edit("1", of: "/articles", ["title": "A"])
        try await edit(store, "A")
        try await sync.push()
        // Both sides agree: nothing is left to send.
        #expect(server.log == ["GET /articles/1"])
        try await edit(store, "B")
        #expect(try await sync.push().updated == 1)
        #expect(server.log.dropFirst() == ["GET /articles/1", "PATCH /articles/1"])
        let remarks = notes.withLock { $0.filter { $0.code == .remark } }
        #expect(remarks.count == 1 && remarks.first?.entity == "Article")
    }
}

/// A network that responds itself to the requests for single records, but no longer to changes.
private struct InterruptedNetwork: Remote {
    let remote: MemoryRemote
    let body: String
    let isInterrupted = Locked(false)

    var traits: RemoteTraits { remote.traits }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        guard case .record = request.target, isInterrupted.withLock({ $0 }) else {
            return try await remote.fetch(request)
        }
        return .records(FetchResponse.Records(body: .data(Data(body.utf8))))
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse { try await remote.send(change) }
}
