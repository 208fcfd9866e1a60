import LockstepSystem

/// Ends the waits of any number of tasks: each has its own signal.
final class Wakeups: Sendable {
    private let signals = Locked<(values: [Int: AsyncSignal], last: Int)>(([:], 0))

    /// Runs a function with a signal that ``wakeAll()`` sends.
    func withSignal<Value: Sendable>(
        _ signal: AsyncSignal = AsyncSignal(), isolation: isolated (any Actor)? = #isolation,
        body: (AsyncSignal) async throws -> Value
    ) async rethrows -> Value {
        let number = signals.withLock { signals in
            signals.last += 1
            signals.values[signals.last] = signal
            return signals.last
        }
        defer { signals.withLock { $0.values[number] = nil } }
        return try await body(signal)
    }

    func wakeAll() async {
        for signal in signals.withLock({ Array($0.values.values) }) { await signal.signal() }
    }
}
