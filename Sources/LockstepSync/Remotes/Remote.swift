public import Foundation
public import LockstepStore

/// A server behind one port: it reads what is asked for and takes one change at a time.
///
/// A remote keeps nothing about records and decides nothing: order, retries, conflicts and merging are the sync's. It
/// turns a request into whatever its server understands, and the answer into one of the cases below. It throws a
/// ``/LockstepHTTP/SyncError`` where no answer came (`network`, `timeout`), where credentials are refused
/// (`unauthorized`), or where the request cannot be sent at all (`invalidIdentity`, `unsupported`); and
/// `CancellationError`. Where what came is not the server's own (a page for people where JSON belongs), it throws
/// `unexpectedAnswer`, which is tried again.
///
/// ``FirebaseRemote``, ``RESTRemote`` and ``FileRemote`` are some. A server of your own is one small type, all of which
/// is here:
///
/// ```swift
/// /// A server with two endpoints: `GET /export/articles`, and `POST /changes` for every change.
/// struct ChangesRemote: Remote {
///     let host: String
///     let client: any HTTPClient
///
///     func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
///         guard case .collection = request.target else {
///             throw SyncError(
///                 .unsupported, entity: request.entity.name, reason: "the server has whole collections only",
///                 remedy: "Pull the entity.")
///         }
///         let answer = try await client.send(
///             HTTPRequest(method: .get, scheme: "https", authority: host, path: "/export" + request.entity.path),
///             body: nil)
///         switch answer.response.status.code {
///         case 200: return .records(FetchResponse.Records(body: answer.body))
///         case 404: return .absent
///         case 401: throw failure(.unauthorized)
///         case 408, 425, 429, 500...: throw failure(.unavailable(status: answer.response.status.code))
///         default: throw failure(.refused(status: answer.response.status.code))
///         }
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
///         let answer = try await client.send(
///             HTTPRequest(
///                 method: .post, scheme: "https", authority: host, path: "/changes",
///                 headerFields: [.contentType: "application/json"]),
///             body: message.json())
///         let body = try await answer.body.collected(upTo: 1 << 20)
///         switch answer.response.status.code {
///         case 200..<300: return .accepted(body: body)  // the record or nothing; anything else confirms nothing
///         case 404: return .absent
///         case 401: throw failure(.unauthorized)
///         case 408, 425, 429, 500...: return .unavailable(status: answer.response.status.code)
///         default: return .refused(status: answer.response.status.code, body: body)
///         }
///     }
///
///     private func failure(_ code: SyncError.Code) -> SyncError {
///         SyncError(code, request: "https://\(host)", reason: "unexpected status", remedy: "Check the server.")
///     }
/// }
/// ```
public protocol Remote: Sendable {
    /// How the server differs from others.
    var traits: RemoteTraits { get }

    /// Reads a collection, a page of one, or one record.
    func fetch(_ request: RemoteRequest) async throws -> FetchResponse

    /// Sends one change. Sending the same again must not do it twice: see ``OutgoingChange/idempotencyKey``.
    func send(_ change: OutgoingChange) async throws -> SendResponse

    /// What happens to a collection from now on, until the connection breaks; `nil` where the server cannot tell.
    ///
    /// The stream starts with a ``RemoteEvent/snapshot(_:)``.
    func events(of entity: RemoteEntity) async throws -> AsyncThrowingStream<RemoteEvent, any Error>?
}

extension Remote {
    public var traits: RemoteTraits { RemoteTraits() }

    public func events(of entity: RemoteEntity) async throws -> AsyncThrowingStream<RemoteEvent, any Error>? { nil }
}

/// How a server differs from others.
public struct RemoteTraits: Sendable, Hashable {
    /// How the records of a collection lie in an answer.
    public var payload: PayloadShape
    /// What it means where a record lacks a key.
    public var missingKeys: MergeOptions.MissingKeys
    /// Whether embedded records travel inside of their owner's body, and are no records of their own to the server
    /// (rule R9). Those of an entity without identity or path always do.
    public var sendsEmbedded: Bool
    /// Whether records have versions (ETag), so that a write is conditional (rule C4).
    public var hasVersions: Bool
    /// Whether ``Remote/events(of:)`` gives a stream.
    public var hasEvents: Bool
    /// How the server is told of an embedded record that was deleted here, where it keeps what a list lacks; `nil`
    /// where the list is all that there is (rule R10).
    public var nestedDeletion: NestedDeletion?

    public init(
        payload: PayloadShape = .records, missingKeys: MergeOptions.MissingKeys = .keep, sendsEmbedded: Bool = false,
        hasVersions: Bool = false, hasEvents: Bool = false,
        nestedDeletion: NestedDeletion? = nil
    ) {
        self.nestedDeletion = nestedDeletion
        self.payload = payload
        self.missingKeys = missingKeys
        self.sendsEmbedded = sendsEmbedded
        self.hasVersions = hasVersions
        self.hasEvents = hasEvents
    }
}

/// How a server is told, in the list of its owner, of an embedded record that is to go: `{"id": 6, "_destroy": true}`,
/// as Rails' `accepts_nested_attributes_for(…, allow_destroy: true)` has it.
public struct NestedDeletion: Sendable, Hashable {
    /// The member that is `true` then, beside the identity.
    public var key: String
    /// What the keys of such lists end with; `nil` where all lists are meant. Other lists just lack the record.
    public var listSuffix: String?

    public init(_ key: String, listSuffix: String? = "_attributes") {
        self.key = key
        self.listSuffix = listSuffix
    }

