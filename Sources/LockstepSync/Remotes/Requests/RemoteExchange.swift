import Foundation
import HTTPTypes
import LockstepStore

/// One request and its answer, with all that an error must tell about it.
struct RemoteExchange: Sendable {
    let method: HTTPRequest.Method
    let address: RemoteAddress
    let entity: String
    let record: String?
    let answer: HTTPAnswer
    let meaning: AnswerMeaning

    /// How much of a refusal is kept (rule P8).
    static let refusalLimitBytes = 64 << 10
    /// How long the answer with one record may be, which is in memory as a whole, as an event of a stream is.
    static let recordLimitBytes = EventStreamLimits.defaultEventBytes

    /// Sends a request.
    ///
    /// - Throws: What the client throws; `SyncError.unauthorized` where the server answers 401.
    static func send(
        _ method: HTTPRequest.Method, _ address: RemoteAddress, _ fields: HTTPFields, body: Data? = nil,
        _ subject: (entity: RemoteEntity, identity: RemoteIdentity?), _ client: any HTTPClient, _ clock: any SyncClock
    ) async throws -> RemoteExchange {
        let answer = try await client.send(address.request(method, fields), body: body)
        return RemoteExchange(
            method: method, address: address, entity: subject.entity.name, record: subject.identity?.text,
            answer: answer, meaning: AnswerMeaning(answer.response, now: clock.now))
    }

    var status: Int { answer.response.status.code }
    var fields: HTTPFields { answer.response.headerFields }

    /// An address that the answer names.
    func resolving(_ text: String) -> RemoteAddress? { address.resolving(text, from: answer.address) }

    /// The record in the body, as JSON; `nil` where there is none.
    func record(_ unwrap: (Data) -> Data = { $0 }) async throws -> Data? {
        let record = unwrap(try await collected(upTo: Self.recordLimitBytes))
        return AnsweredBody(record) == .record ? record : nil
    }

    func collected(upTo limit: Int) async throws -> Data {
        do {
            return try await answer.body.collected(upTo: limit)
        } catch let error as SyncError where error.request == nil {
            throw SyncError(
                error.code, request: shown, entity: entity, record: record, reason: error.reason, remedy: error.remedy,
                underlyingError: error.underlyingError)
        }
    }

    /// Why there is nothing to give back for a fetch.
    var failure: SyncError {
        switch meaning {
        case .unauthorized: unauthorized
        case .absent: error(.notFound, "the server has no such thing (\(status))", "Check the path of the entity.")
        case .unavailable(let retryAfter):
            error(
                .unavailable(status: status), "the server cannot answer now (\(status))", "Try again later.",
                retryAfter: retryAfter)
        case .redirected: unexpected(redirection)
        case .success, .notModified, .outdated, .refused:
            error(
                .refused(status: status), "the server refuses (\(status))",
                "Check the address, and what the server allows.")
        }
    }

    var unauthorized: SyncError {
        error(.unauthorized, "the server wants other credentials (401)", "Sign in again, or give another token.")
    }

    func error(
        _ code: SyncError.Code, _ reason: String, _ remedy: String, retryAfter: TimeInterval? = nil,
        underlyingError: (any Error)? = nil
    ) -> SyncError {
        SyncError(
            code, request: shown, entity: entity, record: record, reason: reason, remedy: remedy,
            underlyingError: underlyingError, retryAfter: retryAfter)
    }

    private var shown: String { "\(method.rawValue) \(address.shown)" }
}

extension RemoteExchange {
    /// What became of a change, apart from what depends on the server's kind: `nil` for success and 412.
    ///
    /// - Parameter trustsPages: Whether a page for people with 403, 404 or 410 is the API's word.
    /// - Throws: `SyncError.unexpectedAnswer` where the answer is not the API's (Rules.md, P13).
    func outcome(of kind: OutgoingChange.Kind, trustsPages: Bool = false) async throws -> SendResponse? {
        switch meaning {
        case .success, .outdated: return nil
        case .unauthorized: throw unauthorized
        case .unavailable(let retryAfter): return .unavailable(status: status, retryAfter: retryAfter)
        case .redirected, .notModified: throw unexpected(redirection)
        case .absent, .refused:
            let body = try await answer.body.beginning(upTo: Self.refusalLimitBytes)
            if !trustsPages { try checkRefusal(body) }
            // That a new record's collection is not there is no news about the record.
            return meaning == .absent && kind != .create ? .absent : .refused(status: status, body: body)
        }
    }

    /// What is said to be forbidden or not there may be so elsewhere: behind a redirect, or by the page of a proxy, or
    /// of a server that has not found its program. What is refused for another reason was looked at.
    ///
    /// - Throws: `SyncError.unexpectedAnswer` where that is so.
    func checkRefusal(_ body: Data) throws {
        guard [403, 404, 410].contains(status) else { return }
        if AnsweredBody.isPage(body) { throw unexpected("a page for people") }
        if isElsewhere { throw unexpected("which is not what was asked") }
    }

    /// The record in a successful answer to a write; `nil` where it says nothing of it.
    ///
    /// - Parameters:
    ///   - acknowledgements: What says that the write was done, beside a record.
    ///   - unwrap: Takes the record out of the body.
    ///   - change: What was sent. Where a redirect has led elsewhere, only the record itself proves it, because a 303
    ///     turns a write into a read of another address; and with 202, because that says that the write will be looked
    ///     at later.
    ///   - sent: What was sent instead of the whole record.
    ///   - isNamed: Whether the answer names the new record beside its body.
    /// - Throws: `SyncError.unexpectedAnswer` where it proves nothing (Rules.md, P13).
    func confirmation(
        of change: OutgoingChange, sent: JSONValue? = nil, isNamed: Bool = false,
        _ acknowledgements: RESTConventions.Acknowledgements = .init(), _ unwrap: (Data) -> Data = { $0 }
    ) async throws -> Data? {
        let body = try await collected(upTo: Self.recordLimitBytes)
        if acknowledgements.includes(text: body) { return nil }
        let record = unwrap(body)
        switch AnsweredBody(record) {
        case .record:
            if isElsewhere && sent == nil || status == 202, !change.isRecord(record) {
                throw unexpected("another thing than the record")
            }
            if !isNamed, let doubt = change.doubt(about: record, sent: sent) { throw unexpected(doubt) }
            return record
        case .nothing:
            // An empty 200 at another address is an empty page.
            guard acknowledgements.emptyStatuses.contains(status), !isElsewhere || status != 200 else {
                throw unexpected("an empty body")
            }
            return nil
        case .foreign(let what): throw unexpected(what)
        }
    }

    /// Whether redirects have led to another address than was asked.
    private var isElsewhere: Bool {
        guard let url = answer.address, let end = address.resolving(url.absoluteString) else { return false }
        return end.path != address.path || !end.isSameOrigin(as: address)
    }

    /// That what came is not the API's: what it is, and from where.
    func unexpected(_ what: String) -> SyncError {
        let type = fields[.contentType].map { " with \($0.prefix { $0 != ";" })" } ?? ""
        let place = answer.address.map { Redaction.text(of: $0.absoluteString) } ?? address.shown
        return error(
            .unexpectedAnswer(status: status), "the answer is not the API's: \(status)\(type) from \(place), \(what)",
            Self.unexpectedRemedy)
    }

    private var redirection: String {
        let target = fields[.location].map { " to " + Redaction.text(of: $0) } ?? ""
        return "a redirect\(target) that is not followed"
    }

    static let unexpectedRemedy = """
        Look for what stands in between: a network's sign-in page, a proxy, a page for maintenance. It is tried again by \
        itself.
        """
}
