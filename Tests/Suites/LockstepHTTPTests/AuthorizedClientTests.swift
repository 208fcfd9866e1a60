import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import LockstepHTTP

@Suite("Authorized requests")
struct AuthorizedClientTests {
    /// A server that accepts one token, and the provider of the tokens.
    private actor Account {
        private(set) var calls: [Bool] = []
        private var token = "token0"
        private let refreshes: Bool
        private let gate: TestSignal?

        init(refreshes: Bool = true, gate: TestSignal? = nil) {
            self.refreshes = refreshes
            self.gate = gate
        }

        func give(_ isRefresh: Bool) async -> String? {
            calls.append(isRefresh)
            guard isRefresh else { return token }
            await gate?.fired()
            if refreshes { token = "token1" }
            return token
        }
    }

    private struct Server: HTTPClient {
        let valid: String
        let log = Log()

        func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
            let given = request.headerFields[.authorization]
            await log.add(request)
            return HTTPClientResponse(HTTPResponse(status: given == "Bearer \(valid)" ? .ok : .unauthorized))
        }
    }

    private actor Log {
        private(set) var requests: [HTTPRequest] = []
        func add(_ request: HTTPRequest) { requests.append(request) }
        var tokens: [String?] { requests.map { $0.headerFields[.authorization] } }
    }

    private func request() throws -> HTTPRequest { try Web.request(.get, "https://example.com/a?auth=secret9") }

    @Test("P9 A valid token is requested and sent without a refresh")
    func good() async throws {
        let account = Account()
        let server = Server(valid: "token0")
        let client = AuthorizedClient(server) { await account.give($0) }
        #expect(try await client.send(request(), body: nil).head.status == .ok)
        #expect(await account.calls == [false])
        #expect(await server.log.tokens == ["Bearer token0"])
    }

    @Test("P9 A rejected token is refreshed once, and the request is repeated once")
    func refreshed() async throws {
        let account = Account()
        let server = Server(valid: "token1")
        let client = AuthorizedClient(server) { await account.give($0) }
        #expect(try await client.send(request(), body: Data("x".utf8)).head.status == .ok)
        #expect(await account.calls == [false, true])
        #expect(await server.log.tokens == ["Bearer token0", "Bearer token1"])
    }

    @Test("P9 If the new token is rejected too, an error is thrown that shows neither token")
    func refused() async throws {
        let account = Account()
        let server = Server(valid: "other")
        let client = AuthorizedClient(server) { await account.give($0) }
        let error = await Web.error { _ = try await client.send(request(), body: nil) }
        #expect(error?.code == .unauthorized)
        #expect(error?.request == "GET https://example.com/a?auth=…")
        #expect(await account.calls == [false, true])
        #expect(await server.log.tokens.count == 2)
        var dumped = ""
        dump(error, to: &dumped)
        for text in ["\(String(describing: error))", error?.localizedDescription ?? "", dumped] {
            #expect(!text.contains("token0") && !text.contains("token1") && !text.contains("secret9"))
        }
    }

    @Test("P9 Requests rejected at the same time share one refresh")
    func shared() async throws {
        let gate = TestSignal()
        let account = Account(gate: gate)
        let server = Server(valid: "token1")
        let client = AuthorizedClient(server) { await account.give($0) }
        let request = try request()
        try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for _ in 0..<20 { group.addTask { try await client.send(request, body: nil).head.status } }
            #expect(try await soon { await !server.log.tokens.isEmpty }, "waited for the first request")
            gate.fire()
            for try await status in group { #expect(status == .ok) }
        }
        #expect(await account.calls.filter { $0 }.count == 1)
    }

    @Test("P9 An error of the token provider is reported, and the next request asks it again")
    func failing() async throws {
        struct SignedOut: Error {}
        let server = Server(valid: "token1")
        let client = AuthorizedClient(server) { isRefresh in
            if isRefresh { throw SignedOut() }
            return "token0"
        }
        for _ in 0..<2 {
            let error = await Web.error { _ = try await client.send(request(), body: nil) }
            #expect(error?.code == .network && error?.underlyingError is SignedOut)
        }
        #expect(await server.log.tokens.count == 2)
    }

    @Test("Cancelling one request that waits for a refresh does not cancel the refresh for the others")
    func cancelled() async throws {
        let gate = TestSignal()
        let account = Account(gate: gate)
        let server = Server(valid: "token1")
        let client = AuthorizedClient(server) { await account.give($0) }
        let request = try request()
        let first = Task { try await client.send(request, body: nil) }
        #expect(try await soon { await account.calls.last == true }, "waited for the refresh to be requested")
        let second = Task { try await client.send(request, body: nil).head.status }
        first.cancel()
        gate.fire()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(try await second.value == .ok)
    }

    @Test("Header fields are added unless the request has them; without a token, none is sent")
    func fields() async throws {
        let server = Server(valid: "token0")
        var headers = HTTPFields()
        headers[.userAgent] = "Journal/3"
        headers[.accept] = "text/plain"
        let client = AuthorizedClient(server, headers: headers)
        var request = try request()
        request.headerFields[.accept] = "application/json"
        let error = await Web.error { _ = try await client.send(request, body: nil) }
        #expect(error?.code == .unauthorized)
        let sent = try #require(await server.log.requests.first)
        #expect(sent.headerFields[.userAgent] == "Journal/3")
        #expect(sent.headerFields[values: .accept] == ["application/json"])
        #expect(await server.log.tokens == [nil])
    }

    @Test(
        "P9 An address does not show secrets",
        arguments: [
            ("https://a.b/c?auth=x&page=2", "https://a.b/c?auth=…&page=2"),
            (
                "https://a.b/c?ACCESS_TOKEN=x&accessToken=y&id-token=z",
                "https://a.b/c?ACCESS_TOKEN=…&accessToken=…&id-token=…"
            ),
            ("https://u:p@a.b/c#token=x", "https://…@a.b/c"), ("https://u:p@x@a.b?key=1", "https://…@a.b?key=…"),
            ("https://a.b/c?%61uth=x", "https://a.b/c?%61uth=…"),
            ("https://a.b/c?author=3&keyword=4", "https://a.b/c?author=3&keyword=4"),
            ("https://a.b/c?X-Amz-Signature=x&api_key=y", "https://a.b/c?X-Amz-Signature=…&api_key=…"),
            ("https://a.b/x@y?q=a@b", "https://a.b/x@y?q=a@b"), ("auth", "auth"), ("", ""), ("?token=1", "?token=…"),
        ])
    func redaction(_ address: String, _ shown: String) {
        #expect(Redaction.text(of: address) == shown)
    }
}