    func includes(_ path: [String]) -> Bool {
        guard let listSuffix else { return true }
        return path.last?.hasSuffix(listSuffix) == true
    }
}

/// What is to be read.
public struct RemoteRequest: Sendable {
    public var entity: RemoteEntity
    public var target: Target
    /// Further parameters, after those that the remote adds itself.
    public var query: [URLQueryItem]
    /// Which page; `nil` for the first. It is what an earlier response had as ``FetchResponse/Records/next``.
    public var page: String?
    /// What is known of an address since it was last read, so that the server can answer that nothing has changed (rule
    /// H1). A remote without addresses asks with any text that stands for the request.
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
        validators: @escaping @Sendable (_ address: String) async throws -> Validators? = { _ in nil }
    ) {
        self.entity = entity
        self.target = target
        self.query = query
        self.page = page
        self.validators = validators
    }
}

/// What an earlier answer allows to ask: whether anything has changed since.
public struct Validators: Sendable, Hashable {
    /// The answer's `ETag`, as it was.
    public var entityTag: String?
    /// When the request was started that had this answer; `nil` where the server did not say when it was modified last.
    public var startedAt: Date?
    /// The next page that the answer named.
    public var next: String?

    public init(entityTag: String? = nil, startedAt: Date? = nil, next: String? = nil) {
        self.entityTag = entityTag
        self.startedAt = startedAt
        self.next = next
    }
}

/// What the server has.
public enum FetchResponse: Sendable {
    /// A complete answer of the kind 2xx.
    case records(Records)
    /// Nothing has changed since the answer that the validators are of (304).
    case notModified(address: String)
    /// There is no such record or collection (404, 410).
    case absent

    public struct Records: Sendable {
        /// The JSON. It throws where it breaks off.
        public var body: HTTPBody
        /// How the records lie in it.
        public var payload: PayloadShape
        /// Where there is more: what to ask for as ``RemoteRequest/page``.
        public var next: String?
        /// Whether the page is of the same moment as the first: a cursor of the server's vouches for it. Else what no
        /// page has may have moved to one that was read already, and is not deleted unless the server says that it is
        /// gone (rule M7). It does not matter where there is one page.
        public var isSnapshot: Bool
        /// The record's version, where one record was asked for.
        public var version: String?
        /// What was asked, and what the answer allows to ask the next time; `nil` where the server gives no such thing.
        public var address: String?
        public var validators: Validators?

        public init(
            body: HTTPBody, payload: PayloadShape = .records, next: String? = nil, isSnapshot: Bool = false,
            version: String? = nil, address: String? = nil, validators: Validators? = nil
        ) {
            self.body = body
            self.payload = payload
            self.next = next
            self.isSnapshot = isSnapshot
            self.version = version
            self.address = address
            self.validators = validators
        }
    }
}

/// One change that is to take effect on the server.
public struct OutgoingChange: Sendable {
    public var kind: Kind
    public var entity: RemoteEntity
    /// The record; `nil` for a new one whose identity the server makes.
    public var identity: RemoteIdentity?
    /// The whole record as JSON, bare; empty for a delete.
    public var body: Data
    /// The changed members only, as JSON, bare, for an update; else as ``body``.
    public var changes: Data
    /// The same for each attempt to make this change, and never for another one (rule P10).
    public var idempotencyKey: String
    /// The version that the change was made to, where the remote has versions: the server must refuse it for any other
    /// (rule C4). `nil` makes no condition for updates and deletes.
    public var version: String?
    /// The entity's version attribute (`version:` in the schema) as the server last returned it: the server must
    /// refuse the change with 409 or 412 where the record has another one now (rule C4). An update has it in ``body``
    /// and
    /// ``changes`` too; how a delete tells it is the remote's concern. `nil` where there is none, or none is known.
    public var versionAttribute: VersionAttribute?

    public typealias Kind = PendingChange.Kind

    /// A member of a record by which the server tells one state of it from another.
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

/// What the server did with a change.
public enum SendResponse: Sendable {
    /// It took it (2xx).
    ///
    /// The body is the proof: where it is something else than the record or nothing, the answer is not the server's,
    /// and the change is tried again (rule P13). The record is told by its identity, or by a value that was sent; of a
    /// delete, `{}` says as much as nothing. Give back what came, not what it should have been.
    ///
    /// - Parameters:
    ///   - body: The record as the server has it now, as JSON; `nil`, empty or `null` where it does not say.
    ///   - version: The record's new version.
    ///   - identity: The new record's identity, where it comes beside the body (`Location`).
    case accepted(body: Data?, version: String? = nil, identity: RemoteIdentity? = nil)
    /// It has no such record (404, 410).
    case absent
    /// The record has another version (412). The body is the record as it is now, where the server says.
    case outdated(current: Data?, version: String? = nil)
    /// It will never take it (another 4xx). A redirect (3xx), and a page for people with 403, refuse nothing: the
    /// change is tried again. To a change with a version attribute, 409 and 412 say that the record has another
    /// version.
    case refused(status: Int, body: Data)
    /// It cannot take it now (408, 425, 429, 5xx).
    case unavailable(status: Int, retryAfter: TimeInterval? = nil)
}

/// Something that has happened to a collection.
public enum RemoteEvent: Sendable {
    /// All records of the collection, as JSON in the remote's shape.
    case snapshot(Data)
    /// These records have these values now; others are not concerned. In the remote's shape.
    case changed(Data)
    /// These members of a record have these values now, and others are as they were: `{identity: {member: value}}`.
    case patched(Data)
    /// These records are gone.
    case deleted([RemoteIdentity])
}
