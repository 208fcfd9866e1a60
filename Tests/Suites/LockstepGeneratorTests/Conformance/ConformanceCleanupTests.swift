import Foundation
import HTTPTypes
import LockstepJSON
import LockstepTesting
import TestSupport
import Testing

/// What a run leaves, and how it ends.
@Suite("A run of lockstep conformance")
struct ConformanceCleanupTests {
    private func run(_ server: FakeRails, _ arguments: String...) async throws -> ConformanceCommand {
        try await ConformanceCommand(
            server.url.absoluteString,
            ["--dialect", "rest", "--entity", "Task", "--user", UUID().uuidString] + arguments)
    }

    @Test("deletes what it has created, also if the server refuses a change in the middle")
    func failure() async throws {
        let server = FakeRails(RailsRules(hasVersions: true))
        try await server.listen()
        server.respondNext(
            .response(ServerResponse(403, body: Data(#"{"message": "no\u001B[31m"}"#.utf8))), to: .method(.patch))
        let run = try await run(server)
        #expect(run.result.status == 2)
        #expect(run.result.output.contains("Grade: none, because some cases could not be asked"))
        #expect(run.result.output.contains(#"refused with 403: no\u{1B}[31m"#))
        for path in ["/lists", "/tasks"] { #expect(server.records(of: path).isEmpty) }
        await server.stop()
    }

    @Test("deletes what it has created if it cannot begin")
    func beginning() async throws {
        let server = FakeRails(RailsRules(hasVersions: true))
        try await server.listen()
        // Also to the second attempt.
        server.respondNext(.status(401), to: .path("/tasks"), times: 2)
        let run = try await run(server)
        #expect(run.result.status == 2)
        #expect(run.result.output == "")
        #expect(run.result.errors.contains("the server rejects the token"))
        for path in ["/lists", "/tasks"] { #expect(server.records(of: path).isEmpty) }
        await server.stop()
    }

    @Test("deletes what it has created if the user ends it")
    func interruption() async throws {
        let server = FakeRails(RailsRules(hasVersions: true))
        try await server.listen()
        let gate = Gate()
        server.respondNext(.held(gate), to: .method(.patch))
        let arguments = ["--dialect", "rest", "--entity", "Task", "--user", UUID().uuidString]
        let schema = Documentation.root.appendingPathComponent(
            "Tests/Suites/LockstepGeneratorTests/Fixtures/Lists.yaml")
        let program = try builtProduct("lockstep").path
        let process = try ChildProcess(
            of: URL(fileURLWithPath: "/usr/bin/env"),
            ["LOCKSTEP_TOKEN=token-of-a-user", program, "conformance", server.url.absoluteString, schema.path]
                + arguments)
        try await gate.reached()
        #expect(!server.records(of: "/tasks").isEmpty)
        process.interrupt()
        let hasSucceeded = await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: process.finish()) }.start()
        }
        #expect(!hasSucceeded && !process.wasKilled())
        for path in ["/lists", "/tasks"] { #expect(server.records(of: path).isEmpty) }
        await server.stop()
    }

    @Test("names the records that it cannot delete")
    func remaining() async throws {
        let server = FakeRails(RailsRules(hasVersions: true))
        try await server.listen()
        server.respondNext(.status(403), to: .method(.delete), times: 1_000)
        let run = try await run(server)
        let identities = server.records(of: "/lists").compactMap { $0["id"] }
        try #require(identities.count == 1)
        #expect(run.result.output.contains("Delete these records, which could not be deleted: "))
        if case .string(let identity) = identities[0] { #expect(run.result.output.contains("List \(identity)")) }
        await server.stop()
    }

    @Test("keeps what was seen if the server stops to respond in the middle")
    func middle() async throws {
        let server = FakeRails(RailsRules(hasVersions: true))
        try await server.listen()
        server.respondNext(.status(401), to: .method(.delete), times: 2)
        let run = try await run(server)
        #expect(run.result.status == 2)
        #expect(run.result.output.contains("passed       next changes"))
        #expect(run.result.output.contains("the run ended with “deletions”"))
        for path in ["/lists", "/tasks"] { #expect(server.records(of: path).isEmpty) }
        await server.stop()
    }

    @Test("ends a case and not itself if a response is not JSON, and deletes what it has created")
    func syntax() async throws {
        let server = FakeRails(RailsRules(hasVersions: true))
        try await server.listen()
        server.respondNext(.response(ServerResponse(200, body: Data("[{".utf8))), to: .method(.get))
        let run = try await run(server)
        #expect(run.result.status == 2)
        #expect(run.result.output.contains("a response is not JSON: byte 2"), "\(run.result.text)")
        for path in ["/lists", "/tasks"] { #expect(server.records(of: path).isEmpty) }
        await server.stop()
    }

    @Test("deletes no other record if the server does not respond to a deletion, and names them all")
    func silence() async throws {
        let server = FakeRails(RailsRules(hasVersions: true))
        try await server.listen()
        server.respondNext(.connectionFails, to: .method(.delete), times: 1_000)
        let run = try await run(server)
        #expect(run.result.status == 2)
        #expect(run.result.errors.contains("Deleting the records that were created: "))
        #expect(run.result.output.contains("Delete these records, which could not be deleted: "), "\(run.result.text)")
        let identities = ["/lists", "/tasks"].flatMap { server.records(of: $0) }.compactMap { record -> String? in
            if case .string(let identity)? = record["id"] { identity } else { nil }
        }
        #expect(identities.count > 2)
        #expect(identities.allSatisfy(run.result.output.contains))
        // The record of the case that ended the run is the last one, and therefore the first to be deleted.
        #expect(Set(server.requests.filter { $0.method == .delete }.map(\.path)).count == 1)
        await server.stop()
    }

    @Test("needs a token, which is not empty, and two different ones for two users")
    func tokens() async throws {
        let server = FakeRails(RailsRules(hasVersions: true))
        try await server.listen()
        let arguments = ["--dialect", "rest", "--entity", "Task", "--user", UUID().uuidString, "--json"]
        let run = try await ConformanceCommand(server.url.absoluteString, arguments, tokens: ["", "other"])
        #expect(run.result.status == 2)
        #expect(run.result.output == "")
        #expect(run.result.errors.contains("LOCKSTEP_TOKEN is not set."))
        #expect(server.requests.isEmpty)
        let alone = try await ConformanceCommand(server.url.absoluteString, arguments, tokens: ["token", ""])
        #expect(try alone.cases("not asked").contains("others' lists"))
        await server.stop()
        let same = try await ConformanceCommand("https://example.com", arguments, tokens: ["secret", "secret"])
        #expect(same.result.status == 2)
        #expect(same.result.errors.contains("are the same token"))
        #expect(!same.result.text.contains("secret"))
    }

    @Test("ends with 2 if nothing can be asked, and says what to do")
    func exits() async throws {
        let nobody = try RawServer { _, _ in }
        nobody.stop()
        let unreachable = try await ConformanceCommand(nobody.address(""), ["--entity", "Country"])
        #expect(unreachable.result.status == 2)
        #expect(unreachable.result.output == "")
        #expect(!unreachable.result.errors.contains("Delet"), "nothing was sent")
        let unknown = try await ConformanceCommand("https://example.com", ["--entity", "Lost"])
        #expect(unknown.result.status == 2)
        #expect(unknown.result.errors.contains("the schema has no entity 'Lost'. Name one of List, Member"))
        let anonymous = try await ConformanceCommand("https://example.com", ["--entity", "Profile"])
        #expect(anonymous.result.errors.contains("Pass the identity of the user with --user."))
        let insecure = try await ConformanceCommand("http://example.com", ["--entity", "Country"])
        #expect(insecure.result.status == 2)
        #expect(!insecure.result.errors.contains("Delet"), "nothing was sent")
    }
}
