public import Foundation
public import LockstepStore

/// Something that happened during a sync, for a log, a report to support, or a developer's own view.
///
/// ``description`` contains no token and no value of a record: a record is named by its identity if that is a UUID or a
/// number, and by a stand-in otherwise. The properties may contain more, such as a server's text that quotes a value.
///
/// ```swift
/// for await diagnostic in sync.diagnostics { print(diagnostic) }
/// // 09:00:01.250 update Entry 6f1b…: done in 0.120 s
/// ```
public struct SyncDiagnostic: Sendable {
    /// When it happened.
    public let date: Date
    public let event: Event

    public enum Event: Sendable {
        /// A request to the server has ended.
        case request(SyncExchange)
        /// Something failed, and is tried again at this time. Without a record, it concerns the entity's collection;
        /// without an entity, everything that is to be sent.
        case retry(entity: String?, record: String?, at: Date, because: SyncError)
        /// The server's record and the local one have changed differently since the server had the local one, or other
        /// information about a merge.
        case merge(MergeNote)
        /// A record of the server cannot be merged.
        case skipped(SkippedRecord)
        /// The server rejects a change permanently, or it cannot be sent (rule P8). Those that were parked before are
        /// reported once after each launch.
        case parked(PendingChange)
    }

    /// How important an event is, for a log.
    public enum Level: String, Sendable, Hashable, CaseIterable {
        /// What happens all the time: a request that has succeeded.
        case debug
        /// What is of interest if something else is wrong: a conflict that was resolved.
        case info
        /// What ends without help: a failed request, a retry.
        case notice
        /// What somebody has to decide about: a parked change, a skipped record.
        case warning
    }

    /// How important the event is.
    public var level: Level {
        switch event {
        case .request(let exchange): exchange.outcome.isSuccess ? .debug : .notice
        case .retry: .notice
        case .merge: .info
        case .skipped, .parked: .warning
        }
    }
}

/// A request to the server as a sync makes it, and its result.
public struct SyncExchange: Sendable {
    /// What was requested.
    public let operation: Operation
    /// The entity of the records.
    public let entity: String
    /// The identity of the record on the server; `nil` if it is not about one record, or the server assigns it.
    public let record: String?
    /// How long it took until the response had arrived, in seconds. The body of a pull may arrive later.
    public let seconds: TimeInterval
    public let outcome: Outcome

    public enum Operation: String, Sendable, Hashable, CaseIterable {
        /// A collection, or a page of it.
        case fetch
        /// One record.
        case fetchRecord
        /// What has changed in a collection since an earlier pull.
        case fetchChanges
        case create, update, delete
        /// Several changes in one request.
        case batch
        /// A live stream was opened.
        case listen
    }

    public enum Outcome: Sendable {
        /// The server has done it.
        case success
        /// The server has no newer version (304).
        case notModified
        /// The server has no such record.
        case absent
        /// The server has responded, but not done it; `nil` if no status is known, such as for a remote without HTTP.
        case rejected(status: Int?)
        /// There was no response that proves anything.
        case failure(SyncError)

        /// Whether nothing is wrong.
        public var isSuccess: Bool {
            switch self {
            case .success, .notModified, .absent: true
            case .rejected, .failure: false
            }
        }
    }
}
