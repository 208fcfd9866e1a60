public import Foundation
public import HTTPTypes
public import LockstepTables

/// The requests of a remote of your own to a server with JSON, and the meaning of the responses.
///
/// A remote decides about addresses, methods and bodies. What is the same for every server is done here, by the code of
/// ``RESTRemote``: parts of addresses are escaped, a creation has an `Idempotency-Key`, a response is turned into a
/// ``FetchResponse`` or ``SendResponse`` or is thrown as a ``/LockstepHTTP/SyncError``, whatever its status is, and
/// what does not come from the API proves nothing (rule P13).
///
/// ```swift
/// func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
///     let paging = RESTPaging.cursor(in: "next", parameter: "cursor")
///     return try await server.get("/articles", paging: paging, for: request).fetchResponse(under: "data")
/// }
///
/// func send(_ change: OutgoingChange) async throws -> SendResponse {
///     try await server.send(.post, "/articles", record: change.body, under: "data", for: change)
///         .sendResponse(under: "data")
/// }
/// ```
public struct JSONServer: Sendable {
    /// The address that paths are appended to. Its parameters are part of each request.
    package let url: URL
    /// Whether a record's strong `ETag` is its version, and writes have an `If-Match` (rule C4).
    package let usesVersions: Bool
    let client: any HTTPClient
    let clock: any SyncClock
    private let headers: HTTPFields

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - url: The address that paths are appended to.
    ///   - client: Sends the requests, and adds tokens (`AuthorizedClient`).
    ///   - headers: Additional fields of each request.
    ///   - usesVersions: Whether a record's strong `ETag` is its version. The remote's ``RemoteTraits/hasVersions``
    ///     must say the same.
    ///   - clock: The clock for `If-Modified-Since` and `Retry-After`.
    public init(
        _ url: URL, client: any HTTPClient = URLSessionClient(), headers: HTTPFields = [:], usesVersions: Bool = false,
        clock: any SyncClock = SystemClock()
    ) {
        self.url = url
        self.client = client
        self.headers = headers
        self.usesVersions = usesVersions
        self.clock = clock
    }

    // MARK: Reading

    /// Requests a collection, a page of one, or a record.
    ///
    /// The request contains the parameters of ``RemoteRequest/query``, and the validators of what was read before, so
    /// that the server can respond that nothing has changed (rule H1).
    ///
    /// - Parameters:
    ///   - path: The path, which is appended to the server's: `/articles`, or ``RemoteEntity/path(of:)``. `%2F` in it
    ///     is kept; characters that are not allowed in a path are escaped.
    ///   - query: Parameters, which are escaped.
    ///   - fields: Additional fields of the request.
    ///   - paging: How further pages are requested.
    ///   - changes: How the server lists only what has changed (rule H2). The remote's ``Remote/changes(of:)`` must say
    ///     that it does.
    ///   - request: What the sync wants to read.
    /// - Throws: ``/LockstepHTTP/SyncError``: errors of the client, and `updateNeeded` for 426.
    public func get(
        _ path: String, query: [URLQueryItem] = [], fields: HTTPFields = [:], paging: RESTPaging = .none,
        changes: RESTConventions.Changes? = nil, for request: RemoteRequest
    ) async throws -> JSONExchange<RemoteRequest> {
        var conventions = RESTConventions()
        conventions.reads.paging = paging
        conventions.reads.changes = changes
        let remote = remote(conventions)
        let address: RemoteAddress
        if let page = try remote.namedPage(of: request, conventions: conventions) {
            address = page
        } else {
            let since = request.since.flatMap { changes?.parameter(since: $0) }.map { [$0] } ?? []
            address = try self.address(path, query: since + paging.parameters(of: request.page) + query + request.query)
        }
        let exchange = try await remote.read(request, at: address, fields: self.fields(fields, body: nil))
        return JSONExchange(subject: request, exchange: exchange, server: self, conventions: conventions)
    }

    /// Reads the record of a change, to write it as a whole (``OutgoingChange/writeWhole(attempts:read:write:)``).
    ///
    /// - Parameters:
    ///   - path: The path of the record.
    ///   - envelope: The keys that lead to the record in the response.
    ///   - fields: Additional fields of the request.
    ///   - change: The change.
    /// - Returns: The record and its strong `ETag`; `nil` if the server reports that there is none.
    /// - Throws: ``/LockstepHTTP/SyncError``: errors of the client; the meaning of another status; `malformed` if the
    ///   response is not a record.
    public func currentRecord(
        _ path: String, under envelope: WirePath = [], fields: HTTPFields = [:], for change: OutgoingChange
    ) async throws -> CurrentRecord? {
        let remote = remote(under: envelope)
        var own: HTTPFields = [:]
        own.askForUnchangedTag()
        for field in fields { own[field.name] = field.value }
        let exchange = try await exchange(
            .get, address: address(path, query: []), fields: self.fields(own, body: nil), body: nil, change: change)
        switch try await exchange.outcome(of: .update) {
        case nil: return try await remote.current(in: exchange, of: change)
        case .absent: return nil
        default: throw exchange.failure
        }
    }

