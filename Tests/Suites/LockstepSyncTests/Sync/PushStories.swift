import Foundation
import Journal
import LockstepStore
import LockstepSync
import LockstepTesting
import OfflineTasks
import Shop
import TestSupport
import Testing

/// The requests of a push, and the effects of the responses; with a server in memory.
@Suite("Pushing")
struct PushStories {
    private let clock = ManualClock()

    private func journal(_ remote: MemoryRemote) throws -> (Store, Sync) {
        let store = try Store(JournalSchema.self, at: .inMemory)
        return (store, Sync(store: store, remote: remote, clock: clock, random: { 0.5 }))
    }

    @Test("A new entry, then a change, then its deletion")
    func life() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try journal(remote)
        let id = UUID()
        try await store.perform { context in
            Entry(identifier: id, title: "Monday", context: context)
            try context.save()
        }
        #expect(try await sync.push().created == 1)
        #expect(remote.records(of: "/entries").count == 1)
        #expect(try await store.outbox.pending().isEmpty)

        try await store.perform { context in
            try #require(try Entry.find(id, in: context)).title = "Tuesday"
            try context.save()
        }
        #expect(try await sync.push().updated == 1)
        #expect(remote.record(id.uuidString.lowercased(), of: "/entries")?["title"] == "Tuesday")
        #expect(remote.log.last?.changes == ["title": "Tuesday"])

        try await store.perform { context in
            context.delete(try #require(try Entry.find(id, in: context)))
            try context.save()
        }
        #expect(try await sync.push().deleted == 1)
        #expect(remote.records(of: "/entries").isEmpty)
        #expect(try await sync.push().sent == 0)
    }

    @Test("P2 P5 A task created offline gets the server's id, and its links follow")
    func serverIdentity() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: remote, clock: clock)
        let id = UUID()
        try await store.perform { context in
            OfflineTasks.Task(localID: id, title: "Buy milk", context: context)
            try context.save()
        }
        try await sync.push()
        let remoteID = try await store.perform { try OfflineTasks.Task.find(id, in: $0)?.remoteID }
        #expect(remoteID != nil)
        #expect(try await store.outbox.pending().isEmpty)
        // Pulled, it is the same task.
        let summary = try await sync.pull(OfflineTasks.Task.self)
        #expect(summary.inserted == 0 && summary.unchanged == 1)
    }

    @Test("P3 Many edits are one request; a record created and deleted before any push sends nothing")
    func coalesced() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try journal(remote)
        try await store.perform { context in
            let kept = Entry(title: "1", context: context)
            let gone = Entry(title: "gone", context: context)
            try context.save()
            for number in 2...9 {
                kept.title = "\(number)"
                try context.save()
            }
            context.delete(gone)
            try context.save()
        }
        try await sync.push()
        #expect(remote.log.map(\.kind) == [.create])
        #expect(remote.records(of: "/entries").first?["title"] == "9")
    }

    @Test("P10.1 A creation whose response was lost creates no second record, and later edits follow")
    func lostResponse() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: remote, clock: clock, random: { 0.5 })
        let id = UUID()
        try await store.perform { context in
            OfflineTasks.Task(localID: id, title: "Milk", context: context)
            try context.save()
        }
        remote.respondNext(.responseLost)
        let clock = clock
        let summary = try await clock.whilePassing { try await sync.push() }
        #expect(summary.created == 1)
        #expect(remote.records(of: "/tasks").count == 1)
        #expect(Set(remote.log.compactMap(\.idempotencyKey)).count == 1)
    }

    @Test("P8 A rejected change is parked with the response; the others are sent")
    func parked() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try journal(remote)
        try await store.perform { context in
            Entry(title: "refused", context: context)
            try context.save()
            Entry(title: "taken", context: context)
            try context.save()
        }
        remote.respondNext(.response(.refused(status: 422, body: Data("too long".utf8))))
        let summary = try await sync.push()
        #expect(summary.created == 1)
        #expect(summary.parked.map(\.parked) == [PendingChange.Parked(status: 422, body: Data("too long".utf8))])
        #expect(remote.records(of: "/entries").map { $0["title"] } == ["taken"])
    }

    @Test("P9 A parked response is kept without its secrets")
    func parkedSecrets() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try journal(remote)
        try await store.perform { context in
            Entry(title: "refused", context: context)
            try context.save()
        }
        let body = #"""
            {"error": "title is too long", "request": {"url": "https://u:secret1@a.b/entries?auth=secret2&page=2",
            "headers": {"Authorization": "Bearer secret3", "api_key": ["secret4"], "X-Tries": 3}}, "password" : "secr\"et5"}
            """#
        remote.respondNext(.response(.refused(status: 422, body: Data(body.utf8))))
        let parked = try #require(try await sync.push().parked.first?.parked)
        let text = String(decoding: parked.body, as: UTF8.self)
        #expect(!text.contains("secret") && !text.contains("et5"))
        #expect(text.contains("title is too long") && text.contains("page=2") && text.contains("\"X-Tries\": 3"))
    }
}
