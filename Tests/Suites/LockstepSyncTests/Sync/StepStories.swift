import Foundation
import Journal
import LockstepStore
import LockstepSync
import LockstepTesting
import Testing

/// Records sent and fetched by the app itself, one by one.
@Suite("Single steps")
struct StepStories {
    private let clock = ManualClock()
    private let remote = MemoryRemote(traits: RemoteTraits())
    private let id = UUID()

    private func journal() throws -> (Store, Sync) {
        let store = try Store(JournalSchema.self, at: .inMemory)
        return (store, Sync(store: store, remote: remote, clock: clock, random: { 0.5 }))
    }

    /// Runs a step with the entry, on the main actor as an app does.
    @MainActor
    private func withEntry<Summary: Sendable>(
        _ store: Store, _ body: @MainActor (Entry) async throws -> Summary
    ) async throws -> Summary {
        try await body(try #require(try Entry.find(id, in: store.mainContext)))
    }

    private func make(_ store: Store) async throws {
        try await store.perform { [id] context in
            Entry(identifier: id, title: "Monday", bodyText: "Rain", context: context)
            try context.save()
        }
    }

    private func rename(_ store: Store, _ title: String) async throws {
        try await store.perform { [id] context in
            try #require(try Entry.find(id, in: context)).title = title
            try context.save()
        }
    }

    @Test("A new record is sent once; then there is nothing new to send")
    func sendNew() async throws {
        let (store, sync) = try journal()
        try await make(store)
        try await store.perform { context in
            Entry(title: "other", context: context)
            try context.save()
        }
        let summary = try await withEntry(store) { try await sync.sendNew($0) }
        #expect(summary.created == 1)
        #expect(remote.records(of: "/entries").map { $0["title"] } == ["Monday"])
        let error = await #expect(throws: SyncError.self) {
            try await withEntry(store) { try await sync.sendNew($0) }
        }
        #expect(error?.code == .nothingToSend)
        #expect(error?.record != nil)
    }

    @Test("P3 A changed record sends its changed fields only; an unchanged one sends nothing")
    func sendUpdated() async throws {
        let (store, sync) = try journal()
        try await make(store)
        try await sync.push()
        let error = await #expect(throws: SyncError.self) {
            try await withEntry(store) { try await sync.sendUpdated($0) }
        }
        #expect(error?.code == .nothingToSend)
        try await rename(store, "Tuesday")
        let summary = try await withEntry(store) { try await sync.sendUpdated($0) }
        #expect(summary.updated == 1)
        #expect(remote.log.last?.changes == ["title": "Tuesday"])
    }

    @Test("A whole record is put, changed or not")
    func put() async throws {
        let (store, sync) = try journal()
        try await make(store)
        try await sync.push()
        let summary = try await withEntry(store) { try await sync.put($0) }
        #expect(summary.updated == 1)
        #expect(remote.log.last?.changes?["bodyText"] == "Rain")
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("A whole record is put although other pushes send what is pending meanwhile")
    func putDuringPushes() async throws {
        let (store, sync) = try journal()
        try await make(store)
        try await sync.push()
        for _ in 0..<5 {
            let gate = Gate()
            remote.respondNext(.held(gate), to: .fetches)
            let pull = _Concurrency.Task { try await sync.pull(Entry.self) }
            try await gate.reached()
            let put = _Concurrency.Task { try await withEntry(store) { try await sync.put($0) } }
            for _ in 0..<1_000 { await _Concurrency.Task.yield() }
            let pushes = (0..<3).map { _ in _Concurrency.Task { try await sync.push() } }
            for _ in 0..<1_000 { await _Concurrency.Task.yield() }
            gate.open()
            #expect(try await put.value.updated == 1)
            for push in pushes { _ = try await push.value }
            _ = try await pull.value
        }
        #expect(remote.log.filter(\.isChange).count == 6)
    }

    @Test("A whole record is put while keeping in sync, which sends each change at once")
    func putDuringRun() async throws {
        let (store, sync) = try journal()
        try await make(store)
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 1_000)) }
        try await clock.waitForSleepers(1)
        for _ in 0..<20 { #expect(try await withEntry(store) { try await sync.put($0) }.updated == 1) }
        #expect(remote.log.last?.changes?["bodyText"] == "Rain")
        run.cancel()
        try await run.value
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P7 A put that fails is retried whole, although another push has found nothing to send meanwhile")
    func putAfterFailure() async throws {
        let (store, sync) = try journal()
        try await make(store)
        try await sync.push()
        remote.respondNext(.unavailable(status: 500), to: .changes)
        let put = _Concurrency.Task { try await withEntry(store) { try await sync.put($0) } }
        try await clock.waitForSleepers(1)
        // For this one, the time has come already.
        let later = ManualClock(now: clock.now + 10)
        let other = Sync(store: store, remote: remote, clock: later, random: { 0.5 })
        #expect(try await other.push().sent == 0)
        #expect(try await store.outbox.pending().isEmpty)
        clock.advance(by: 1)
        #expect(try await put.value.updated == 1)
        #expect(remote.log.last?.changes?["bodyText"] == "Rain")
        #expect(try await store.outbox.pending().isEmpty)
        #expect(remote.log.filter(\.isChange).count == 3)
    }

    @Test("P8 A rejected change is sent again if the app sends the record")
    func putParked() async throws {
        let (store, sync) = try journal()
        try await make(store)
        remote.respondNext(.refused(status: 422), to: .changes)
        #expect(try await sync.push().parked.count == 1)
        let summary = try await withEntry(store) { try await sync.put($0) }
        #expect(summary.created == 1)
        #expect(summary.parked.isEmpty)
    }

    @Test("P6 A record is deleted locally and on the server, even if the server does not have it any more")
    func delete() async throws {
        let (store, sync) = try journal()
        try await make(store)
        try await sync.push()
        remote.remove(id.uuidString.lowercased(), from: "/entries")
        #expect(try await sync.delete(Entry.self, id: id).deleted == 1)
        #expect(try await store.outbox.pending().isEmpty)
        let error = await #expect(throws: SyncError.self) { try await sync.delete(Entry.self, id: id) }
        #expect(error?.code == .nothingToSend)
    }

    @Test("P3 A record that the server never had is deleted locally without a request")
    func deleteUnsent() async throws {
        let (store, sync) = try journal()
        try await make(store)
        #expect(try await sync.delete(Entry.self, id: id).sent == 0)
        #expect(remote.log.isEmpty)
        #expect(try await store.representations(Entry.all()).isEmpty)
    }

    @Test("One record is fetched again; a local edit of it is kept")
    func fetch() async throws {
        let (store, sync) = try journal()
        try await make(store)
        try await sync.push()
        try await rename(store, "mine")
        remote.edit(id.uuidString.lowercased(), of: "/entries", ["title": "theirs", "bodyText": "Sun"])
        let summary = try await withEntry(store) { try await sync.fetch($0) }
        #expect(summary.updated == 1)
        let saved = try await store.perform { [id] in try Entry.find(id, in: $0).map { [$0.title, $0.bodyText] } }
        #expect(saved == ["mine", "Sun"])
    }
}
