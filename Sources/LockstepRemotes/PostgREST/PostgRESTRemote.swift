public import Foundation
public import HTTPTypes
import LockstepJSON
import LockstepTables

/// A PostgreSQL database behind PostgREST, with the functions of a feed: `lockstep_changes` returns what has changed
/// in the order of commits, `lockstep_push` applies changes, up to 500 in one request, and `lockstep_record` returns a
/// single record.
///
/// ```swift
/// let client = AuthorizedClient(URLSessionClient()) { _ in await session.accessToken }
/// let remote = PostgRESTRemote(URL(string: "https://example.com/api")!, client: client)
/// let sync = Sync(store: store, remote: remote)
/// ```
///
/// Collections are requested as ``RESTConventions/postgREST(creations:pageSize:)`` describes. A database without these
/// functions needs a ``RESTRemote`` with these conventions.
public struct PostgRESTRemote: Remote {
    private let url: URL
    private let client: any HTTPClient
    private let clock: any SyncClock
    /// Requests that are not those of the functions.
    private let tables: RESTRemote
    private let fields: HTTPFields

    /// How many records of the feed a page has at most.
    private let pageSize: Int
    /// How many changes a request contains at most.
    private static let batchCount = 500

    /// Creates a remote for a database.
    ///
    /// - Parameters:
    ///   - url: The address of PostgREST, to which `/rpc/lockstep_changes` is appended.
    ///   - client: Sends the requests, and adds tokens (`AuthorizedClient`).
    ///   - headers: Additional fields of each request.
    ///   - clock: The clock for `Retry-After`.
    public init(
        _ url: URL, client: any HTTPClient = URLSessionClient(), headers: HTTPFields = [:],
        clock: any SyncClock = SystemClock()
    ) {
        self.init(url, client: client, headers: headers, clock: clock, pageSize: 1_000)
    }

    /// - Parameter pageSize: How many records of the feed a page has at most.
    package init(
        _ url: URL, client: any HTTPClient, headers: HTTPFields, clock: any SyncClock = SystemClock(), pageSize: Int
    ) {
        self.url = url
        self.client = client
        self.clock = clock
        self.pageSize = pageSize
        var conventions = RESTConventions.postgREST()
        for field in headers { conventions.headers[field.name] = field.value }
        tables = RESTRemote(url, client: client, conventions: conventions, clock: clock)
        var fields = conventions.readingFields
        fields[.contentType] = conventions.mediaType
        self.fields = fields
    }

    @_spi(Requirements) public var traits: RemoteTraits {
        RemoteTraits(sends: .batches(of: Self.batchCount), hasFeed: true)
    }

