import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import OfflineTasks
import Testing

/// Creations without a response that a pull has brought, beside the changes of what it has brought.
@Suite("P18 Two rows of one record")
struct ConcurrentDuplicateStories {
    @Test("P10 P18 A creation without a response has one before a record is sent that may be the same")
    func twins() async throws {
        let clock = ManualClock()
        let remote = MemoryRemote(traits: RemoteTraits(), maximumConcurrentChanges: nil)
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        let id = UUID()
        try await store.perform { context in
            OfflineTasks.Task(localID: id, title: "Milk", context: context)
            try context.save()
        }
        remote.respondNext(.responseLost, to: .changes)
        await #expect(throws: SyncError.self) { try await sync.push() }
        try await sync.pull(OfflineTasks.Task.self)
        try await store.perform { context in
            let pulled = try context.fetch(OfflineTasks.Task.all()).filter { $0.localID != id }
            try #require(pulled.first).title = "Bread"
            try context.save()
        }
        remote.clearLog()
        clock.advance(by: 600)
        let gate = Gate()
        remote.respondNext(.responseHeld(gate), to: .kind(.create))
        async let push = sync.push()
        try await gate.reached()
        #expect(remote.log.map(\.kind) == [.create])
        gate.open()
        #expect(try await push.sent == 2)
        #expect(remote.records(of: "/tasks").map { $0["title"] } == ["Bread"])
        #expect(try await store.perform { try $0.count(OfflineTasks.Task.all()) } == 1)
        #expect(try await store.outbox.pending().isEmpty)
    }
}
