import LockstepSystem
import LockstepTables

/// A flag that stops a merge. The task sets it; the merge, which runs on the database's thread, checks it.
package final class MergeCancellation: Sendable {
    private let isRequested = Locked(false)
    private let checkSuspension: @Sendable () throws -> Void

    /// - Parameter checkSuspension: Throws if the app is about to be suspended.
    package init(checkSuspension: @escaping @Sendable () throws -> Void = {}) { self.checkSuspension = checkSuspension }

    package func request() { isRequested.withLock { $0 = true } }

    /// Throws `CancellationError` if a stop was requested, and GRDB's error if the app is about to be suspended.
    func check() throws {
        if isRequested.withLock({ $0 }) { throw CancellationError() }
        try checkSuspension()
    }
}
