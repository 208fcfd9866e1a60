import Foundation
import HTTPTypes
import LockstepSync
import RuntimeTestSupport
import TestSupport
import Testing

@Suite("The HTTP client and redirects", .unhurried)
struct RedirectTests {
    private let client = URLSessionClient()
    private static let secrets = [
        "Authorization": "Bearer secret1", "Cookie": "session=secret2", "X-Api-Key": "secret3",
        "X-My-Thing": "secret4", "Accept": "application/json", "Idempotency-Key": "k1",
    ]

    /// A server whose `/old` redirects to an address.
    private func server(_ status: Int, to location: String) throws -> RawServer {
        try RawServer { request, connection in
            if request.target.hasPrefix("/old") {
                connection.respond(status, ["Location: \(location)"], body: "elsewhere")
            } else {
                connection.respond(200, body: "here")
            }
        }
    }

    @Test(
        "307 and 308 keep the method and the body", arguments: [307, 308],
        [HTTPRequest.Method.get, .put, .post, .patch])
    func keeps(_ status: Int, _ method: HTTPRequest.Method) async throws {
        let server = try server(status, to: "/new?page=2")
        defer { server.stop() }
        let body = method == .get ? nil : Data("hello".utf8)
        let response = try await client.send(Web.request(method, server.address("/old"), Self.secrets), body: body)
        #expect(try await Web.text(of: response) == "here")
        #expect(response.address?.absoluteString == server.address("/new?page=2"))
        let request = try #require(server.requests.last)
        #expect(request.method == method.rawValue)
        #expect(request.target == "/new?page=2")
        #expect(request.body == body ?? Data())
        #expect(request.fields["authorization"] == "Bearer secret1")
    }

    @Test("The scheme of a redirect may be in upper case", arguments: ["HTTP", "Http"])
    func upperCaseScheme(_ scheme: String) async throws {
        let target = try RawServer { _, connection in connection.respond(200, body: "here") }
        defer { target.stop() }
        let server = try server(307, to: target.address("/new").replacing("http:", with: "\(scheme):"))
        defer { server.stop() }
        let response = try await client.send(Web.request(.get, server.address("/old"), Self.secrets), body: nil)
        #expect(try await Web.text(of: response) == "here")
        #expect(response.address?.absoluteString == target.address("/new"))
        #expect(target.requests.last?.fields["authorization"] == nil)
    }

