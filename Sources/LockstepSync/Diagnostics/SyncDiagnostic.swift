public import Foundation
public import LockstepStore

/// An event that occurred during a sync, for a log, a support report, or a debugging view.
///
/// ``description`` contains no tokens and no values of records. A record is named by its identity if that is a UUID or
/// a number, and by a stand-in otherwise; an entity with a textual identity always has stand-ins. The properties may
/// contain more, such as a text from the server that quotes a value.
///
/// ```swift
/// for await diagnostic in sync.diagnostics { print(diagnostic) }
/// // 09:00:01.250 update Entry 6f1b…: done in 0.120 s
/// ```
public struct SyncDiagnostic: Sendable {
    /// When it happened.
    public let date: Date
    public let event: Event
    /// How its records are named.
    let identities: DisclosedIdentities

    public enum Event: Sendable {
        /// A request to the server has ended.
        case request(SyncExchange)
        /// Something failed, and is retried at this time. Without a record, the event concerns the entity's collection;
        /// without an entity, everything that is waiting to be sent.
        case retry(entity: String?, record: String?, at: Date, because: SyncError)
        /// A note of a merge, such as a conflict: the record was changed both locally and on the server, in different
        /// ways.
        case merge(MergeNote)
        /// A record from the server cannot be merged.
        case skipped(SkippedRecord)
        /// The server permanently rejected a change, or the change cannot be sent (rule P8). Changes that were parked
        /// earlier are reported once after each launch.
        case parked(PendingChange)
    }

    /// How important an event is, for a log.
    public enum Level: String, Sendable, Hashable, CaseIterable {
        /// Routine events: a request that succeeded.
        case debug
        /// Context for other problems: a resolved conflict.
        case info
        /// Problems that resolve themselves: a failed request, a retry.
        case notice
        /// Problems that require a decision: a parked change, a skipped record.
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

/// A request that a sync made to the server, and its outcome.
public struct SyncExchange: Sendable {
    /// The operation that was requested.
    public let operation: Operation
    /// The entity of the records; `nil` if the request transfers the bytes of an attachment.
    public let entity: String?
    /// The identity of the record on the server; `nil` if the request is not about one record, or the server assigns
    /// the identity. For the bytes of an attachment, their hash.
    public let record: String?
    /// The time until the response arrived, in seconds. The body of a pull or a download arrives later. If it is
    /// interrupted, a second exchange with the same operation reports the failure.
    public let seconds: TimeInterval
    public let outcome: Outcome

    public enum Operation: String, Sendable, Hashable, CaseIterable {
        /// A collection, or a page of it.
        case fetch
        /// One record.
        case fetchRecord
        /// The changes to a collection since an earlier pull.
        case fetchChanges
        case create, update, delete
        /// Several changes in one request.
        case batch
        /// A live stream was opened.
        case listen
        /// The bytes of an attachment.
        case upload, download
    }

    public enum Outcome: Sendable {
        /// The server carried out the request.
        case success
        /// The server has no newer version (304).
        case notModified
        /// The server has no such record.
        case absent
        /// The server responded, but did not carry out the request. The status is `nil` if it is not known, such as for
        /// a remote without HTTP.
        case rejected(status: Int?)
        /// There was no conclusive response.
        case failure(SyncError)

        /// Whether the request has an expected outcome.
        package var isSuccess: Bool {
            switch self {
            case .success, .notModified, .absent: true
            case .rejected, .failure: false
            }
        }
    }
}
