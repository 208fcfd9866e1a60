import LockstepSystem

/// Wakes one reader that waits for changes of a store. It is sendable, because a task may be cancelled from any thread.
final class ChangeSignal: Sendable {
    private struct State {
        var isRaised = false
        var isEnded = false
        var waiter: CheckedContinuation<Void, Never>?

        /// Removes the waiter, to be resumed when the lock is released.
        mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
            defer { waiter = nil }
            return waiter
        }
    }

    private let state = Locked(State())

    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Signals the reader that something has changed.
    func raise() {
        state.withLock { state in
            state.isRaised = true
            return state.takeWaiter()
        }?.resume()
    }

    /// Signals the reader that there will be no more changes.
    func end() {
        state.withLock { state in
            state.isEnded = true
            return state.takeWaiter()
        }?.resume()
    }

    /// Waits until something has changed.
    ///
    /// - Returns: `false` if there will be no more changes, or the task is cancelled.
    func wait(isolation: isolated (any Actor)?) async -> Bool {
        await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: isolation) { continuation in
                    let isDue = state.withLock { state in
                        if state.isRaised || state.isEnded || Task.isCancelled { return true }
                        state.waiter = continuation
                        return false
                    }
                    if isDue { continuation.resume() }
                }
            },
            onCancel: { state.withLock { $0.takeWaiter() }?.resume() },
            isolation: isolation)
        return state.withLock { state in
            state.isRaised = false
            return !state.isEnded && !Task.isCancelled
        }
    }
}

/// The signals of a store's readers, so that closing the store ends them.
final class ChangeSignals: Sendable {
    private struct WeakSignal {
        weak var signal: ChangeSignal?
    }
    private struct State {
        var signals: [WeakSignal] = []
        var isEnded = false
    }

    private let state = Locked(State())

    func insert(_ signal: ChangeSignal) {
        let isEnded = state.withLock { state in
            state.signals.removeAll { $0.signal == nil }
            state.signals.append(WeakSignal(signal: signal))
            return state.isEnded
        }
        if isEnded { signal.end() }
    }

    func end() {
        let signals = state.withLock { state in
            state.isEnded = true
            return state.signals.compactMap(\.signal)
        }
        signals.forEach { $0.end() }
    }
}
