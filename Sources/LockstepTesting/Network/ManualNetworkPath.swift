public import LockstepSync
import LockstepSystem

/// A network that is available when a test says so.
///
/// ```swift
/// let network = ManualNetworkPath()
/// let run = Task { try await sync.run(RunOptions(network: network)) }
/// network.isAvailable = false
/// ```
public final class ManualNetworkPath: NetworkPath {
    private struct State {
        var isAvailable: Bool
        var listeners: [Int: AsyncStream<Bool>.Continuation] = [:]
        var lastListener = 0
    }

    private let state: Locked<State>

    public init(isAvailable: Bool = true) { state = Locked(State(isAvailable: isAvailable)) }

    /// Whether a network is available. Setting it notifies all readers.
    public var isAvailable: Bool {
        get { state.withLock { $0.isAvailable } }
        set {
            state.withLock { state in
                state.isAvailable = newValue
                for listener in state.listeners.values { listener.yield(newValue) }
            }
        }
    }

    @_spi(Requirements) public var availability: AsyncStream<Bool> {
        AsyncStream { continuation in
            let number = state.withLock { state in
                state.lastListener += 1
                state.listeners[state.lastListener] = continuation
                continuation.yield(state.isAvailable)
                return state.lastListener
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.listeners[number] = nil }
            }
        }
    }
}
