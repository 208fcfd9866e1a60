public import HTTPTypes
public import LockstepTables

/// A request of a ``JSONServer`` and its response: to what the sync wants to read (``RemoteRequest``), or to a change
/// (``OutgoingChange``).
///
/// The body can be read once: as one of the responses, or as JSON.
public struct JSONExchange<Subject: Sendable>: Sendable {
    let subject: Subject
    let exchange: RemoteExchange
    let server: JSONServer
    /// How the response is read.
    var conventions = RESTConventions()
    /// The version that the record had to have.
    var condition: String?

    /// The status of the response.
    public var status: Int { exchange.status }

    /// The fields of the response.
    public var fields: HTTPFields { exchange.fields }

    /// The body of the response.
    ///
    /// - Throws: ``/LockstepHTTP/SyncError``: `malformed` if it is too large or not JSON, and errors of reading it.
    public func json() async throws -> JSONValue {
        let body = try await exchange.collected(upTo: RemoteExchange.recordLimitBytes)
        do { return try JSONValue(json: body) } catch {
            throw exchange.error(
                .malformed, reason: "the response is not JSON: \(error)", remedy: "Check what the server sends.",
                underlyingError: error)
        }
    }

    /// An error about this request, with its address, entity and record.
    ///
    /// - Parameters:
    ///   - code: The kind of error, which decides whether it is retried.
    ///   - reason: Why it failed.
    ///   - remedy: What to do about it.
    public func error(_ code: SyncError.Code, reason: String, remedy: String) -> SyncError {
        exchange.error(code, reason: reason, remedy: remedy)
    }
}

extension JSONExchange where Subject == RemoteRequest {
    /// The records in the response, or what its status means.
    ///
    /// A collection is passed on while it arrives, unless the paging or the envelope requires the whole page. If a
    /// single record was requested, it is the record, with its version if the server uses them.
    ///
    /// | status | |
    /// | --- | --- |
    /// | 2xx | the records |
    /// | 304 | not modified |
    /// | 404, 410 | `absent` for a record or a further page; the error `notFound` for a collection |
    /// | 401 | the error `unauthorized` |
    /// | 407, 408, 425, 429, 5xx | the error `unavailable`, with `Retry-After` |
    /// | others | the error `refused` |
    /// | 1xx, 206, HTML pages, redirects | the error `unexpectedResponse` |
    ///
    /// - Parameters:
    ///   - envelope: The keys that lead to the list or the record. If it is empty, it is the whole body; a list may
    ///     also be under the last part of the path.
    ///   - isSnapshot: Whether all pages reflect the same moment (``FetchResponse/Records/isSnapshot``).
    /// - Throws: ``/LockstepHTTP/SyncError``.
    public func fetchResponse(under envelope: WirePath = [], isSnapshot: Bool = false) async throws -> FetchResponse {
        var conventions = conventions
        conventions.envelope = .under(envelope)
        conventions.reads.hasSnapshotPages = isSnapshot
        return try await server.remote(conventions).response(in: exchange, to: subject, conventions: conventions)
    }
}

extension JSONExchange where Subject == OutgoingChange {
    /// The result of the change.
    ///
    /// | status | |
    /// | --- | --- |
    /// | 2xx | `accepted`, if the body is the record or nothing (rule P13) |
    /// | 404, 410 | `absent`; for a creation `refused` |
    /// | 412 | `outdated`, with the record if the body is the record |
    /// | 428 | `outdated` if the server uses versions and none was sent: the record is read first |
    /// | 401 | the error `unauthorized` |
    /// | 407, 408, 425, 429, 5xx | `unavailable`, with `Retry-After` |
    /// | others | `refused`, with the body |
    /// | 1xx, 206, HTML pages, redirects, other bodies | the error `unexpectedResponse` |
    ///
    /// - Parameters:
    ///   - envelope: The keys that lead to the record.
    ///   - acknowledgements: Which responses confirm the change without the record.
    /// - Throws: ``/LockstepHTTP/SyncError``.
    public func sendResponse(
        under envelope: WirePath = [], acknowledgements: RESTConventions.Acknowledgements = .init()
    ) async throws -> SendResponse {
        if let outcome = try await exchange.outcome(
            of: subject.kind, trustsPages: acknowledgements.includeErrorPages)
        {
            return lacksVersion(outcome) ? .outdated(current: nil) : outcome
        }
        var conventions = conventions
        conventions.envelope = .under(envelope)
        conventions.writes.acknowledgements = acknowledgements
        let readsVersion = server.usesVersions || condition != nil
        return try await server.remote(conventions).result(of: subject, in: exchange, readsVersion: readsVersion)
    }

    /// Whether the server requires a version (RFC 6585, 3), and none was known: a list of records has none.
    private func lacksVersion(_ outcome: SendResponse) -> Bool {
        guard case .refused(status: 428, _) = outcome else { return false }
        return server.usesVersions && condition == nil && subject.kind != .create
    }
}
