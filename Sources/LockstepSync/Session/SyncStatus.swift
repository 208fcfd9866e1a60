public import Foundation
import LockstepStore
import LockstepSystem

/// What a sync is doing.
public enum SyncStatus: Sendable {
    /// Nothing travels.
    case idle
    /// Local changes go out: how many requests are done, and how many there were to do when the push began.
    case pushing(done: Int, total: Int)
    /// An entity's records are fetched and merged; `nil` until the body is there.
    case pulling(entity: String, progress: MergeProgress?)
    /// The server is listened to, and nothing is to be sent.
    case following
    /// The server cannot be reached or cannot answer, or an entity cannot be followed; it is tried again then.
    case waiting(until: Date, because: SyncError)
}

/// Tells any number of listeners what a sync is doing. Each gets the newest status, not all between.
final class SyncStatusBoard: Sendable {
    private struct State {
        var status = SyncStatus.idle
        var listeners: [Int: AsyncStream<SyncStatus>.Continuation] = [:]
        var lastListener = 0
        /// The entities that cannot be followed now: until when, and why.
        var waiting: [String: (until: Date, error: SyncError)] = [:]
        /// Whether the status tells of one of those.
        var tellsWaiting = false

        /// What is told: who follows while an entity waits does not follow all.
        mutating func tell(_ status: SyncStatus) {
            tellsWaiting = false
            self.status = status
            guard case .following = status, let next = waiting.values.min(by: { $0.until < $1.until }) else { return }
            tellsWaiting = true
            self.status = .waiting(until: next.until, because: next.error)
        }
    }

    private let state = Locked(State())

    var status: SyncStatus { state.withLock { $0.status } }

    func show(_ status: SyncStatus) { update { $0.tell(status) } }

    /// An entity cannot be followed until then.
    func wait(_ entity: String, until date: Date, because error: SyncError) {
        update { state in
            state.waiting[entity] = (date, error)
            state.tell(.following)
        }
    }

    /// An entity is followed again.
    func recover(_ entity: String) {
        guard state.withLock({ $0.waiting[entity] != nil }) else { return }
        update { state in
            state.waiting[entity] = nil
            if state.tellsWaiting { state.tell(.following) }
        }
    }

    /// Nothing is followed any more.
    func end() {
        update { state in
            state.waiting = [:]
            state.tell(.idle)
        }
    }

    private func update(_ body: (inout State) -> Void) {
        let (status, listeners) = state.withLock { state in
            body(&state)
            return (state.status, Array(state.listeners.values))
        }
        for listener in listeners { listener.yield(status) }
    }

    /// The status now, and each that comes.
    func updates() -> AsyncStream<SyncStatus> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = state.withLock { state in
                state.lastListener += 1
                state.listeners[state.lastListener] = continuation
                continuation.yield(state.status)
                return state.lastListener
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.listeners[number] = nil }
            }
        }
    }
}
