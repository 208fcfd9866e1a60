import Foundation
import Journal
import LockstepInspection
import LockstepSystem
import LockstepTesting
import TestSupport
import Testing

@testable import LockstepHTTP
@testable import LockstepMerge
@testable import LockstepStore
@testable import LockstepSync

/// A remote is the app's code: whatever it throws, the sync knows what that means.
@Suite("Errors of a remote")
struct RemoteErrorStories {
    private let clock = ManualClock()
    private let memory = MemoryRemote(traits: RemoteTraits())

    private func sync(_ store: Store, _ remote: any Remote, attempts: Int = 4) -> Sync {
        Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: attempts), clock: clock,
            random: { 0.5 })
    }

    private func make(_ store: Store, _ title: String) async throws {
        try await store.perform { context in
            Entry(title: title, context: context)
            try context.save()
        }
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

    @Test(
        "P20 No error of a remote ends it: the status says what was thrown, and it is retried",
        arguments: Seeds.some(12, of: UInt64(0)...199))
    func running(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        // Each kind of error once; at which place is up to the seed.
        for error in Thrown.all.shuffled(using: &random).prefix(2) {
            let place = random.element(of: Place.allCases)
            let store = try Store(JournalSchema.self, at: .inMemory)
            let memory = MemoryRemote(traits: RemoteTraits(hasEvents: place.isOfEvents))
            let remote = ThrowingRemote(memory, place, error)
            let sync = sync(store, remote)
            try await make(store, "mine")
            let hasEnded = Locked(false)
            let run = _Concurrency.Task {
                defer { hasEnded.withLock { $0 = true } }
                try await sync.run(RunOptions(pollSeconds: 1))
            }
            let seen = try #require(try await problem(sync), "\(place) \(error)")
            #expect(seen.code == .network && seen.isTransient)
            let cause = try #require(seen.underlyingError)
            #expect(type(of: cause) == type(of: error))
            #expect(!hasEnded.withLock { $0 })
            remote.isBroken = false
            let other = UUID().uuidString.lowercased()
            memory.set(["identifier": .string(other), "title": "theirs"], id: other, in: "/entries")
            #expect(
                try await soon {
                    clock.advanceToNextSleeper()
                    let isSent = try await store.outbox.pending().isEmpty
                    let count = try await store.representations(Entry.all()).count
                    return isSent && count == 2
                }, "\(place) \(error)")
            run.cancel()
            try await run.value
        }
    }

    @Test("P20 A pull and a push throw it as an error without a response, with what was thrown")
    func once() async throws {
        for error in Thrown.all {
            let store = try Store(JournalSchema.self, at: .inMemory)
            try await make(store, "mine")
            for place in [Place.fetch, .body] {
                let sync = sync(store, ThrowingRemote(memory, place, error))
                let thrown = try await syncError { try await sync.pull(Entry.self) }
                #expect(thrown.code == .network && thrown.entity == "Entry")
                #expect(thrown.underlyingError.map { type(of: $0) == type(of: error) } == true)
            }
            let sync = sync(store, ThrowingRemote(memory, .send, error), attempts: 0)
            let thrown = try await sync.push().wait?.error
            #expect(thrown?.code == .network && thrown?.entity == "Entry")
            #expect(thrown?.underlyingError.map { type(of: $0) == type(of: error) } == true)
        }
    }

    @Test("P20 Of a cancelled task, whatever is thrown is a cancellation")
    func cancelled() async throws {
        let remote = WaitingRemote()
        let sync = sync(try Store(JournalSchema.self, at: .inMemory), remote)
        let pull = _Concurrency.Task { try await sync.pull(Entry.self) }
        try await remote.gate.reached()
        pull.cancel()
        await #expect(throws: CancellationError.self) { try await pull.value }
    }

    private func diagnostics() throws -> Diagnostics {
        Diagnostics(clock, identities: try Store(JournalSchema.self, at: .inMemory).disclosedIdentities)
    }

    @Test("P20 A failure of the store that the remote passes on is still one of the store")
    func ownFailure() async throws {
        struct Wrapped: Error {}
        let diagnostics = try diagnostics()
        let boundary = RemoteBoundary(
            AskingRemote { address, request in
                do { _ = try await request.validators(address) } catch { throw Wrapped() }
            }, diagnostics: diagnostics)
        let request = RemoteRequest(entity: RemoteEntity(Entry.self)) { _ in throw Thrown.store }
        await #expect(throws: StoreError.self) { try await boundary.fetch(request) }
    }

    @Test("P20 A batch that throws is no response to its changes")
    func batch() async throws {
        let diagnostics = try diagnostics()
        for error in Thrown.all {
            let boundary = RemoteBoundary(ThrowingBatches(error: error), diagnostics: diagnostics)
            let changes = [OutgoingChange.delete(Entry.self, ["1"]), .delete(Entry.self, ["2"])]
            let thrown = try await syncError { try await boundary.send(batch: changes) }
            #expect(thrown.code == .network && thrown.entity == "Entry")
        }
    }

    @Test("P20 What a remote reports of one change of a batch is no response to that change")
    func batchResult() async throws {
        for error in Thrown.all {
            let boundary = RemoteBoundary(PartlyThrowingBatches(error: error), diagnostics: try diagnostics())
            let changes = [OutgoingChange.delete(Entry.self, ["1"]), .delete(Entry.self, ["2"])]
            let results = try await boundary.send(batch: changes)
            guard case .response(.absent)? = results.first, case .failure(let failure as SyncError)? = results.last
            else {
                Issue.record("\(results)")
                continue
            }
            #expect(failure.code == .network && failure.entity == "Entry")
            #expect(failure.underlyingError.map { type(of: $0) == type(of: error) } == true)
        }
    }

    @Test("P20 A token provider whose request was cancelled does not end it")
    func tokenProvider() async throws {
        let isBroken = Locked(true)
        let server = FakeRails()
        server.require(token: "secret")
        let client = AuthorizedClient(server.client) { _ in
            if isBroken.withLock({ $0 }) { throw CancellationError() }
            return "secret"
        }
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = sync(store, RESTRemote(server.url, client: client, clock: clock))
        try await make(store, "mine")
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 1)) }
        #expect(try await problem(sync)?.underlyingError is CancellationError)
        isBroken.withLock { $0 = false }
        #expect(
            try await soon {
                clock.advanceToNextSleeper()
                return server.records(of: "/entries").count == 1
            })
        run.cancel()
        try await run.value
    }
}

