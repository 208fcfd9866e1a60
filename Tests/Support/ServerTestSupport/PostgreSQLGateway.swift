package import Foundation
package import HTTPTypes
package import LockstepSync

/// What PostgREST does with a call of a function: one transaction with the role and the claims of the user, the arguments
/// as JSON, and the result or the error as the body.
package actor PostgreSQLGateway: HTTPClient {
    /// Executes a statement in a transaction of its own.
    package typealias Execute = @Sendable (_ statement: String) throws -> [String]

    private let execute: Execute
    private let maximumPageSize: Int
    /// The number of the next responses that are lost after the call has been committed.
    private var lostCount = 0
    package private(set) var calls: [String] = []

    /// - Parameters:
    ///   - maximumPageSize: A limit for the pages that are asked for.
    ///   - execute: Executes statements with the rights of the user.
    package init(maximumPageSize: Int = .max, execute: @escaping Execute) {
        self.maximumPageSize = maximumPageSize
        self.execute = execute
    }

    package init(_ feed: PostgreSQLFeed, user: PostgreSQLFeed.User) throws {
        let session = try feed.session(of: user)
        self.init { try session.rows($0) }
    }

    package func loseResponses(_ count: Int) { lostCount = count }

    package func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        let components = URLComponents(string: request.path ?? "")
        let name = (components?.path ?? "").split(separator: "/").last.map(String.init) ?? ""
        calls.append(name)
        let arguments = String(decoding: body ?? Data("{}".utf8), as: UTF8.self)
        guard let call = Self.call(of: name, with: arguments, maximumPageSize: maximumPageSize) else {
            return HTTPClientResponse(HTTPResponse(status: .notFound), body: .data(Data("{}".utf8)))
        }
        let text: String
        do { text = try execute(call).joined(separator: "\n") } catch let error as CommandFailure
            where error.output.hasPrefix("ERROR:")
        {
            let body = try JSONEncoder().encode(["message": error.output])
            let isUnknown = error.output.contains("does not exist")
            return HTTPClientResponse(
                HTTPResponse(status: isUnknown ? .notFound : .internalServerError), body: .data(body))
        }
        if lostCount > 0 {
            lostCount -= 1
            throw URLError(.networkConnectionLost)
        }
        return HTTPClientResponse(HTTPResponse(status: .ok), body: .data(Data(text.utf8)))
    }

    /// The statement that calls a function of the server; `nil` if devices do not call it.
    ///
    /// - Parameter arguments: The body of the request.
    package static func call(
        of function: String, with arguments: String, maximumPageSize: Int = .max
    ) -> String? {
        let size = "least((a ->> 'max')::bigint, \(maximumPageSize))::integer"
        let calls = [
            "lockstep_changes": "lockstep_changes(a ->> 'cursor', \(size))",
            "lockstep_push": "lockstep_push(a -> 'changes')",
            "lockstep_record": "lockstep_record(a ->> 'entity', a -> 'id')",
        ]
        return calls[function].map { "SELECT \($0) FROM (SELECT \(literal(arguments))::json AS a) x;" }
    }

    package static func literal(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }
}
