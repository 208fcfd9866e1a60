import LockstepStore
import LockstepSystem

/// A flag that says that a merge shall stop. The task sets it; the merge, on the database's thread, looks at it.
final class MergeCancellation: Sendable {
    private let isRequested = Locked(false)

    func request() { isRequested.withLock { $0 = true } }

    /// Throws `CancellationError` once it is requested.
    func check() throws {
        if isRequested.withLock({ $0 }) { throw CancellationError() }
    }
}