    @Test("303 becomes a GET without a body", arguments: [HTTPRequest.Method.get, .post, .put, .delete])
    func seeOther(_ method: HTTPRequest.Method) async throws {
        let server = try server(303, to: "new")
        defer { server.stop() }
        let body = method == .get ? nil : Data("hello".utf8)
        let response = try await client.send(
            Web.request(method, server.address("/old"), ["Content-Type": "text/plain"]), body: body)
        #expect(try await Web.text(of: response) == "here")
        let request = try #require(server.requests.last)
        #expect(request.method == "GET")
        #expect(request.body.isEmpty)
        if method != .get { #expect(request.fields["content-type"] == nil) }
    }

    @Test("301 and 302 are followed for a GET; for a write, they are returned to the caller", arguments: [301, 302])
    func moved(_ status: Int) async throws {
        let server = try server(status, to: "/new")
        defer { server.stop() }
        let read = try await client.send(Web.request(.get, server.address("/old")), body: nil)
        #expect(try await Web.text(of: read) == "here")
        for method in [HTTPRequest.Method.post, .put, .delete] {
            let count = server.requests.count
            let response = try await client.send(Web.request(method, server.address("/old")), body: Data("x".utf8))
            #expect(response.head.status.code == status)
            #expect(try await Web.text(of: response) == "elsewhere")
            #expect(server.requests.count == count + 1)
        }
    }

    @Test("P9 No secret is sent to another host or port, not even a token in the query")
    func elsewhere() async throws {
        for host in ["localhost", "127.0.0.1"] {
            let other = try RawServer { _, connection in connection.respond(200, body: "other") }
            let server = try server(307, to: other.address("/new?auth=secret5&ns=a&access_token=secret6", host: host))
            defer {
                server.stop()
                other.stop()
            }
            let client = URLSessionClient(redirectOrigins: [other.address("", host: host)])
            let response = try await client.send(
                Web.request(.put, server.address("/old?auth=secret7"), Self.secrets), body: Data("x".utf8))
            #expect(try await Web.text(of: response) == "other")
            let request = try #require(other.requests.first)
            #expect(request.target == "/new?ns=a")
            #expect(request.fields["accept"] == "application/json")
            #expect(request.fields["idempotency-key"] == "k1")
            #expect(!"\(request)".contains("secret"))
        }
    }

    @Test("P9 A body is not repeated to another origin", arguments: [307, 308])
    func bodyElsewhere(_ status: Int) async throws {
        let other = try RawServer { _, connection in connection.respond(200, body: "other") }
        let server = try server(status, to: other.address("/new?token=secret1"))
        defer {
            server.stop()
            other.stop()
        }
        let error = await Web.error {
            _ = try await client.send(Web.request(.put, server.address("/old")), body: Data("mine".utf8))
        }
        #expect(error?.code == .insecureAddress && error?.isTransient == true)
        #expect(error?.reason.contains(other.address("/new?token=…")) == true)
        #expect(other.requests.isEmpty)
        let allowed = URLSessionClient(redirectOrigins: [other.address("/")])
        let sent = try await allowed.send(Web.request(.put, server.address("/old")), body: Data("mine".utf8))
        #expect(try await Web.text(of: sent) == "other")
        #expect(other.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["mine"])
        // A request without a body discloses nothing.
        let response = try await client.send(Web.request(.delete, server.address("/old")), body: nil)
        #expect(try await Web.text(of: response) == "other")
    }

    @Test("A secret that was removed on a redirect is not added again on the way back")
    func thereAndBack() async throws {
        let home = Box()
        let other = try RawServer { _, connection in
            connection.respond(307, ["Location: \(home.value)"])
        }
        let server = try server(307, to: other.address("/away"))
        defer {
            server.stop()
            other.stop()
        }
        home.value = server.address("/home")
        let response = try await client.send(Web.request(.get, server.address("/old"), Self.secrets), body: nil)
        #expect(try await Web.text(of: response) == "here")
        #expect(server.requests.last?.target == "/home")
        #expect(server.requests.last?.fields["authorization"] == nil)
    }

    @Test("A redirect loop is an error, and so are too many redirects")
    func circles() async throws {
        let circle = try RawServer { request, connection in
            connection.respond(307, ["Location: \(request.target == "/a" ? "/b" : "/a")"])
        }
        let endless = try RawServer { request, connection in
            connection.respond(307, ["Location: /\((Int(request.target.dropFirst()) ?? 0) + 1)"])
        }
        defer {
            circle.stop()
            endless.stop()
        }
        let error = await Web.error { _ = try await client.send(Web.request(.get, circle.address("/a")), body: nil) }
        #expect(error?.code == .refused(status: 307))
        #expect(error?.reason == "the server redirects in a loop")
        #expect(circle.requests.map(\.target) == ["/a", "/b"])
        let other = await Web.error { _ = try await client.send(Web.request(.get, endless.address("/1")), body: nil) }
        #expect(other?.reason == "there are too many redirects")
        #expect(endless.requests.count == URLSessionClient.maximumRedirects + 1)
    }

    @Test(
        "A redirect to an unsafe address is rejected before anything is sent there",
        arguments: [
            "http://example.com/", "ftp://127.0.0.1/a", "file:///etc/passwd", "http://user:pass@127.0.0.1/",
            "http://127.0.0.1.example.com/", "//example.com/a",
        ])
    func unsafeTargets(_ location: String) async throws {
        let server = try server(302, to: location)
        defer { server.stop() }
        let error = await Web.error { _ = try await client.send(Web.request(.get, server.address("/old")), body: nil) }
        #expect(error?.code == .insecureAddress && error?.isTransient == true)
        #expect(error.map { !"\($0)".contains("pass@") } == true)
    }

    @Test(
        "Unusual redirects are responses or errors, never a crash",
        arguments: [
            "", "?x=1", "#a", "///", "//", "http://", "http:///a", ":", "%", "a b", "/%zz", "mailto:a@b", "/ü",
        ],
        [300, 301, 302, 303, 304, 305, 306, 307, 308])
    func odd(_ location: String, _ status: Int) async throws {
        let server = try server(status, to: location)
        defer { server.stop() }
        do {
            let response = try await client.send(Web.request(.get, server.address("/old")), body: nil)
            #expect([200, status].contains(response.head.status.code))
        } catch let error as SyncError {
            #expect(error.code != .timeout)
        }
    }

    @Test("Without a Location, it is a response", arguments: [300, 301, 302, 303, 305, 306, 307, 308])
    func noLocation(_ status: Int) async throws {
        let server = try RawServer { _, connection in connection.respond(status, body: "where?") }
        defer { server.stop() }
        let response = try await client.send(Web.request(.get, server.address("/")), body: nil)
        #expect(response.head.status.code == status)
    }

    /// A value that is set before it is read.
    private final class Box: @unchecked Sendable {
        // Unchecked, because the server reads it only after the request that is sent when it is set.
        var value = ""
    }
}