/// What code of the app may throw that is no `SyncError`.
enum Thrown {
    struct Strange: Error {}

    static let store = StoreError(.database, doing: "reading", reason: "the app's own file", remedy: "Wait.")

    static let all: [any Error] = [
        CancellationError(), store,
        MergeError(.unreadablePayload, reason: "the app's own merge", remedy: "Wait."),
        Strange(), URLError(.cancelled),
    ]
}

/// Where a remote throws.
enum Place: CaseIterable {
    case fetch, body, send, events, stream

    var isOfEvents: Bool { self == .events || self == .stream }
}

/// A remote that throws errors of any type, until it is repaired.
private final class ThrowingRemote: Remote {
    private let remote: MemoryRemote
    private let place: Place
    private let error: any Error
    private let state = Locked(true)

    init(_ remote: MemoryRemote, _ place: Place, _ error: any Error) {
        (self.remote, self.place, self.error) = (remote, place, error)
    }

    var isBroken: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    var traits: RemoteTraits { remote.traits }

    private func pass(_ place: Place) throws {
        if isBroken, self.place == place { throw error }
    }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        try pass(.fetch)
        let response = try await remote.fetch(request)
        guard isBroken, place == .body, case .records(var records) = response else { return response }
        let error = error
        records.body = HTTPBody(
            AsyncThrowingStream { continuation in
                continuation.yield(Data("[".utf8))
                continuation.finish(throwing: error)
            })
        return .records(records)
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        try pass(.send)
        return try await remote.send(change)
    }

    func events(of entity: RemoteEntity) async throws -> AsyncThrowingStream<RemoteEvent, any Error>? {
        try pass(.events)
        guard isBroken, place == .stream else { return try await remote.events(of: entity) }
        let error = error
        return AsyncThrowingStream { $0.finish(throwing: error) }
    }
}

/// A remote that waits until it is cancelled, and throws what `URLSession` does then.
private struct WaitingRemote: Remote {
    let gate = Gate()

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        do { try await gate.pass() } catch { throw URLError(.cancelled) }
        return .absent
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse { .absent }
}

/// A remote that does something with a request.
private struct AskingRemote: Remote {
    let ask: @Sendable (_ address: String, RemoteRequest) async throws -> Void

    init(_ ask: @escaping @Sendable (_ address: String, RemoteRequest) async throws -> Void) { self.ask = ask }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        try await ask("address", request)
        return .absent
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse { .absent }
}

/// A remote of whose batches the last change fails.
private struct PartlyThrowingBatches: Remote {
    let error: any Error

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse { .absent }

    func send(_ change: OutgoingChange) async throws -> SendResponse { .absent }

    func send(batch changes: [OutgoingChange]) async throws -> [BatchResult] {
        changes.dropLast().map { _ in .response(.absent) } + [.failure(error)]
    }
}

/// A remote whose batches fail.
private struct ThrowingBatches: Remote {
    let error: any Error

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse { .absent }

    func send(_ change: OutgoingChange) async throws -> SendResponse { .absent }

    func send(batch changes: [OutgoingChange]) async throws -> [BatchResult] { throw error }
}
