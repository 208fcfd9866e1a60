import Foundation
import ServerTestSupport
import TestSupport
import Testing

/// The statements of the pages about a server, on the server of the page's schema.
@Suite("The pages about a PostgreSQL server", .enabled(if: PostgreSQLServer.isWanted))
struct ServerPageTests {
    private let feed: PostgreSQLFeed

    init() throws {
        let page = try Documentation.page("PostgreSQLServer")
        feed = try PostgreSQLFeed(yaml: try #require(Documentation.code("yaml", in: page).first))
    }

    private func statements(of page: String) throws -> [String] {
        Documentation.code("sql", in: try Documentation.page(page))
    }

    @Test("The figures that Growing asks for are there")
    func growing() throws {
        let admin = try feed.session()
        try admin.rows("INSERT INTO country VALUES ('DE', 'Germany');")
        let statements = try statements(of: "Growing")
        #expect(statements.count == 1)
        let rows = try admin.rows(statements[0])
        #expect(rows.first == "public|1|0")
        #expect(rows.count == 3)
    }

    @Test("The check of the page about security names the user's scopes, and only a public one without claims")
    func userScopes() throws {
        let check = try #require(try statements(of: "ServerSecurity").first)
        let user = "user:7c9e6679-7425-40de-944b-e07fc1f90ae7"
        #expect(try feed.session().rows(check).sorted() == ["public", user, user])
        let nobody = check.replacing(/SET LOCAL request.*/, with: "").replacing("authenticated", with: "anon")
        #expect(try feed.session().rows(nobody) == ["public"])
    }

    @Test("The checklist finds a table without row-level security and a policy that is not of the file")
    func checklist() throws {
        let admin = try feed.session()
        let statements = try statements(of: "ServerSecurity")
        #expect(statements.count == 2)
        #expect(try admin.rows(statements[1]) == [])
        try admin.rows("CREATE TABLE draft (id int); CREATE POLICY all_tasks ON task USING (TRUE);")
        #expect(try admin.rows(statements[1]) == ["draft", "task|all_tasks"])
    }

    @Test("Each function with the rights of the owner has a fixed search_path")
    func searchPaths() throws {
        let definers = "FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND prosecdef"
        let admin = try feed.session()
        #expect(try #require(Int(try admin.rows("SELECT count(*) \(definers);")[0])) > 20)
        let isFixed = "array_to_string(proconfig, ',') LIKE '%search_path=' || current_schema() || ', pg_temp%'"
        #expect(try admin.rows("SELECT proname \(definers) AND (\(isFixed)) IS NOT TRUE;") == [])
    }

    @Test("A key is kept without values of the record, until it is forgotten")
    func storedKeys() throws {
        let user = PostgreSQLFeed.User.ann.rawValue
        let (admin, ann) = (try feed.session(), try feed.session(of: .ann))
        let profile = #""entity": "Profile", "id": "\#(uuid(1))""#
        for change in [
            #"{"key": "a", "op": "create", \#(profile), "members": {"user": "\#(user)", "name": "Ann"}}"#,
            #"{"key": "b", "op": "delete", \#(profile)}"#,
        ] { try ann.rows("SELECT lockstep_push('[\(change)]');") }
        let stored = "SELECT key FROM lockstep_request r WHERE r::text NOT LIKE '%Ann%' ORDER BY key;"
        #expect(try admin.rows(stored) == ["a", "b"])
        try admin.rows("UPDATE lockstep_request SET at = now() - interval '91 days'; SELECT lockstep_expire(90);")
        #expect(try admin.rows(stored) == [])
    }
}
