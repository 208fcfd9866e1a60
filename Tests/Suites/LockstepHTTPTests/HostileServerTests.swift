import Foundation
import HTTPTypes
import LockstepSync
import LockstepTesting
import Testing
import TestSupport
import workbench

/// The servers of `make hostile` on a small scale: whatever they do, the request ends with an explanation.
@Suite("Hostile servers")
struct HostileServerTests {
    private func meet(_ hostility: Hostility) async throws -> (ending: String, server: HostileServer) {
        let server = try HostileServer(hostility, .small)
        defer { server.stop() }
        let ending = try await withTemporaryFolder { folder in
            let clock = ManualClock()
            let meeting = Meeting(
                hostility, .small, port: server.port, folder: folder, clock: hostility == .drip ? clock : nil)
            return try await clock.whilePassing {
                try await meeting.run { await server.hasSentEnough.fired() }
            }
        }
        return (ending, server)
    }

    @Test(
        "Endless or too much data ends with an error that says so",
        arguments: [
            (Hostility.body, "malformed: the body has more than 1048576 bytes"),
            (.drip, "timeout: less than 64.0 bytes a second came from the server for 60.0 seconds"),
            (.pages, "malformed: the pages of the collection do not end after 30"),
            (.samePage, "malformed: the pages of the collection do not end"),
            (.redirects, "refused(status: 307): there are too many redirects"),
            (.retryAfter, "unavailable(status: 503), waits 24 h"),
        ])
    func ends(_ hostility: Hostility, _ ending: String) async throws {
        let met = try await meet(hostility)
        #expect(met.ending == ending)
        #expect(met.server.requestCount <= 31)
    }

    // On Linux the thread that receives is busy while it decompresses such a body: these tests have a process of
    // their own, as they would delay the requests of other tests.

    @Test("A body that is endless once decompressed ends with an error that says so")
    func unpacked() async {
        await #expect(processExitsWith: .success) {
            let ending = try await HostileServerTests().meet(.gzip).ending
            #expect(ending == "malformed: the body has more than 1048576 bytes")
        }
    }

    @Test("While a server sends faster than data is decompressed, other requests can be cancelled and block no thread")
    func busy() async {
        await #expect(processExitsWith: .success) { try await HostileServerTests().cancelWhileUnpacking() }
    }

    private func cancelWhileUnpacking() async throws {
        let hostile = try HostileServer(.gzip, .small)
        let silent = try RawServer { _, connection in connection.waitForClose() }
        defer {
            hostile.stop()
            silent.stop()
        }
        let client = URLSessionClient(limits: HTTPLimits(bodyBytes: 1 << 20))
        let unpacked = try await client.send(Web.request(.get, "http://127.0.0.1:\(hostile.port)/"), body: nil)
        let error = await Web.error { _ = try await Web.text(of: unpacked) }
        #expect(error?.code == .malformed)
        let request = try Web.request(.get, silent.address("/"))
        // More than the threads of the pool.
        let requests = (0..<4 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
            Task { try await client.send(request, body: nil) }
        }
        for request in requests {
            request.cancel()
            await #expect(throws: CancellationError.self) { _ = try await request.value }
        }
    }

    @Test("A body with broken chunks is cut off")
    func chunks() async throws {
        #expect(try await meet(.chunks).ending.hasPrefix("network: "))
    }

    @Test("Endless event streams are read as fast as they are merged, and end if they are cancelled")
    func events() async throws {
        #expect(try await meet(.events).ending.contains("cancelled within"))
    }

    @Test(
        "A stream that never completes an event ends with an error that says so",
        arguments: [
            (Hostility.line, "a line of the event stream is longer than 65536 bytes"),
            (.dataLine, "an event of the event stream is longer than 262144 bytes"),
            (.data, "what precedes an event of the event stream is longer than 262144 bytes"),
            (.comments, "what precedes an event of the event stream is longer than 262144 bytes"),
            (.ids, "what precedes an event of the event stream is longer than 262144 bytes"),
        ])
    func neverAnEvent(_ hostility: Hostility, _ reason: String) async throws {
        #expect(try await meet(hostility).ending.hasPrefix("malformed: \(reason)"))
    }

    @Test("Wrong records are counted, but only a few of them are kept")
    func wrong() async throws {
        let ending = try await meet(.wrong).ending
        #expect(ending.hasPrefix("0 inserted, 2"))
    }
}
