public import Foundation
import LockstepStore

/// The current activity of a sync.
public enum SyncStatus: Sendable {
    /// Nothing is being transferred.
    case idle
    /// Local changes are being sent: the number of completed requests, and the number of requests when the push began.
    case pushing(done: Int, total: Int)
    /// An entity's records are being fetched and merged; `progress` is `nil` until the body has arrived. Of the regular
    /// pulls of ``Sync/run(_:)``, only the first one of each entity and those with many records are reported.
    case pulling(entity: String, progress: MergeProgress?)
    /// The sync listens to the server, and has nothing to send.
    case following
    /// The server cannot be reached or is unavailable, a change fails repeatedly, or an entity cannot be followed. It
    /// is retried at this time.
    ///
    /// If several of these apply, pushing comes first, then the entity that has failed for the longest time.
    case waiting(until: Date, because: SyncError)
    /// The server requires a newer version of the app (`updateNeeded`), so nothing is transferred. Local changes stay
    /// pending. This status remains until the next operation.
    case stopped(because: SyncError)
}

extension SyncStatus {
    /// Whether both say the same.
    func isSame(as other: SyncStatus) -> Bool {
        switch (self, other) {
        case (.idle, .idle), (.following, .following): true
        case (.pushing(let done, let total), .pushing(let otherDone, let otherTotal)):
            done == otherDone && total == otherTotal
        case (.pulling(let entity, let progress), .pulling(let otherEntity, let otherProgress)):
            entity == otherEntity && progress == otherProgress
        case (.waiting(let date, let error), .waiting(let otherDate, let otherError)):
            // A stored date has been rounded.
            abs(date.timeIntervalSince(otherDate)) < 0.001 && error.isSame(as: otherError)
        case (.stopped(let error), .stopped(let otherError)): error.isSame(as: otherError)
        default: false
        }
    }
}

extension SyncError {
    fileprivate func isSame(as other: SyncError) -> Bool {
        code == other.code && request == other.request && entity == other.entity && record == other.record
            && reason == other.reason
    }
}
