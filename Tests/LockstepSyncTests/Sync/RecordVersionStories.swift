import Foundation
import Journal
import LockstepStore
import LockstepSync
import LockstepTesting
import TestSupport
import Testing

/// Versions of records (`ETag`): what a write with an outdated one leads to, and which requests versions cost.
@Suite("Versions of records")
struct RecordVersionStories {
    private let clock = ManualClock()
    private let id = UUID()
    private var key: String { id.uuidString.lowercased() }

    /// A device whose entry is on the server.
    private func device(_ remote: MemoryRemote) async throws -> (Store, Sync) {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
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

    @Test("C4 A delete is sent with the version of the record")
    func deletes() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))
        let (store, sync) = try await device(remote)
        try await delete(store)
        #expect(try await sync.push().deleted == 1)
        #expect(remote.log.map(\.kind) == [.delete])
        #expect(remote.log.first?.version != nil)
    }

    @Test("C3 C4 A delete of a record that others have changed is rejected first, and sent again for their version")
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

    @Test("C3 C4 If the rejection of a delete does not contain the record, it is requested")
    func deletesOutdatedWithoutBody() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))
        let (store, sync) = try await device(remote)
        remote.edit(key, of: "/entries", ["title": "theirs"])
        try await delete(store)
        remote.answerNext(.answer(.outdated(current: nil)), to: .changes)
        #expect(try await sync.push().deleted == 1)
        #expect(remote.log.map(\.kind) == [.delete, .fetch, .delete])
        #expect(remote.records(of: "/entries").isEmpty)
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("C3 C4 A delete of a record that others have deleted has succeeded")
    func deletedThere() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))
        let (store, sync) = try await device(remote)
        try await delete(store)
        remote.answerNext(.answer(.outdated(current: nil)), to: .changes)
        remote.remove(key, from: "/entries")
        try await sync.push()
        #expect(try await store.outbox.pending().isEmpty)
        #expect(try await store.representations(Entry.all()).isEmpty)
    }

    @Test("C4 A list that shows no change keeps the version: the next write costs one request")
    func listWithoutChange() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))
        let (store, sync) = try await device(remote)
        try await sync.pull(Entry.self)
        remote.clearLog()
        try await edit(store, "mine")
        #expect(try await sync.push().updated == 1)
        #expect(remote.log.map(\.kind) == [.update])
    }

    @Test("C4 A list that shows a change outdates the version: the next write requests it first, and is not rejected")
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
}
