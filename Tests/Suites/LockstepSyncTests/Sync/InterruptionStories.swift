import Foundation
import GRDB
import Journal
import KitchenSink
import LockstepStore
import LockstepSync
import LockstepTesting
import Shop
import TestSupport
import Testing

/// Events during a push, and the state after an interruption.
@Suite("Interruptions")
struct InterruptionStories {
    private let clock = ManualClock()
    private let id = UUID()

    private func sync(_ store: Store, _ remote: MemoryRemote, attempts: Int = 4) -> Sync {
        Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: attempts), clock: clock,
            random: { 0.5 })
    }

    private func make(_ store: Store) async throws {
        try await store.perform { [id] context in
            Entry(identifier: id, title: "Monday", bodyText: "Rain", context: context)
            try context.save()
        }
    }

    private func edit(_ store: Store, _ change: @escaping @Sendable (Entry) -> Void) async throws {
        try await store.perform { [id] context in
            change(try #require(try Entry.find(id, in: context)))
            try context.save()
        }
    }

    @Test("P4 An edit during the request is sent next, and no response reverts it", arguments: [true, false])
    func editedMeanwhile(respondsWithBody: Bool) async throws {
        let remote = MemoryRemote(traits: RemoteTraits(), respondsWithBody: respondsWithBody)
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await make(store)
        try await sync.push()
        try await edit(store) { $0.title = "Tuesday" }
        let gate = Gate()
        remote.respondNext(.responseHeld(gate), to: .changes)
        let push = Task { try await sync.push() }
        try await gate.reached()
        try await edit(store) { $0.title = "Wednesday" }
        gate.open()
        #expect(try await push.value.updated == 2)
        #expect(remote.log.last?.changes == ["title": "Wednesday"])
        #expect(remote.record(id.uuidString.lowercased(), of: "/entries")?["title"] == "Wednesday")
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P11 Cancelled before arrival, before the response or in a wait, a push loses nothing", arguments: 0..<3)
    func cancelled(point: Int) async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await make(store)
        let gate = Gate()
        remote.respondNext([.held(gate), .responseHeld(gate), .connectionFails][point], to: .changes)
        let push = Task { try await sync.push() }
        if point == 2 { try await clock.waitForSleepers(1) } else { try await gate.reached() }
        push.cancel()
        await #expect(throws: CancellationError.self) { try await push.value }
        clock.advance(by: 600)
        #expect(try await store.outbox.pending().count == 1)
        #expect(try await sync.push().created == 1)
        #expect(remote.changes.filter { $0.kind == .created }.count == 1)
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P7.1 P12 The schedule and the last error are kept across a relaunch")
    func relaunch() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "journal.sqlite")
            do {
                let store = try Store(JournalSchema.self, at: .file(file))
                try await make(store)
                remote.respondNext(.unavailable(status: 503, retryAfter: 90), to: .changes)
                await #expect(throws: SyncError.self) { try await sync(store, remote, attempts: 1).push() }
            }
            let store = try Store(JournalSchema.self, at: .file(file))
            let change = try #require(try await store.outbox.pending().first)
            #expect(change.attempts == 1)
            #expect(change.lastError?.contains("503") == true)
            #expect(change.kind == .create)
            let relaunched = sync(store, remote)
            let start = clock.now
            let run = Task { try await relaunched.run(RunOptions(pollSeconds: 10_000)) }
            // The push and the poll wait.
            try await clock.waitForSleepers(2)
            #expect(clock.deadlines.first == start + 90)
            #expect(remote.records(of: "/entries").isEmpty)
            clock.advance(by: 90)
            #expect(try await soon { try await store.outbox.pending().isEmpty })
            #expect(Set(remote.log.compactMap(\.idempotencyKey)).count == 1)
            run.cancel()
            try await run.value
        }
    }

    @Test("P7.1 A `Retry-After` that is thrown as an error is followed too")
    func retryAfterError() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await make(store)
        remote.respondNext(
            .fails(SyncError(.unavailable(status: 429), reason: "busy", remedy: "Wait.", retryAfter: 77)), to: .changes)
        let start = clock.now
        let sync = sync(store, remote)
        let push = Task { try await sync.push() }
        try await clock.waitForSleepers(1)
        #expect(clock.deadlines == [start + 77])
        clock.advance(by: 77)
        #expect(try await push.value.created == 1)
    }

    @Test("P8 Values that JSON cannot represent are parked, and the others are sent")
    func notJSON() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await store.perform { context in
            let owner = Person(name: "Ada", country: "GB", number: 1, context: context)
            Everything(name: "bad", id: 1, days: [], owner: owner, context: context)
            try context.save()
            Person(name: "Bo", country: "GB", number: 2, context: context)
            try context.save()
        }
        // As another program may write it.
        try await store.writer.write { database in
            try database.execute(sql: "UPDATE everything SET precise = 9e999 WHERE id = 1")
        }
        let summary = try await sync.push()
        #expect(summary.parked.map(\.entity) == ["Everything"])
        #expect(summary.parked.map(\.record) == ["1"])
        #expect(summary.created == 2 && summary.remaining == 0)
    }

    @Test("C4.2 A rejected write merges the server's record and sends the rest, based on that version")
    func outdated() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true))
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await make(store)
        try await sync.push()
        try await edit(store) { $0.title = "mine" }
        remote.edit(id.uuidString.lowercased(), of: "/entries", ["title": "theirs", "bodyText": "Sun"])
        #expect(try await sync.push().updated == 1)
        let record = remote.record(id.uuidString.lowercased(), of: "/entries")
        #expect(record?["title"] == "mine")
        #expect(record?["bodyText"] == "Sun")
        #expect(remote.log.contains { $0.outcome == "outdated" })
        let saved = try await store.perform { [id] in try Entry.find(id, in: $0)?.bodyText }
        #expect(saved == "Sun")
    }

    @Test("P2 Parents are created before children and deleted after them; a rejected parent holds back only its own")
    func parents() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(ShopSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await store.perform { context in
            // The children are saved first.
            let first = ArticleComment(id: 1, name: "a", text: "a", context: context)
            let second = ArticleComment(id: 2, name: "b", text: "b", context: context)
            try context.save()
            first.article = Article(id: 1, title: "refused", bodyText: "a", context: context)
            second.article = Article(id: 2, title: "taken", bodyText: "b", context: context)
            try context.save()
        }
        remote.respondNext(.refused(status: 422), to: .kind(.create, path: "/articles"))
        let summary = try await sync.push()
        #expect(summary.created == 2)
        #expect(summary.parked.map(\.entity) == ["Article"])
        #expect(summary.remaining == 1)
        #expect(remote.changes.map(\.path) == ["/articles", "/article_comments"])
        try await store.outbox.retry(summary.parked[0])
        #expect(try await sync.push().created == 2)

        remote.clearLog()
        try await store.perform { context in
            context.delete(try #require(try Article.find(1, in: context)))
            try context.save()
        }
        #expect(try await sync.push().deleted == 2)
        #expect(remote.changes.map(\.path) == ["/article_comments", "/articles"])
    }
}
