public import Foundation
import LockstepStore

/// What a sync does, as one value for a user interface.
///
/// The cases are ordered by what matters most: a transfer hides why something else waits, and a missing connection
/// hides that a record needs attention. Each part of a sync (the push, and each collection) has a state of its own; the
/// status is about all of them, and never alternates between those of two parts.
public enum SyncStatus: Sendable {
    /// Nothing is transferred, and ``Sync/run(_:)`` does not run: local changes are not sent until the app requests it.
    case idle
    /// Records are being sent or fetched. Of the regular pulls of ``Sync/run(_:)``, only the first one of each
    /// collection and those with many records are reported.
    case syncing(SyncProgress)
    /// ``Sync/run(_:)`` has nothing to transfer: all local changes were sent, and all collections were fetched, at this
    /// time or later. A collection with a live stream was complete at the time of its last event, and has been since.
    case upToDate(since: Date)
    /// There is no connection, or no response: it is retried at this time, and when the network is available again, or
    /// the app calls ``Sync/retryNow()``. `until` is `nil` if only the network is waited for.
    case offline(until: Date?, because: SyncError)
    /// The server is unavailable, a change fails repeatedly, or a collection cannot be fetched. It is retried at this
    /// time.
    ///
    /// If several of these apply, pushing comes first, then the collection that has failed for the longest time.
    case waiting(until: Date, because: SyncError)
    /// Nothing waits and everything else was transferred, but somebody has to decide about some records.
    case needsAttention(SyncAttention)
    /// The server requires a newer version of the app (`updateNeeded`), so nothing is transferred. Local changes stay
    /// pending. This status remains until the next operation.
    case stopped(because: SyncError)
}

extension SyncStatus {
    /// Whether it is ``upToDate(since:)``.
    public var isUpToDate: Bool { if case .upToDate = self { true } else { false } }

    /// Why nothing is transferred, or something waits: the error of ``offline(until:because:)``,
    /// ``waiting(until:because:)`` and ``stopped(because:)``.
    public var error: SyncError? {
        switch self {
        case .offline(_, let error), .waiting(_, let error), .stopped(let error): error
        case .idle, .syncing, .upToDate, .needsAttention: nil
        }
    }

    /// When it is retried: the time of ``offline(until:because:)`` and ``waiting(until:because:)``.
    public var retryDate: Date? {
        switch self {
        case .offline(let date, _): date
        case .waiting(let date, _): date
        case .idle, .syncing, .upToDate, .needsAttention, .stopped: nil
        }
    }

    /// Whether both say the same. The time since when everything is up to date counts in whole seconds.
    func isSame(as other: SyncStatus) -> Bool {
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

/// How far the current transfer has come.
public struct SyncProgress: Sendable, Hashable {
    /// The number of changes that the push has sent.
    public internal(set) var sentChanges = 0
    /// The number of changes that were to be sent when the push began; 0 if nothing is being sent.
    public internal(set) var changeCount = 0
    /// The entity whose records are being fetched; `nil` if none are.
    public internal(set) var entity: String?
    /// How far the merge of its records has come; `nil` until their body has arrived.
    public internal(set) var merge: MergeProgress?
    /// The number of collections that the pull has fetched.
    public internal(set) var fetchedCollections = 0
    /// The number of collections that the pull fetches; 0 if it is not a pull of all collections.
    public internal(set) var collectionCount = 0

    /// The part that is done, from 0 to 1; `nil` if that is not known.
    ///
    /// Changes count equally, and so do collections. A part of a collection counts if the size of its body is known.
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

/// Records that somebody has to decide about: the user, the app, or its developers.
public struct SyncAttention: Sendable, Hashable {
    /// The number of changes that are parked, such as those that the server has rejected (rule P8).
    public internal(set) var parkedCount = 0
    /// The number of leftovers: what unsent edits contained for which the schema has no place any more (rule V5).
    public internal(set) var leftoverCount = 0
    /// The number of the server's records that the last pulls of this run could not merge (rule M4).
    public internal(set) var skippedCount = 0
    /// The number of changes that are retried and have failed repeatedly
    /// (``/LockstepStore/OutboxStatus/failingCount``). They alone need no attention.
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
