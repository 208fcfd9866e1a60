import Foundation
import Journal
import LockstepStore
import LockstepSystem
import LockstepTesting
import OfflineTasks
import TestSupport
import Testing

@testable import LockstepHTTP
@testable import LockstepMerge
@testable import LockstepSync

/// Work that continues until it is cancelled.
@Suite("Keeping in sync")
struct RunStories {
    private let clock = ManualClock()
    private let id = UUID()

    private func sync(_ store: Store, _ remote: MemoryRemote) -> Sync {
        Sync(store: store, remote: remote, clock: clock, random: { 0.5 })
    }

    private func make(_ store: Store, _ title: String) async throws {
        try await store.perform { context in
            Entry(title: title, context: context)
            try context.save()
        }
    }

    @Test("P7 Edits are sent when saved, the server's changes are merged, and a broken stream is opened again")
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
        // No lock is held, and no stream is open.
        try await sync.push()
        try await wait { remote.listenerCount(of: "/entries") == 0 }
    }

    @Test("P7.1 A change that cannot be sent is sent later, without another edit")
    func retried() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasEvents: true))
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        remote.respondNext(.connectionFails, to: .changes)
        remote.respondNext(.unavailable(status: 500), to: .changes)
        remote.respondNext(.unavailable(status: 503, retryAfter: 30), to: .changes)
        let run = _Concurrency.Task { try await sync.run() }
        try await make(store, "mine")
        // A signal may wake any sleeper: time passes until all is sent.
        try await wait {
            clock.advanceToNextSleeper()
            return try await store.outbox.pending().isEmpty
        }
        #expect(remote.log.filter(\.isChange).count == 4)
        run.cancel()
        try await run.value
    }

    @Test("P9 It ends if the server requires other credentials, and the edit is kept")
    func unauthorized() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasEvents: true))
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await make(store, "mine")
        remote.respondNext(.unauthorized, to: .changes)
        let error = await #expect(throws: SyncError.self) { try await sync.run() }
        #expect(error?.code == .unauthorized)
        #expect(try await store.outbox.pending().count == 1)
        #expect(try await sync.push().created == 1)
    }

    @Test("P7 P11 Records created while the server sends its snapshot are sent meanwhile, and do not count as deleted")
    func snapshotBeforeCreation() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasEvents: true))
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        // The stream's first event was sent, and arrives late.
        let gate = Gate()
        remote.respondNext(.responseHeld(gate), to: .events)
        let run = _Concurrency.Task { try await sync.run() }
        try await gate.reached()
        try await store.perform { [id] context in
            OfflineTasks.Task(localID: id, title: "Milk", context: context)
            try context.save()
        }
        #expect(try await soon { remote.records(of: "/tasks").count == 1 })
        #expect(try await soon { try await store.outbox.pending().isEmpty })
        gate.open()
        // Events arrive in order: when this one has arrived, so have all before it.
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

    @Test(
        "P11 Changes confirmed or pulled since the stream was opened are not reverted by its first event",
        arguments: Seeds.some(3, of: UInt64(0)...99))
    func snapshotBeforeUpdate(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        var titles = ["Milk"]
        let remote = MemoryRemote(traits: RemoteTraits(hasEvents: true))
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        let told = ToldStream(remote)
        let sync = Sync(store: store, remote: told, clock: clock, random: { 0.5 })
        let id = id
        try await store.perform { context in
            OfflineTasks.Task(localID: id, title: "Milk", context: context)
            try context.save()
        }
        let run = _Concurrency.Task { try await sync.run() }
        try await wait { told.isOpen }
        for number in 1...Int.random(in: 1...3, using: &random) {
            let title = "Bread \(number)"
            titles.append(title)
            try await store.perform { context in
                try #require(try OfflineTasks.Task.find(id, in: context)).title = title
                try context.save()
            }
            #expect(try await soon { remote.record("1", of: "/tasks")?["title"] == .string(title) })
        }
        let (last, former) = (titles[titles.count - 1], random.element(of: Array(titles.dropLast())))
        remote.set(["id": 98, "title": "ours", "created_at": "2026-01-05T10:00:00Z"], id: "98", in: "/tasks")
        try await sync.pull(OfflineTasks.Task.self)
        let here = try await store.perform { Set(try $0.fetch(OfflineTasks.Task.all()).map(\.localID)) }
        #expect(here.count == 2)
        told.say(.snapshot(Data(#"[{"id":1,"title":"\#(former)","created_at":"2026-01-05T10:00:00Z"}]"#.utf8)))
        told.say(.changed(Data(#"[{"id":99,"title":"theirs","created_at":"2026-01-05T10:00:00Z"}]"#.utf8)))
        try await wait {
            try await store.perform { try $0.fetch(OfflineTasks.Task.all()).contains { $0.remoteID == 99 } }
        }
        let kept = try await store.perform { Set(try $0.fetch(OfflineTasks.Task.all()).map(\.localID)) }
        #expect(here.isSubset(of: kept))
        #expect(try await store.perform { try OfflineTasks.Task.find(id, in: $0)?.title } == last)
        run.cancel()
        try await run.value
    }

    @Test("P7 A stream that never sends anything delays neither a push nor a pull")
    func silentStream() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasEvents: true))
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: ToldStream(remote), clock: clock, random: { 0.5 })
        let run = _Concurrency.Task { try await sync.run() }
        try await make(store, "mine")
        #expect(try await soon { remote.records(of: "/entries").count == 1 })
        let pull = _Concurrency.Task { try await sync.pull(Entry.self) }
        #expect(try await soon { remote.log.contains { $0.kind == .fetch } })
        run.cancel()
        try await run.value
        _ = try await pull.value
    }

    @Test("P7 A stream whose snapshot cannot be merged is opened less and less often, and the status has the reason")
    func unmergeable() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasEvents: true))
        let store = try Store(JournalSchema.self, at: .inMemory)
        let broken = BrokenStream(remote)
        let sync = Sync(store: store, remote: broken, clock: clock, random: { 0.5 })
        let run = _Concurrency.Task { try await sync.run() }
        var waits: [TimeInterval] = []
        for count in 1...4 {
            try await clock.waitForSleepers(1)
            try await wait { broken.openings == count }
            #expect(try await soon { sync.board.status.error != nil })
            guard let until = sync.board.status.retryDate, let error = sync.board.status.error else { break }
            waits.append(until.timeIntervalSince(clock.now))
            #expect(error.code == .malformed && error.entity == "Entry" && error.underlyingError is MergeError)
            clock.advanceToNextSleeper()
        }
        #expect(waits == [0.5, 1, 2, 4])
        try await clock.waitForSleepers(1)
        broken.isBroken = false
        clock.advanceToNextSleeper()
        // It is over when it is merged.
        #expect(try await soon { sync.board.status.isUpToDate })
        run.cancel()
        try await run.value
    }

    @Test("P7 A collection that the server rejects waits alone: pushes continue, and the status has the reason")
    func refusedCollection() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        remote.respondNext(.refused(status: 403, body: ["error": "not for you"]), to: .fetches, times: 2)
        let run = _Concurrency.Task { try await sync.run() }
        for _ in 0..<2 {
            try await clock.waitForSleepers(1)
            try await make(store, "mine")
            #expect(try await soon { try await store.outbox.pending().isEmpty })
            #expect(
                try await soon {
                    if let error = sync.board.status.error {
                        error.code == .refused(status: 403)
                    } else {
                        false
                    }
                })
            clock.advanceToNextSleeper()
        }
        try await clock.waitForSleepers(1)
        #expect(remote.records(of: "/entries").count == 2)
        #expect(try await soon { sync.board.status.isUpToDate })
        run.cancel()
        try await run.value
    }

    @Test("After a pull, the status says that it follows")
    func statusAfterPolling() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        let run = _Concurrency.Task { try await sync.run() }
        for _ in 0..<3 {
            // The next pull is waited for: this one is over.
            try await clock.waitForSleepers(1)
            if !sync.board.status.isUpToDate { Issue.record("\(sync.board.status)") }
            clock.advanceToNextSleeper()
        }
        run.cancel()
        try await run.value
    }

    @Test("P11 A cancelled wait does not end a later one")
    func bells() async throws {
        let signal = AsyncSignal()
        for _ in 0..<2_000 {
            // It ends at once, and leaves a cancelled wait behind.
            try await clock.wait(for: signal, until: clock.now)
            let later = _Concurrency.Task { try await signal.wait() }
            await _Concurrency.Task.yield()
            await signal.signal()
            try await later.value
        }
    }
}

