import Foundation
import Journal
import LockstepStore
import LockstepSync
import LockstepTesting
import OfflineTasks
import TestSupport
import Testing

/// Found by the simulation: responses that never arrived, and local changes in the meantime.
@Suite("Lost responses")
struct LostResponseStories {
    private let clock = ManualClock()
    private let id = UUID()

    private func sync(_ store: Store, _ remote: MemoryRemote) -> Sync {
        Sync(store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
    }

    private func journal(_ remote: MemoryRemote) throws -> (Store, Sync) {
        let store = try Store(JournalSchema.self, at: .inMemory)
        return (store, sync(store, remote))
    }

    /// An entry whose creation has no response yet, or did not arrive.
    private func sentEntry(_ store: Store, _ sync: Sync, _ remote: MemoryRemote, _ response: ScriptedResponse)
        async throws
    {
        let id = id
        try await store.perform { context in
            Entry(identifier: id, title: "Monday", bodyText: "Rain", context: context)
            try context.save()
        }
        remote.respondNext(response)
        await #expect(throws: SyncError.self) { try await sync.push() }
        clock.advance(by: 600)
    }

    private func edit(_ store: Store, _ change: @escaping @Sendable (Entry) -> Void) async throws {
        let id = id
        try await store.perform { context in
            change(try #require(try Entry.find(id, in: context)))
            try context.save()
        }
    }

    private func delete(_ store: Store) async throws {
        let id = id
        try await store.perform { context in
            context.delete(try #require(try Entry.find(id, in: context)))
            try context.save()
        }
    }

    private func record(_ remote: MemoryRemote) -> JSONValue? {
        remote.record(id.uuidString.lowercased(), of: "/entries")
    }

    // MARK: Edited after it was sent

    @Test("P4 P10 An edit made after a creation was sent is sent after it", arguments: [true, false])
    func edited(hasArrived: Bool) async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try journal(remote)
        try await sentEntry(store, sync, remote, hasArrived ? .responseLost : .connectionFails)
        try await edit(store) { $0.title = "Tuesday" }

        let summary = try await sync.push()
        #expect(summary.created == 1)
        #expect(record(remote)?["title"] == "Tuesday")
        let sent: [JSONValue?] = remote.log.filter { $0.kind == .create }.map { $0.body?["title"] }
        #expect(sent == ["Monday", "Monday"])
        #expect(try await store.outbox.pending().isEmpty)
        let saved = try await store.perform { [id] in try Entry.find(id, in: $0)?.title }
        #expect(saved == "Tuesday")
    }

    @Test("P4 P10 A delete made after the creation was sent is sent too", arguments: [true, false])
    func deleted(hasArrived: Bool) async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try journal(remote)
        try await sentEntry(store, sync, remote, hasArrived ? .responseLost : .connectionFails)
        try await delete(store)

        try await sync.push()
        #expect(record(remote) == nil)
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P3 P8 A delete made after the creation was sent is dropped if the server rejects the creation")
    func refused() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try journal(remote)
        try await sentEntry(store, sync, remote, .connectionFails)
        try await delete(store)

        remote.respondNext(.refused(status: 422), to: .changes)
        let summary = try await sync.push()
        #expect(summary.parked.isEmpty)
        #expect(summary.remaining == 0)
        #expect(try await store.outbox.pending().isEmpty)
    }

    // MARK: Deleted on the server, edited locally

    @Test("C3 A record created again is merged field by field if others create it again too")
    func madeAgainByBoth() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try journal(remote)
        let key = id.uuidString.lowercased()
        remote.set(["identifier": .string(key), "title": "Monday", "bodyText": "Rain"], id: key, in: "/entries")
        try await sync.pull(Entry.self)
        try await edit(store) { $0.title = "Tuesday" }
        remote.remove(key, from: "/entries")
        try await sync.pull(Entry.self, options: MergeOptions(records: .all))
        remote.set(["identifier": .string(key), "title": "Monday", "bodyText": "Sun"], id: key, in: "/entries")

        try await sync.pull(Entry.self)
        try await sync.push()
        #expect(record(remote)?["title"] == "Tuesday")
        // It was not edited locally: the values of others are kept.
        #expect(record(remote)?["bodyText"] == "Sun")
        let saved = try await store.perform { [id] in try Entry.find(id, in: $0)?.bodyText }
        #expect(saved == "Sun")
    }

    @Test("C2 Values missing from the server's copy of a locally created record are still sent")
    func partlyTold() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try journal(remote)
        let key = id.uuidString.lowercased()
        try await store.perform { [id] context in
            Entry(identifier: id, title: "Monday", bodyText: "Rain", context: context)
            try context.save()
        }
        remote.set(["identifier": .string(key), "title": "Monday"], id: key, in: "/entries")
        try await sync.pull(Entry.self)
        #expect(try await store.outbox.pending().map(\.kind) == [.update])
        try await sync.push()
        #expect(record(remote)?["bodyText"] == "Rain")
        #expect(try await store.outbox.pending().isEmpty)
    }

    // MARK: Two rows of one record

    /// A task whose creation got no response, and that a pull has inserted a second time.
    private func twins(_ remote: MemoryRemote) async throws -> (Store, Sync) {
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await store.perform { [id] context in
            OfflineTasks.Task(localID: id, title: "Milk", context: context)
            try context.save()
        }
        remote.respondNext(.responseLost)
        await #expect(throws: SyncError.self) { try await sync.push() }
        clock.advance(by: 600)
        try await sync.pull(OfflineTasks.Task.self)
        #expect(try await store.representations(OfflineTasks.Task.all()).count == 2)
        return (store, sync)
    }

    private func titles(_ remote: MemoryRemote) -> [JSONValue?] { remote.records(of: "/tasks").map { $0["title"] } }

    private func editTwin(_ store: Store) async throws {
        try await store.perform { [id] context in
            let twin = try #require(try context.fetch(OfflineTasks.Task.all()).first { $0.localID != id })
            twin.title = "Bread"
            try context.save()
        }
    }

    @Test("P10.8 An edit of the duplicate row of a locally created record is applied to the first row")
    func editedTwin() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try await twins(remote)
        try await editTwin(store)

        try await sync.push()
        #expect(titles(remote) == ["Bread"])
        #expect(try await store.representations(OfflineTasks.Task.all()).map(\.title) == ["Bread"])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P10.8 If one of two rows of a record is edited and the other deleted, the edited one is kept")
    func deletedTwin() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try await twins(remote)
        try await editTwin(store)
        try await store.perform { [id] context in
            context.delete(try #require(try OfflineTasks.Task.find(id, in: context)))
            try context.save()
        }

        try await sync.push()
        #expect(titles(remote) == ["Bread"])
        #expect(try await store.representations(OfflineTasks.Task.all()).map(\.title) == ["Bread"])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("C3 A locally deleted task does not come back as another one")
    func deletedTaskStaysDeleted() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        remote.set(["id": 7, "title": "Milk", "created_at": "2026-01-01T00:00:00Z"], id: "7", in: "/tasks")
        try await sync.pull(OfflineTasks.Task.self)
        try await store.perform { context in
            context.delete(try #require(try context.fetch(OfflineTasks.Task.all()).first))
            try context.save()
        }

        try await sync.forgetValidators()
        try await sync.pull(OfflineTasks.Task.self)
        #expect(try await store.representations(OfflineTasks.Task.all()).isEmpty)
        #expect(try await store.outbox.pending().map(\.kind) == [.delete])
        try await sync.push()
        #expect(remote.records(of: "/tasks").isEmpty)
    }
}
