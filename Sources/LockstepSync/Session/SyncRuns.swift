import LockstepStore
import LockstepSystem

/// The calls of `run` of a store's syncs, so that they end when the account is signed out.
final class SyncRuns: Sendable {
    private struct State {
        var signals: [Int: AsyncSignal] = [:]
        var last = 0
        /// Whether each later call must end at once.
        var isEnding = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    /// A call begins. The signal says that it must end.
    func begin() -> (number: Int, ending: AsyncSignal) {
        state.withLock { state in
            let signal = AsyncSignal(isSignaled: state.isEnding)
            state.last += 1
            state.signals[state.last] = signal
            return (state.last, signal)
        }
    }

    func end(_ number: Int) {
        let waiters = state.withLock { state in
            state.signals[number] = nil
            guard state.signals.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        waiters.forEach { $0.resume() }
    }

    /// Ends all calls, and waits until they have ended.
    func endAll() async {
        let signals = state.withLock { state in
            state.isEnding = true
            return Array(state.signals.values)
        }
        for signal in signals { await signal.signal() }
        await withCheckedContinuation { continuation in
            let hasNone = state.withLock { state in
                if !state.signals.isEmpty { state.waiters.append(continuation) }
                return state.signals.isEmpty
            }
            if hasNone { continuation.resume() }
        }
    }

    /// The runs of a store.
    static func of(_ store: Store) -> SyncRuns { store.storeExtension { SyncRuns() } }
}

/// Ends a run because the account is signed out.
struct SigningOut: Error {}
