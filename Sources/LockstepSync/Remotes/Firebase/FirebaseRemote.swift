public import Foundation
import HTTPTypes

/// A Firebase Realtime Database, or a server that speaks its REST dialect.
///
/// ```swift
/// let url = URL(string: "https://journal-1234.firebaseio.com")!
/// let remote = FirebaseRemote(url, client: client, auth: { isFresh in try await user.idToken(forcingRefresh: isFresh)
/// })
/// ```
///
/// A collection is an object of records by their identities at `<url>/<path>.json`, and a path of `/` is the address
/// itself. The database stores no `null`, `{}` or `[]`, so a missing key means an empty value. Embedded records are
/// stored inside of their owners.
///
/// No record is overwritten unseen. A new one is written only where there is none yet (`if-match: null_etag`); one that
/// is there already and equal is the one that an earlier attempt made (rule P10). A record that is to get its identity
/// from the server gets the change's idempotency key, because a `POST` sent twice makes two.
///
/// See ``Updates`` for how existing records are written.
public struct FirebaseRemote: Remote {
    /// The address that paths are appended to. Its parameters are part of each request.
    public let url: URL
    public let traits: RemoteTraits
    let client: any HTTPClient
    let clock: any SyncClock
    let auth: Auth?
    let updates: Updates
    let eventLimits: EventStreamLimits

    /// Gives the value of the `auth` parameter: an ID token or a database secret.
    ///
    /// - Parameter isFresh: Whether the last one was refused, so that another is needed (rule P9).
    /// - Returns: The token, or `nil` where requests go without one.
    public typealias Auth = @Sendable (_ isFresh: Bool) async throws -> String?

    /// How an existing record is changed.
    public enum Updates: Sendable, Hashable {
        /// The record is read, the changed members are put in, and it is written back if nobody else has written
        /// meanwhile (`if-match`). Members that the schema does not know stay, a record that was deleted stays deleted,
        /// and a change that was made to another version is not written (rule C4). It takes two requests, because the
        /// database makes no condition for a `PATCH`, and a `PUT` replaces the whole record.
        case conditional
        /// `PATCH` with the changed members. It is one request, and members that the schema does not know stay; but
        /// nothing tells whether others have changed the record, and one that was deleted comes back with the changed
        /// members only.
        case unconditional
    }

    /// A database.
    ///
    /// - Parameters:
    ///   - url: The address that paths are appended to.
    ///   - client: What sends requests. A bearer token instead of `auth` is its concern.
    ///   - auth: Gives the value of the `auth` parameter; `nil` sends none.
    ///   - updates: How an existing record is changed.
    ///   - eventLimits: How long the lines and events of a stream may be.
    ///   - clock: The time, by which a `Retry-After` is read.
    public init(
        _ url: URL, client: any HTTPClient = URLSessionClient(), auth: Auth? = nil, updates: Updates = .conditional,
        eventLimits: EventStreamLimits = EventStreamLimits(), clock: any SyncClock = SystemClock()
    ) {
        self.url = url
        self.client = client
        self.auth = auth
        self.updates = updates
        self.eventLimits = eventLimits
        self.clock = clock
        traits = RemoteTraits(
            payload: .map, missingKeys: .empty, sendsEmbedded: true, hasVersions: updates == .conditional,
            hasEvents: true)
    }

    // MARK: Addresses

    func address(ofCollection path: String) throws -> RemoteAddress {
        try RemoteAddress(base: url).appending(path: path).appending(ending: ".json")
    }

    func address(of key: String, in entity: RemoteEntity) throws -> RemoteAddress {
        try RemoteAddress(base: url).appending(path: entity.path).appending(path: RemoteAddress.segment(key))
            .appending(ending: ".json")
    }

    // MARK: Requests

    /// Sends a request; after a 401 once more with a fresh token.
    func exchange(
        _ method: HTTPRequest.Method, _ address: RemoteAddress, _ fields: HTTPFields, body: Data? = nil,
        _ entity: RemoteEntity, _ identity: RemoteIdentity? = nil
    ) async throws -> RemoteExchange {
        let exchange = try await attempt(method, address, fields, body, entity, identity, isFresh: false)
        guard exchange.meaning == .unauthorized, auth != nil else { return exchange }
        return try await attempt(method, address, fields, body, entity, identity, isFresh: true)
    }

    private func attempt(
        _ method: HTTPRequest.Method, _ address: RemoteAddress, _ fields: HTTPFields, _ body: Data?,
        _ entity: RemoteEntity, _ identity: RemoteIdentity?, isFresh: Bool
    ) async throws -> RemoteExchange {
        var address = address
        if let token = try await auth?(isFresh) { address = address.appending("auth", token, isToken: true) }
        return try await RemoteExchange.send(method, address, fields, body: body, (entity, identity), client, clock)
    }
}

extension HTTPField.Name {
    /// Asks for the `ETag` of what is at the address, which the server else does not work out.
    static let firebaseETag = HTTPField.Name("X-Firebase-ETag")!
}
