import Foundation
import Journal
import LockstepStore
import LockstepSystem
import LockstepTesting
import Shop
import TestSupport
import Testing

@testable import LockstepSync

/// How long changes wait after an attempt that has failed, and what ends the wait.
@Suite("Pauses of pushes")
struct PauseStories {
    private let clock = ManualClock()
    private let remote = MemoryRemote(traits: RemoteTraits())

    private func sync(_ store: Store, _ remote: any Remote, base: TimeInterval = 1, attempts: Int = 4) -> Sync {
        Sync(
            store: store, remote: remote, retries: RetrySchedule(baseSeconds: base, attemptsPerPush: attempts),
            clock: clock, random: { 0.5 })
    }

    /// Lets other tasks do what they can do now.
    private func settle() async {
        for _ in 0..<20_000 { await _Concurrency.Task.yield() }
    }

    private func make(_ store: Store, _ title: String) async throws {
        try await store.perform { context in
            Entry(title: title, context: context)
            try context.save()
        }
    }

    private func makeArticle(_ store: Store, _ id: Int) async throws {
        try await store.perform { context in
            Article(id: id, title: "\(id)", bodyText: "", context: context)
            try context.save()
        }
    }

    private func isArticle(_ id: String) -> RemoteCallFilter {
        RemoteCallFilter { $0.isChange && $0.path == "/articles" && $0.identity?.text == id }
    }

    @Test("P7 P11 After an error of another kind, an update is sent again only when its time has come")
    func foreignError() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let offline = OfflineRemote(remote)
        let sync = sync(store, offline)
        try await make(store, "mine")
        try await sync.push()
        try await store.perform { context in
            try context.fetch(Entry.all()).first?.title = "changed"
            try context.save()
        }
        offline.isOffline = true
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 1)) }
        for attempts in 1...3 {
            try await clock.waitForSleepers(2)
            #expect(try await soon { offline.failures == attempts })
            await settle()
            #expect(offline.failures == attempts)
            guard let date = sync.board.status.retryDate, let error = sync.board.status.error else {
                Issue.record("\(sync.board.status)")
                break
            }
            // Each delay is longer than the one before.
            #expect(abs(date.timeIntervalSince(clock.now) - pow(2, Double(attempts - 2))) < 0.001)
            #expect(error.underlyingError is OfflineRemote.NoToken)
            clock.advance(by: date.timeIntervalSince(clock.now) + 0.001)
        }
        offline.isOffline = false
        clock.advance(by: 60)
        #expect(try await soon { remote.records(of: "/entries").first?["title"] == "changed" })
        run.cancel()
        try await run.value
    }

    @Test(
        "P7.2 A push that waits after no response goes on as soon as the server responds to a pull", arguments: [1, 2])
    func waitingPush(syncs: Int) async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote, base: 90)
        try await make(store, "mine")
        remote.respondNext(.connectionFails, to: .changes)
        let push = _Concurrency.Task { try await sync.push() }
        try await clock.waitForSleepers(1)
        let start = clock.now
        // Any sync of the store may get the response.
        let other = syncs == 1 ? sync : self.sync(store, remote)
        try await other.pull(Entry.self)
        #expect(try await soon { remote.records(of: "/entries").count == 1 })
        #expect(clock.now == start)
        clock.advance(by: 45)
        #expect(try await push.value.created == 1)
    }

    @Test("P7.2 Commits do not end the wait of a push, nor does another request without a response")
    func stillWaiting() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, remote, base: 90)
        try await make(store, "mine")
        remote.respondNext(.connectionFails, times: 2)
        let push = _Concurrency.Task { try await sync.push() }
        try await clock.waitForSleepers(1)
        try await make(store, "another")
        await #expect(throws: SyncError.self) { try await sync.pull(Entry.self) }
        await settle()
        #expect(remote.log.filter(\.isChange).count == 1)
        try await clock.waitForSleepers(1)
        clock.advance(by: 45)
        #expect(try await push.value.created == 2)
    }

    @Test(
        "P7.7 A change that never gets a response does not hold back an edit if the server responds to pulls",
        arguments: Seeds.some(2, of: UInt64(0)...49))
    func alone(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let interval = Int.random(in: 8...30, using: &random)
        var edited = 0
        let store = try Store(ShopSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        try await makeArticle(store, 1)
        remote.respondNext(.connectionFails, to: isArticle("1"), times: 1_000)
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 1)) }
        let followers = sync.syncedTypes.count
        try await clock.waitForSleepers(followers + 1)
        for second in 1...60 {
            clock.advance(by: 1)
            try await clock.waitForSleepers(followers + 1)
            // The next response to a pull ends the wait that the edit finds.
            if edited > 0, second - edited == 2 {
                #expect(try await soon { remote.record("\(edited)", of: "/articles") != nil })
            }
            guard second >= 20, second % interval == 0 else { continue }
            try await makeArticle(store, second)
            edited = second
        }
        #expect(remote.log.filter { $0.isChange && $0.identity?.text == "1" }.count < 16)
        run.cancel()
        try await run.value
    }

    @Test("P7.7 Two changes that never get a response do not hold back edits for long, either")
    func two() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        for id in 1...2 {
            try await makeArticle(store, id)
            remote.respondNext(.connectionFails, to: isArticle("\(id)"), times: 1_000)
        }
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 1)) }
        let followers = sync.syncedTypes.count
        try await clock.waitForSleepers(followers + 1)
        for _ in 1...60 {
            clock.advance(by: 1)
            try await clock.waitForSleepers(followers + 1)
        }
        try await makeArticle(store, 3)
        await settle()
        clock.advance(by: 1)
        #expect(try await soon { remote.record("3", of: "/articles") != nil })
        #expect(remote.log.filter(\.isChange).count < 40)
        run.cancel()
        try await run.value
    }

    @Test("P7.2 P8 A rejection of another change shows that the server responds, too")
    func rejection() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await makeArticle(store, 1)
        remote.respondNext(.connectionFails, to: isArticle("1"), times: 1_000)
        let sync = sync(store, remote, attempts: 1)
        for _ in 0..<3 { await #expect(throws: SyncError.self) { try await sync.push() } }
        try await makeArticle(store, 2)
        remote.respondNext(.refused(status: 422), to: isArticle("2"))
        let summary = try await sync.push()
        #expect(summary.parked.map(\.record) == ["2"])
        #expect(summary.remaining == 1 && summary.retryAt != nil)
        try await makeArticle(store, 3)
        #expect(try await sync.push().created == 1)
    }
}

/// A remote whose token provider throws without a network.
private final class OfflineRemote: Remote {
    struct NoToken: Error {}

    private let remote: MemoryRemote
    private let state = Locked((isOffline: false, failures: 0))

    init(_ remote: MemoryRemote) { self.remote = remote }

    var isOffline: Bool {
        get { state.withLock { $0.isOffline } }
        set { state.withLock { $0.isOffline = newValue } }
    }

    /// The number of changes that could not be sent.
    var failures: Int { state.withLock { $0.failures } }

    var traits: RemoteTraits { remote.traits }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        if isOffline { throw NoToken() }
        return try await remote.fetch(request)
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        let isOffline = state.withLock { state in
            if state.isOffline { state.failures += 1 }
            return state.isOffline
        }
        if isOffline { throw NoToken() }
        return try await remote.send(change)
    }
}
