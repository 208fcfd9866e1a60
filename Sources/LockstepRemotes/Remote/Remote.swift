public import Foundation
public import LockstepTables

/// A server, behind an interface with which it is read and receives changes.
///
/// A remote stores nothing about records and makes no decisions: order, retries, conflicts and merging are the sync's.
/// It converts a request to whatever its server understands, and the response to one of the cases below. It throws a
/// ``/LockstepHTTP/SyncError`` if there was no response (`network`, `timeout`), if credentials are rejected
/// (`unauthorized`), if the server requires a newer version of the app (`updateNeeded`), or if the request cannot be
/// sent at all (`invalidIdentity`, `unsupported`). If the response does not come from the server itself (an HTML page
/// instead of JSON), it throws `unexpectedResponse`, and the request is retried. Any other error counts as `network`,
/// and so does a `CancellationError` while the calling task is not cancelled (rule P20).
///
/// ``FirebaseRemote``, ``RESTRemote``, ``PostgRESTRemote``, ``SupabaseRemote`` and ``FileRemote`` are included. A
/// remote for your own server is one small type on top of ``JSONServer``, which is shown here completely.
/// <doc:WritingARemote> goes on from here.
///
/// ```swift
/// /// A server with two endpoints: `GET /export/articles`, and `POST /changes` for every change.
/// struct ChangesRemote: Remote {
///     let server: JSONServer
///
///     func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
///         guard case .collection = request.target else {
///             throw SyncError(
///                 .unsupported, entity: request.entity.name, reason: "the server has whole collections only",
///                 remedy: "Pull the entity.")
///         }
///         return try await server.get("/export" + request.entity.path, for: request).fetchResponse()
///     }
///
///     func send(_ change: OutgoingChange) async throws -> SendResponse {
///         let message: JSONValue = [
///             "key": .string(change.idempotencyKey),  // the server applies each key only once
///             "type": .string(change.entity.name),
///             "kind": .string("\(change.kind)"),
///             "id": .array(change.identity?.values ?? []),
///             "record": change.kind == .delete ? .null : try JSONValue(json: change.changes),
///         ]
///         return try await server.send(.post, "/changes", body: message.json(), for: change).sendResponse()
///     }
/// }
/// ```
public protocol Remote: Sendable {
    /// The properties in which the server differs from others.
    var traits: RemoteTraits { get }

    /// Reads a collection, a page of one, or one record.
    func fetch(_ request: RemoteRequest) async throws -> FetchResponse

    /// Sends one change. Sending it again must not apply it twice: see ``OutgoingChange/idempotencyKey``.
    func send(_ change: OutgoingChange) async throws -> SendResponse

    /// Sends several changes in one request, if the remote takes batches (``RemoteTraits/sends``). They do not depend
    /// on each other (rule P18): each takes effect or fails by itself. The default has each sent by itself.
    ///
    /// - Returns: The result for each change, in the same order.
    /// - Throws: Errors that concern all of them: the lack of a response, credentials, an update that is needed.
    func send(batch changes: [OutgoingChange]) async throws -> [BatchResult]

    /// The changes of a collection from now on, until the connection is lost; `nil` if the server does not support
    /// this.
    ///
    /// The stream begins with a ``RemoteEvent/snapshot(_:)``.
    func events(of entity: RemoteEntity) async throws -> AsyncThrowingStream<RemoteEvent, any Error>?

    /// How ``Remote/fetch(_:)`` lists only what has changed since an earlier pull (``RemoteRequest/since``); `nil`, the
    /// default, if it cannot: each pull then reads the whole collection.
    func changes(of entity: RemoteEntity) -> RemoteChanges?

    /// Returns a page of the server's feed, if it has one (``RemoteTraits/hasFeed``).
    /// ``Sync/pull(everything:options:)`` and ``Sync/run(_:)`` then read it instead of collections (rule H3).
    ///
    /// No change may be missing: a transaction that is committed later than another one must not be before it in the
    /// feed. Records may repeat what an earlier page had. The default throws `unsupported`.
    ///
    /// - Parameter cursor: ``FeedPage/cursor`` of the last page that was merged; `nil` for everything that the user may
    ///   read.
    func feed(after cursor: String?) async throws -> FeedPage

    /// Returns the problem that a response that rejects a change describes (``SendResponse/refused(status:body:)``),
    /// for people and for the outbox.
    ///
    /// The default reads the usual forms: ``ErrorFormat/automatic``.
    ///
    /// - Parameters:
    ///   - body: The body, without secrets.
    ///   - status: The status of the response.
    ///   - entity: The entity of the record.
    /// - Returns: The problem; `nil` if it describes none that can be read.
    func problem(in body: Data, status: Int, of entity: RemoteEntity) -> ServerProblem?
}

