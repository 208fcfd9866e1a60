import Foundation
import LockstepJSON
import LockstepSystem
import ServerTestSupport
import TestSupport

/// What PostgREST does, over a socket: `lockstep_changes`, `lockstep_push`, and rows of tables, each with the role and
/// the claims of the token.
final class GatewayServer: Sendable {
    private let server: RawServer

    init(_ feed: PostgreSQLFeed) throws {
        let sessions = Sessions(feed)
        server = try RawServer { request, connection in
            do {
                let body = try sessions.use(by: Self.user(of: request)) { session in
                    try session.rows(Self.statement(for: request)).joined(separator: "\n")
                }
                connection.respond(200, ["Content-Type: application/json"], body: body)
            } catch let failure as CommandFailure {
                let problem: JSONValue = ["code": "XX000", "message": .string(failure.output)]
                let body = String(decoding: (try? problem.json()) ?? Data(), as: UTF8.self)
                connection.respond(400, ["Content-Type: application/json"], body: body)
            } catch {
                connection.respond(404, ["Content-Type: application/json"], body: "{}")
            }
        }
    }

    var address: String { server.address("/rest") }

    func stop() { server.stop() }

    /// A token of a user, without a signature.
    static func token(of user: PostgreSQLFeed.User) -> String {
        let claims = Data(#"{"sub":"\#(user.rawValue)"}"#.utf8).base64EncodedString().replacing("=", with: "")
        return "e30.\(claims).e30"
    }

    /// - Returns: `nil` for a request without a token.
    private static func user(of request: RawRequest) -> PostgreSQLFeed.User? {
        [.ann, .ben].first { request.fields["authorization"] == "Bearer \(token(of: $0))" }
    }

    private static func statement(for request: RawRequest) -> String {
        let address = URLComponents(string: request.target)
        let body = String(decoding: request.body, as: UTF8.self)
        let name = (address?.path ?? "").split(separator: "/").last.map(String.init) ?? ""
        let (method, items) = (request.method, address?.queryItems ?? [])
        if method == "POST", let call = PostgreSQLGateway.call(of: name, with: body) { return call }
        let statement = TableStatement(table: name, items: items, body: body).text(of: method)
        if method == "GET" { return "WITH t AS (\(statement)) SELECT coalesce(json_agg(t), '[]') FROM t;" }
        guard request.fields["prefer"]?.contains("return=representation") == true else { return statement + ";" }
        return "WITH t AS (\(statement) RETURNING r.*) SELECT coalesce(json_agg(t), '[]') FROM t;"
    }

    /// Sessions of the database, each used by one request at a time.
    ///
    /// Unchecked, because a session that is not in the list belongs to one thread.
    private final class Sessions: @unchecked Sendable {
        private let feed: PostgreSQLFeed
        private let lock = NSLock()
        private var idle: [PostgreSQLFeed.User?: [PostgreSQLSession]] = [:]

        init(_ feed: PostgreSQLFeed) { self.feed = feed }

        func use<Value>(
            by user: PostgreSQLFeed.User?, _ body: (PostgreSQLSession) throws -> Value
        ) throws -> Value {
            let session = try lock.withLock { idle[user]?.popLast() } ?? feed.session(of: user)
            defer { lock.withLock { idle[user, default: []].append(session) } }
            return try body(session)
        }
    }
}

/// A request for rows of a table.
private struct TableStatement {
    let table: String
    let items: [URLQueryItem]
    let body: String

    func text(of method: String) -> String {
        let sent = "json_populate_record(NULL::\"\(table)\", \(PostgreSQLGateway.literal(body)))"
        let names = keys.map { "\"\($0)\"" }.joined(separator: ", ")
        switch method {
        case "POST": return "INSERT INTO \"\(table)\" AS r (\(names)) SELECT \(names) FROM \(sent)"
        case "PATCH":
            let values = keys.map { "\"\($0)\" = s.\"\($0)\"" }.joined(separator: ", ")
            return "UPDATE \"\(table)\" r SET \(values) FROM \(sent) s \(condition)"
        case "DELETE": return "DELETE FROM \"\(table)\" r \(condition)"
        default: return "SELECT * FROM \"\(table)\" r \(condition) ORDER BY id LIMIT \(limit) OFFSET \(offset)"
        }
    }

    private var keys: [String] {
        guard case .object(let members)? = try? JSONValue(json: Data(body.utf8)) else { return [] }
        return members.keys
    }

    private var limit: Int { number("limit") ?? 1_000 }
    private var offset: Int { number("offset") ?? 0 }

    private func number(_ name: String) -> Int? { items.first { $0.name == name }?.value.flatMap { Int($0) } }

    /// The filters `eq` and `gte`.
    private var condition: String {
        let conditions = items.compactMap { item -> String? in
            for (prefix, comparison) in [("eq.", "="), ("gte.", ">=")] {
                guard let value = item.value, value.hasPrefix(prefix) else { continue }
                return
                    "r.\"\(item.name)\" \(comparison) \(PostgreSQLGateway.literal(String(value.dropFirst(prefix.count))))"
            }
            return nil
        }
        return conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    }
}
