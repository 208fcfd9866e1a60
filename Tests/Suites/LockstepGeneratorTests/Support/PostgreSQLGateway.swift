import Foundation
import HTTPTypes
import LockstepSync

/// What PostgREST does with a call of a function: one transaction with the role and the claims of the user, the
/// arguments as JSON, and the result as the body.
actor PostgreSQLGateway: HTTPClient {
    private let session: PostgreSQLSession
    /// The number of the next responses that are lost after the call has been committed.
    private var lostCount = 0
    private(set) var calls: [String] = []

    init(_ feed: PostgreSQLFeed, user: PostgreSQLFeed.User) throws {
        session = try feed.session(of: user)
    }

    func loseResponses(_ count: Int) { lostCount = count }

    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        let function = (request.path ?? "").split(separator: "/").last.map(String.init) ?? ""
        calls.append(function)
        let arguments = String(decoding: body ?? Data("{}".utf8), as: UTF8.self).replacing("'", with: "''")
        let call =
            switch function {
            case "lockstep_changes": "lockstep_changes(a ->> 'cursor', (a ->> 'max')::integer)"
            case "lockstep_push": "lockstep_push(a -> 'changes')"
            default: ""
            }
        if call.isEmpty { return HTTPClientResponse(HTTPResponse(status: .notFound)) }
        let text = try session.rows("SELECT \(call) FROM (SELECT '\(arguments)'::json AS a) x;").joined(separator: "\n")
        if lostCount > 0 {
            lostCount -= 1
            throw URLError(.networkConnectionLost)
        }
        return HTTPClientResponse(HTTPResponse(status: .ok), body: .data(Data(text.utf8)))
    }
}
