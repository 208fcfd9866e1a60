import Foundation
import GRDB
import LockstepSystem

/// Notices that the app announces its suspension.
///
/// GRDB then interrupts the running statement and refuses others, but only those that it runs itself. What runs its own
/// statements, or copies a file, asks here.
final class SuspensionWatch: Sendable {
    private let isSuspended: Locked<Bool>
    /// Unsafe, because the compiler does not know that these are only removed, once, when nobody uses them any more.
    private nonisolated(unsafe) let observers: [any NSObjectProtocol]

    /// - Returns: `nil` if the configuration does not observe suspensions.
    init?(_ configuration: Configuration) {
        guard configuration.observesSuspensionNotifications else { return nil }
        let isSuspended = Locked(false)
        self.isSuspended = isSuspended
        observers = [(Database.suspendNotification, true), (Database.resumeNotification, false)].map { name, value in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                isSuspended.withLock { $0 = value }
            }
        }
    }

    deinit {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }

    /// Throws GRDB's error if the app is about to be suspended.
    func check() throws {
        guard isSuspended.withLock(\.self) else { return }
        throw DatabaseError(resultCode: .SQLITE_INTERRUPT, message: "the app announced its suspension")
    }
}
