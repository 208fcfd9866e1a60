public import Foundation
import LockstepStore

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
    /// The server cannot be reached or cannot answer; it is tried again then.
    case waiting(until: Date, because: SyncError)
}

/// Tells any number of listeners what a sync is doing. Each gets the newest status, not all between.
final class SyncStatusBoard: Sendable {
    private struct State {
        var status = SyncStatus.idle
        var listeners: [Int: AsyncStream<SyncStatus>.Continuation] = [:]
        var lastListener = 0
    }

    private let state = Locked(State())

    var status: SyncStatus { state.withLock { $0.status } }

    func show(_ status: SyncStatus) {
        let listeners = state.withLock { state in
            state.status = status
            return Array(state.listeners.values)
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
