import Foundation
import LockstepGenerator
import LockstepSchema
import TestSupport

/// A database with the tables and the server of a schema, in a namespace of its own.
struct PostgreSQLFeed {
    let namespace: String
    private let server: PostgreSQLServer

    /// - Parameter mutate: Changes the SQL of the server, to see what fails without a part of it.
    init(_ schema: Schema, mutate: (String) -> String = { $0 }) throws {
        server = try PostgreSQLServer.require()
        namespace = "feed_" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
        let tables = String(decoding: sqlFile(for: schema, dialect: .postgresql), as: UTF8.self)
        let sql = mutate(String(decoding: serverSQL(for: schema) ?? [], as: UTF8.self))
        let admin = try session()
        try admin.rows("CREATE SCHEMA \(namespace); GRANT USAGE ON SCHEMA \(namespace) TO PUBLIC; \(tables) \(sql)")
    }

    /// The sample with lists that users share.
    static func lists(mutate: (String) -> String = { $0 }) throws -> PostgreSQLFeed {
        try PostgreSQLFeed(try listsSchema(), mutate: mutate)
    }

    static func listsSchema() throws -> Schema { try schema("Lists.yaml") }

    /// A schema among the fixtures.
    static func schema(_ name: String) throws -> Schema {
        let path = "Tests/Suites/LockstepGeneratorTests/Fixtures/\(name)"
        let bytes = Array(try Data(contentsOf: Documentation.root.appendingPathComponent(path)))
        let reading = readSchemas([SchemaSource(path: name, bytes: bytes)])
        guard let schema = reading.schemas.first else {
            throw CommandFailure(command: "lockstep", output: "\(reading.diagnostics)")
        }
        return schema
    }

    /// A connection of the owner, as programs take it.
    var connection: String { server.connection(to: namespace) }

    /// A session of the owner, as an admin or another server has it.
    func session() throws -> PostgreSQLSession {
        try server.session(opening: "SET client_min_messages = warning; SET search_path = \(namespace);")
    }

    /// A session with the role and the claims that PostgREST sets for a user; `nil` for nobody.
    func session(of user: User?) throws -> PostgreSQLSession {
        let claims = user.map { #"{"sub": "\#($0.rawValue)"}"# } ?? ""
        return try server.session(
            opening: """
                SET client_min_messages = warning; SET search_path = \(namespace);
                SELECT set_config('request.jwt.claims', '\(claims)', FALSE) \\g /dev/null
                SET ROLE \(user == nil ? "anon" : "authenticated");
                """)
    }

    enum User: String {
        case ann = "aaaaaaaa-0000-0000-0000-000000000000"
        case ben = "bbbbbbbb-0000-0000-0000-000000000000"
    }
}

/// A UUID in a few digits.
func uuid(_ digits: Int) -> String {
    let text = String(digits)
    return "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - text.count) + text
}
