/// A lock that suspends the tasks that wait for it. They get it in the order of arrival.
package final class AsyncLock: Sendable {
    private struct State {
        var isHeld = false
        var waiters: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
        var lastID = 0
    }

    private let state = Locked(State())

    package init() {}

    /// Runs a function with the lock, in the isolation domain of the caller.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits; errors of the function.
    package nonisolated(nonsending) func with<Value>(
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        try await acquire()
        defer { release() }
        return try await body()
    }

    /// Waits for the lock. The index in the queue is taken before this suspends.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    package nonisolated(nonsending) func acquire() async throws {
        try Task.checkCancellation()
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    // Cancelled before it was added, so nothing would remove it again.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    guard state.isHeld else {
                        state.isHeld = true
                        return .success(())
                    }
                    state.waiters.append((id, continuation))
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            abandon(id)
        }
    }

    /// Passes the lock to the task that has waited longest.
    package func release() {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            state.isHeld = !state.waiters.isEmpty
            return state.isHeld ? state.waiters.removeFirst().continuation : nil
        }
        next?.resume()
    }

    private func abandon(_ id: Int) {
        let abandoned = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiters.remove(at: index).continuation
        }
        abandoned?.resume(throwing: CancellationError())
    }
}
