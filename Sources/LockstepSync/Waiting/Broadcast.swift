import LockstepSystem

/// Sends values to any number of subscribers.
final class Broadcast<Value: Sendable>: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
        var lastListener = 0
    }

    private let state = Locked(State())
    /// The number of values that are kept for a slow subscriber.
    private static var limit: Int { 100 }

    func send(_ value: Value) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(value) }
    }

    /// The values from now on.
    func values() -> AsyncStream<Value> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.limit)) { continuation in
            let number = state.withLock { state in
                state.lastListener += 1
                state.listeners[state.lastListener] = continuation
                return state.lastListener
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.listeners[number] = nil }
            }
        }
    }
}
