public import Foundation

/// A local change that the server has not confirmed yet (rule P12): the record, the date, the number of attempts, and
/// the last error.
public struct PendingChange: Sendable, Hashable, Identifiable {
    /// Its number in the outbox. Later changes of the same record keep it until the server has confirmed one.
    public let id: Int64
    /// The name of the entity in the schema; if ``isUnclaimed``, its name when the record was changed.
    public let entity: String
    /// Whether no entity of the schema claims the change (rule P16): its entity has another name or another table now,
    /// or is local only. The change is not sent, and stays until it is claimed or discarded.
    public let isUnclaimed: Bool
    /// The operation on the server.
    public let kind: Kind
    /// When the record was first changed.
    public let since: Date
    /// The number of attempts to send it.
    public let attempts: Int
    /// When it is retried; `nil` if as soon as its turn comes.
    public var retryAt: Date? { wait?.end }
    /// The last error, as readable text.
    public let lastError: String?
    /// The server's permanent rejection (rule P8); `nil` if the change is still to be sent.
    public let parked: Parked?

    package let wait: StoredWait?
    package let key: RecordKey
    /// Incremented by each change of the record.
    package let version: Int64
    package let idempotencyKey: String?
    /// The body of a creation that was sent and has no response yet.
    package let sentBody: Data?
    /// The version of the change in that body.
    package let sentVersion: Int64?

    /// The operations on the server.
    public enum Kind: Sendable, Hashable { case create, update, delete }

    /// The response of a server that permanently rejects a change.
    public struct Parked: Sendable, Hashable {
        /// The status of the response; 0 if there was none, because the change cannot be sent.
        public let status: Int
        /// The body of the response, or the reason as text if there was none.
        public let body: Data

        package init(status: Int, body: Data) {
            self.status = status
            self.body = body
        }
    }

    package init(
        id: Int64, entity: String, isUnclaimed: Bool = false, key: RecordKey, kind: Kind, version: Int64,
        since: Date,
        attempts: Int = 0, wait: StoredWait? = nil, lastError: String? = nil, parked: Parked? = nil,
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
        self.wait = wait
        self.lastError = lastError
        self.parked = parked
        self.idempotencyKey = idempotencyKey
        self.sentBody = sentBody
        self.sentVersion = sentVersion
    }

    /// The sent creation without a response, whatever was done to the record since; otherwise the change itself.
    package var asSent: PendingChange {
        guard sentBody != nil, let sentVersion else { return self }
        return PendingChange(
            id: id, entity: entity, key: key, kind: .create, version: sentVersion, since: since, attempts: attempts,
            wait: wait, lastError: lastError, parked: parked, idempotencyKey: idempotencyKey, sentBody: sentBody,
            sentVersion: sentVersion)
    }

    /// The record's key on the device, as readable text.
    public var record: String { key.text }
}
