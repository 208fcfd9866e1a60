import Foundation
public import LockstepTables

extension RESTConventions {
    /// How changes are sent, and which responses confirm them.
    ///
    /// ```swift
    /// conventions.writes.updates = .mergePatch  // PATCH, application/merge-patch+json
    /// conventions.writes.createsByPut = true  // PUT /entries/ID
    /// ```
    public struct Writes: Sendable {
        /// How an existing record is written.
        public var updates: Updates = .changedMembers
        /// Whether a new record whose identity the device assigns is sent to its own address with `PUT /entries/ID`,
        /// instead of `POST` to the collection: if it is sent twice, it is created once. If the remote uses versions,
        /// the request contains `If-None-Match: *` and replaces nothing; otherwise it replaces an existing record.
        public var createsByPut = false
        /// Whether a new record contains `null` for optional values and links that are not set. Otherwise, it lacks
        /// them, so that the server can use its own defaults. It applies to the whole remote, not to single entities.
        public var sendsUnset = false
        /// The form of the field `Idempotency-Key`.
        public var idempotencyKeys: IdempotencyKeys = .quoted
        /// Whether the delete of a record with a version attribute contains the version as a parameter: `DELETE
        /// /entries/7?lock_version=3`.
        public var deletesTellVersion = true
        /// How the delete of an embedded record is sent if the server keeps records that are missing in a list (R10):
        /// in lists such as `lines_attributes` as `{"id": 6, "_destroy": true}`. `nil` for a server that replaces those
        /// lists, too. It applies to the whole remote, not to single entities.
        public var nestedDeletion: NestedDeletion? = NestedDeletion("_destroy")
        /// The value of the field `Prefer` (RFC 7240) of each write; `nil` for none.
        public var preferences: (@Sendable (_ kind: OutgoingChange.Kind) -> String?)?
        /// How several changes are sent in one request; `nil` to send each by itself. It applies to the whole remote,
        /// not to single entities.
        public var batches: Batches?
        /// Which responses confirm a write, in addition to the record as JSON (rule P13).
        public var acknowledgements = Acknowledgements()
        /// The statuses with which a server rejects an `If-Match` of another version, in addition to 412, such as 409.
        /// Because they have other meanings too, the record is read: if it still has the same version, the change is
        /// rejected for another reason, and is parked.
        public var conflictStatuses: Set<Int> = []

        public init() {}
    }

    /// The form of the field `Idempotency-Key`.
    public enum IdempotencyKeys: Sendable, Hashable {
        /// In double quotes, as a structured string: `Idempotency-Key: "8e03978e"`. This is the form of the IETF's
        /// draft `draft-ietf-httpapi-idempotency-key-header`. A server that takes the whole field as the key accepts it
        /// too.
        case quoted
        /// Without quotes: `Idempotency-Key: 8e03978e`.
        case bare
    }

    /// Which responses of the kind 2xx without the record confirm a write. What a response does not prove has not
    /// happened (rule P13): any other response may be a network's sign-in page, and the write is retried.
    ///
    /// ```swift
    /// conventions.writes.acknowledgements.texts = ["OK", #"{"status":"ok"}"#]  // 200 text/plain, or an envelope
    /// conventions.writes.acknowledgements.emptyStatuses.insert(202)
    /// ```
    public struct Acknowledgements: Sendable, Hashable {
        /// The statuses with which an empty body, or `null`, confirms a write. 202 is not among them, because it means
        /// that the write will be processed later.
        public var emptyStatuses = RemoteExchange.emptyStatuses
        /// Bodies that confirm a write like an empty one, without surrounding white space. JSON is compared by value:
        /// `{"success": true}`.
        public var texts: Set<String> = []
        /// Whether an HTML page with the status 403, 404 or 410 comes from the server itself, and means that it rejects
        /// the write or that the record was deleted. Otherwise, it may come from a proxy, and the write is retried.
        public var includeErrorPages = false

        public init() {}

        func includes(text body: Data) -> Bool {
            guard !texts.isEmpty else { return false }
            let text = String(decoding: body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            if texts.contains(text) { return true }
            guard let json = try? JSONValue(json: body) else { return false }
            return texts.contains { (try? JSONValue(json: Data($0.utf8))) == json }
        }
    }
}
