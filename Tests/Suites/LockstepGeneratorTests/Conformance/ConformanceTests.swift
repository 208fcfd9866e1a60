import Foundation
import LockstepJSON
import ServerTestSupport
import TestSupport
import Testing

/// The command asks the server that is generated, and servers that differ from it in one place.
@Suite("Conformance of a generated PostgreSQL server", .enabled(if: PostgreSQLServer.isWanted))
struct ConformanceTests {
    /// A server with a different text, and the case that must fail.
    struct Mutant: Sendable, CustomTestStringConvertible {
        let failing: String
        let text: String
        let replacement: String
        var entity = "Task"

        var testDescription: String { failing }
    }

    private static let tokens = [PostgreSQLFeed.User.ann, .ben].map(GatewayServer.token)

    @Test("The generated server is safe, and keeps nothing of it", arguments: ["Task", "Profile"])
    func safe(entity: String) async throws {
        let feed = try PostgreSQLFeed.lists()
        let server = try GatewayServer(feed)
        defer { server.stop() }
        let run = try await ConformanceCommand(
            server.address, ["--entity", entity, "--database", feed.connection, "--json"], tokens: Self.tokens)
        #expect(try run.cases("failed") == [], "\(run.result.text)")
        #expect(try run.cases("interrupted") == [], "\(run.result.text)")
        #expect(try run.cases("not asked") == (entity == "Task" ? [] : ["lost scopes", "unsent members"]))
        #expect(run.result.status == 0)
        #expect(!Self.tokens.contains(where: run.result.text.contains))
        for table in ["list", "task", "profile"] {
            #expect(try feed.session().rows("SELECT count(*) FROM \(table);") == ["0"])
        }
    }

    @Test("Without a database and a second user, the other cases are asked")
    func oneUser() async throws {
        let feed = try PostgreSQLFeed.lists()
        let server = try GatewayServer(feed)
        defer { server.stop() }
        let run = try await ConformanceCommand(server.address, ["--json"], tokens: [Self.tokens[0]])
        #expect(try run.cases("failed") + run.cases("interrupted") == [], "\(run.result.text)")
        let missing = ["direct writes", "others' lists", "others' records", "others' changes", "others' creations"]
        #expect(try run.cases("not asked") == missing)
        #expect(try run.report()["notAsked"] == .array(missing.map(JSONValue.string)))
        #expect(run.result.output.contains("by chance: 32 creations by 8 writers were received"))
        #expect(try feed.session().rows("SELECT count(*) FROM list;") == ["0"])
    }

    @Test("A server that differs in one place fails the case that is about it, and no other", arguments: mutants)
    func mutant(_ mutant: Mutant) async throws {
        var count = 0
        let feed = try PostgreSQLFeed.lists { sql in
            count = sql.components(separatedBy: mutant.text).count - 1
            return sql.replacing(mutant.text, with: mutant.replacement)
        }
        try #require(count == 1, "the text of the mutant occurs \(count) times")
        let server = try GatewayServer(feed)
        defer { server.stop() }
        let run = try await ConformanceCommand(
            server.address, ["--entity", mutant.entity, "--database", feed.connection, "--json"], tokens: Self.tokens)
        #expect(try run.cases("failed") == [mutant.failing], "\(run.result.text)")
        #expect(try run.cases("interrupted") == [], "\(run.result.text)")
        #expect(run.result.status == 1)
    }

    @Test("Each case has a server that fails it")
    func completeness() async throws {
        let feed = try PostgreSQLFeed.lists()
        let server = try GatewayServer(feed)
        defer { server.stop() }
        let run = try await ConformanceCommand(
            server.address, ["--entity", "Task", "--database", feed.connection, "--json"], tokens: Self.tokens)
        #expect(Set(try run.cases("passed")) == Set(Self.mutants.map(\.failing)))
    }
}

