import Foundation
import HTTPTypes
import LockstepTesting
import TestSupport
import Testing

@testable import LockstepHTTP

/// A server that sends faster than the body is read: it waits, or its data is buffered on disk; memory does not grow.
@Suite("The HTTP client with slow readers")
struct BackPressureTests {
    /// Sends pieces of a body until the other side accepts no more.
    private final class Flood: Sendable {
        static let piece = Data(repeating: 0x20, count: 1 << 16)
        let isOver = TestSignal()

        /// - Parameter isWhole: Whether that is the whole body; if not, the body has no end, and only the bytes do.
        func run(_ connection: RawConnection, upTo limit: Int = 16 << 20, isWhole: Bool = false) {
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            var sentBytes = 0
            while sentBytes < limit, connection.isTaking(Self.piece) { sentBytes += Self.piece.count }
            if !isWhole { connection.waitForClose() }
            connection.close()
            isOver.fire()
        }
    }

    @Test("A body that is read late is complete and in order, and other requests are served meanwhile")
    func waits() async throws {
        let flood = Flood()
        let size = 24 << 20
        let server = try RawServer { request, connection in
            if request.target == "/flood" { return flood.run(connection, upTo: size, isWhole: true) }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            for _ in 0..<(size / Flood.piece.count) { connection.send(Flood.piece) }
        }
        defer { server.stop() }
        let client = URLSessionClient()
        let slow = try await client.send(Web.request(.get, server.address("/flood")), body: nil)
        var pieces = slow.body.makeAsyncIterator()
        var count = try #require(try await pieces.next()).count
        // During this time, the other body is not read.
        var others = 0
        for try await piece in try await client.send(Web.request(.get, server.address("/other")), body: nil).body {
            others += piece.count
        }
        #expect(others == size)
        while let piece = try await pieces.next() { count += piece.count }
        #expect(count == size)
    }

    @Test("Unread data is kept in memory up to a limit, and is read unchanged")
    func unread() throws {
        var (unread, expected, taken) = (UnreadBytes(), Data(), Data())
        var random = SeededRandom(seed: 3)
        for round in 0..<400 {
            let byteCount = Int.random(in: 0...60_000, using: &random)
            let data = Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 ^ round) })
            try unread.append(data)
            expected.append(data)
            #expect(unread.memoryCount <= UnreadBytes.memoryLimit)
            // Reads now and then, a part of it or all.
            guard round % 37 == 0 else { continue }
            for _ in 0...(round % 5) { taken.append(try unread.take() ?? Data()) }
            #expect(taken.count + unread.count == expected.count)
        }
        while let piece = try unread.take() { taken.append(piece) }
        #expect(taken == expected)
        #expect(unread.isEmpty)
    }

    @Test("Data that was read takes no disk space, however long the rest is left unread")
    func boundedFile() throws {
        var (unread, written, taken) = (UnreadBytes(), 0, 0)
        let piece = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0) })
        for _ in 0..<4 { try unread.append(piece) }
        written = 4 * piece.count
        for round in 0..<96 {
            var next = piece
            next[0] = UInt8(round)
            try unread.append(next)
            written += next.count
            taken += try #require(try unread.take()).count
            #expect(unread.count == written - taken && unread.count >= 4 << 20)
            #expect(unread.fileByteCount <= UnreadBytes.rewindLimit + 3 * unread.count)
        }
        var rounds: [UInt8] = []
        while let next = try unread.take() {
            rounds.append(next[0])
            taken += next.count
        }
        #expect(taken == written && unread.isEmpty)
        #expect(rounds.suffix(3) == [93, 94, 95])
    }

    #if canImport(FoundationNetworking)
        @Test("A stream that is faster than its reader ends if the server cannot be made to wait")
        func tooFast() async throws {
            let flood = Flood()
            let server = try RawServer { _, connection in flood.run(connection) }
            defer { server.stop() }
            let client = URLSessionClient(limits: HTTPLimits(unreadBytes: 8 << 20))
            let fields = ["Accept": "text/event-stream"]
            let stream = try await client.send(Web.request(.get, server.address("/"), fields), body: nil)
            await flood.isOver.fired()
            var count = 0
            let error = await Web.error { for try await piece in stream.body { count += piece.count } }
            #expect(error?.code == .network)
            #expect(error?.reason == "the server sends faster than the body is read: 8388608 bytes are unread")
            #expect(count <= 8 << 20)
        }
    #endif

    @Test("Releasing the response of a waiting server ends its connection")
    func letGo() async throws {
        let flood = Flood()
        let server = try RawServer { request, connection in
            if request.target == "/flood" { flood.run(connection) } else { connection.respond(200, body: "here") }
        }
        defer { server.stop() }
        let client = URLSessionClient()
        for try await _ in try await client.send(Web.request(.get, server.address("/flood")), body: nil).body { break }
        await flood.isOver.fired()
        #expect(try await Web.text(of: client.send(Web.request(.get, server.address("/")), body: nil)) == "here")
    }

    @Test("A body larger than the limit ends with its connection")
    func limit() async throws {
        let flood = Flood()
        let server = try RawServer { _, connection in flood.run(connection) }
        defer { server.stop() }
        let client = URLSessionClient(limits: HTTPLimits(bodyBytes: 1 << 20))
        var count = 0
        let error = await Web.error {
            let response = try await client.send(Web.request(.get, server.address("/?token=secret1")), body: nil)
            for try await piece in response.body { count += piece.count }
        }
        #expect(error?.code == .malformed)
        #expect(error?.reason == "the body has more than 1048576 bytes")
        #expect(error?.request == "GET \(server.address("/?token=…"))")
        #expect(count <= 1 << 20)
        await flood.isOver.fired()
        // A stream of events may continue: its reader decides.
        let fields = ["Accept": "text/event-stream"]
        let stream = try await client.send(Web.request(.get, server.address("/"), fields), body: nil)
        var streamed = 0
        for try await piece in stream.body {
            streamed += piece.count
            if streamed > 4 << 20 { break }
        }
        #expect(streamed > 4 << 20)
    }

    @Test("A slow body is ended by the given clock, and continues while that clock stands still")
    func drip() async throws {
        let clock = ManualClock()
        let goesOn = TestSignal()
        let server = try RawServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[")
            goesOn.wait()
            connection.close()
        }
        defer {
            goesOn.fire()
            server.stop()
        }
        let client = URLSessionClient(
            timeouts: HTTPTimeouts(responseSeconds: nil, idleSeconds: nil),
            limits: HTTPLimits(leastBytesPerSecond: 100, speedWindowSeconds: 10), clock: clock)
        let hasPiece = TestSignal()
        let reading = Task {
            await Web.error {
                for try await _ in try await client.send(Web.request(.get, server.address("/")), body: nil).body {
                    hasPiece.fire()
                }
            }
        }
        await hasPiece.fired()
        let error = await clock.whilePassing { await reading.value }
        #expect(error?.code == .timeout)
        #expect(error?.reason == "less than 100.0 bytes a second came from the server for 10.0 seconds")
    }

    @Test("Endless white space is not buffered to find what follows it")
    func blanks() async throws {
        let body = HTTPBody(AsyncThrowingStream { Data(repeating: 0x20, count: 1 << 14) })
        let (first, whole) = try await body.startingBytes()
        #expect(first.count <= 1 << 17)
        var pieces = whole.makeAsyncIterator()
        #expect(try await pieces.next() == first)
    }
}
