import Foundation
import Journal
import LockstepStore
import LockstepSystem
import LockstepTesting
import TestSupport
import Testing

@testable import LockstepSync

/// A server that processes only so many changes at the same time, and responds to others with 500, like Rails with
/// SQLite. A response arrives when all requests that travel have arrived.
private final class BusyRemote: PacedRemote {
    private struct State {
        var capacity: Int
        var travelling = 0
        var mostTravelling = 0
        var failures = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var pace: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    let base = MemoryRemote(traits: RemoteTraits(), maximumConcurrentChanges: nil)
    private let state: Locked<State>

    init(capacity: Int) { state = Locked(State(capacity: capacity)) }

    var traits: RemoteTraits { base.traits }
    var failures: Int { state.withLock(\.failures) }

    /// How many changes have travelled at the same time since it was last asked.
    func takeMostTravelling() -> Int {
        state.withLock { state in
            defer { state.mostTravelling = 0 }
            return state.mostTravelling
        }
    }

    func setCapacity(_ capacity: Int) { state.withLock { $0.capacity = capacity } }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        await arrive()
        return try await base.fetch(request)
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        let isBusy = state.withLock { state in
            state.travelling += 1
            state.mostTravelling = max(state.mostTravelling, state.travelling)
            if state.travelling > state.capacity { state.failures += 1 }
            return state.travelling > state.capacity
        }
        await arrive()
        state.withLock { $0.travelling -= 1 }
        return isBusy ? .unavailable(status: 500, retryAfter: nil) : try await base.send(change)
    }

    private func arrive() async {
        await withCheckedContinuation { request in
            state.withLock { state -> CheckedContinuation<Void, Never>? in
                state.waiting.append(request)
                guard let pace = state.pace, state.waiting.count >= pace.count else { return nil }
                state.pace = nil
                return pace.continuation
            }?.resume()
        }
    }

    func letOneArrive(of travelling: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            let areHere = state.withLock { state in
                if state.waiting.count >= travelling { return true }
                state.pace = (travelling, continuation)
                return false
            }
            if areHere { continuation.resume() }
        }
        state.withLock { $0.waiting.removeFirst() }.resume()
        return false
    }
}

@Suite("P18 A server that cannot process several changes at the same time")
struct BusyServerStories {
    private let clock = ManualClock()

    private func make(_ count: Int, in store: Store) async throws {
        try await store.perform { context in
            for number in 0..<count { Entry(title: "\(number)", context: context) }
            try context.save()
        }
    }

    @Test("P18 It gets fewer at the same time, and as many as before when it can process them", arguments: [1, 2])
    func busy(capacity: Int) async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let remote = BusyRemote(capacity: capacity)
        let sync = Sync(store: store, remote: remote, clock: clock, random: { 0.5 })
        let count = 60
        try await make(count, in: store)
        #expect(try await clock.whilePassing { try await sync.push() }.created == count)
        #expect(remote.base.records(of: "/entries").count == count)
        // Those of the beginning, and two of each series since: one beside another, and the next one.
        #expect(remote.failures <= 6 + 2 * count / PushWindow.responsesPerStep, "\(remote.failures)")

        remote.setCapacity(4)
        let failures = remote.failures
        try await make(count, in: store)
        _ = remote.takeMostTravelling()
        #expect(try await clock.whilePassing { try await sync.push() }.created == count)
        #expect(remote.takeMostTravelling() == 4 && remote.failures == failures)
    }

    @Test("P18 The number is halved once for the requests that travel together, and grows by one after a series")
    func window() {
        var window = PushWindow(maximum: 8)
        for _ in 0..<8 { window.note(isOverloaded: true, since: 0) }
        #expect(window.limit == 4)
        for limit in [2, 1, 1] {
            window.note(isOverloaded: true, since: window.halvings)
            #expect(window.limit == limit)
        }
        for limit in [2, 3, 4, 5, 6, 7, 8, 8] {
            for _ in 1..<PushWindow.responsesPerStep { window.note(isOverloaded: false, since: window.halvings) }
            #expect(window.limit == max(1, limit - 1) || limit == 8)
            window.note(isOverloaded: false, since: window.halvings)
            #expect(window.limit == limit)
        }
    }

    @Test("P18 408, 429, 5xx and a timeout show that a server is overloaded; other responses do not")
    func signs() {
        let statuses = [407, 408, 425, 429, 500, 503, 504]
        let overloaded = statuses.filter { SendResponse.unavailable(status: $0, retryAfter: nil).isOverloaded }
        #expect(overloaded == [408, 429, 500, 503, 504])
        let codes: [SyncError.Code] = [.timeout, .unavailable(status: 503), .network, .unauthorized]
        let signs = codes.map { SyncError($0, reason: "", remedy: "").isOverloaded }
        #expect(signs == [true, true, false, false])
        #expect(!SendResponse.refused(status: 422, body: Data()).isOverloaded)
        #expect(BatchResult.failure(SyncError(.timeout, reason: "", remedy: "")).isOverloaded)
        #expect(!BatchResult.unsent.isOverloaded)
    }
}
