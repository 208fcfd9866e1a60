import Foundation
import HTTPTypes

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
    /// How long the answer with one record may be, which is read as a whole. A database of Firebase answers with at most
    /// 256 MB.
    static let recordLimitBytes = 256 << 20

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
    ///
    /// An answer that says it is something else than JSON, and one that is no object, tells nothing of the record: some
    /// servers answer `OK`, or a page for people.
    func record(_ unwrap: (Data) -> Data = { $0 }) async throws -> Data? {
        let body = try await collected(upTo: Self.recordLimitBytes)
        if let type = fields[.contentType], !type.lowercased().contains("json") { return nil }
        let record = unwrap(body)
        let first = record.first { !" \t\r\n".utf8.contains($0) }
        return first == UInt8(ascii: "{") ? record : nil
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
        case .success, .notModified, .outdated, .refused:
            error(
                .refused(status: status),
                (300..<400).contains(status) && status != 304
                    ? "the server redirects elsewhere, which is not followed (\(status))"
                    : "the server refuses (\(status))",
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
    func outcome(of kind: OutgoingChange.Kind) async throws -> SendResponse? {
        switch meaning {
        case .success, .outdated: return nil
        case .unauthorized: throw unauthorized
        // That a new record's collection is not there is no news about the record.
        case .absent where kind != .create: return .absent
        case .unavailable(let retryAfter): return .unavailable(status: status, retryAfter: retryAfter)
        case .absent, .notModified, .refused:
            return .refused(status: status, body: try await answer.body.beginning(upTo: Self.refusalLimitBytes))
        }
    }
}
