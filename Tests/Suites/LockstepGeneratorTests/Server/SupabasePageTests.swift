import Foundation
import LockstepEvolution
import LockstepGenerator
import LockstepSchema
import LockstepStore
import LockstepSync
import ServerJournal
import ServerTestSupport
import TestSupport
import Testing

/// The page about Supabase, on a database with the roles, rights and timeouts that Supabase documents.
@Suite("The page about Supabase", .enabled(if: PostgreSQLServer.isWanted))
struct SupabasePageTests {
    private let page: String
    private let schema: Schema
    private let database: String

    /// A server of its own, because roles belong to all of its databases. Each test has a database.
    private static let server = Result {
        let server = try PostgreSQLServer.own()
        try server.session(opening: roles).rows("SELECT 1;")
        return server
    }

    private static let ann = PostgreSQLFeed.User.ann.rawValue

    /// As in the documentation of Supabase: who executes SQL in the dashboard is no superuser, and new tables,
    /// functions and sequences are granted to everybody.
    private static let roles = """
        CREATE ROLE postgres LOGIN CREATEDB CREATEROLE REPLICATION BYPASSRLS;
        CREATE ROLE service_role NOLOGIN NOINHERIT BYPASSRLS;
        CREATE ROLE authenticator LOGIN NOINHERIT;
        GRANT anon, authenticated, service_role TO authenticator, postgres;
        """

    private static let project = """
        GRANT ALL ON SCHEMA public TO postgres;
        GRANT USAGE ON SCHEMA public TO anon, authenticated, service_role;
        ALTER DEFAULT PRIVILEGES FOR ROLE postgres IN SCHEMA public
            GRANT ALL ON TABLES TO anon, authenticated, service_role;
        ALTER DEFAULT PRIVILEGES FOR ROLE postgres IN SCHEMA public
            GRANT ALL ON FUNCTIONS TO anon, authenticated, service_role;
        ALTER DEFAULT PRIVILEGES FOR ROLE postgres IN SCHEMA public
            GRANT ALL ON SEQUENCES TO anon, authenticated, service_role;
        SET client_min_messages = error;
        CREATE PUBLICATION supabase_realtime;
        ALTER PUBLICATION supabase_realtime OWNER TO postgres;
        CREATE SCHEMA cron;
        CREATE FUNCTION cron.schedule(name text, schedule text, command text) RETURNS void
            LANGUAGE plpgsql AS $$ BEGIN EXECUTE command; END $$;
        GRANT USAGE ON SCHEMA cron TO postgres;
        """

    init() throws {
        page = try Documentation.page("Supabase")
        let yaml = try #require(Documentation.code("yaml", in: page).first)
        schema = try #require(readSchemas([SchemaSource(path: "Journal.yaml", bytes: Array(yaml.utf8))]).schemas.first)
        database = "project_" + UUID().uuidString.replacing("-", with: "").lowercased()
        try Self.server.get().session(opening: "CREATE DATABASE \(database);").rows("SELECT 1;")
        try session(Self.project).rows("SELECT 1;")
        try dashboard().rows(tablesSQL + serverSQLText)
    }

    private var tablesSQL: String { String(decoding: sqlFile(for: schema, dialect: .postgresql), as: UTF8.self) }

    private var serverSQLText: String { String(decoding: serverSQL(for: schema) ?? [], as: UTF8.self) }

    private func session(_ opening: String) throws -> PostgreSQLSession {
        try Self.server.get().session(opening: "\\connect \(database)\n\(opening)")
    }

    private func dashboard() throws -> PostgreSQLSession {
        try session("SET SESSION AUTHORIZATION postgres; SET client_min_messages = error;")
    }

