import LockstepStore
import LockstepSystem

/// A flag that stops a merge. The task sets it; the merge, which runs on the database's thread, checks it.
final class MergeCancellation: Sendable {
    private let isRequested = Locked(false)

    func request() { isRequested.withLock { $0 = true } }

    /// Throws `CancellationError` if a stop was requested.
    func check() throws {
        if isRequested.withLock({ $0 }) { throw CancellationError() }
    }
}