/// A server whose streams send only events chosen by the test.
private final class ToldStream: Remote {
    private let remote: MemoryRemote
    private let streams = Locked<[AsyncThrowingStream<RemoteEvent, any Error>.Continuation]>([])

    init(_ remote: MemoryRemote) { self.remote = remote }

    var isOpen: Bool { streams.withLock { !$0.isEmpty } }
    func say(_ event: RemoteEvent) { streams.withLock { for stream in $0 { stream.yield(event) } } }

    var traits: RemoteTraits { remote.traits }
    func fetch(_ request: RemoteRequest) async throws -> FetchResponse { try await remote.fetch(request) }
    func send(_ change: OutgoingChange) async throws -> SendResponse { try await remote.send(change) }

    func events(of entity: RemoteEntity) async throws -> AsyncThrowingStream<RemoteEvent, any Error>? {
        let (stream, continuation) = AsyncThrowingStream<RemoteEvent, any Error>.makeStream()
        streams.withLock { $0.append(continuation) }
        return stream
    }
}

/// A server whose snapshots are not records, until they are.
private final class BrokenStream: Remote {
    private let remote: MemoryRemote
    private let state = Locked((openings: 0, isBroken: true))

    init(_ remote: MemoryRemote) { self.remote = remote }

    var openings: Int { state.withLock { $0.openings } }
    var isBroken: Bool {
        get { state.withLock { $0.isBroken } }
        set { state.withLock { $0.isBroken = newValue } }
    }

    var traits: RemoteTraits { remote.traits }
    func fetch(_ request: RemoteRequest) async throws -> FetchResponse { try await remote.fetch(request) }
    func send(_ change: OutgoingChange) async throws -> SendResponse { try await remote.send(change) }

    func events(of entity: RemoteEntity) async throws -> AsyncThrowingStream<RemoteEvent, any Error>? {
        let isBroken = state.withLock { state in
            state.openings += 1
            return state.isBroken
        }
        let snapshot = RemoteEvent.snapshot(Data((isBroken ? "[{" : "[]").utf8))
        return AsyncThrowingStream { continuation in continuation.yield(snapshot) }
    }
}
