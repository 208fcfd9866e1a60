import Foundation
import HTTPTypes
import Journal
import LockstepHTTP
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import TestSupport
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
        arguments: Seeds.some(8, of: UInt64(0)...199))
    func rejected(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let status = Int.random(in: 400...499, using: &random)
        let codes: [SyncError.Code] = [
            .refused(status: [408, 425, 426, 429].contains(status) ? 400 : status), .notFound, .malformed, .unsupported,
            .nothingToSend,
        ]
        let (code, isRefresh) = (random.element(of: codes), random.isOne(in: 2))
        let sync = sync { isRefreshing in
            if isRefreshing != isRefresh, !isRefreshing { return "worse" }
            throw SyncError(code, reason: "the refresh token has expired", remedy: "Sign in.")
        }
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

    /// How a token provider waits for something.
    enum Waiting: CaseIterable {
        case itself, boundTask, groupWithTimeout, unstructuredTask

        func callAsFunction(_ body: @escaping @Sendable () async throws -> Void) async throws {
            switch self {
            case .itself: try await body()
            case .boundTask:
                async let done: Void = body()
                try await done
            case .groupWithTimeout:
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await body() }
                    group.addTask { try await ManualClock().sleep(until: .distantFuture) }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            case .unstructuredTask: try await Task { try await body() }.value
            }
        }
    }

    @Test(
        "P9 A token provider that waits for the sync that waits for it gets an error, in whichever task it waits",
        arguments: Waiting.allCases, [false, true])
    func ownSync(waiting: Waiting, inRefresh: Bool) async throws {
        let own = Locked<Sync?>(nil)
        let sync = sync { isRefresh in
            if isRefresh == inRefresh { try await waiting { try await own.withLock(\.self)?.pull() } }
            return "bad"
        }
        own.withLock { $0 = sync }
        let error = await error { try await sync.push() }
        #expect(error?.code == .unauthorized)
        #expect(error?.reason == "the token provider has failed: it uses the sync that waits for its token")
        own.withLock { $0 = nil }
    }

    @Test(
        "P9 A token provider that sends a request with the client that waits for it gets an error",
        arguments: Waiting.allCases, [false, true])
    func ownClient(waiting: Waiting, inRefresh: Bool) async throws {
        let own = Locked<AuthorizedClient?>(nil)
        let address = server.url
        let client = AuthorizedClient(server.client) { isRefresh in
            if isRefresh == inRefresh {
                try await waiting {
                    _ = try await own.withLock(\.self)?.send(HTTPRequest(.get, url: address), body: nil)
                }
            }
            return "bad"
        }
        own.withLock { $0 = client }
        let error = await error { _ = try await client.send(HTTPRequest(.get, url: address), body: nil) }
        #expect(error?.code == .unauthorized)
        #expect(
            error?.reason
                == "the token provider has failed: it sends a request with the client that waits for its token")
        own.withLock { $0 = nil }
    }

    @Test("P9 Two syncs whose token providers wait for each other get an error")
    func eachOther() async throws {
        let own = Locked<Sync?>(nil)
        let between = Sync(
            store: try Store(JournalSchema.self, at: .inMemory),
            remote: RESTRemote(
                server.url,
                client: AuthorizedClient(server.client) { _ in
                    try await own.withLock(\.self)?.pull()
                    return "good"
                }))
        let sync = sync { _ in
            try await between.pull()
            return "good"
        }
        own.withLock { $0 = sync }
        #expect(await error { try await sync.push() }?.code == .unauthorized)
        own.withLock { $0 = nil }
    }

    @Test("P9 A task of a token provider may use the sync once the provider has returned; a detached one may wait")
    func otherTask() async throws {
        let own = Locked<Sync?>(nil)
        let later = Locked<[Task<Int?, any Error>]>([])
        let hasReturned = Gate()
        let sync = sync { _ in
            later.withLock { tasks in
                guard tasks.isEmpty else { return }
                tasks.append(
                    Task {
                        try await hasReturned.pass()
                        return try await own.withLock(\.self)?.push().remaining
                    })
                tasks.append(Task.detached { try await own.withLock(\.self)?.push().remaining })
            }
            return "good"
        }
        own.withLock { $0 = sync }
        try await sync.pull()
        hasReturned.open()
        for task in later.withLock(\.self) { #expect(try await task.value == 0) }

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
