import Foundation
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import Testing

/// What a creation contains, and creations that the server has accepted without naming the record.
@Suite("Creations")
struct CreationStories {
    private let clock = ManualClock()
    private let id = UUID()

    private func sync(_ remote: any Remote, _ schema: StoreLocation = .inMemory) throws -> (Store, Sync) {
        let store = try Store(CrewSchema.self, at: schema)
        let sync = Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        return (store, sync)
    }

    private func edit(_ store: Store, _ body: @escaping @Sendable (ManagedObjectContext) throws -> Void) async throws {
        try await store.perform { context in
            try body(context)
            try context.save()
        }
    }

    // MARK: Accepted without an identity

    /// A device whose job the server has accepted, with a response that does not name it.
    private func accepted() async throws -> (MemoryRemote, Store, Sync) {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try sync(remote)
        try await edit(store) { [id] in Job(localID: id, name: "Paint", context: $0) }
        remote.respondNext(.response(.accepted(body: Data(#"{"name": "Paint"}"#.utf8))), to: .changes)
        #expect(try await sync.push().parked.count == 1)
        #expect(remote.log.count == 1)
        return (remote, store, sync)
    }

    @Test("P10.9 A creation that the server has accepted without naming the record is not sent again after an edit")
    func editedAfterwards() async throws {
        let (remote, store, sync) = try await accepted()
        try await edit(store) { [id] in try #require(try Job.find(id, in: $0)).name = "Draw" }
        let summary = try await sync.push()
        #expect(summary.sent == 0 && summary.parked.map(\.kind) == [.create])
        #expect(summary.parked.first?.lastError?.contains("did not return its identity") == true)
        #expect(remote.log.count == 1)
    }

    @Test("P10.9 An edit while it is sent changes nothing about that")
    func editedMeanwhile() async throws {
        let store = try Store(CrewSchema.self, at: .inMemory)
        let remote = NamelessRemote { [id] in
            try await store.perform { context in
                try #require(try Job.find(id, in: context)).name = "Draw"
                try context.save()
            }
        }
        let sync = Sync(store: store, remote: remote, clock: clock, random: { 0.5 })
        try await edit(store) { [id] in Job(localID: id, name: "Paint", context: $0) }
        _ = try await sync.push()
        #expect(try await sync.push().parked.count == 1)
        #expect(remote.count.withLock { $0 } == 1)
    }

    @Test("P10.9 A retry by the app repeats the same request, and later edits follow")
    func retried() async throws {
        let (remote, store, sync) = try await accepted()
        try await edit(store) { [id] in try #require(try Job.find(id, in: $0)).name = "Draw" }
        try await store.outbox.retryAll()
        let summary = try await sync.push()
        #expect(summary.parked.isEmpty && summary.remaining == 0)
        #expect(remote.log.map(\.kind) == [.create, .create, .update])
        #expect(remote.log[0].idempotencyKey == remote.log[1].idempotencyKey)
        #expect(remote.records(of: "/jobs").map { $0["name"] } == ["Draw"])
    }

    @Test("P10.9 What depends on it waits, and a discard deletes it locally")
    func discarded() async throws {
        let (remote, store, sync) = try await accepted()
        try await edit(store) { [id] in Step(text: "1", job: try #require(try Job.find(id, in: $0)), context: $0) }
        #expect(try await sync.push().sent == 0)
        try await store.outbox.discardAll()
        #expect(try await store.outbox.pending().isEmpty)
        #expect(remote.log.count == 1)
        let isGone = try await store.perform { [id] context in try Job.find(id, in: context) == nil }
        #expect(isGone)
    }

    @Test("P10 What the server has of what a discarded creation takes along is pulled again", arguments: [false, true])
    func discardedOwner(isEdited: Bool) async throws {
        let store = try Store(ForestSchema.self, at: .inMemory)
        let remote = MemoryRemote(traits: RemoteTraits())
        let sync = Sync(store: store, remote: remote, clock: clock, random: { 0.5 })
        try await edit(store) { Node(id: 7, title: "Mine", context: $0) }
        // The user may read what is on the node, and not the node.
        remote.set(["id": 1, "text": "mark", "node_id": 7], id: "1", in: "/marks")
        remote.set(["id": .string(id.uuidString), "text": "note", "mark_id": 1], id: id.uuidString, in: "/notes")
        remote.set(["id": "r", "name": "Ann", "mark_ids": [1]], id: "r", in: "/rangers")
        func pull() async throws -> [Int] {
            try await sync.pull(Mark.self)
            try await sync.pull(Note.self)
            try await sync.pull(Ranger.self)
            return try await counts()
        }
        func counts() async throws -> [Int] {
            try await store.perform { context in
                let links = try context.fetch(Ranger.all()).map { $0.marks.count }
                return try [context.count(Mark.all()), context.count(Note.all())] + links
            }
        }
        #expect(try await pull() == [1, 1, 1])
        if isEdited { try await edit(store) { [id] in try #require(try Note.find(id, in: $0)).text = "edited" } }
        let creation = try #require(try await store.outbox.pending().first)
        try await store.outbox.discard(creation)
        #expect(try await counts() == [0, 0, 0])
        #expect(try await store.outbox.pending().isEmpty)
        #expect(try await pull() == [1, 1, 1])
    }

    @Test("P10.9 P13 A creation that comes back under another identity is not sent again either")
    func otherIdentity() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try sync(remote)
        try await edit(store) { [id] in Team(id: id, name: "Reds", context: $0) }
        let body = #"{"id": "00000000-0000-4000-8000-000000000001", "name": "Reds"}"#
        remote.respondNext(.response(.accepted(body: Data(body.utf8))), to: .changes)
        #expect(try await sync.push().parked.count == 1)
        try await edit(store) { [id] in try #require(try Team.find(id, in: $0)).name = "Blues" }
        #expect(try await sync.push().sent == 0)
        #expect(remote.log.filter { $0.kind == .create }.count == 1)
    }

    @Test("P8 A creation that was rejected is sent again after an edit")
    func rejected() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try sync(remote)
        try await edit(store) { [id] in Job(localID: id, name: "Paint", context: $0) }
        remote.respondNext(.response(.refused(status: 422, body: Data())), to: .changes)
        #expect(try await sync.push().parked.count == 1)
        try await edit(store) { [id] in try #require(try Job.find(id, in: $0)).name = "Draw" }
        #expect(try await sync.push().created == 1)
    }

    // MARK: What is not set

    /// The members of the first request after a creation of an album, and after its update.
    private func bodies(sendsUnset: Bool) async throws -> (created: JSONValue, updated: JSONValue) {
        let server = FakeRails(clock: clock)
        var conventions = RESTConventions()
        conventions.writes.sendsUnset = sendsUnset
        let (store, sync) = try sync(RESTRemote(server.url, client: server.client, conventions: conventions))
        try await edit(store) { [id] context in
            let album = Album(id: id, title: "Summer", context: context)
            album.rating = nil
        }
        try await sync.push()
        try await edit(store) { [id] in try #require(try Album.find(id, in: $0)).note = "x" }
        try await sync.push()
        try await edit(store) { [id] in try #require(try Album.find(id, in: $0)).note = nil }
        try await sync.push()
        let bodies = try server.requests.map { try JSONValue(json: $0.body) }
        return (try #require(bodies.first), try #require(bodies.last))
    }

    @Test("P3 A creation lacks what is not set, unless it has a default; an update says what was cleared")
    func unset() async throws {
        let (created, updated) = try await bodies(sendsUnset: false)
        #expect(created == ["id": .string(id.uuidString.lowercased()), "title": "Summer", "rating": .null])
        #expect(updated == ["note": .null])
    }

    @Test("P3 A creation contains null for what is not set if the remote says so")
    func null() async throws {
        let (created, updated) = try await bodies(sendsUnset: true)
        let expected: JSONValue = [
            "id": .string(id.uuidString.lowercased()), "title": "Summer", "rating": .null, "note": .null,
            "cover_id": .null,
        ]
        #expect(created == expected)
        #expect(updated == ["note": .null])
    }
}

/// Accepts each creation without naming the record, after something else was done.
private struct NamelessRemote: Remote {
    let traits = RemoteTraits()
    let count = Locked(0)
    let meanwhile: @Sendable () async throws -> Void

    init(meanwhile: @escaping @Sendable () async throws -> Void) { self.meanwhile = meanwhile }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse { .absent }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        count.withLock { $0 += 1 }
        try await meanwhile()
        return .accepted(body: Data(#"{"name": "Paint"}"#.utf8))
    }
}
