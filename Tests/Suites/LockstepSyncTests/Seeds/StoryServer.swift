import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting
import Testing

/// Runs a story with a server that listens on a socket, and stops it however the story ends.
@MainActor
func withServer<Server: FakeServer>(_ server: Server, _ story: (Server) async throws -> Void) async throws {
    try await server.listen()
    do {
        try await story(server)
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}

extension FakeServer {
    /// The requests since the last call, one line each.
    func newLog() -> [String] {
        defer { clearLog() }
        return log
    }

    /// The changes requested since the last call, with their bodies.
    func newChanges() -> [SentChange] {
        defer { clearLog() }
        return requests.filter { $0.method != .get }.map { request in
            SentChange(request.description, request.body.isEmpty ? nil : try? JSONValue(json: request.body))
        }
    }
}

/// A change as a server received it: its request, and its body.
struct SentChange: Equatable, CustomStringConvertible {
    let request: String
    let body: JSONValue?

    init(_ request: String, _ body: JSONValue? = nil) {
        self.request = request
        self.body = body
    }

    var description: String { "\(request) \(body.map { "\($0)" } ?? "-")" }
}

/// Waits until live results match a condition; if they never do, the suite's time limit ends the test.
@MainActor
func wait<Object: Model, Key: Hashable>(
    for results: LiveResults<Object, Key>, toShow isShown: ([Object]) -> Bool
) async {
    if isShown(results.items) { return }
    for await snapshot in results where isShown(snapshot.items) { return }
}
