import Foundation
import Journal
import LockstepHTTP
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import Testing

/// Tokens that the server rejects, and token providers that fail.
@Suite("P9 Token providers")
struct TokenStories {
    private let clock = ManualClock()
    private let server = FakeRails(RailsRules(identityKeys: ["/entries": "identifier"]))
    private let store: Store

    init() async throws {
        store = try Store(JournalSchema.self, at: .inMemory)
        server.require(token: "good")
        try await store.perform { context in
            Entry(title: "Monday", context: context)
            try context.save()
        }
    }

    private func sync(_ token: @escaping TokenProvider) -> Sync {
        let client = AuthorizedClient(server.client, token: token)
        return Sync(
            store: store, remote: RESTRemote(server.url, client: client, clock: clock),
            retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
    }

    private func error(_ body: () async throws -> Void) async -> SyncError? {
        do { try await body() } catch { return error as? SyncError }
        return nil
    }

    @Test("P9 The status is stopped if the refreshed token is rejected, whatever was requested")
    func stopped() async throws {
        let sync = sync { isRefresh in isRefresh ? "bad" : "worse" }
        let operations: [() async throws -> Void] = [
            { try await sync.push() }, { try await sync.pull() }, { try await sync.run() },
        ]
        for operation in operations {
            #expect(await error(operation)?.code == .unauthorized)
            guard case .stopped(let problem) = sync.currentStatus else {
                Issue.record("the status is \(sync.currentStatus)")
                continue
            }
            #expect(problem.code == .unauthorized)
        }
        server.require(token: "worse")
        #expect(try await sync.push().created == 1)
        if case .idle = sync.currentStatus { return }
        Issue.record("the status is \(sync.currentStatus)")
    }

    @Test("P9 P20 An error of a token provider says so, and is no response", arguments: [false, true])
    func failing(inRefresh: Bool) async throws {
        struct KeychainIsLocked: Error {}
        let sync = sync { isRefresh in
            if isRefresh == inRefresh { throw KeychainIsLocked() }
            return "bad"
        }
        let error = await error { try await sync.push() }
        #expect(error?.code == .network && error?.underlyingError is KeychainIsLocked)
        #expect(error?.reason == "the token provider has thrown an error of type KeychainIsLocked")
        #expect(try await store.outbox.pending().map { $0.parked == nil } == [true])
    }

    @Test(
        "P9 A rejection that a token provider gets never rejects a change",
        arguments: [SyncError.Code.refused(status: 400), .notFound, .malformed, .unsupported, .nothingToSend])
    func rejected(_ code: SyncError.Code) async throws {
        let sync = sync { _ in throw SyncError(code, reason: "the refresh token has expired", remedy: "Sign in.") }
        let error = await error { try await sync.push() }
        #expect(error?.code == .unauthorized)
        #expect(error?.reason == "the token provider has failed: the refresh token has expired")
        #expect(try await store.outbox.pending().map { $0.parked == nil } == [true])
    }

    @Test("P9 A temporary error of a token provider is retried", arguments: [SyncError.Code.unavailable(status: 503)])
    func temporary(_ code: SyncError.Code) async throws {
        let isDown = Locked(true)
        let sync = sync { _ in
            if isDown.withLock(\.self) { throw SyncError(code, reason: "down", remedy: "") }
            return "good"
        }
        #expect(try await sync.push().remaining == 1)
        isDown.withLock { $0 = false }
        clock.advance(by: 600)
        #expect(try await sync.push().created == 1)
    }

    @Test("P9 A token provider that waits for the sync that waits for it gets an error", arguments: [false, true])
    func ownSync(inRefresh: Bool) async throws {
        let own = Locked<Sync?>(nil)
        let sync = sync { isRefresh in
            if isRefresh == inRefresh { try await own.withLock(\.self)?.pull() }
            return "bad"
        }
        own.withLock { $0 = sync }
        let error = await error { try await sync.push() }
        #expect(error?.code == .unauthorized)
        #expect(error?.reason == "the token provider has failed: it uses the sync that waits for its token")
        own.withLock { $0 = nil }
    }

    @Test("P9 A token provider may start a task that waits for its turn, and may use a sync that does not wait for it")
    func otherTask() async throws {
        let own = Locked<Sync?>(nil)
        let later = Locked<Task<Int?, any Error>?>(nil)
        let sync = sync { _ in
            later.withLock { $0 = $0 ?? Task { try await own.withLock(\.self)?.push().created } }
            return "good"
        }
        own.withLock { $0 = sync }
        try await sync.pull()
        #expect(try await later.withLock(\.self)?.value == 1)

        let other = try Store(JournalSchema.self, at: .inMemory)
        let elsewhere = Sync(store: other, remote: MemoryRemote(), clock: clock)
        let nested = self.sync { _ in
            try await elsewhere.push()
            return "good"
        }
        try await nested.pull()
        own.withLock { $0 = nil }
    }
}
