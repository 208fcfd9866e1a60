import Foundation
import HTTPTypes
import LockstepTables

/// One request and its response, with everything that an error must contain.
package struct RemoteExchange: Sendable {
    let method: HTTPRequest.Method
    let address: RemoteAddress
    /// `nil` if it is about all entities.
    let entity: String?
    let record: String?
    /// Whether the server could respond that nothing has changed (304).
    let isConditional: Bool
    /// When it was sent.
    let startedAt: Date
    let response: HTTPClientResponse
    let meaning: ResponseDisposition

    /// The maximum number of bytes of a rejection that are stored (rule P8).
    static let refusalLimitBytes = 64 << 10
    /// The maximum size of a response with one record, which is in memory as a whole, like an event of a stream.
    static let recordLimitBytes = EventStreamLimits.defaultEventBytes

    /// Sends a request.
    ///
    /// - Throws: Errors of the client; `SyncError` with the code `updateNeeded` if the server responds with 426.
    static func send(
        _ method: HTTPRequest.Method, address: RemoteAddress, fields: HTTPFields, body: Data? = nil,
        subject: (entity: RemoteEntity?, identity: RemoteIdentity?), client: any HTTPClient, clock: any SyncClock
    ) async throws -> RemoteExchange {
        let startedAt = clock.now
        let response = try await client.send(address.request(method, fields: fields), body: body)
        let exchange = RemoteExchange(
            method: method, address: address, entity: subject.entity?.name, record: subject.identity?.text,
            isConditional: fields[.ifNoneMatch] != nil || fields[.ifModifiedSince] != nil, startedAt: startedAt,
            response: response, meaning: ResponseDisposition(response.head, now: clock.now))
        guard exchange.meaning == .updateNeeded else { return exchange }
        // The status says it, whatever is wrong with the body.
        let body = try? await response.body.beginning(upTo: refusalLimitBytes)
        throw exchange.updateNeeded(message: body.flatMap(UpdateMessage.text))
    }

    var status: Int { response.head.status.code }
    var fields: HTTPFields { response.head.headerFields }

    /// An address in the response.
    func resolving(_ text: String) -> RemoteAddress? { address.resolving(text, from: response.address) }

    /// The record in the body, as JSON; `nil` if there is none.
    func record(_ unwrap: (Data) throws -> Data = { $0 }) async throws -> Data? {
        let record = try unwrap(try await collected(upTo: Self.recordLimitBytes))
        return ResponseBody(record) == .record ? record : nil
    }

    func collected(upTo limit: Int) async throws -> Data {
        do {
            return try await response.body.collected(upTo: limit)
        } catch let error as SyncError where error.request == nil {
            throw SyncError(
                error.code, request: shown, entity: entity, record: record, reason: error.reason, remedy: error.remedy,
                underlyingError: error.underlyingError)
        }
    }

    /// The error if there is no result of a fetch.
    var failure: SyncError {
        switch meaning {
        case .unauthorized: unauthorized
        case .updateNeeded: updateNeeded(message: nil)
        case .absent:
            error(
                .notFound, reason: "it does not exist on the server (\(status))",
                remedy: "Check the path of the entity.")
        case .unavailable(let retryAfter):
            error(
                .unavailable(status: status), reason: "the server is unavailable (\(status))",
                remedy: "Try again later.",
                retryAfter: retryAfter)
        case .inconclusive: unexpected(inconclusiveness)
        case .success, .notModified, .outdated, .refused:
            error(
                .refused(status: status), reason: "the server rejects the request (\(status))",
                remedy: "Check the address, and which requests the server allows.")
        }
    }

    var unauthorized: SyncError {
        error(
            .unauthorized, reason: "the server requires other credentials (401)",
            remedy: "Sign in again, or use another token.")
    }

    func updateNeeded(message: String?) -> SyncError {
        error(
            .updateNeeded(message: message),
            reason: "the server requires a newer version of the app (426)\(message.map { ": \($0)" } ?? "")",
            remedy: "Ask the user to update the app. Local changes stay pending until then.")
    }

    func error(
        _ code: SyncError.Code, reason: String, remedy: String, retryAfter: TimeInterval? = nil,
        underlyingError: (any Error)? = nil
    ) -> SyncError {
        SyncError(
            code, request: shown, entity: entity, record: record, reason: reason, remedy: remedy,
            underlyingError: underlyingError, retryAfter: retryAfter)
    }

    private var shown: String { "\(method.rawValue) \(address.shown)" }
}

