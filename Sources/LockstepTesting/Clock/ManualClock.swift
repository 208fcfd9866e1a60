public import Foundation
import LockstepStore
public import LockstepSync
import LockstepSystem

/// A clock that advances only when a test advances it.
///
/// Sleeping tasks are woken in the order of their deadlines; if deadlines are equal, in the order in which the tasks
/// went to sleep. When a task is woken, the time is its deadline. Any number of tasks can use a clock concurrently.
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

    /// Creates a clock. Its default time is the same in every run.
    public init(now: Date = Date(timeIntervalSince1970: 1_700_000_000)) {
        state = Locked(ManualClockState(now: now))
    }

    public var now: Date { state.withLock { $0.now } }

    /// The deadlines of all sleeping tasks, the earliest first.
    package var deadlines: [Date] { state.withLock { $0.sleepers.map(\.deadline) } }

    /// Sleeps until the deadline. Returns at once if it has passed.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, at once, regardless of the clock's time.
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

    /// Advances the time, and wakes all tasks whose deadlines have passed. A negative interval sets the time back, and
    /// wakes no task.
    public func advance(by seconds: TimeInterval) {
        advance(to: now + seconds)
    }

    /// Sets the time, and wakes all tasks whose deadlines have passed.
    package func advance(to time: Date) {
        while let woken = state.withLock({ $0.wakeNext(until: time) }) { resume(woken) }
        state.withLock { $0.now = time }
    }

    /// Advances the time to the earliest deadline, and wakes all tasks with this deadline.
    ///
    /// - Returns: Whether any task was sleeping.
    @discardableResult
    package func advanceToNextSleeper() -> Bool {
        guard let deadline = state.withLock({ $0.sleepers.first?.deadline }) else { return false }
        advance(to: max(deadline, now))
        return true
    }

    /// Waits until at least a number of tasks are sleeping.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
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

    /// Runs a function, and advances the clock to the earliest deadline whenever a task sleeps.
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

    /// Resumes continuations outside of the lock, since the woken tasks may use the clock.
    private func resume(_ woken: [ManualClockState.Woken]) {
        for one in woken { one.continuation.resume(with: one.result) }
    }
}
