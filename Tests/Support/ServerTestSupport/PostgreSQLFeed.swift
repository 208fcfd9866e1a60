import Foundation
import LockstepGenerator
package import LockstepSchema

/// A database with the tables and the server of a schema, in a namespace of its own.
package struct PostgreSQLFeed: Sendable {
    package let namespace: String
    private let server: PostgreSQLServer

    /// - Parameters:
    ///   - server: Where it is; `nil` for the one that all tests share.
    ///   - mutate: Changes the SQL of the server, to see what fails without a part of it.
    package init(
        _ schema: Schema, at server: PostgreSQLServer? = nil, mutate: (String) -> String = { $0 }
    ) throws {
        try self.init(tables: String(decoding: sqlFile(for: schema, dialect: .postgresql), as: UTF8.self), at: server)
        try makeServer(schema, mutate: mutate)
    }

    /// A database with tables that are no server yet.
    package init(tables: String, at server: PostgreSQLServer? = nil) throws {
        self.server = try server ?? PostgreSQLServer.require()
        namespace = "feed_" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
        try session().rows("CREATE SCHEMA \(namespace); GRANT USAGE ON SCHEMA \(namespace) TO PUBLIC; \(tables)")
    }

    package func makeServer(_ schema: Schema, mutate: (String) -> String = { $0 }) throws {
        try session().rows(mutate(String(decoding: serverSQL(for: schema) ?? [], as: UTF8.self)))
    }

    /// - Parameter yaml: The text of the schema.
    package init(
        yaml: String, at server: PostgreSQLServer? = nil, mutate: (String) -> String = { $0 }
    ) throws {
        let reading = readSchemas([SchemaSource(path: "Schema.yaml", bytes: Array(yaml.utf8))])
        guard let schema = reading.schemas.first else {
            throw CommandFailure(command: "lockstep", output: "\(reading.diagnostics)")
        }
        try self.init(schema, at: server, mutate: mutate)
    }

    /// The database that another process has made.
    package init(namespace: String, at server: PostgreSQLServer) {
        (self.namespace, self.server) = (namespace, server)
    }

    /// A connection of the owner, as programs take it.
    package var connection: String { server.connection(to: namespace) }

    /// A session of the owner, as an admin or another server has it.
    package func session() throws -> PostgreSQLSession {
        try server.session(opening: "SET client_min_messages = warning; SET search_path = \(namespace);")
    }

    /// A session with the role and the claims that PostgREST sets for a user; `nil` for nobody.
    package func session(of user: User?) throws -> PostgreSQLSession { try session(subject: user?.rawValue) }

    /// The same for any user.
    package func session(subject: String?) throws -> PostgreSQLSession {
        let claims = subject.map { #"{"sub": "\#($0)"}"# } ?? ""
        return try server.session(
            opening: """
                SET client_min_messages = warning; SET search_path = \(namespace);
                SELECT set_config('request.jwt.claims', '\(claims)', FALSE) \\g /dev/null
                SET ROLE \(subject == nil ? "anon" : "authenticated");
                """)
    }

    /// The SQL of a server that does not lock scopes, so that changes are numbered before it is known when they are
    /// committed.
    package static func withoutLocks(_ sql: String) -> String {
        let lock = /ON CONFLICT \(scope\) DO UPDATE[^\n]*/
        precondition(sql.contains(lock), "the mutant is the same as the original")
        return sql.replacing(lock, with: "ON CONFLICT DO NOTHING")
    }

    package enum User: String, Sendable {
        case ann = "aaaaaaaa-0000-0000-0000-000000000000"
        case ben = "bbbbbbbb-0000-0000-0000-000000000000"
    }
}

/// A UUID in a few digits.
package func uuid(_ digits: Int) -> String {
    let text = String(digits)
    return "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - text.count) + text
}
