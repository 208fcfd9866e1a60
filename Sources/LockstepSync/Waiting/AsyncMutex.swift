import LockstepHTTP
import LockstepSystem

/// Runs one operation of a store's syncs at a time, in the order of arrival.
///
/// They share one (Rules.md, P11): if a push ran between the response and the merge of a pull, the pull would restore
/// old values.
actor AsyncMutex {
    /// The mutexes that the current operation holds, and those around it.
    @TaskLocal static var held: [AsyncMutex] = []

    private let lock = AsyncLock()

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
        try await lock.acquire()
    }

    func release() { lock.release() }
}

extension SyncError {
    fileprivate static let waitsForItself = SyncError(
        .unsupported, reason: "it uses the sync that waits for its token",
        remedy: "Get the token with a client of its own, and use the sync after the token provider has returned.")
}
