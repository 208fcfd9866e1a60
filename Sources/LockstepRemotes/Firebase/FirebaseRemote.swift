public import Foundation
import HTTPTypes

/// A Firebase Realtime Database, or a server with the same REST API.
///
/// ```swift
/// let url = URL(string: "https://journal-1234.firebaseio.com")!
/// let remote = FirebaseRemote(url, client: client, auth: { isFresh in try await user.idToken(forcingRefresh: isFresh)
/// })
/// ```
///
/// A collection is an object with records by their identities at `<url>/<path>.json`; the path `/` is the address
/// itself. The database stores no `null`, `{}` or `[]`, so a missing key means an empty value. Embedded records are
/// stored inside their owners.
///
/// No record is overwritten without being read. A new one is written only if none exists yet (`if-match: null_etag`);
/// an existing equal one was created by an earlier attempt (rule P10). A record whose identity is assigned by the
/// server gets the change's idempotency key, because a `POST` that is sent twice creates two.
///
/// See ``Updates`` for how existing records are written.
public struct FirebaseRemote: Remote {
    /// The address that paths are appended to. Its parameters are part of each request.
    package let url: URL
    @_spi(Requirements) public let traits: RemoteTraits
    let client: any HTTPClient
    let clock: any SyncClock
    let auth: Auth?
    let updates: Updates
    let eventLimits: EventStreamLimits

    /// Returns the value of the `auth` parameter: an ID token or a database secret.
    ///
    /// - Parameter isFresh: Whether the last one was rejected, so that a new one is needed (rule P9).
    /// - Returns: The token, or `nil` to send requests without one.
    public typealias Auth = @Sendable (_ isFresh: Bool) async throws -> String?

    /// How an existing record is changed.
    public enum Updates: Sendable, Hashable {
        /// The record is read, the changed members are applied, and it is written back unless it was written by others
        /// in the meantime (`if-match`). Members that the schema does not know are kept, a deleted record stays
        /// deleted, and a change that was made to another version is not written (rule C4). This takes two requests,
        /// because the database does not support conditions for a `PATCH`, and a `PUT` replaces the whole record.
        case conditional
        /// `PATCH` with the changed members. It is one request, and members that the schema does not know are kept. But
        /// changes by others are not detected, and a deleted record is created again with only the changed members.
        case unconditional
    }

    /// Creates a remote for a database.
    ///
    /// - Parameters:
    ///   - url: The address that paths are appended to.
    ///   - client: Sends the requests. To use a bearer token instead of `auth`, add it there.
    ///   - auth: Returns the value of the `auth` parameter; `nil` to send none.
    ///   - updates: How an existing record is changed.
    ///   - eventLimits: The maximum length of lines and events of a stream.
    ///   - clock: The clock for a `Retry-After`.
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

    /// Sends a request, and once more with a new token after a 401.
    func exchange(
        _ method: HTTPRequest.Method, address: RemoteAddress, fields: HTTPFields, body: Data? = nil,
        of entity: RemoteEntity, identity: RemoteIdentity? = nil
    ) async throws -> RemoteExchange {
        let exchange = try await attempt(
            method, address: address, fields: fields, body: body, of: entity, identity: identity, isFresh: false)
        guard exchange.meaning == .unauthorized, auth != nil else { return exchange }
        return try await attempt(
            method, address: address, fields: fields, body: body, of: entity, identity: identity, isFresh: true)
    }

    private func attempt(
        _ method: HTTPRequest.Method, address: RemoteAddress, fields: HTTPFields, body: Data?,
        of entity: RemoteEntity, identity: RemoteIdentity?, isFresh: Bool
    ) async throws -> RemoteExchange {
        var address = address
        if let token = try await auth?(isFresh) { address = address.appending("auth", value: token, isToken: true) }
        return try await RemoteExchange.send(
            method, address: address, fields: fields, body: body, subject: (entity, identity), client: client,
            clock: clock)
    }
}

extension HTTPField.Name {
    /// Requests the `ETag` of what is at the address, which the server does not send otherwise.
    static let firebaseETag = HTTPField.Name("X-Firebase-ETag")!
}
