import Foundation
import LockstepJSON
import LockstepTesting
import ServerTestSupport
import TestSupport
import Testing

@testable import LockstepConformance

/// Servers of other kinds, with the grades that the page shows.
@Suite("Grades of other servers")
struct ConformanceGradeTests {
    /// A row of the page's table.
    private static func check(_ server: String, has run: ConformanceCommand) throws {
        let grades = try run.grades()
        let row = "| \(server) | \(grades.isEmpty ? "safe" : grades.joined(separator: ", ")) |"
        #expect(try Documentation.page("Conformance").contains(row), "\(row)\n\(run.result.text)")
        #expect(try run.cases("interrupted") == [], "\(run.result.text)")
        #expect(try run.report()["remaining"] == .array([]), "\(run.result.text)")
        #expect(run.result.status == (grades.isEmpty ? 0 : 1))
    }

    private static let railsServers: [(name: String, rules: RailsRules, arguments: [String])] = [
        ("`FakeRails` with versions", RailsRules(hasVersions: true), []),
        (
            "`FakeRails` with versions, and changes by time with deletions",
            RailsRules(hasVersions: true, changes: RailsChanges(deletions: .marked(by: "deleted_at"))),
            ["--since", "updated_since", "--changed-at", "updated_at", "--deleted-by", "deleted_at"]
        ),
        (
            "`FakeRails` with versions, and changes by time without deletions",
            RailsRules(hasVersions: true, changes: RailsChanges()),
            ["--since", "updated_since", "--changed-at", "updated_at"]
        ),
        ("`FakeRails` without versions and keys", RailsRules(honoursIdempotencyKeys: false), []),
    ]

    @Test("A fake Rails server has the grade of its rules", arguments: railsServers.indices)
    func rails(index: Int) async throws {
        let (name, rules, arguments) = Self.railsServers[index]
        let server = FakeRails(rules)
        try await server.listen()
        try Self.check(name, has: try await notes(server.url.absoluteString, ["--dialect", "rest"] + arguments))
        #expect(server.records(of: "/note").isEmpty)
        await server.stop()
    }

    @Test("A server that assigns identities repeats creations if it knows no keys", arguments: [true, false])
    func assignedIdentities(hasKeys: Bool) async throws {
        let server = FakeRails(RailsRules(hasVersions: true, honoursIdempotencyKeys: hasKeys))
        try await server.listen()
        let run = try await ConformanceCommand(
            server.url.absoluteString, schema: "Schemas/OfflineTasks.yaml", ["--dialect", "rest", "--json"])
        try Self.check("`FakeRails` that assigns identities, with\(hasKeys ? "" : "out") keys", has: run)
        #expect(server.records(of: "/tasks").isEmpty)
        await server.stop()
    }

    @Test("A fake PostgREST server has the grade of tables without functions")
    func postgREST() async throws {
        let server = FakePostgREST()
        try await server.listen()
        let run = try await notes(server.url.absoluteString, ["--dialect", "postgrest"])
        try Self.check("`FakePostgREST`", has: run)
        #expect(server.records(of: "/note").isEmpty)
        await server.stop()
    }

    @Test(
        "Tables with a column that a trigger sets to the time lose what is committed late",
        .enabled(if: PostgreSQLServer.isWanted))
    func timeStampColumn() async throws {
        let feed = try PostgreSQLFeed(try PostgreSQLFeed.schema("Notes.yaml"))
        try feed.session().rows(
            """
            ALTER TABLE note ADD updated_at timestamptz NOT NULL DEFAULT now();
            CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                NEW.updated_at := now();
                RETURN NEW;
            END $$;
            CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON note FOR EACH ROW EXECUTE FUNCTION stamp();
            GRANT ALL ON note TO anon;
            """)
        let server = try GatewayServer(feed)
        defer { server.stop() }
        let run = try await notes(
            server.address,
            [
                "--dialect", "postgrest", "--since", "updated_at", "--changed-at", "updated_at", "--database",
                feed.connection,
            ])
        try Self.check("PostgreSQL tables with `updated_at = now()`", has: run)
        #expect(run.result.output.contains("exact: a transaction was held open"))
        #expect(try feed.session().rows("SELECT count(*) FROM note;") == ["0"])
    }

    @Test(
        "A server with time stamps has the grade of its care", .enabled(if: ScriptServer.isWanted),
        arguments: [true, false])
    func timeStamps(isCareful: Bool) async throws {
        let server = try ScriptServer.timeStamps(isCareful: isCareful)
        let run = try await notes(
            server.address,
            [
                "--dialect", "rest", "--since", "updated_since", "--changed-at", "updated_at", "--deleted-by",
                "deleted_at",
            ], tokens: ["ann-secret", "ben-secret"])
        try Self.check("`time-stamps.py\(isCareful ? " careful" : "")`", has: run)
        #expect(!run.result.text.contains("secret"))
        server.stop()
    }

    @Test("The example on the page is what the command prints", .enabled(if: ScriptServer.isWanted))
    func example() async throws {
        let server = try ScriptServer.timeStamps(isCareful: false)
        let run = try await ConformanceCommand(
            server.address, schema: "Tests/Suites/LockstepGeneratorTests/Fixtures/Notes.yaml",
            ["--dialect", "rest", "--since", "updated_since", "--changed-at", "updated_at"],
            tokens: ["ann-secret", "ben-secret"])
        server.stop()
        let blocks = Documentation.files("", in: try Documentation.page("Conformance"))
        let example = try #require(blocks.first { $0.contains("Grade: ") })
        let shown = example.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("http") }
        let places: (String) -> String = {
            $0.replacing(/https?:\S+/, with: "ADDRESS,").replacing(/\d+/, with: "N")
        }
        let printed = run.result.output.trimmingCharacters(in: .newlines)
        let expected = shown.joined(separator: "\n").trimmingCharacters(in: .newlines)
        #expect(places(expected) == places(printed), "\(printed)")
    }

    @Test("The page has each case, what a failure does to apps, and what to change")
    func cases() throws {
        let page = try Documentation.page("Conformance")
        for item in ConformanceCase.all {
            let row = "| \(item.name) | \(item.question) | \(item.grade.rawValue) | \(item.remedy) |"
            #expect(page.contains(row), "\(row)")
        }
        for grade in ConformanceGrade.allCases { #expect(page.contains("| \(grade.rawValue) | "), "\(grade)") }
    }

    private func notes(
        _ address: String, _ arguments: [String], tokens: [String] = ["token-of-a-user"]
    ) async throws -> ConformanceCommand {
        try await ConformanceCommand(
            address, schema: "Tests/Suites/LockstepGeneratorTests/Fixtures/Notes.yaml", arguments + ["--json"],
            tokens: tokens)
    }
}

extension ScriptServer {
    /// A running `time-stamps.py`.
    fileprivate static func timeStamps(isCareful: Bool) throws -> ScriptServer {
        let script = "Tests/Suites/LockstepGeneratorTests/Fixtures/time-stamps.py"
        return try ScriptServer(script, isCareful ? ["careful"] : [])
    }

    fileprivate var address: String { "http://127.0.0.1:\(port)" }
}
