import Foundation
import HTTPTypes
import LockstepTesting
import TestSupport
import Testing

@testable import LockstepConformance

/// Tokens and keys that a server repeats.
@Suite("Secrets of lockstep conformance")
struct ConformanceSecretsTests {
    private static let tokens = ["ann+4711/9f=", "ben+0815/7e="]
    private static let key = "key+1234/5d="
    private static let encoded = ["ann%2B4711%2F9f%3D", "ben%2b0815%2f7e%3d", "key%2B1234/5d%3D"]

    private func run(_ address: String, arguments: [String] = []) async throws -> ProcessResult {
        try await ConformanceCommand(
            address, ["--dialect", "rest", "--entity", "Task", "--user", UUID().uuidString] + arguments,
            tokens: Self.tokens, key: Self.key
        ).result
    }

    private func expectNone(in result: ProcessResult) {
        for secret in Self.tokens + [Self.key] + Self.encoded {
            #expect(!result.text.contains(secret), "\(result.text)")
        }
    }

    @Test("A response that repeats them is printed without them", arguments: [[], ["--json"]])
    func messages(arguments: [String]) async throws {
        let server = FakeRails(RailsRules(hasVersions: true))
        try await server.listen()
        let message = "no: " + (Self.tokens + [Self.key] + Self.encoded).joined(separator: ", ")
        let body = try JSONEncoder().encode(["message": message])
        server.respondNext(.response(ServerResponse(403, body: body)), to: .method(.patch))
        let result = try await run(server.url.absoluteString, arguments: arguments)
        expectNone(in: result)
        #expect(result.output.contains("no: …, …, …, …, …, …"), "\(result.text)")
        await server.stop()
    }

    @Test("A redirect that repeats them is an error without them")
    func redirects() async throws {
        let path = (Self.tokens + [Self.key] + Self.encoded).joined(separator: "-")
        let server = try RawServer { _, connection in
            connection.respond(307, ["Location: http://localhost:1/\(path)"])
        }
        defer { server.stop() }
        let result = try await run(server.address(""))
        #expect(result.status == 2)
        expectNone(in: result)
        #expect(result.errors.contains("http://localhost:1/…-…-…-…-…-…"), "\(result.text)")
    }

    @Test("The beginning of a long one is hidden too, and nothing is hidden for an empty one")
    func beginnings() {
        let secrets = Secrets(["", "abcdefghijklmnopqrstuvwxyz", "%41b"])
        #expect(secrets.hidden(in: "Bearer abcdefghijklmnop…, abcdef") == "Bearer ……, abcdef")
        #expect(secrets.hidden(in: "%41b %2541b %2") == "… … %2")
        #expect(Secrets([]).hidden(in: "é") == "é")
    }
}
