import LockstepStore
import LockstepSystem

/// A gate that holds tasks until a test opens it.
///
/// ```swift
/// let gate = Gate()
/// remote.respondNext(.held(gate))
/// let push = Task { try await sync.push() }
/// try await gate.reached()        // the change has arrived; the server has not responded
/// try entry.edit()
/// gate.open()
/// ```
public final class Gate: Sendable {
    private let arrival = Signal()
    private let opening = Signal()

    public init() {}

    /// Opens the gate, for all tasks from now on.
    public func open() { opening.give() }

    /// Waits until a task has reached the gate.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func reached() async throws { try await arrival.wait() }

    /// Waits at the gate until it is open.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package func pass() async throws {
        arrival.give()
        try await opening.wait()
    }
}

/// An event that happens once, and that any number of tasks can wait for.
final class Signal: Sendable {
    private typealias Continuation = CheckedContinuation<Void, any Error>

    private struct State {
        var isGiven = false
        var lastID = 0
        var waiting: [Int: Continuation] = [:]
        var cancelled: Set<Int> = []
    }

    private let state = Locked(State())

    func give() {
        let waiting = state.withLock { state in
            state.isGiven = true
            defer { state.waiting = [:] }
            return state.waiting.sorted { $0.key < $1.key }.map(\.value)
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in enter(id, continuation: continuation) }
        } onCancel: {
            leave(id)
        }
        state.withLock { _ = $0.cancelled.remove(id) }
        try Task.checkCancellation()
    }

    private func enter(_ id: Int, continuation: Continuation) {
        let result: Result<Void, any Error>? = state.withLock { state in
            if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
            if state.isGiven { return .success(()) }
            state.waiting[id] = continuation
            return nil
        }
        if let result { continuation.resume(with: result) }
    }

    private func leave(_ id: Int) {
        let continuation = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: id)
            if continuation == nil { state.cancelled.insert(id) }
            return continuation
        }
        continuation?.resume(throwing: CancellationError())
    }
}
