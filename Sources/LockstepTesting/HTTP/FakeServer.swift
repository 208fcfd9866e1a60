public import Foundation
public import LockstepStore
public import LockstepSync
import LockstepSystem

/// A scripted server, in process or over a local socket: ``FakeFirebase`` and ``FakeRails``.
///
/// The same code is used for both, so a test can run both ways:
///
/// ```swift
/// @Test(arguments: [false, true]) func story(overSocket: Bool) async throws {
///     let server = FakeRails()
///     if overSocket { try await server.listen() }
///     // … server.url and server.client, or a client of its own …
///     await server.stop()
/// }
/// ```
public protocol FakeServer: Sendable {
    /// The implementation of the server. Do not use it.
    var connections: FakeConnections { get }

    /// The records of a collection, in order.
    func records(of path: String) -> [JSONValue]

    /// A record of a collection, by the last part of its address.
    func record(_ id: String, of path: String) -> JSONValue?
}

/// The implementation of a fake server, and where it listens.
public final class FakeConnections: Sendable {
    let core: ServerCore
    let sockets: SocketServer
    let address = Locked<URL?>(nil)

    init(_ core: ServerCore) {
        self.core = core
        sockets = SocketServer(core: core)
    }
}

extension FakeServer {
    var core: ServerCore { connections.core }

    /// The address of the server: `http://127.0.0.1:49152`, or `http://localhost` if it has no socket.
    public var url: URL {
        connections.address.withLock { $0 } ?? URL(string: "http://localhost") ?? URL(fileURLWithPath: "/")
    }

    /// A client that sends requests to the server without a connection.
    public var client: any HTTPClient { InProcessClient(core: core) }

    /// Listens on a port of 127.0.0.1: on the given one, on the previous one, or on a free one.
    func openSocket(port: UInt16? = nil) async throws {
        try await connections.sockets.start(port: port)
        let port = await connections.sockets.port
        connections.address.withLock { $0 = URL(string: "http://127.0.0.1:\(port)") }
        core.state.withLock { $0.isRunning = true }
    }

    /// Breaks every connection, and stops responding. The server's records stay.
    public func stop() async {
        core.state.withLock { $0.isRunning = false }
        core.endStreams(throwing: SyncError.lostConnection(reading: "the next event"))
        await connections.sockets.stop()
    }

    /// Breaks every connection, and responds again at the same address, with the same records.
    ///
    /// - Throws: The system's error if the port is no longer available.
    public func restart() async throws {
        let hasSocket = connections.address.withLock { $0 != nil }
        await stop()
        if hasSocket { try await openSocket() }
        core.state.withLock { $0.isRunning = true }
    }

    /// Every request that arrived, in order.
    public var requests: [ServerRequest] { core.state.withLock { $0.requests } }

    /// Every request that arrived, as one line each: `POST /tasks`.
    public var log: [String] { requests.map(\.description) }

    /// All changes that took effect, in order.
    public var changes: [ServerChange] { core.state.withLock { $0.server.changes } }

    /// The number of open streams of events.
    package var streamCount: Int { core.state.withLock { $0.streams.count } }

    /// Clears the log of requests and changes. Records and idempotency keys stay.
    public func clearLog() {
        core.state.withLock { state in
            state.firstRequest += state.requests.count
            state.requests = []
            state.server.changes = []
        }
    }

    /// Scripts the response to the next matching request.
    ///
    /// - Parameters:
    ///   - response: The response, or the failure.
    ///   - filter: The requests that match.
    ///   - times: The number of requests that get this response.
    public func respondNext(_ response: ScriptedServerResponse, to filter: ServerRequestFilter = .all, times: Int = 1) {
        core.state.withLock { state in
            for _ in 0..<times { state.scripts.append((filter, response)) }
        }
    }

    @available(*, deprecated, renamed: "respondNext(_:to:times:)")
    public func answerNext(_ response: ScriptedServerResponse, to filter: ServerRequestFilter = .all, times: Int = 1) {
        respondNext(response, to: filter, times: times)
    }

    /// Removes the scripts that have not been used.
    public func clearScripts() { core.state.withLock { $0.scripts = [] } }

    /// Requires credentials from now on, and accepts these tokens until they expire.
    package func require(tokens: [String: Date]) { core.state.withLock { $0.server.tokens = tokens } }

    /// Requires credentials from now on, and accepts this token without expiry.
    public func require(token: String) { require(tokens: [token: .distantFuture]) }

    /// Responds with 426 from now on to requests of apps whose schema has an earlier version, or that name none
    /// (`SchemaHeader`).
    ///
    /// - Parameters:
    ///   - version: The lowest version that is accepted; `nil` to accept all requests again.
    ///   - message: What the response says to the user.
    public func require(schemaVersion version: Int?, message: String = "Please update the app.") {
        core.state.withLock { $0.schemaRule = version.map { SchemaRule(version: $0, message: message) } }
    }
}
