package import Foundation
package import HTTPTypes
package import LockstepSync

/// What PostgREST does with a call of a function, and with the request of a row: one transaction with the role and the
/// claims of the user, the arguments as JSON, and the result or the error as the body.
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
        let arguments = String(decoding: body ?? Data("{}".utf8), as: UTF8.self).replacing("'", with: "''")
        let size = "least((a ->> 'max')::bigint, \(maximumPageSize))::integer"
        let call =
            switch name {
            case "lockstep_changes": "lockstep_changes(a ->> 'cursor', \(size))"
            case "lockstep_push": "lockstep_push(a -> 'changes')"
            case "lockstep_record": "lockstep_record(a ->> 'entity', a -> 'id')"
            default: Self.rows(of: name, where: components?.queryItems ?? [])
            }
        let text: String
        do {
            text = try execute("SELECT \(call) FROM (SELECT '\(arguments)'::json AS a) x;").joined(separator: "\n")
        } catch let error as CommandFailure where error.output.hasPrefix("ERROR:") {
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

    /// Selects the rows of a table whose columns have some values: `/task?id=eq.7`.
    private static func rows(of table: String, where filters: [URLQueryItem]) -> String {
        let conditions = filters.compactMap { filter -> String? in
            guard let value = filter.value, value.hasPrefix("eq.") else { return nil }
            return "\"\(filter.name)\" = '\(value.dropFirst(3).replacing("'", with: "''"))'"
        }
        let rows = "SELECT * FROM \"\(table)\" WHERE \((["TRUE"] + conditions).joined(separator: " AND "))"
        return "(SELECT coalesce(json_agg(r), '[]') FROM (\(rows)) r)"
    }
}
