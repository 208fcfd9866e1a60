import Foundation
import HTTPTypes
import LockstepSync
import RuntimeTestSupport
import TestSupport
import Testing

@Suite("The HTTP client and broken connections", .unhurried)
struct BrokenConnectionTests {
    private let client = URLSessionClient()

    @Test(
        "A body that is cut off throws an error, whatever the cause",
        arguments: [
            "Content-Length: 10\r\n\r\nhello", "Content-Length: 10\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "Transfer-Encoding: chunked\r\n\r\n5\r\nhel",
            "Transfer-Encoding: chunked\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n",
        ], [false, true])
    func truncated(_ response: String, resets: Bool) async throws {
        let server = try RawServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\n" + response)
            if resets { connection.reset() } else { connection.close() }
        }
        defer { server.stop() }
        let error = await Web.error {
            _ = try await Web.text(of: client.send(Web.request(.get, server.address("/")), body: nil))
        }
        #expect(error?.code == .network)
        #expect(error?.request == "GET \(server.address("/"))")
        #expect(error?.isTransient == true)
    }

    @Test("The pieces before the interruption are delivered in order")
    func piecesBeforeTheBreak() async throws {
        let goesOn = TestSignal()
        let server = try RawServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.chunk("one")
            goesOn.wait()
            connection.close()
        }
        defer { server.stop() }
        let response = try await client.send(Web.request(.get, server.address("/")), body: nil)
        var pieces: [String] = []
        let error = await Web.error {
            for try await piece in response.body {
                pieces.append(String(decoding: piece, as: UTF8.self))
                goesOn.fire()
            }
        }
        #expect(pieces == ["one"])
        #expect(error?.code == .network)
    }

    @Test("P13 Interim responses are not the response to a write", arguments: [1, 3])
    func interim(_ count: Int) async throws {
        let interim = ["103 Early Hints\r\nLink: <x>", "100 Continue", "102 Processing\r\nContent-Length: 7"]
        let server = try RawServer { _, connection in
            for head in interim.prefix(count) { connection.send("HTTP/1.1 \(head)\r\n\r\n") }
            connection.respond(201, body: "made")
        }
        defer { server.stop() }
        let response = try await client.send(Web.request(.post, server.address("/")), body: Data("x".utf8))
        #expect(response.head.status == .created)
        #expect(try await Web.text(of: response) == "made")
    }

    @Test("Without a response, an error is thrown instead of an empty response", arguments: Self.noResponses)
    func noResponse(_ text: String) async throws {
        let server = try RawServer { _, connection in
            connection.send(text)
            connection.close()
        }
        defer { server.stop() }
        let error = await Web.error {
            _ = try await Web.text(of: client.send(Web.request(.get, server.address("/")), body: nil))
        }
        #expect(error?.code == .network, "\(String(describing: error))")
    }

    private static var noResponses: [String] {
        var texts = ["", "HTTP/1.1 200", "hello\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n"]
        texts += ["103 Early Hints", "100 Continue", "101 Switching Protocols"].map { "HTTP/1.1 \($0)\r\n\r\n" }
        #if !canImport(FoundationNetworking)
            // On Linux the session stops the process here: swift-corelibs-foundation issue 5285, fixed after Swift
            // 6.3.
            texts.append("HTTP/1.1 200 OK\r\nContent-Le")
        #endif
        return texts
    }

    @Test("An unreachable server is a network error")
    func nobody() async throws {
        let server = try RawServer { _, _ in }
        server.stop()
        let error = await Web.error {
            _ = try await client.send(Web.request(.get, server.address("/")), body: nil)
        }
        #expect(error?.code == .network)
        #expect(error?.reason == "the server does not accept connections")
    }

    @Test("An unknown host name is a network error that does not show the token")
    func noSuchHost() async throws {
        let error = await Web.error {
            _ = try await client.send(Web.request(.get, "https://lockstep.invalid/a?auth=secret1"), body: nil)
        }
        #expect(error?.code == .network)
        #expect("\(String(describing: error))".contains("secret1") == false)
        #expect("\(String(describing: error?.underlyingError))".contains("secret1") == false)
    }

    @Test("A connection closed by the server between two requests is opened again")
    func closedBetween() async throws {
        let server = try RawServer { _, connection in
            connection.respond(200, body: "\(connection.number)")
            connection.close()
        }
        defer { server.stop() }
        for number in 1...5 {
            let response = try await client.send(Web.request(.put, server.address("/")), body: Data("x".utf8))
            #expect(try await Web.text(of: response) == "\(number)")
        }
    }

    @Test("A body can be read while the server is still sending")
    func streams() async throws {
        let steps = (0..<5).map { _ in TestSignal() }
        let server = try RawServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for (index, step) in steps.enumerated() {
                step.wait()
                connection.chunk("piece \(index)")
            }
            connection.chunk("")
        }
        defer { server.stop() }
        let response = try await client.send(Web.request(.get, server.address("/")), body: nil)
        var pieces: [String] = []
        steps[0].fire()
        for try await piece in response.body {
            pieces.append(String(decoding: piece, as: UTF8.self))
            if pieces.count < steps.count { steps[pieces.count].fire() }
        }
        #expect(pieces == (0..<5).map { "piece \($0)" })
    }

    @Test("A large body is complete even if it is read late")
    func large() async throws {
        let size = 8 << 20
        let server = try RawServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            for index in 0..<(size >> 16) {
                connection.send(Data(repeating: UInt8(truncatingIfNeeded: index), count: 1 << 16))
            }
        }
        defer { server.stop() }
        let response = try await client.send(Web.request(.get, server.address("/")), body: nil)
        let data = try await response.body.collected(upTo: size)
        #expect(data.count == size)
        #expect((0..<(size >> 16)).allSatisfy { data[$0 << 16] == UInt8(truncatingIfNeeded: $0) })
    }
}
