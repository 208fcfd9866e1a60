import Foundation
import HTTPTypes
import LockstepSync
import RuntimeTestSupport
import TestSupport
import Testing

/// Requests of tests, and their responses.
enum Web {
    static func request(
        _ method: HTTPRequest.Method = .get, _ address: String, _ fields: [String: String] = [:]
    ) throws -> HTTPRequest {
        var headers = HTTPFields()
        for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
        return HTTPRequest(method, url: try #require(URL(string: address)), headerFields: headers)
    }

    static func text(of response: HTTPClientResponse) async throws -> String {
        String(decoding: try await response.body.collected(upTo: 1 << 24), as: UTF8.self)
    }

    /// The error thrown by reading or sending.
    static func error(_ body: () async throws -> Void) async -> SyncError? {
        do { try await body() } catch { return error as? SyncError }
        return nil
    }
}

@Suite("The HTTP client over real sockets", .unhurried)
struct ClientTests {
    private let client = URLSessionClient()

    @Test("A GET returns the status, the header fields and the body")
    func get() async throws {
        let server = try RawServer { _, connection in
            connection.respond(200, ["ETag: \"7\"", "X-Total: 3"], body: "[1, 2, 3]")
        }
        defer { server.stop() }
        let response = try await client.send(
            Web.request(.get, server.address("/articles?page=2&name=a%20b"), ["Accept": "application/json"]), body: nil)
        #expect(response.head.status == .ok)
        #expect(response.head.headerFields[.eTag] == "\"7\"")
        #expect(try await Web.text(of: response) == "[1, 2, 3]")
        let request = try #require(server.requests.first)
        #expect(request.method == "GET")
        #expect(request.target == "/articles?page=2&name=a%20b")
        #expect(request.fields["accept"] == "application/json")
        #expect(request.body.isEmpty)
    }

    @Test("Each request names the app and this library, or what the client or the request says")
    func userAgent() async throws {
        let server = try RawServer { _, connection in connection.respond(200, body: "{}") }
        defer { server.stop() }
        var named = client
        named.userAgent = "Journal/3.1"
        for (client, fields) in [(client, [:]), (named, [:]), (named, ["User-Agent": "Other/1"])] {
            _ = try await client.send(Web.request(.get, server.address("/articles"), fields), body: nil)
        }
        let sent = server.requests.map { $0.fields["user-agent"] }
        #expect(sent == [URLSessionClient.defaultUserAgent, "Journal/3.1", "Other/1"])
        #expect(URLSessionClient.defaultUserAgent.contains("Lockstep/"))
    }

    @Test(
        "A body is sent with its method, even if it is large or empty",
        arguments: [HTTPRequest.Method.put, .post, .patch, .delete])
    func write(_ method: HTTPRequest.Method) async throws {
        let server = try RawServer { _, connection in connection.respond(201, body: "made") }
        defer { server.stop() }
        for body in [Data("{\"id\": 1}".utf8), Data(repeating: 0x61, count: 3_000_000), Data()] {
            let response = try await client.send(
                Web.request(method, server.address("/articles"), ["Content-Type": "application/json"]), body: body)
            #expect(response.head.status == .created)
            #expect(try await Web.text(of: response) == "made")
            let request = try #require(server.requests.last)
            #expect(request.method == method.rawValue)
            #expect(request.body == body)
        }
    }

    @Test("Any status is a response", arguments: [204, 304, 400, 401, 404, 412, 429, 500, 503])
    func statuses(_ status: Int) async throws {
        let server = try RawServer { _, connection in
            connection.send(
                "HTTP/1.1 \(status) \r\n\(status == 204 || status == 304 ? "" : "Content-Length: 2\r\n")\r\n")
            if status != 204 && status != 304 { connection.send("no") }
        }
        defer { server.stop() }
        let response = try await client.send(
            Web.request(.get, server.address("/"), ["If-None-Match": "\"7\""]), body: nil)
        #expect(response.head.status.code == status)
        #expect(try await Web.text(of: response) == (status == 204 || status == 304 ? "" : "no"))
    }

    @Test(
        "A 401 is a response with a body, whatever its challenge",
        arguments: [
            "Basic realm=\"x\"", "Bearer", "Bearer error=\"invalid_token\"", "Digest realm=\"x\", nonce=\"1\"",
            "Negotiate", "", "Basic", "Bearer realm=\"a, b\", Basic realm=\"c\"",
        ])
    func challenge(_ challenge: String) async throws {
        let server = try RawServer { _, connection in
            connection.respond(401, ["WWW-Authenticate: \(challenge)"], body: "who are you")
        }
        defer { server.stop() }
        let response = try await client.send(
            Web.request(.get, server.address("/"), ["Authorization": "Bearer old"]), body: nil)
        #expect(response.head.status == .unauthorized)
        #expect(try await Web.text(of: response) == "who are you")
        #expect(server.requests.count == 1)
    }
}
