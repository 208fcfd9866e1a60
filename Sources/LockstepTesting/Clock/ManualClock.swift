public import Foundation
import LockstepStore
public import LockstepSync

/// A time that stands still until a test moves it.
///
/// Whoever sleeps is woken in the order of the deadlines, and in the order of coming where they are the same. While a
/// sleeper is woken the time is its deadline. Any number of tasks may use a clock at once.
///
/// ```swift
/// let clock = ManualClock()
/// let task = Task { try await clock.sleep(until: clock.now + 30) }
/// try await clock.waitForSleepers(1)
/// clock.advance(by: 30)
/// try await task.value
/// ```
public final class ManualClock: SyncClock {
    private let state: Locked<ManualClockState>

    /// A clock that shows a time: by default the same one in every run.
    public init(now: Date = Date(timeIntervalSince1970: 1_700_000_000)) {
        state = Locked(ManualClockState(now: now))
    }

    public var now: Date { state.withLock { $0.now } }

    /// The deadlines of all who sleep, the earliest first.
    public var deadlines: [Date] { state.withLock { $0.sleepers.map(\.deadline) } }

    /// Sleeps until the clock shows the deadline; not at all where it has passed.
    ///
    /// - Throws: `CancellationError` where the task is cancelled, at once, whatever the clock shows.
    public func sleep(until deadline: Date) async throws {
        let id = state.withLock { $0.makeID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let sleeper = ManualClockState.Sleeper(id: id, deadline: deadline, continuation: continuation)
                resume(state.withLock { $0.add(sleeper) })
            }
        } onCancel: {
            resume(state.withLock { $0.cancel(id) })
        }
        state.withLock { _ = $0.cancelled.remove(id) }
        try Task.checkCancellation()
    }

    /// Moves the time on, and wakes everyone whose deadline comes by then. A negative interval moves it back, and
    /// wakes nobody.
    public func advance(by seconds: TimeInterval) {
        advance(to: now + seconds)
    }

    /// Moves the time to another one, and wakes everyone whose deadline comes by then.
    public func advance(to time: Date) {
        while let woken = state.withLock({ $0.wakeNext(until: time) }) { resume(woken) }
        state.withLock { $0.now = time }
    }

    /// Moves the time to the earliest deadline, and wakes all who have it.
    ///
    /// - Returns: Whether anyone slept.
    @discardableResult
    public func advanceToNextSleeper() -> Bool {
        guard let deadline = state.withLock({ $0.sleepers.first?.deadline }) else { return false }
        advance(to: max(deadline, now))
        return true
    }

    /// Waits until at least so many tasks sleep.
    ///
    /// - Throws: `CancellationError` where the task is cancelled.
    public func waitForSleepers(_ count: Int) async throws {
        let id = state.withLock { $0.makeID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let watcher = ManualClockState.Watcher(id: id, count: count, continuation: continuation)
                resume(state.withLock { $0.add(watcher) })
            }
        } onCancel: {
            resume(state.withLock { $0.cancel(id) })
        }
        state.withLock { _ = $0.cancelled.remove(id) }
        try Task.checkCancellation()
    }

    /// Runs a function, and lets time pass for it: whenever someone sleeps, the clock moves to the earliest deadline.
    ///
    /// ```swift
    /// try await clock.whilePassing { try await sync.push() }      // with all its delays, in no time
    /// ```
    public func whilePassing<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async rethrows -> Value {
        let mover = Task {
            while true {
                try await waitForSleepers(1)
                advanceToNextSleeper()
                await Task.yield()
            }
        }
        defer { mover.cancel() }
        return try await body()
    }

    /// Continuations are resumed outside of the lock, since what they wake may ask the clock.
    private func resume(_ woken: [ManualClockState.Woken]) {
        for one in woken { one.continuation.resume(with: one.result) }
    }
}
