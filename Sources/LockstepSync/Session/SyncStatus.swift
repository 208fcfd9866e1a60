public import Foundation
import LockstepStore
import LockstepSystem

/// The current activity of a sync.
public enum SyncStatus: Sendable {
    /// Nothing is being transferred.
    case idle
    /// Local changes are being sent: the number of completed requests, and the number of requests when the push began.
    case pushing(done: Int, total: Int)
    /// An entity's records are being fetched and merged; `progress` is `nil` until the body has arrived.
    case pulling(entity: String, progress: MergeProgress?)
    /// The sync listens to the server, and has nothing to send.
    case following
    /// The server cannot be reached or is unavailable, or an entity cannot be followed. It is retried at this time.
    case waiting(until: Date, because: SyncError)
    /// The server requires a newer version of the app (`updateNeeded`), so nothing is transferred. Local changes stay
    /// pending. This status remains until the next operation.
    case stopped(because: SyncError)
}

/// Publishes the status of a sync to any number of subscribers. Each receives the latest status, not all in between.
final class SyncStatusBoard: Sendable {
    private struct State {
        var status = SyncStatus.idle
        var listeners: [Int: AsyncStream<SyncStatus>.Continuation] = [:]
        var lastListener = 0
        /// The entities that cannot be followed now: until when, and why.
        var waiting: [String: (until: Date, error: SyncError)] = [:]
        /// Whether the status reports one of those.
        var reportsWaiting = false

        /// Publishes a status. While an entity waits, not everything is being followed.
        mutating func publish(_ status: SyncStatus) {
            reportsWaiting = false
            self.status = status
            guard case .following = status, let next = waiting.values.min(by: { $0.until < $1.until }) else { return }
            reportsWaiting = true
            self.status = .waiting(until: next.until, because: next.error)
        }
    }

    private let state = Locked(State())

    var status: SyncStatus { state.withLock { $0.status } }

    func show(_ status: SyncStatus) { update { $0.publish(status) } }

    /// An entity cannot be followed until this time.
    func wait(_ entity: String, until date: Date, because error: SyncError) {
        update { state in
            state.waiting[entity] = (date, error)
            state.publish(.following)
        }
    }

    /// An entity is being followed again.
    func recover(_ entity: String) {
        guard state.withLock({ $0.waiting[entity] != nil }) else { return }
        update { state in
            state.waiting[entity] = nil
            if state.reportsWaiting { state.publish(.following) }
        }
    }

    /// Nothing is being followed any more.
    ///
    /// - Parameter problem: Why, if that is to be reported.
    func end(because problem: SyncError? = nil) {
        update { state in
            state.waiting = [:]
            state.publish(problem.map { .stopped(because: $0) } ?? .idle)
        }
    }

    private func update(_ body: (inout State) -> Void) {
        let (status, listeners) = state.withLock { state in
            body(&state)
            return (state.status, Array(state.listeners.values))
        }
        for listener in listeners { listener.yield(status) }
    }

    /// The current status, followed by each new one.
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