    /// A session of a request.
    private func request(_ role: String, of user: String? = nil) throws -> PostgreSQLSession {
        let claims = user.map { #"{"sub": "\#($0)", "role": "\#(role)"}"# } ?? ""
        return try session(
            """
            SET SESSION AUTHORIZATION authenticator;
            SET statement_timeout = '\(role == "anon" ? 3 : 8)s';
            SELECT set_config('request.jwt.claims', '\(claims)', FALSE) \\g /dev/null
            SET ROLE \(role);
            """)
    }

    @Test("Its schema is that of the demo")
    func sameSchema() throws {
        let path = "Tests/Samples/ServerJournal/Journal.lockstep.yaml"
        let sample = readSchemas([SchemaSource(path: path, bytes: Array(try Documentation.text(of: path).utf8))])
        #expect(sample.schemas.map { StructureHash($0.structure) } == [StructureHash(schema.structure)])
    }

    @Test("Its statements succeed as the role of the dashboard, and show what the page says")
    func statements() throws {
        let dashboard = try dashboard()
        try dashboard.rows(serverSQLText)
        let statements = Documentation.code("sql", in: page)
        #expect(statements.count == 2)
        let check = try #require(statements.first)
        #expect(try dashboard.rows(check).last?.contains(#""title":"Monday""#) == true)
        try dashboard.rows(statements[1])
        #expect(
            try dashboard.rows("SELECT tablename FROM pg_publication_tables WHERE pubname = 'supabase_realtime';")
                == ["entry"])
        for block in Documentation.code("sql", in: try Documentation.page("PostgreSQLServer"))
        where block.contains("cron.schedule") { try dashboard.rows(block) }

        let foreign = check.replacing("(), '7c9e", with: "(), '8c9e")
        #expect(foreign != check)
        let failure = #expect(throws: CommandFailure.self) { try self.dashboard().rows(foreign) }
        #expect(failure?.output.contains("new row violates row-level security policy") == true)
    }

    @Test("Rights that are granted by default give nobody anything", arguments: ["anon", "authenticated"])
    func defaultPrivileges(role: String) throws {
        let dashboard = try dashboard()
        try dashboard.rows(
            "INSERT INTO entry (id, author, title, timestamp) VALUES ('\(uuid(1))', '\(Self.ann)', 'Rain', now());")
        let session = try request(role, of: role == "anon" ? nil : PostgreSQLFeed.User.ben.rawValue)
        #expect(try session.rows("SELECT * FROM entry;") == [])
        try session.rows("UPDATE entry SET title = 'x'; DELETE FROM entry;")
        let refused = [
            "INSERT INTO entry (id, author, title, timestamp) VALUES ('\(uuid(2))', '\(Self.ann)', 'x', now());",
            "TRUNCATE entry;", "SELECT lockstep_expire(0);", "SELECT lockstep_restored();",
            "SELECT nextval('lockstep_number');", "SELECT lockstep_records(ARRAY[]::lockstep_change[], 0);",
        ]
        let tables = ["lockstep_scope", "lockstep_change", "lockstep_request", "lockstep_meta"]
        for statement in refused + tables.flatMap({ ["SELECT * FROM \($0);", "DELETE FROM \($0);"] }) {
            #expect(throws: CommandFailure.self, "\(statement)") { try session.rows(statement) }
        }
        #expect(try dashboard.rows("SELECT title FROM entry;") == ["Rain"])
    }

    @Test("Two devices of a user sync, and another user receives nothing")
    func devices() async throws {
        func device(of user: String) throws -> (Store, Sync) {
            let store = try Store(JournalSchema.self, at: .inMemory)
            let session = try request("authenticated", of: user)
            let remote = SupabaseRemote(
                URL(string: "https://abcd.supabase.co")!, key: "key",
                client: PostgreSQLGateway { try session.rows($0) }
            ) { _ in "jwt" }
            return (store, Sync(store: store, remote: remote))
        }
        let (phone, phoneSync) = try device(of: Self.ann)
        let (tablet, tabletSync) = try device(of: Self.ann)
        let (other, otherSync) = try device(of: PostgreSQLFeed.User.ben.rawValue)
        try await phone.perform { context in
            _ = Entry(author: UUID(uuidString: Self.ann)!, title: "Monday", context: context)
            _ = Entry(author: UUID(), title: "Somebody else's", context: context)
            try context.save()
        }
        let summary = try await phoneSync.push()
        #expect(summary.created == 1)
        #expect(summary.parked.count == 1)
        #expect(try await tabletSync.pull().inserted == 1)
        #expect(try await otherSync.pull().inserted == 0)
        #expect(try await tablet.representations(Entry.all()).map(\.title) == ["Monday"])
        #expect(try await other.representations(Entry.all()) == [])
    }
}