extension ConformanceTests {
    static let mutants = [
        // A cursor that is off by one.
        Mutant(failing: "next changes", text: "AND c.n > s.after AND", replacement: "AND c.n > s.after + 1 AND"),
        // Changes that only the push function records.
        Mutant(
            failing: "direct writes",
            text: """
                CREATE OR REPLACE TRIGGER lockstep_update AFTER UPDATE ON "task" REFERENCING OLD TABLE AS lockstep_old \
                NEW TABLE AS lockstep_new
                    FOR EACH STATEMENT EXECUTE
                """,
            replacement: """
                CREATE OR REPLACE TRIGGER lockstep_update AFTER UPDATE ON "task" REFERENCING OLD TABLE AS lockstep_old \
                NEW TABLE AS lockstep_new
                    FOR EACH STATEMENT WHEN (current_setting('request.jwt.claims', TRUE) <> '') EXECUTE
                """),
        // Numbers of a sequence, without the lock of the scope.
        Mutant(
            failing: "late commits",
            text: "ON CONFLICT (scope) DO UPDATE SET floor = s.floor WHERE FALSE",
            replacement: "ON CONFLICT (scope) DO NOTHING"),
        // No tombstones.
        Mutant(
            failing: "deletions", text: "AND (c.gone IS NULL OR c.n > s.started)", replacement: "AND c.gone IS NULL"),
        // A first read that forgets when it began.
        Mutant(
            failing: "deletions while reading",
            text: "coalesce((known -> r.scope ->> 1)::bigint, CASE WHEN known -> r.scope IS NULL THEN greatest(",
            replacement: """
                coalesce(CASE WHEN known -> r.scope IS NULL OR known -> r.scope ->> 1 IS NOT NULL THEN greatest(
                """),
        Mutant(
            failing: "lost scopes", text: "WHERE NOT EXISTS (SELECT FROM scopes s WHERE s.scope = k.key)",
            replacement: "WHERE FALSE"),
        Mutant(
            failing: "unknown cursors",
            text: """
                    -- It is not a cursor. A device that has lost it reads everything again.
                        is_expired := TRUE;
                """,
            replacement: """
                        known := jsonb_build_object('epoch', epoch, 'scopes', jsonb_build_object());
                        is_expired := FALSE;
                """),
        // No keys.
        Mutant(
            failing: "changes sent twice",
            text: "RETURN claimed;", replacement: "RETURN cardinality($1);"),
        Mutant(failing: "reused keys", text: "AND r.hash <> c.hash", replacement: "AND FALSE"),
        Mutant(
            failing: "outdated versions", text: "unnest($4, lockstep_version('Task', $2)) AS v",
            replacement: "unnest($4, $4) AS v"),
        // An update that writes defaults.
        Mutant(
            failing: "unsent members", text: #"WHEN (m.members -> 'done') IS NULL THEN r."done" ELSE"#,
            replacement: "WHEN (m.members -> 'done') IS NULL THEN FALSE ELSE"),
        // One refused change fails the whole push.
        Mutant(
            failing: "refused changes",
            text: """
                            WHEN data_exception OR integrity_constraint_violation OR raise_exception THEN
                """,
            replacement: """
                            WHEN data_exception THEN
                                RAISE;
                            WHEN integrity_constraint_violation OR raise_exception THEN
                """),
        // A feed of all scopes.
        Mutant(
            failing: "others' lists", text: "ARRAY(SELECT DISTINCT r FROM lockstep_readable() r WHERE r IS NOT NULL);",
            replacement: "ARRAY(SELECT s.scope FROM lockstep_scope s);"),
        // A policy that permits everything.
        Mutant(
            failing: "others' records",
            text: """
                CREATE POLICY lockstep_select ON "task"
                    FOR SELECT TO authenticated, anon
                    USING ("task"."list_id" = ANY (ARRAY(
                        SELECT substr(s, 6)::uuid FROM lockstep_readable() s WHERE starts_with(s, 'list/'))));
                """,
            replacement: """
                CREATE POLICY lockstep_select ON "task"
                    FOR SELECT TO authenticated, anon
                    USING (TRUE);
                """),
        // A function for single records that does not check scopes.
        Mutant(
            failing: "others' records",
            text: "AND c.gone IS NULL AND c.scope IN (SELECT lockstep_readable()) LIMIT 1",
            replacement: "AND c.gone IS NULL LIMIT 1"),
        // Changes with the rights of the owner of the tables.
        Mutant(
            failing: "others' changes",
            text: """
                CREATE OR REPLACE FUNCTION "lockstep_task_apply"(text, text[], jsonb[], bigint[]) RETURNS integer
                    LANGUAGE plpgsql
                """,
            replacement: """
                CREATE OR REPLACE FUNCTION "lockstep_task_apply"(text, text[], jsonb[], bigint[]) RETURNS integer
                    LANGUAGE plpgsql SECURITY DEFINER
                """),
        // A table to which everybody adds.
        Mutant(
            failing: "others' creations",
            text: """
                FOR INSERT TO authenticated
                    WITH CHECK ("task"."list_id" = ANY (ARRAY(
                        SELECT substr(s, 6)::uuid FROM lockstep_writable() s WHERE starts_with(s, 'list/'))));
                """,
            replacement: """
                FOR INSERT TO authenticated
                    WITH CHECK (TRUE);
                """),
        // The user in a new record is not compared.
        Mutant(
            failing: "others' creations",
            text: """
                FOR INSERT TO authenticated
                    WITH CHECK ("profile"."user" = ANY (ARRAY(
                        SELECT substr(s, 6)::uuid FROM lockstep_writable() s WHERE starts_with(s, 'user:'))));
                """,
            replacement: """
                FOR INSERT TO authenticated
                    WITH CHECK (TRUE);
                """, entity: "Profile"),
    ]
}
