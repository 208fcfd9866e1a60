public import Foundation
public import HTTPTypes
public import LockstepStore

/// The conventions of a REST server. The defaults are those of Ruby on Rails.
///
/// ```swift
/// var conventions = RESTConventions()
/// conventions.envelope = .under("data")
/// conventions.paging = .cursor(in: ["page", "next_cursor"], parameter: "cursor", size: ("limit", 100))
/// conventions.updates = .mergePatch
/// conventions.headers[.acceptLanguage] = "de"
/// ```
///
/// ``jsonAPI`` and ``postgREST(creations:pageSize:)`` describe servers of these kinds. The page <doc:Remotes> lists
/// which option is for which API.
public struct RESTConventions: Sendable {
    /// Additional fields of each request.
    public var headers: HTTPFields = [:]
    /// The schema that each request names in the field `Lockstep-Schema`; `nil` for none. A server can use it to
    /// respond in the form of the app's version, or with 426 to a version that is too old.
    public var schema: SchemaHeader?
    /// The media type of bodies, in both directions.
    public var mediaType = "application/json"
    /// The members around records in the bodies of requests and responses.
    public var envelope = Envelope.none
    /// How records are laid out in a response with a collection, if ``envelope`` does not say it.
    public var collections: Collections = .automatic
    /// How the further pages of a collection are requested.
    public var paging: RESTPaging = .link
    /// Whether all pages of a collection are consistent, whatever is changed while they are read, for example because
    /// the server uses a cursor. Otherwise, records that are on no page are queried individually before they are
    /// deleted (rule M7).
    public var hasSnapshotPages = false
    /// How the server lists only what has changed since an earlier pull; `nil` if it lists whole collections only.
    public var changes: Changes?
    /// Additional parameters of each request for a collection, such as the order of the records.
    public var collectionQuery: (@Sendable (_ entity: RemoteEntity) -> [URLQueryItem])?
    /// How an existing record is written.
    public var updates: Updates = .changedMembers
    /// How several changes are sent in one request; `nil` to send each by itself. It applies to the whole remote, not
    /// to single entities.
    public var batches: Batches?
    /// The statuses with which a server rejects an `If-Match` of another version, in addition to 412, such as 409.
    /// Because they have other meanings too, the record is read: if it still has the same version, the change is
    /// rejected for another reason, and is parked.
    public var conflictStatuses: Set<Int> = []
    /// Where the response with which the server rejects a request says why.
    public var errors: ErrorFormat = .automatic
    /// The value of the field `Prefer` (RFC 7240) of each write; `nil` for none.
    public var preferences: (@Sendable (_ kind: OutgoingChange.Kind) -> String?)?
    /// Which responses confirm a write, in addition to the record as JSON (rule P13).
    public var acknowledgements = Acknowledgements()
    /// Whether a new record whose identity the device assigns is sent to its own address with `PUT /entries/ID`,
    /// instead of `POST` to the collection: if it is sent twice, it is created once. If the remote uses versions, the
    /// request contains `If-None-Match: *` and replaces nothing; otherwise it replaces an existing record.
    public var createsByPut = false
    /// Whether a new record contains `null` for optional values and links that are not set. Otherwise, it lacks them,
    /// so that the server can use its own defaults. It applies to the whole remote, not to single entities.
    public var sendsUnset = false
    /// The form of the field `Idempotency-Key`.
    public var idempotencyKeys: IdempotencyKeys = .quoted
    /// Whether the delete of a record with a version attribute contains the version as a parameter: `DELETE
    /// /entries/7?lock_version=3`.
    public var deletesTellVersion = true
    /// How the delete of an embedded record is sent if the server keeps records that are missing in a list (R10): in
    /// lists such as `lines_attributes` as `{"id": 6, "_destroy": true}`. `nil` for a server that replaces those lists,
    /// too. It applies to the whole remote, not to single entities.
    public var nestedDeletion: NestedDeletion? = NestedDeletion("_destroy")
    /// How the address of a record contains its identity.
    public var recordAddresses: RecordAddresses = .path
    /// The path of a collection, instead of the schema's.
    public var collectionPath: (@Sendable (_ entity: RemoteEntity, _ method: HTTPRequest.Method) -> String)?
    /// The path of a record, instead of the collection's path followed by the identity. The identity is passed as one
    /// escaped path segment.
    public var recordPath:
        (@Sendable (_ entity: RemoteEntity, _ identity: String, _ method: HTTPRequest.Method) -> String)?

    public init() {}

    /// The fields of each request.
    var fields: HTTPFields {
        var fields = headers
        if let schema { fields[SchemaHeader.name] = schema.value }
        return fields
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

    /// How records are laid out in a response with a collection.
    public enum Collections: Sendable, Hashable {
        /// A bare array, or an object with the records under the last part of the collection's path: `{"articles":
        /// […]}`. An object without that key is rejected by the merge.
        ///
        /// If the schema has `wrap: article`, the elements of the array may be wrapped too, in every form of
        /// collections: `[{"article": {…}}]`, as with `include_root_in_json` in Rails.
        case automatic
        /// `[…]`
        case bare
        /// `{"data": […]}`
        case wrapped(key: String)
    }

    /// Which responses of the kind 2xx without the record confirm a write. What a response does not prove has not
    /// happened (rule P13): any other response may be a network's sign-in page, and the write is retried.
    ///
    /// ```swift
    /// conventions.acknowledgements.texts = ["OK", #"{"status":"ok"}"#]  // 200 text/plain, or an envelope
    /// conventions.acknowledgements.emptyStatuses.insert(202)
    /// ```
    public struct Acknowledgements: Sendable, Hashable {
        /// The statuses with which an empty body, or `null`, confirms a write. 202 is not among them, because it means
        /// that the write will be processed later.
        public var emptyStatuses: Set<Int> = [200, 201, 204]
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

    /// How the address of a record contains its identity.
    public enum RecordAddresses: Sendable, Hashable {
        /// As a part of the path: `/articles/7`.
        case path
        /// As a filter of the collection: `/articles?id=eq.7`, with one parameter for each attribute of the identity.
        /// A version attribute is such a parameter too, so that a write to another version finds nothing.
        ///
        /// The response is a list of at most one record; the record by itself is accepted, too. If a write returns an
        /// empty list, the record is read, because an empty list has several meanings: the record does not exist, it
        /// has another version, or the server does not permit the write, which parks the change.
        ///
        /// - Parameter comparison: The text before the value: `eq.`, or an empty text.
        case filter(comparison: String)

        var isFilter: Bool { if case .filter = self { true } else { false } }
    }
}
