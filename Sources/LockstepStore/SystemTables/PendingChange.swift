public import Foundation

/// A local change that the server has not confirmed yet (rule P12): which record, since when, how often it was tried,
/// and why it failed last.
public struct PendingChange: Sendable, Hashable, Identifiable {
    /// Its number in the outbox. Later changes of the same record keep it until the server has confirmed one.
    public let id: Int64
    /// The entity, by its name in the schema; where ``isUnclaimed``, by the name that it had when the record was
    /// changed.
    public let entity: String
    /// Whether no entity of the schema claims the change (rule P16): the one that it was made under has another name or
    /// another table now, or stays on the device. It is not sent, and waits until it is claimed or discarded.
    public let isUnclaimed: Bool
    /// What is to be done on the server.
    public let kind: Kind
    /// When the record was first changed.
    public let since: Date
    /// How often it was sent, or tried to be.
    public let attempts: Int
    /// When it is tried again; `nil` where that is as soon as its turn comes.
    public let retryAt: Date?
    /// Why it failed last, for people to read.
    public let lastError: String?
    /// The server's answer that it will never take it (rule P8); `nil` where it is still to be sent.
    public let parked: Parked?

    package let key: RecordKey
    /// Counted up by each change of the record.
    package let version: Int64
    package let idempotencyKey: String?
    /// The body of a creation that was sent, and whose answer has not come.
    package let sentBody: Data?
    /// The version that this body is of.
    package let sentVersion: Int64?

    /// What is to be done on the server.
    public enum Kind: Sendable, Hashable { case create, update, delete }

    /// The answer of a server that will never take a change.
    public struct Parked: Sendable, Hashable {
        public let status: Int
        public let body: Data

        public init(status: Int, body: Data) {
            self.status = status
            self.body = body
        }
    }

    package init(
        id: Int64, entity: String, isUnclaimed: Bool = false, key: RecordKey, kind: Kind, version: Int64,
        since: Date,
        attempts: Int = 0, retryAt: Date? = nil, lastError: String? = nil, parked: Parked? = nil,
        idempotencyKey: String? = nil, sentBody: Data? = nil, sentVersion: Int64? = nil
    ) {
        self.id = id
        self.entity = entity
        self.isUnclaimed = isUnclaimed
        self.key = key
        self.kind = kind
        self.version = version
        self.since = since
        self.attempts = attempts
        self.retryAt = retryAt
        self.lastError = lastError
        self.parked = parked
        self.idempotencyKey = idempotencyKey
        self.sentBody = sentBody
        self.sentVersion = sentVersion
    }

    /// The creation that was sent and whose answer has not come, whatever was done to the record since; else the change
    /// itself.
    package var asSent: PendingChange {
        guard sentBody != nil, let sentVersion else { return self }
        return PendingChange(
            id: id, entity: entity, key: key, kind: .create, version: sentVersion, since: since, attempts: attempts,
            retryAt: retryAt, lastError: lastError, parked: parked, idempotencyKey: idempotencyKey, sentBody: sentBody,
            sentVersion: sentVersion)
    }

    /// The record's key on the device, for people to read.
    public var record: String { key.text }
}
