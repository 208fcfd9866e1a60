import Foundation
import LockstepSync

/// The status of a sync without flicker: short transfers are not shown, and one that is shown stays for a while.
struct CalmStatus {
    /// A transfer that is shorter is not shown: people would only see a flash.
    static let delaySeconds = 0.5
    /// How long a transfer is shown at least, for the same reason.
    static let minimumSeconds = 1.0

    /// The status to show.
    private(set) var shown: SyncStatus
    /// The latest status.
    private var latest: SyncStatus
    /// When the current transfer began; `nil` if there is none.
    private var start: Date?
    /// When a transfer began to be shown; `nil` if none is.
    private var shownStart: Date?

    init(_ status: SyncStatus = .idle) { (shown, latest) = (status, status) }

    /// - Parameter now: The time. A clock that was set back counts as if the time had passed.
    mutating func receive(_ status: SyncStatus, at now: Date) {
        latest = status
        if status.isSyncing { start = start ?? now } else { start = nil }
        pass(to: now)
    }

    /// The time is later.
    mutating func pass(to now: Date) {
        guard dueDate(at: now) == nil else { return }
        shown = latest
        shownStart = latest.isSyncing ? shownStart ?? now : nil
    }

    /// When the status has to change without a new one; `nil` if it need not.
    func dueDate(at now: Date) -> Date? {
        if latest.isSyncing {
            guard !shown.isSyncing, !isOver(start, seconds: Self.delaySeconds, now: now) else { return nil }
            return start?.addingTimeInterval(Self.delaySeconds)
        }
        guard shown.isSyncing, !isOver(shownStart, seconds: Self.minimumSeconds, now: now) else { return nil }
        return shownStart?.addingTimeInterval(Self.minimumSeconds)
    }

    private func isOver(_ start: Date?, seconds: TimeInterval, now: Date) -> Bool {
        guard let start else { return true }
        let elapsed = now.timeIntervalSince(start)
        return elapsed < 0 || elapsed >= seconds
    }
}

extension SyncStatus {
    var isSyncing: Bool { if case .syncing = self { true } else { false } }
}
