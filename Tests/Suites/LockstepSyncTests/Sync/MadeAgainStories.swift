import Foundation
import Journal
import LockstepStore
import LockstepSync
import LockstepTesting
import OfflineTasks
import TestSupport
import Testing

/// Found by the simulation: records deleted on the server and edited locally, created there again by a request whose
/// response has not arrived yet; and creations that were undone before their response.
@Suite("Created again")
struct MadeAgainStories {
    private let clock = ManualClock()
    private let id = UUID()
    private var key: String { id.uuidString.lowercased() }

    private func journal(_ remote: MemoryRemote) throws -> (Store, Sync) {
        let store = try Store(JournalSchema.self, at: .inMemory)
        return (store, sync(store, remote))
    }

    private func sync(_ store: Store, _ remote: MemoryRemote) -> Sync {
        Sync(store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
    }

    private func put(_ remote: MemoryRemote, title: String = "Monday", bodyText: String = "Rain") {
        remote.set(
            ["identifier": .string(key), "title": .string(title), "bodyText": .string(bodyText)], id: key,
            in: "/entries")
    }

    /// An entry that was edited locally, was deleted on the server, and whose creation was sent again.
    private func sentAgain(_ remote: MemoryRemote, _ response: ScriptedResponse) async throws -> (Store, Sync) {
        let (store, sync) = try journal(remote)
        put(remote)
        try await sync.pull(Entry.self)
        try await edit(store) { $0.title = "Tuesday" }
        remote.remove(key, from: "/entries")
        try await sync.pull(Entry.self, options: MergeOptions(records: .all))
        #expect(try await store.outbox.pending().map(\.kind) == [.create])
        remote.respondNext(response, to: .changes)
        _ = try? await sync.push()
        clock.advance(by: 600)
        return (store, sync)
    }

    private func edit(_ store: Store, _ change: @escaping @Sendable (Entry) -> Void) async throws {
        let id = id
        try await store.perform { context in
            change(try #require(try Entry.find(id, in: context)))
            try context.save()
        }
    }

    private func values(_ store: Store) async throws -> [String] {
        try await store.representations(Entry.all()).flatMap { [$0.title, $0.bodyText ?? ""] }
    }

    private func values(_ remote: MemoryRemote) -> [JSONValue?] {
        let record = remote.record(key, of: "/entries")
        return [record?["title"], record?["bodyText"]]
    }

    // MARK: Deleted on the server, edited locally

    @Test("C3 A local edit is kept if the delete is received again while the record is being created again")
    func heardAgain() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try await sentAgain(remote, .connectionFails)
        let old = try JSONValue.array([
            ["identifier": .string(key), "title": "Monday", "bodyText": "Rain"]
        ]).json()
        try await sync.handle(.changed(old), of: Entry.self, options: MergeOptions())
        try await sync.handle(.deleted([RemoteIdentity([.string(key)])]), of: Entry.self, options: MergeOptions())

        #expect(try await values(store) == ["Tuesday", "Rain"])
        try await sync.push()
        #expect(values(remote) == ["Tuesday", "Rain"])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test(
        "C2 C3 A record that others have created again instead is merged field by field, however it is received",
        arguments: [true, false])
    func madeByOthers(hasVersions: Bool) async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: hasVersions))
        let (store, sync) = try await sentAgain(remote, .connectionFails)
        put(remote, bodyText: "Sun")

        if hasVersions {
            // The creation is rejected with the existing record.
            try await sync.push()
        } else {
            try await sync.pull(Entry.self)
        }
        #expect(try await values(store) == ["Tuesday", "Sun"])
        try await sync.push()
        #expect(values(remote) == ["Tuesday", "Sun"])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("C2 P8 A record that others have created again is merged field by field if the creation was rejected")
    func refused() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try await sentAgain(remote, .refused(status: 409))
        put(remote, bodyText: "Sun")

        try await sync.pull(Entry.self)
        #expect(try await values(store) == ["Tuesday", "Sun"])
        try await sync.push()
        #expect(values(remote) == ["Tuesday", "Sun"])
    }

    @Test("C2 P10 A record that others have created again is merged field by field if the creation was sent again")
    func sentAnew() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try await sentAgain(remote, .connectionFails)
        // It is rejected and does not exist: it is sent as another request, which is lost.
        remote.respondNext(.refused(status: 422), to: .changes)
        remote.respondNext(.connectionFails, to: .changes)
        _ = try? await sync.push()
        clock.advance(by: 600)
        put(remote, bodyText: "Sun")

        try await sync.pull(Entry.self)
        #expect(try await values(store) == ["Tuesday", "Sun"])
        try await sync.push()
        #expect(values(remote) == ["Tuesday", "Sun"])
    }

    @Test("C2 P10 Values that have arrived have arrived: later changes by others are kept")
    func hasArrived() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try await sentAgain(remote, .responseLost)
        remote.edit(key, of: "/entries", ["bodyText": "Sun"])

        try await sync.pull(Entry.self)
        #expect(try await values(store) == ["Tuesday", "Sun"])
        #expect(try await store.outbox.pending().isEmpty)
    }

    // MARK: Undone

    @Test(
        "P3 P10 A record whose creation got no response is new again if its delete is undone",
        arguments: [true, false])
    func undoneDelete(hasArrived: Bool) async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await deletedTask(store, sync, remote, hasArrived ? .responseLost : .connectionFails)

        try await store.outbox.discard(try #require(try await store.outbox.pending().first))
        #expect(try await store.outbox.pending().map(\.kind) == [.create])
        #expect(try await store.representations(OfflineTasks.Task.all()).map(\.title) == ["Milk"])
        try await store.perform { [id] context in
            try #require(try OfflineTasks.Task.find(id, in: context)).title = "Bread"
            try context.save()
        }
        try await sync.push()
        #expect(remote.records(of: "/tasks").map { $0["title"] } == ["Bread"])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("Undoing everything removes a deleted record whose creation got no response")
    func undoneAll() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await deletedTask(store, sync, remote, .connectionFails)

        try await store.outbox.discardAll()
        #expect(try await store.outbox.pending().isEmpty)
        #expect(try await store.representations(OfflineTasks.Task.all()).isEmpty)
        try await sync.push()
        #expect(remote.records(of: "/tasks").isEmpty)
    }

    /// A task that was deleted after its creation was sent, and before the response.
    private func deletedTask(
        _ store: Store, _ sync: Sync, _ remote: MemoryRemote, _ response: ScriptedResponse
    ) async throws {
        try await store.perform { [id] context in
            OfflineTasks.Task(localID: id, title: "Milk", context: context)
            try context.save()
        }
        remote.respondNext(response)
        await #expect(throws: SyncError.self) { try await sync.push() }
        clock.advance(by: 600)
        try await store.perform { [id] context in
            context.delete(try #require(try OfflineTasks.Task.find(id, in: context)))
            try context.save()
        }
    }

    // MARK: Two rows of one record

    @Test(
        "P5 P10 A late response does not override values pulled in the meantime", arguments: [true, false])
    func lateResponse(respondsWithBody: Bool) async throws {
        let remote = MemoryRemote(traits: RemoteTraits(), respondsWithBody: respondsWithBody)
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await store.perform { [id] context in
            OfflineTasks.Task(localID: id, title: "Milk", context: context)
            try context.save()
        }
        remote.respondNext(.responseLost)
        await #expect(throws: SyncError.self) { try await sync.push() }
        remote.edit("1", of: "/tasks", ["title": "Bread"])
        try await sync.pull(OfflineTasks.Task.self)
        clock.advance(by: 600)

        try await sync.push()
        #expect(try await store.representations(OfflineTasks.Task.all()).map(\.title) == ["Bread"])
        #expect(try await store.outbox.pending().isEmpty)
    }
}