    @_spi(Requirements) public func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        guard case .record(let identity) = request.target else { return try await tables.fetch(request) }
        let id = identity.values.count == 1 ? identity.values[0] : .array(identity.values)
        let exchange = try await call(
            "lockstep_record", body: JSONValue.object(["entity": .string(request.entity.name), "id": id]).json(),
            of: request.entity)
        let response = try await result(of: "lockstep_record", in: exchange) { try JSONValue(json: $0) }
        guard let record = response["record"], case .integer(let version)? = response["version"] else { return .absent }
        return .records(FetchResponse.Records(body: .data(try record.json()), version: String(version)))
    }

    @_spi(Requirements) public func problem(in body: Data, status: Int, of entity: RemoteEntity) -> ServerProblem? {
        tables.problem(in: body, status: status, of: entity)
    }

    // MARK: The feed

    @_spi(Requirements) public func feed(after cursor: String?) async throws -> FeedPage {
        let request: JSONValue = [
            "cursor": cursor.map(JSONValue.string) ?? .null, "max": .integer(Int64(pageSize)),
        ]
        let exchange = try await call("lockstep_changes", body: request.json(), of: nil)
        return try await result(of: "lockstep_changes", in: exchange, read: FeedBody.page)
    }

    /// What a function has returned.
    private func result<Result>(
        of function: String, in exchange: RemoteExchange, read: (Data) throws -> Result
    ) async throws -> Result {
        switch exchange.meaning {
        case .success: break
        case .absent: throw exchange.missing(function, code: .notFound)
        default: throw exchange.failure
        }
        let body = try await exchange.collected(upTo: RemoteExchange.recordLimitBytes)
        if ResponseBody.isPage(body) { throw exchange.unexpected("an HTML page") }
        do { return try read(body) } catch {
            let reason = (error as? FeedBody.Problem)?.reason ?? "it is not JSON: \(error)"
            throw exchange.error(
                .malformed, reason: "the response is not what `\(function)` returns: \(reason)",
                remedy: "Nothing of it was merged. Compare the function with what was generated.")
        }
    }

    private func call(_ function: String, body: Data, of entity: RemoteEntity?) async throws -> RemoteExchange {
        try await RemoteExchange.send(
            .post, address: RemoteAddress(base: url).appending(path: "/rpc/" + function), fields: fields, body: body,
            subject: (entity, nil), client: client, clock: clock)
    }

    // MARK: Changes

    @_spi(Requirements) public func send(_ change: OutgoingChange) async throws -> SendResponse {
        let push = PushBody(changes: [change])
        let exchange = try await call("lockstep_push", body: push.json(), of: change.entity)
        switch exchange.meaning {
        case .success: break
        // It says nothing about the change.
        case .absent: throw exchange.missing("lockstep_push", code: .unexpectedResponse(status: exchange.status))
        case .refused, .outdated:
            let body = try await exchange.response.body.beginning(upTo: RemoteExchange.refusalLimitBytes)
            try exchange.checkRefusal(body)
            return .refused(status: exchange.status, body: body)
        case .unavailable(let retryAfter): return .unavailable(status: exchange.status, retryAfter: retryAfter)
        case .unauthorized, .updateNeeded, .inconclusive, .notModified: throw exchange.failure
        }
        return try await responses(to: push, in: exchange)[0].get()
    }

    @_spi(Requirements) public func send(batch changes: [OutgoingChange]) async throws -> [BatchResult] {
        guard let first = changes.first else { return [] }
        let push = PushBody(changes: changes)
        let exchange = try await call("lockstep_push", body: push.json(), of: first.entity)
        switch exchange.meaning {
        case .success: break
        // The batch was rejected, which says nothing about what is in it.
        case .absent, .refused, .outdated: return changes.map { _ in .unsent }
        case .unavailable(let retryAfter):
            return changes.map { _ in .response(.unavailable(status: exchange.status, retryAfter: retryAfter)) }
        case .unauthorized, .updateNeeded, .inconclusive, .notModified: throw exchange.failure
        }
        return try await responses(to: push, in: exchange).map { result in
            switch result {
            case .success(let response): .response(response)
            case .failure(let error): .failure(error)
            }
        }
    }

    /// The response to each change.
    private func responses(
        to push: PushBody, in exchange: RemoteExchange
    ) async throws -> [Result<SendResponse, any Error>] {
        let body = try await exchange.collected(upTo: RemoteExchange.recordLimitBytes)
        let parts: [PushBody.Part?]
        do { parts = try push.parts(in: body) } catch let problem as FeedBody.Problem {
            throw exchange.unexpected(ResponseBody.isPage(body) ? "an HTML page" : problem.reason)
        }
        var results: [Result<SendResponse, any Error>] = []
        for (change, part) in zip(push.changes, parts) {
            do {
                guard let part else { throw exchange.unexpected("without a response to each change") }
                results.append(.success(try await response(to: change, part: part, in: exchange)))
            } catch {
                results.append(.failure(error))
            }
        }
        return results
    }

    private func response(
        to change: OutgoingChange, part: PushBody.Part, in exchange: RemoteExchange
    ) async throws -> SendResponse {
        let own = RemoteExchange(
            method: exchange.method, address: exchange.address, entity: change.entity.name,
            record: change.identity?.text, isConditional: false, startedAt: exchange.startedAt,
            response: part.response, meaning: ResponseDisposition(part.response.head, now: clock.now))
        if let outcome = try await own.outcome(of: change.kind) { return outcome }
        if own.meaning == .outdated { return .outdated(current: try await own.record(), version: part.version) }
        let record = try await own.confirmation(of: change)
        return .accepted(body: change.kind == .delete ? nil : record, version: part.version)
    }
}

extension RemoteExchange {
    /// The error for a function that the database does not have.
    fileprivate func missing(_ function: String, code: SyncError.Code) -> SyncError {
        error(
            code, reason: "the database has no function `\(function)`, or the user may not execute it (\(status))",
            remedy: """
                Run the SQL that `lockstep generate --sql postgresql --server` writes, and let PostgREST load its schema \
                again. A database without it needs a `RESTRemote` with the conventions `.postgREST()`.
                """)
    }
}