extension Remote {
    public func problem(in body: Data, status: Int, of entity: RemoteEntity) -> ServerProblem? {
        ErrorFormat.automatic.problem(in: body)
    }

    public var traits: RemoteTraits { RemoteTraits() }

    public func events(of entity: RemoteEntity) async throws -> AsyncThrowingStream<RemoteEvent, any Error>? { nil }

    public func changes(of entity: RemoteEntity) -> RemoteChanges? { nil }

    public func send(batch changes: [OutgoingChange]) async throws -> [BatchResult] { changes.map { _ in .unsent } }

    public func feed(after cursor: String?) async throws -> FeedPage {
        throw SyncError(
            .unsupported, reason: "the remote has no feed", remedy: "Implement `feed(after:)`, or do not set `hasFeed`."
        )
    }
}

/// A request to read something.
public struct RemoteRequest: Sendable {
    public var entity: RemoteEntity
    public var target: Target
    /// Additional parameters, after those that the remote itself adds.
    public var query: [URLQueryItem]
    /// The page; `nil` for the first. It is ``FetchResponse/Records/next`` of an earlier response.
    public var page: String?
    /// If only changes are requested: the watermark of an earlier pull of the collection, as the remote returned it
    /// (``FetchResponse/Records/watermark``). `nil` for the whole collection.
    public var since: String?
    /// The watermark of the pages that this pull has read; `nil` for the first page.
    public var watermark: String?
    /// The validators of an address since it was last read, with which the server can respond that nothing has changed
    /// (rule H1). A remote without addresses uses any text that identifies the request.
    public var validators: @Sendable (_ address: String) async throws -> Validators?

    public enum Target: Sendable, Hashable {
        /// The whole collection.
        case collection
        /// A collection at another path than the entity's own: `/articles/3/comments`.
        case path(String)
        /// One record.
        case record(RemoteIdentity)
    }

    public init(
        entity: RemoteEntity, target: Target = .collection, query: [URLQueryItem] = [], page: String? = nil,
        since: String? = nil, watermark: String? = nil,
        validators: @escaping @Sendable (_ address: String) async throws -> Validators? = { _ in nil }
    ) {
        self.entity = entity
        self.target = target
        self.query = query
        self.page = page
        self.since = since
        self.watermark = watermark
        self.validators = validators
    }
}

/// Values of an earlier response for conditional requests.
public struct Validators: Sendable, Hashable {
    /// The response's `ETag`, unchanged.
    public var entityTag: String?
    /// When the request for this response was started; `nil` if the response had no `Last-Modified`.
    public var startedAt: Date?
    /// The next page according to the response.
    public var next: String?

    public init(entityTag: String? = nil, startedAt: Date? = nil, next: String? = nil) {
        self.entityTag = entityTag
        self.startedAt = startedAt
        self.next = next
    }
}

/// The response to a read request.
public enum FetchResponse: Sendable {
    /// A complete response of the kind 2xx.
    case records(Records)
    /// Nothing has changed since the response of the validators (304).
    case notModified(address: String)
    /// There is no such record (404), or the collection does not exist yet. If a missing collection means that its path
    /// is wrong, throw `notFound` instead.
    case absent
    /// The record was deleted (410). A record that the server has confirmed a moment ago is deleted locally because of
    /// this, but not because it is ``absent``: a replica that lags behind may not have it yet (rule M7).
    case gone
    /// The server no longer knows what has changed since ``RemoteRequest/since`` (410). The whole collection is
    /// requested instead.
    case expired

    public struct Records: Sendable {
        /// The JSON. Reading it throws if it is incomplete.
        public var body: HTTPBody
        /// How records are laid out in it.
        public var payload: PayloadShape
        /// If there are further pages: the next ``RemoteRequest/page``.
        public var next: String?
        /// Whether the page is consistent with the first one, for example because the server uses a cursor. Otherwise,
        /// records that are on no page may have moved to one that was read already, and are not deleted unless the
        /// server confirms that they were deleted (rule M7). It does not matter if there is only one page.
        public var isSnapshot: Bool
        /// The record's version, if one record was requested.
        public var version: String?
        /// The identities of records that the server has deleted. They are not in the body. A record that is in the
        /// body of any page counts as not deleted.
        public var deleted: [RemoteIdentity]
        /// Where the next pull of changes begins (``RemoteRequest/since``), in a form that only the remote reads. The
        /// one of the last page that has one counts. It is stored in the transaction that merges the pages, after all
        /// of them were read.
        ///
        /// Everything that becomes visible on the server after the *first* page was read must be listed by a request
        /// with it. If it is a time, return that of the first page for each page: ``RemoteRequest/watermark``.
        public var watermark: String?
        /// The address for storing validators for the next request; `nil` if the server does not support them.
        public var address: String?
        public var validators: Validators?