extension RemoteExchange {
    /// The result of a change, apart from what depends on the kind of server: `nil` for success and 412.
    ///
    /// - Parameters:
    ///   - kind: The kind of the change.
    ///   - isFiltered: Whether the address is that of a collection with a filter. If that does not exist, it says
    ///     nothing about the record.
    ///   - trustsPages: Whether an HTML page with 403, 404 or 410 comes from the API.
    /// - Throws: `SyncError.unexpectedResponse` if the response is not the API's (Rules.md, P13).
    func outcome(
        of kind: OutgoingChange.Kind, isFiltered: Bool = false, trustsPages: Bool = false
    ) async throws -> SendResponse? {
        switch meaning {
        case .success, .outdated: return nil
        case .unauthorized: throw unauthorized
        case .updateNeeded: throw updateNeeded(message: nil)
        case .unavailable(let retryAfter): return .unavailable(status: status, retryAfter: retryAfter)
        case .inconclusive, .notModified: throw unexpected(inconclusiveness)
        case .absent, .refused:
            let body = try await response.body.beginning(upTo: Self.refusalLimitBytes)
            if !trustsPages { try checkRefusal(body) }
            // If a new record's collection does not exist, that does not concern the record.
            return meaning == .absent && kind != .create && !isFiltered ? .absent : .refused(status: status, body: body)
        }
    }

    /// “Forbidden” and “not found” may concern another address: that of a redirect, a proxy's page, or a server that
    /// has not found its program. Other rejections are based on the request itself.
    ///
    /// - Throws: `SyncError.unexpectedResponse` if that is the case.
    func checkRefusal(_ body: Data) throws {
        guard [403, 404, 410].contains(status) else { return }
        if ResponseBody.isPage(body) { throw unexpected("an HTML page") }
        if isElsewhere { throw unexpected("which is not the requested address") }
    }

    /// 202 is not among them, because it means that the write will be processed later.
    static let emptyStatuses: Set = [200, 201, 204]

    /// The record in a successful response to a write; `nil` if the response does not contain it.
    ///
    /// - Parameters:
    ///   - emptyStatuses: The statuses with which an empty body confirms the write.
    ///   - isAcknowledgement: Whether a body confirms the write without a record.
    ///   - unwrap: Extracts the record from the body.
    ///   - change: The change that was sent. After a redirect to another address, only the record itself proves it,
    ///     because a 303 changes a write to a read of another address. The same applies to 202, because it means that
    ///     the write will be processed later.
    ///   - sent: What was sent instead of the whole record.
    ///   - isNamed: Whether the response contains the new record's identity outside of its body.
    /// - Throws: `SyncError.unexpectedResponse` if it proves nothing (Rules.md, P13); errors of `unwrap`.
    func confirmation(
        of change: OutgoingChange, sent: JSONValue? = nil, isNamed: Bool = false,
        emptyStatuses: Set<Int> = emptyStatuses, isAcknowledgement: (Data) -> Bool = { _ in false },
        unwrap: (Data) throws -> Data = { $0 }
    ) async throws -> Data? {
        let body = try await collected(upTo: Self.recordLimitBytes)
        if isAcknowledgement(body) { return nil }
        let record = try unwrap(body)
        switch ResponseBody(record) {
        case .record:
            if isElsewhere && sent == nil || status == 202, !change.isRecord(record) {
                throw unexpected("something other than the record")
            }
            if !isNamed, let doubt = change.doubt(about: record, sent: sent) { throw unexpected(doubt) }
            return record
        case .nothing:
            // An empty 200 at another address is an empty page.
            guard emptyStatuses.contains(status), !isElsewhere || status != 200 else {
                throw unexpected("an empty body")
            }
            return nil
        case .foreign(let what): throw unexpected(what)
        }
    }

    /// Whether redirects have led to an address other than the requested one.
    private var isElsewhere: Bool {
        guard let url = response.address, let end = address.resolving(url.absoluteString) else { return false }
        return end.path != address.path || !end.isSameOrigin(as: address)
    }

    /// The error for a response that is not the API's, with its content and its address.
    func unexpected(_ what: String) -> SyncError {
        let type = fields[.contentType].map { " with \($0.prefix { $0 != ";" })" } ?? ""
        let location = response.address.map { Redaction.text(of: $0.absoluteString) } ?? address.shown
        return error(
            .unexpectedResponse(status: status),
            reason: "the response is not the API's: \(status)\(type) from \(location), \(what)",
            remedy: Self.unexpectedRemedy)
    }

    /// Why the status says nothing about the request.
    private var inconclusiveness: String {
        if status == 206 { return "which is a part that was not requested" }
        guard (300..<400).contains(status) else { return "which is not the end of a response" }
        let target = fields[.location].map { " to " + Redaction.text(of: $0) } ?? ""
        return "a redirect\(target) that is not followed"
    }

    package static let unexpectedRemedy = """
        Check what is in between: a network's sign-in page, a proxy, a maintenance page. It is retried automatically. \
        If it is the API's own response, describe it: `envelope` or `writes.acknowledgements` of the conventions.
        """
}

extension HTTPFields {
    /// For a request whose response has the version of a record: some servers change the `ETag` of a response that they
    /// compress (Apache: `"v1-gzip"`), and do not accept it in a condition.
    mutating func askForUnchangedTag() { self[.acceptEncoding] = "identity" }
}
