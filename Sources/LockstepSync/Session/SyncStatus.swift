public import Foundation
import LockstepStore

/// The state of a sync, as one value for a user interface.
///
/// If several cases apply, the most important one is reported: a transfer takes precedence over a wait, and a missing
/// connection over records that need attention. Each part of a sync (the push, and each collection) has its own state.
/// The status summarizes them, and never alternates between the states of two parts.
public enum SyncStatus: Sendable {
    /// Nothing is being transferred, and ``Sync/run(_:)`` is not running: local changes are not sent until the app
    /// requests it.
    case idle
    /// Records are being sent or fetched. A regular pull of ``Sync/run(_:)`` is reported only if it is the first one of
    /// its collection or has many records.
    case syncing(SyncProgress)
    /// ``Sync/run(_:)`` has nothing to transfer: all local changes were sent, and all collections were fetched, at this
    /// time or later. A collection with a live stream was complete at the time of its last event, and has been since.
    case upToDate(since: Date)
    /// There is no connection, or no response. Everything is retried at this time, or earlier if the network becomes
    /// available again or the app calls ``Sync/retryNow()``. `until` is `nil` if the sync is waiting only for the
    /// network.
    case offline(until: Date?, because: SyncError)
    /// The server is unavailable, a change fails repeatedly, or a collection cannot be fetched. It is retried at this
    /// time.
    ///
    /// If several of these apply, a push is reported first, then the collection that has been failing for the longest
    /// time.
    case waiting(until: Date, because: SyncError)
    /// Nothing is waiting and everything else was transferred, but some records require a decision.
    case needsAttention(SyncAttention)
    /// The server requires a newer version of the app (`updateNeeded`), or rejects the credentials (`unauthorized`), so
    /// nothing is transferred. Local changes stay pending. This status remains until the next operation.
    case stopped(because: SyncError)
}

extension SyncStatus {
    /// Whether the status is ``upToDate(since:)``.
    public var isUpToDate: Bool { if case .upToDate = self { true } else { false } }

    /// Why nothing is transferred, or something is waiting: the error of ``offline(until:because:)``,
    /// ``waiting(until:because:)`` and ``stopped(because:)``.
    public var error: SyncError? {
        switch self {
        case .offline(_, let error), .waiting(_, let error), .stopped(let error): error
        case .idle, .syncing, .upToDate, .needsAttention: nil
        }
    }

    /// The time of the next attempt: that of ``offline(until:because:)`` and ``waiting(until:because:)``.
    public var retryDate: Date? {
        switch self {
        case .offline(let date, _): date
        case .waiting(let date, _): date
        case .idle, .syncing, .upToDate, .needsAttention, .stopped: nil
        }
    }

    /// Whether both say the same. The time since when everything is up to date counts in whole seconds.
    package func isSame(as other: SyncStatus) -> Bool {
        switch (self, other) {
        case (.idle, .idle): true
        case (.syncing(let progress), .syncing(let otherProgress)): progress == otherProgress
        case (.upToDate(let date), .upToDate(let otherDate)): abs(date.timeIntervalSince(otherDate)) < 1
        case (.offline(let date, let error), .offline(let otherDate, let otherError)):
            SyncStatus.isSame(date, otherDate) && error.isSame(as: otherError)
        case (.waiting(let date, let error), .waiting(let otherDate, let otherError)):
            SyncStatus.isSame(date, otherDate) && error.isSame(as: otherError)
        case (.needsAttention(let attention), .needsAttention(let otherAttention)): attention == otherAttention
        case (.stopped(let error), .stopped(let otherError)): error.isSame(as: otherError)
        default: false
        }
    }

    private static func isSame(_ date: Date?, _ other: Date?) -> Bool {
        guard let date, let other else { return date == other }
        // A stored date has been rounded.
        return abs(date.timeIntervalSince(other)) < 0.001
    }
}

/// The progress of the current transfer.
public struct SyncProgress: Sendable, Hashable {
    /// The number of changes that the push has sent.
    public internal(set) var sentChanges = 0
    /// The number of changes to send when the push began; 0 if nothing is being sent.
    public internal(set) var changeCount = 0
    /// The entity whose records are being fetched; `nil` if none are.
    public internal(set) var entity: String?
    /// The progress of the merge of its records; `nil` until their body has arrived.
    public internal(set) var merge: MergeProgress?
    /// The number of collections that the pull has fetched.
    public internal(set) var fetchedCollections = 0
    /// The number of collections that the pull fetches; 0 if it is not a pull of all collections.
    public internal(set) var collectionCount = 0

    /// The completed fraction, from 0 to 1; `nil` if it is not known.
    ///
    /// All changes count equally, and so do all collections. A partly merged collection is included if the size of its
    /// body is known.
    public var fraction: Double? {
        if changeCount > 0 { return min(1, Double(sentChanges) / Double(changeCount)) }
        guard collectionCount > 0 else { return mergedFraction }
        return min(1, (Double(fetchedCollections) + (mergedFraction ?? 0)) / Double(collectionCount))
    }

    private var mergedFraction: Double? {
        guard let merge, let byteCount = merge.byteCount, byteCount > 0 else { return nil }
        return min(1, Double(merge.bytesRead) / Double(byteCount))
    }
}

/// Records that require a decision by the user, the app, or its developers.
public struct SyncAttention: Sendable, Hashable {
    /// The number of changes that are parked, such as those that the server has rejected (rule P8).
    public internal(set) var parkedCount = 0
    /// The number of leftovers: parts of unsent edits that the schema no longer has a place for (rule V5).
    public internal(set) var leftoverCount = 0
    /// The number of records from the server that the last pulls of this run could not merge (rule M4).
    public internal(set) var skippedCount = 0
    /// The number of changes that are retried and have failed repeatedly
    /// (``/LockstepStore/OutboxStatus/failingCount``). On their own, they need no attention.
    public internal(set) var failingCount = 0

    /// Whether there are any.
    var isNeeded: Bool { parkedCount > 0 || leftoverCount > 0 || skippedCount > 0 }
}

extension SyncError {
    /// Whether both say the same.
    fileprivate func isSame(as other: SyncError) -> Bool {
        code == other.code && request == other.request && entity == other.entity && record == other.record
            && reason == other.reason
    }
}
