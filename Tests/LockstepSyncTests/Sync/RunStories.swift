import Foundation
import Journal
import LockstepStore
import LockstepTesting
import OfflineTasks
import TestSupport
import Testing

@testable import LockstepSync

/// What goes on by itself until it is cancelled.
@Suite("Staying in step", .timeLimit(.minutes(10)))
struct RunStories {
    private let clock = ManualClock()
    private let id = UUID()

    private func wait(_ condition: () async throws -> Bool) async throws {
        while try await !condition() { await _Concurrency.Task.yield() }
    }

    private func sync(_ store: Store, _ remote: MemoryRemote) -> Sync {
        Sync(store: store, remote: remote, clock: clock, random: { 0.5 })
    }

    private func make(_ store: Store, _ title: String) async throws {
        try await store.perform { context in
            Entry(title: title, context: context)
            try context.save()
        }
    }

    @Test("P7 Edits go out as they are saved, the server's come in, and a broken stream is opened again")
    func following() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasEvents: true))
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        let run = _Concurrency.Task { try await sync.run() }
        try await make(store, "mine")
        try await wait { remote.records(of: "/entries").count == 1 }
        let other = UUID().uuidString.lowercased()
        remote.set(["identifier": .string(other), "title": "theirs"], id: other, in: "/entries")
        try await wait { try await store.representations(Entry.all()).count == 2 }

        remote.endEvents()
        remote.remove(other, from: "/entries")
        try await clock.waitForSleepers(1)
        #expect(clock.advanceToNextSleeper())
        try await wait { try await store.representations(Entry.all()).map(\.title) == ["mine"] }

        run.cancel()
        try await run.value
        // Nothing is locked, and nothing is listened to.
        try await sync.push()
        try await wait { remote.listenerCount(of: "/entries") == 0 }
    }

    @Test("P7 What cannot be sent goes out later, without another edit")
    func retried() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasEvents: true))
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        remote.answerNext(.connectionFails, to: .changes)
        remote.answerNext(.unavailable(status: 500), to: .changes)
        remote.answerNext(.unavailable(status: 503, retryAfter: 30), to: .changes)
        let run = _Concurrency.Task { try await sync.run() }
        try await make(store, "mine")
        // A ring may wake whoever sleeps just then: time passes until all is sent.
        try await wait {
            clock.advanceToNextSleeper()
            return try await store.outbox.pending().isEmpty
        }
        #expect(remote.log.filter(\.isChange).count == 4)
        run.cancel()
        try await run.value
    }

    @Test("P9 It ends where the server wants other credentials, and the edit stays")
    func unauthorized() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasEvents: true))
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await make(store, "mine")
        remote.answerNext(.unauthorized, to: .changes)
        let error = await #expect(throws: SyncError.self) { try await sync.run() }
        #expect(error?.code == .unauthorized)
        #expect(try await store.outbox.pending().count == 1)
        #expect(try await sync.push().created == 1)
    }

    @Test("What is made while the server tells what it has is not taken for deleted")
    func snapshotBeforeCreation() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasEvents: true))
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await store.perform { [id] context in
            OfflineTasks.Task(localID: id, title: "Milk", context: context)
            try context.save()
        }
        // The stream's first event is there, and its answer comes late: a push that may go meanwhile does.
        let gate = Gate()
        remote.answerNext(.answerHeld(gate), to: .events)
        let run = _Concurrency.Task { try await sync.run() }
        try await gate.reached()
        for _ in 0..<2_000 { await _Concurrency.Task.yield() }
        gate.open()
        try await wait { try await store.outbox.pending().isEmpty }
        #expect(remote.records(of: "/tasks").count == 1)
        // Events come in their order: when this one is here, all before it are.
        remote.set(["id": 99, "title": "theirs", "created_at": "2026-01-05T10:00:00Z"], id: "99", in: "/tasks")
        func tasks() async throws -> [OfflineTasks.TaskRepresentation] {
            try await store.representations(OfflineTasks.Task.order(\.remoteID))
        }
        try await wait { try await tasks().contains { $0.remoteID == 99 } }
        let mine = try await store.perform { context in
            try context.fetch(OfflineTasks.Task.all()).filter { $0.remoteID != 99 }.map(\.localID)
        }
        #expect(mine == [id])
        run.cancel()
        try await run.value
    }

    @Test("After a pull it says that it follows")
    func statusAfterPolling() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        let run = _Concurrency.Task { try await sync.run() }
        for _ in 0..<3 {
            // The next pull is waited for: this one is over.
            try await clock.waitForSleepers(1)
            if case .following = sync.board.status {} else { Issue.record("\(sync.board.status)") }
            clock.advanceToNextSleeper()
        }
        run.cancel()
        try await run.value
    }

    @Test("P11 A wait that was cancelled does not end a later one")
    func bells() async throws {
        let bell = Doorbell()
        for _ in 0..<2_000 {
            // It ends at once, and leaves a wait behind that is cancelled.
            try await clock.wait(for: bell, until: clock.now)
            let later = _Concurrency.Task { try await bell.wait() }
            await _Concurrency.Task.yield()
            await bell.ring()
            try await later.value
        }
    }
}
