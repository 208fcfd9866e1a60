import Foundation
import HTTPTypes
import LockstepSync
import RuntimeTestSupport
import TestSupport
import Testing

// The Swift of HTTP.md, compiled and run.

@Suite("The Swift in HTTP.md", .unhurried)
struct HTTPSnippets {
    private actor Account {
        private(set) var token = "old"
        func refreshedToken() throws -> String {
            token = "fresh"
            return token
        }
    }

    private static func server() throws -> RawServer {
        try RawServer { request, connection in
            switch request.target {
            case "/events": connection.respond(200, body: "event: put\ndata: {}\n\n")
            case "/private" where request.fields["authorization"] != "Bearer fresh": connection.respond(401)
            default: connection.respond(200, body: "[]")
            }
        }
    }

    @Test("A request and its response")
    func requests() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let (scheme, authority) = ("http", "127.0.0.1:\(server.port)")
        var received = Data()
        // snippet
        var request = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/articles?page=2")
        request.headerFields[.accept] = "application/json"

        let response = try await URLSessionClient().send(request, body: nil)
        for try await piece in response.body { received.append(piece) }
        // end
        #expect(received == Data("[]".utf8))
        try await timeouts(request)
    }

    private func timeouts(_ request: HTTPRequest) async throws {
        // snippet
        let patient = URLSessionClient(timeouts: HTTPTimeouts(responseSeconds: 120, idleSeconds: 30))
        let response = try await patient.send(request, timeouts: HTTPTimeouts(responseSeconds: 10))  // for this request
        // end
        #expect(response.head.status == .ok)
        // snippet
        let local = URLSessionClient(allowsInsecureHosts: true)
        // end
        #expect(local.allowsInsecureHosts)
        // snippet
        let wary = URLSessionClient(limits: HTTPLimits(bodyBytes: 64 << 20, leastBytesPerSecond: 1_000))
        // end
        #expect(wary.limits.speedWindowSeconds == HTTPLimits.defaultSpeedWindowSeconds)
        // snippet
        let uploads = URLSessionClient(redirectOrigins: ["https://uploads.example.com"])
        // end
        #expect(uploads.redirectOrigins.count == 1)
    }

    @Test("Tokens, and events")
    func tokens() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let account = Account()
        // snippet
        let client = AuthorizedClient(URLSessionClient(), headers: [.userAgent: "Journal/3"]) { isRefresh in
            isRefresh ? try await account.refreshedToken() : await account.token
        }
        // end
        let status = try await client.send(Web.request(.get, server.address("/private")), body: nil).head.status
        #expect(status == .ok)
        #expect(server.requests.map { $0.fields["user-agent"] } == ["Journal/3", "Journal/3"])
        let response = try await client.send(Web.request(.get, server.address("/events")), body: nil)
        // snippet
        for try await event in response.body.events() { print(event.name, event.data) }
        // end
    }
}