        public init(
            body: HTTPBody, payload: PayloadShape = .records, next: String? = nil, isSnapshot: Bool = false,
            version: String? = nil, deleted: [RemoteIdentity] = [], watermark: String? = nil, address: String? = nil,
            validators: Validators? = nil
        ) {
            self.body = body
            self.payload = payload
            self.next = next
            self.isSnapshot = isSnapshot
            self.version = version
            self.deleted = deleted
            self.watermark = watermark
            self.address = address
            self.validators = validators
        }
    }
}

/// A change to be applied on the server.
public struct OutgoingChange: Sendable {
    public var kind: Kind
    public var entity: RemoteEntity
    /// The record; `nil` for a new one whose identity the server assigns.
    public var identity: RemoteIdentity?
    /// The whole record as unwrapped JSON; empty for a delete.
    public var body: Data
    /// For an update, the changed members only, as unwrapped JSON; otherwise the same as ``body``.
    public var changes: Data
    /// The same for each attempt to send this change, and never used for another one (rule P10).
    public var idempotencyKey: String
    /// The version that the change was made to, if the remote has versions: the server must reject it for any other
    /// (rule C4). For updates and deletes, `nil` means that there is no condition.
    public var version: String?
    /// The entity's version attribute (`version:` in the schema) as the server last returned it: the server must reject
    /// the change with 409 or 412 if the record has another one now (rule C4). For an update, it is also in ``body``
    /// and ``changes``; for a delete, the remote determines how it is sent. `nil` if there is none, or none is known.
    public var versionAttribute: VersionAttribute?

    public typealias Kind = PendingChange.Kind

    /// A member of a record that distinguishes its states on the server.
    public struct VersionAttribute: Sendable, Hashable {
        /// The keys that lead to it in the record's JSON.
        public var path: [String]
        public var value: JSONValue

        public init(path: [String], value: JSONValue) {
            self.path = path
            self.value = value
        }
    }

    public init(
        kind: Kind, entity: RemoteEntity, identity: RemoteIdentity?, body: Data, changes: Data, idempotencyKey: String,
        version: String? = nil, versionAttribute: VersionAttribute? = nil
    ) {
        self.kind = kind
        self.entity = entity
        self.identity = identity
        self.body = body
        self.changes = changes
        self.idempotencyKey = idempotencyKey
        self.version = version
        self.versionAttribute = versionAttribute
    }
}

/// The result of a change on the server.
public enum SendResponse: Sendable {
    /// It was accepted (2xx).
    ///
    /// The body is the proof: if it is neither the record nor empty, the response does not come from the server itself,
    /// and the change is retried (rule P13). The record is recognized by its identity, or by a value that was sent;
    /// for a delete, `{}` counts as empty. Return the received body unchanged.
    ///
    /// - Parameters:
    ///   - body: The new state of the record on the server, as JSON; `nil`, empty or `null` if it is not returned.
    ///   - version: The record's new version.
    ///   - identity: The new record's identity, if it is not in the body but in `Location`.
    case accepted(body: Data?, version: String? = nil, identity: RemoteIdentity? = nil)
    /// There is no such record (404, 410).
    case absent
    /// The record has another version (412). The body is its current state, if the server returns it.
    case outdated(current: Data?, version: String? = nil)
    /// It is permanently rejected (another 4xx). A redirect (3xx), and an HTML page with 403, are not rejections: the
    /// change is retried. For a change with a version attribute, 409 and 412 mean that the record has another
    /// version.
    case refused(status: Int, body: Data)
    /// It cannot be processed now (408, 425, 429, 5xx).
    case unavailable(status: Int, retryAfter: TimeInterval? = nil)
}

/// The result of a change that was sent together with others.
public enum BatchResult: Sendable {
    case response(SendResponse)
    /// Why there is no response, or none that can be read.
    case failure(any Error)
    /// It was not sent, or not handled because it was part of a batch. It is then sent by itself.
    case unsent
}

/// A change of a collection.
public enum RemoteEvent: Sendable {
    /// All records of the collection, as JSON in the remote's shape.
    case snapshot(Data)
    /// These records have these values now; others are unchanged. In the remote's shape.
    case changed(Data)
    /// These members of a record have these values now, and others are unchanged: `{identity: {member: value}}`.
    case patched(Data)
    /// These records were deleted.
    case deleted([RemoteIdentity])
}
