import Foundation
import Journal
import LockstepStore
import LockstepSystem
import LockstepTesting
import Shop
import TestSupport
import Testing

@testable import LockstepSync

/// What a network's failures and a server's delays hold back, and what they do not.
@Suite("Networks and servers that fail")
struct NetworkStories {
    private let clock = ManualClock()

    private func sync(_ store: Store, _ remote: any Remote) -> Sync {
        Sync(store: store, remote: remote, clock: clock, random: { 0.5 })
    }

    private func make(_ store: Store, _ title: String) async throws {
        try await store.perform { context in
            Entry(title: title, context: context)
            try context.save()
        }
    }

    private func isWaiting(_ sync: Sync, _ code: SyncError.Code) -> Bool {
        sync.board.status.error?.code == code
    }

    /// Why the sync waits, as soon as it does.
    private func problem(_ sync: Sync) async throws -> SyncError? {
        var problem: SyncError?
        _ = try await soon {
            problem = sync.board.status.error ?? problem
            return problem != nil
        }
        return problem
    }

    // MARK: Pauses

    @Test("P7.2 A pull that gets a response ends the pause of pushes that got none, and they are sent at once")
    func liftedByPull() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(JournalSchema.self, at: .inMemory)
        // The first delay is longer than many pulls.
        let sync = Sync(
            store: store, remote: remote, retries: RetrySchedule(baseSeconds: 300), clock: clock, random: { 0.5 })
        try await make(store, "mine")
        remote.respondNext(.connectionFails, to: .changes)
        remote.respondNext(.connectionFails, to: .fetches)
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 1)) }
        try await clock.waitForSleepers(2)
        #expect(try await soon { isWaiting(sync, .network) })
        #expect(remote.records(of: "/entries").isEmpty)
        let start = clock.now
        // The collection is pulled, and pushing would wait for the same time.
        clock.advance(by: 150 - 1)
        #expect(remote.records(of: "/entries").isEmpty)
        try await sync.pull(Entry.self)
        #expect(try await soon { remote.records(of: "/entries").count == 1 })
        #expect(clock.now == start + 149)
        run.cancel()
        try await run.value
    }

    @Test("P7 Pushes that fail although the server responds to pulls are retried less and less often")
    func notLiftedAgain() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await make(store, "mine")
        remote.respondNext(.connectionFails, to: .changes, times: 1_000)
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 1)) }
        try await clock.waitForSleepers(2)
        for _ in 0..<60 {
            clock.advance(by: 1)
            try await clock.waitForSleepers(2)
        }
        // With random numbers of 0.5: after 0.5, 1, 2, 4 … seconds.
        #expect(remote.log.filter(\.isChange).count < 12)
        #expect(remote.log.filter { $0.kind == .fetch }.count > 50)
        run.cancel()
        try await run.value
    }

    @Test("P7.3 A time that the server has set for a push stays, whatever it responds to a pull; pulls go on")
    func serversPause() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await make(store, "mine")
        remote.respondNext(.unavailable(status: 503, retryAfter: 3600), to: .changes)
        remote.set(["identifier": "6f1b8f0a-1111-4222-8333-444455556666", "title": "theirs"], id: "x", in: "/entries")
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 60)) }
        try await clock.waitForSleepers(2)
        #expect(try await store.representations(Entry.all()).count == 2)
        for _ in 0..<10 {
            clock.advance(by: 60)
            try await clock.waitForSleepers(2)
        }
        #expect(remote.log.filter { $0.kind == .fetch }.count == 11)
        #expect(remote.log.filter(\.isChange).count == 1)
        #expect(try await soon { isWaiting(sync, .unavailable(status: 503)) })
        clock.advance(by: 3000)
        #expect(try await soon { remote.records(of: "/entries").count == 2 })
        run.cancel()
        try await run.value
    }

    @Test("P7.4 P11 A push that waits for the server's time does not keep others from pulling")
    func waitingPush() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await make(store, "mine")
        remote.respondNext(.unavailable(status: 429, retryAfter: 240), to: .changes)
        let push = _Concurrency.Task { try await sync.push() }
        try await clock.waitForSleepers(1)
        #expect(try await soon { isWaiting(sync, .unavailable(status: 429)) })
        let pull = _Concurrency.Task { try await sync.pull(Entry.self) }
        #expect(try await soon { remote.log.contains { $0.kind == .fetch } })
        clock.advance(by: 240)
        #expect(try await push.value.created == 1)
        _ = try await pull.value
    }

    @Test(
        "P7.5 P11 A `Retry-After` of one collection delays neither pushes nor the other collections",
        arguments: Seeds.some(3, of: UInt64(0)...99))
    func pullsPause(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let (status, seconds) = (random.element(of: [429, 503]), Double(Int.random(in: 11...86_400, using: &random)))
        let path = random.element(of: ["/articles", "/products", "/article_comments"])
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(ShopSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        let busy = SyncError(.unavailable(status: status), reason: "busy", remedy: "Wait.", retryAfter: seconds)
        remote.respondNext(.fails(busy), to: .kind(.fetch, path: path))
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 10)) }
        try await clock.waitForSleepers(sync.syncedTypes.count)
        #expect(try await soon { isWaiting(sync, .unavailable(status: status)) })
        try await store.perform { context in
            Tag(id: 1, name: "new", context: context)
            try context.save()
        }
        #expect(try await soon { try await store.outbox.pending().isEmpty })
        clock.advance(by: 10)
        try await clock.waitForSleepers(sync.syncedTypes.count)
        #expect(remote.log.filter { $0.kind == .fetch && $0.path == path }.count == 1)
        #expect(remote.log.filter { $0.kind == .fetch && $0.path == "/tags" }.count == 2)
        run.cancel()
        try await run.value
    }

    // MARK: Changes that fail for ever

    /// Two comments, each of a new article.
    private func makeArticles(_ store: Store) async throws {
        try await store.perform { context in
            for id in 1...2 {
                let article = Article(id: id, title: "\(id)", bodyText: "", context: context)
                ArticleComment(id: id, name: "c", text: "c", context: context).article = article
            }
            try context.save()
        }
    }

    private func isFirstArticle(_ call: RemoteCall) -> Bool {
        call.kind == .create && call.path == "/articles" && call.identity?.text == "1"
    }

    @Test("P7.6 P12 A change that always fails holds back only what depends on it, and is reported")
    func failsForEver() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(ShopSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await makeArticles(store)
        remote.respondNext(.unavailable(status: 500), to: RemoteCallFilter { isFirstArticle($0) }, times: 1_000)
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 100_000)) }
        let followers = sync.syncedTypes.count
        for _ in 0..<OutboxStatus.failingAttempts {
            try await clock.waitForSleepers(followers + 1)
            clock.advanceToNextSleeper()
        }
        try await clock.waitForSleepers(followers + 1)
        #expect(remote.records(of: "/articles").map { $0["id"] } == [2])
        #expect(remote.records(of: "/article_comments").map { $0["id"] } == [2])
        let pending = try await store.outbox.pending()
        #expect(pending.map(\.entity).sorted() == ["Article", "ArticleComment"])
        let failing = try #require(pending.first { $0.entity == "Article" })
        #expect(failing.attempts > OutboxStatus.failingAttempts && failing.parked == nil && failing.retryAt != nil)
        #expect(failing.lastError == "the server responded with 500")
        #expect(try await store.outbox.status().failingCount == 1)
        let error = try #require(try await problem(sync))
        #expect(error.code == .unavailable(status: 500) && error.entity == "Article" && error.record == "1")
        remote.clearScripts()
        clock.advanceToNextSleeper()
        #expect(try await soon { try await store.outbox.status().count == 0 })
        #expect(try await soon { sync.board.status.isUpToDate })
        run.cancel()
        try await run.value
    }

    @Test("P7.7 A change to which the server never responds does not hold back others for ever")
    func withoutResponse() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await makeArticles(store)
        remote.respondNext(.connectionFails, to: RemoteCallFilter { isFirstArticle($0) }, times: 1_000)
        for _ in 0..<3 {
            await #expect(throws: SyncError.self) {
                try await Sync(
                    store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock
                ).push()
            }
            #expect(remote.records(of: "/articles").isEmpty)
        }
        let summary = try await Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 }
        ).push()
        #expect(summary.created == 2 && summary.remaining == 2 && summary.retryAt != nil)
        #expect(remote.records(of: "/articles").map { $0["id"] } == [2])
    }

    @Test("P7.2 Without a network, nothing is tried twice in a row")
    func withoutAnyResponse() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await makeArticles(store)
        remote.respondNext(.connectionFails, times: 1_000)
        for _ in 0..<5 {
            await #expect(throws: SyncError.self) {
                try await Sync(
                    store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock
                ).push()
            }
        }
        #expect(remote.log.count < 9)
        // Each is due as soon as there is a network again.
        #expect(try await store.outbox.pending().allSatisfy { $0.retryAt == nil })
        #expect(try await store.outbox.status().failingCount == 0)
    }

    // MARK: One collection

    @Test("P11 A foreign response, or an error of another kind, for one collection does not end it")
    func foreign() async throws {
        struct Strange: Error {}
        let memory = MemoryRemote(traits: RemoteTraits())
        let page = SyncError(.unexpectedResponse(status: 200), reason: "an HTML page", remedy: "Wait.")
        memory.respondNext(.fails(page), to: .kind(.fetch, path: "/articles"))
        let store = try Store(ShopSchema.self, at: .inMemory)
        let remote = FailingRemote(memory) { $0 == "/tags" ? Strange() : nil }
        let sync = sync(store, remote)
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 100_000)) }
        try await clock.waitForSleepers(sync.syncedTypes.count)
        try await makeArticles(store)
        #expect(try await soon { try await store.outbox.pending().isEmpty })
        let error = try #require(try await problem(sync))
        #expect(error.code == page.code || error.underlyingError is Strange)
        #expect(memory.records(of: "/articles").count == 2)
        run.cancel()
        try await run.value
    }

    @Test("P11 A redirect to an address that is not allowed does not end it; an address of the app's own does")
    func redirected() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        let error = SyncError(.insecureAddress, reason: "http", remedy: "Use https.")
        remote.respondNext(.fails(error.aboutResponse()), times: 2)
        try await make(store, "mine")
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 100)) }
        try await clock.waitForSleepers(2)
        #expect(try await problem(sync)?.code == .insecureAddress)
        clock.advance(by: 2)
        #expect(try await soon { remote.records(of: "/entries").count == 1 })
        run.cancel()
        try await run.value

        remote.respondNext(.fails(error))
        await #expect(throws: SyncError.self) { try await sync.run() }
    }

    @Test("P7 A token provider without a network does not end it")
    func tokenProvider() async throws {
        struct NoToken: Error {}
        let memory = MemoryRemote(traits: RemoteTraits())
        let store = try Store(JournalSchema.self, at: .inMemory)
        let isOffline = Locked(true)
        let remote = FailingRemote(memory) { _ in isOffline.withLock { $0 } ? NoToken() : nil }
        let sync = sync(store, remote)
        try await make(store, "mine")
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 1)) }
        try await clock.waitForSleepers(2)
        let error = try #require(try await problem(sync))
        #expect(error.underlyingError is NoToken)
        isOffline.withLock { $0 = false }
        clock.advance(by: 2)
        #expect(try await soon { memory.records(of: "/entries").count == 1 })
        run.cancel()
        try await run.value
    }
}

/// A remote that throws errors of its own.
private struct FailingRemote: Remote {
    let remote: MemoryRemote
    let error: @Sendable (_ path: String) -> (any Error)?

    init(_ remote: MemoryRemote, _ error: @escaping @Sendable (_ path: String) -> (any Error)?) {
        (self.remote, self.error) = (remote, error)
    }

    var traits: RemoteTraits { remote.traits }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        if let error = error(request.entity.path) { throw error }
        return try await remote.fetch(request)
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        if let error = error(change.entity.path) { throw error }
        return try await remote.send(change)
    }
}
