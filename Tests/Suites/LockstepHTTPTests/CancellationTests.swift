import Foundation
import HTTPTypes
import LockstepStore
import LockstepSystem
import LockstepTesting
import TestSupport
import Testing

@testable import LockstepHTTP

@Suite("Cancellation and timeouts of the HTTP client")
struct CancellationTests {
    private let client = URLSessionClient(timeouts: .unlimited)

    @Test("Cancelling while waiting for the header ends the connection")
    func cancelledBeforeTheHead() async throws {
        let isAsked = TestSignal()
        let isClosed = TestSignal()
        let server = try RawServer { _, connection in
            isAsked.fire()
            connection.waitForClose()
            isClosed.fire()
        }
        defer { server.stop() }
        let request = try Web.request(.get, server.address("/"))
        let sending = Task { try await client.send(request, body: nil) }
        await isAsked.fired()
        sending.cancel()
        await #expect(throws: CancellationError.self) { try await sending.value }
        await isClosed.fired()
    }

    @Test("Cancelling the reader ends the connection, and the body does not count as complete")
    func cancelledReader() async throws {
        let isClosed = TestSignal()
        let server = try RawServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.chunk("one")
            connection.waitForClose()
            isClosed.fire()
        }
        defer { server.stop() }
        let hasPiece = TestSignal()
        let request = try Web.request(.get, server.address("/"))
        let reading = Task {
            for try await _ in try await client.send(request, body: nil).body { hasPiece.fire() }
        }
        await hasPiece.fired()
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        await isClosed.fired()
    }

    @Test("Releasing a response ends the connection")
    func letGo() async throws {
        let isClosed = TestSignal()
        let server = try RawServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            connection.waitForClose()
            isClosed.fire()
        }
        defer { server.stop() }
        let status = try await client.send(Web.request(.get, server.address("/")), body: nil).head.status
        #expect(status == .ok)
        await isClosed.fired()
    }

    @Test("A cancelled task sends nothing")
    func cancelledBefore() async throws {
        let server = try RawServer { _, connection in connection.respond(200) }
        defer { server.stop() }
        let request = try Web.request(.get, server.address("/"))
        let mayGoOn = TestSignal()
        let sending = Task {
            await mayGoOn.fired()
            _ = try await client.send(request, body: nil)
        }
        sending.cancel()
        mayGoOn.fire()
        await #expect(throws: CancellationError.self) { try await sending.value }
        #expect(server.requests.isEmpty)
    }

    @Test("A server that accepts the request and does not respond times out")
    func noHead() async throws {
        let isAsked = TestSignal()
        let isClosed = TestSignal()
        let server = try RawServer { _, connection in
            isAsked.fire()
            connection.waitForClose()
            isClosed.fire()
        }
        defer { server.stop() }
        let clock = ManualClock()
        let client = URLSessionClient(clock: clock)
        let request = try Web.request(.get, server.address("/?auth=secret1"))
        let sending = Task { try await client.send(request, timeouts: HTTPTimeouts(responseSeconds: 0.2)) }
        await isAsked.fired()
        clock.advance(by: 0.2)
        let error = await Web.error { _ = try await sending.value }
        #expect(error?.code == .timeout)
        #expect(error?.reason == "nothing came from the server for 0.2 seconds")
        #expect(error?.request == "GET \(server.address("/?auth=…"))")
        await isClosed.fired()
    }

    @Test("A stalled body times out after its last piece, which is delivered")
    func stall() async throws {
        let isClosed = TestSignal()
        let server = try RawServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhello")
            connection.waitForClose()
            isClosed.fire()
        }
        defer { server.stop() }
        let clock = ManualClock()
        let client = URLSessionClient(timeouts: HTTPTimeouts(idleSeconds: 0.2), clock: clock)
        let response = try await client.send(Web.request(.get, server.address("/")), body: nil)
        let text = Locked("")
        let hasAll = TestSignal()
        let reading = Task {
            for try await piece in response.body {
                text.withLock { $0 += String(decoding: piece, as: UTF8.self) }
                if text.withLock({ $0 }) == "hello" { hasAll.fire() }
            }
        }
        await hasAll.fired()
        let error = await Web.error { try await clock.whilePassing { try await reading.value } }
        #expect(error?.code == .timeout)
        await isClosed.fired()
    }

    @Test("Many requests, cancelled at any time, leave no resources behind")
    func storm() async throws {
        let server = try RawServer { request, connection in
            switch request.target {
            case "/redirect": connection.respond(307, ["Location: /whole"], body: "elsewhere")
            case "/whole": connection.respond(200, body: String(repeating: "x", count: 10_000))
            case "/401": connection.respond(401, ["WWW-Authenticate: Basic realm=\"x\""], body: "no")
            case "/broken":
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
                connection.reset()
            default: connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n")
            }
        }
        defer { server.stop() }
        var random = SeededRandom(seed: 5)
        let paths = ["/redirect", "/whole", "/401", "/broken", "/endless"]
        for _ in 0..<40 {
            let round = (0..<8).map { _ in (paths.randomElement(using: &random)!, Int.random(in: 0...3, using: &random))
            }
            await withTaskGroup(of: Void.self) { group in
                for (path, yields) in round {
                    group.addTask {
                        let task = Task {
                            let response = try await client.send(Web.request(.get, server.address(path)), body: nil)
                            _ = try await response.body.collected(upTo: 1 << 20)
                        }
                        // Before, during or after the request, depending on the scheduling.
                        for _ in 0..<yields * 20 { await Task.yield() }
                        if yields < 3 || path == "/endless" { task.cancel() }
                        _ = await task.result
                    }
                }
            }
        }
        let isStillThere = try await client.send(Web.request(.get, server.address("/whole")), body: nil)
        #expect(try await Web.text(of: isStillThere).count == 10_000)
    }
}