    // MARK: Writing

    /// Sends a change as any JSON.
    ///
    /// A `POST` of a creation contains an `Idempotency-Key`. If the server uses versions, an update or a delete
    /// contains an `If-Match` with the version that the change was made to.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, which is appended to the server's.
    ///   - body: The JSON; `nil` for none.
    ///   - version: The version that the record must have; `nil` for that of the change.
    ///   - query: Parameters, which are escaped.
    ///   - fields: Additional fields of the request. They replace those that it would contain.
    ///   - change: The change.
    /// - Throws: ``/LockstepHTTP/SyncError``: errors of the client, and `updateNeeded` for 426.
    public func send(
        _ method: HTTPRequest.Method, _ path: String, body: Data? = nil, version: String? = nil,
        query: [URLQueryItem] = [], fields: HTTPFields = [:], for change: OutgoingChange
    ) async throws -> JSONExchange<OutgoingChange> {
        let condition = version ?? (usesVersions && change.kind != .create ? change.version : nil)
        var own: HTTPFields = [:]
        if usesVersions { own.askForUnchangedTag() }
        if method == .post, change.kind == .create {
            own[.idempotencyKey] = RESTConventions.IdempotencyKeys.quoted.value(of: change.idempotencyKey)
        }
        if let condition { own[.ifMatch] = condition }
        for field in fields { own[field.name] = field.value }
        let exchange = try await exchange(
            method, address: address(path, query: query), fields: self.fields(own, body: body), body: body,
            change: change)
        return JSONExchange(subject: change, exchange: exchange, server: self, condition: own[.ifMatch])
    }

    /// Sends a change as a record, or as some of its members.
    ///
    /// As ``send(_:_:body:version:query:fields:for:)``, with the record under the keys of `envelope`, and inside of
    /// them under the key of the schema (`wrap:`), if there is one.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, which is appended to the server's.
    ///   - record: ``OutgoingChange/body``, ``OutgoingChange/changes``, or a record that was read before.
    ///   - envelope: The keys that the record is sent under.
    ///   - version: The version that the record must have; `nil` for that of the change.
    ///   - query: Parameters, which are escaped.
    ///   - fields: Additional fields of the request. They replace those that it would contain.
    ///   - change: The change.
    public func send(
        _ method: HTTPRequest.Method, _ path: String, record: Data, under envelope: WirePath = [],
        version: String? = nil, query: [URLQueryItem] = [], fields: HTTPFields = [:], for change: OutgoingChange
    ) async throws -> JSONExchange<OutgoingChange> {
        let body = try remote(under: envelope).form(of: change.entity).body(of: record, identity: change.identity)
        return try await send(
            method, path, body: body, version: version, query: query, fields: fields, for: change)
    }

    // MARK: Parts

    /// The included remote with what a remote of the app has told.
    func remote(_ conventions: RESTConventions) -> RESTRemote {
        RESTRemote(url, client: client, conventions: conventions, usesVersions: usesVersions, clock: clock)
    }

    private func remote(under envelope: WirePath) -> RESTRemote {
        var conventions = RESTConventions()
        conventions.envelope = .under(envelope)
        return remote(conventions)
    }

    private func address(_ path: String, query: [URLQueryItem]) throws -> RemoteAddress {
        try RemoteAddress(base: url).appending(path: path).appending(query)
    }

    /// The server's fields, and others that replace them.
    private func fields(_ others: HTTPFields, body: Data?) -> HTTPFields {
        var fields = headers
        let json = RESTConventions().mediaType
        fields[.accept] = json
        if body != nil { fields[.contentType] = json }
        for field in others { fields[field.name] = field.value }
        return fields
    }

    private func exchange(
        _ method: HTTPRequest.Method, address: RemoteAddress, fields: HTTPFields, body: Data?, change: OutgoingChange
    ) async throws -> RemoteExchange {
        try await RemoteExchange.send(
            method, address: address, fields: fields, body: body, subject: (change.entity, change.identity),
            client: client, clock: clock)
    }
}

extension RemoteEntity {
    /// The path of a record: that of the collection, and the identity as one escaped segment: `/articles/7`,
    /// `/articles/a%2Fb`, or `/regions/DE_7` for several values.
    ///
    /// - Throws: ``/LockstepHTTP/SyncError`` with the code `invalidIdentity` if no segment is possible: `.` or `..`
    ///   would lead to another address, and an empty identity to that of the collection.
    public func path(of identity: RemoteIdentity?) throws -> String {
        try path + "/" + RESTRemote.segment(of: identity, in: self)
    }
}
