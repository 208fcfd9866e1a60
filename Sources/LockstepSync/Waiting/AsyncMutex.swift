import LockstepHTTP

/// Runs one task at a time, in the order of arrival.
///
/// The operations of a store's syncs share one (Rules.md, P11): if a push ran between the response and the merge of a
/// pull, the pull would restore old values.
actor AsyncMutex {
    /// The mutexes that the current operation holds, and those around it.
    @TaskLocal static var held: [AsyncMutex] = []

    private var isHeld = false
    private var waiters: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    private var lastID = 0

    /// How often the server was read or written under this lock. The contents of a response that was begun earlier are
    /// older.
    private(set) var exchangeCount = 0

    func noteExchange() { exchangeCount += 1 }

    /// Waits for its turn.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits; ``/LockstepHTTP/SyncError`` if it would
    ///   never come, because the operation before waits for this task.
    func acquire() async throws {
        try Task.checkCancellation()
        if TokenCall.isCurrent, Self.held.contains(where: { $0 === self }) { throw SyncError.waitsForItself }
        guard isHeld else {
            isHeld = true
            return
        }
        lastID += 1
        let id = lastID
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                // Cancelled before it was added, so nothing would remove it again.
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                waiters.append((id, continuation))
            }
        } onCancel: {
            Task { await self.abandon(id) }
        }
    }

    func release() {
        guard !waiters.isEmpty else {
            isHeld = false
            return
        }
        waiters.removeFirst().continuation.resume()
    }

    private func abandon(_ id: Int) {
        guard let place = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: place).continuation.resume(throwing: CancellationError())
    }
}

extension SyncError {
    fileprivate static let waitsForItself = SyncError(
        .unsupported, reason: "it uses the sync that waits for its token",
        remedy: "Get the token with a client of its own, and use the sync after the token provider has returned.")
}
