public import Foundation
public import LockstepStore
import LockstepSync

/// A server that tests decide about, in process or over a socket of this machine: ``FakeFirebase`` and ``FakeRails``.
///
/// Both ways run the same code, so a scenario can be told once and run both ways:
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
    /// What is behind the server; not for use by others.
    var connections: FakeConnections { get }

    /// A collection's records in order.
    func records(of path: String) -> [JSONValue]

    /// A record of a collection, by the last part of its address.
    func record(_ id: String, of path: String) -> JSONValue?
}

/// What a fake server answers with, and where it listens.
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

    /// Where the server is: `http://127.0.0.1:49152`, or `http://localhost` where it has no socket.
    public var url: URL {
        connections.address.withLock { $0 } ?? URL(string: "http://localhost") ?? URL(fileURLWithPath: "/")
    }

    /// Sends requests to the server without a connection.
    public var client: InProcessClient { InProcessClient(core: core) }

    /// Listens on a port of 127.0.0.1; without one on that of the last time, and at first on a free one.
    func openSocket(port: UInt16? = nil) async throws {
        try await connections.sockets.start(port: port)
        let port = await connections.sockets.port
        connections.address.withLock { $0 = URL(string: "http://127.0.0.1:\(port)") }
        core.state.withLock { $0.isRunning = true }
    }

    /// Breaks every connection and answers no more. What the server has stays.
    public func stop() async {
        core.state.withLock { $0.isRunning = false }
        core.endStreams(throwing: SyncError.lostConnection(reading: "the next event"))
        await connections.sockets.stop()
    }

    /// Breaks every connection, and answers again, at the same address, with what the server had.
    ///
    /// - Throws: What the system says where it does not give the port again.
    public func restart() async throws {
        let hasSocket = connections.address.withLock { $0 != nil }
        await stop()
        if hasSocket { try await openSocket() }
        core.state.withLock { $0.isRunning = true }
    }

    /// Every request that arrived, in order.
    public var requests: [ServerRequest] { core.state.withLock { $0.requests } }

    /// Every request that arrived, in one line each: `POST /tasks`.
    public var log: [String] { requests.map(\.description) }

    /// Everything that took effect, in order.
    public var changes: [ServerChange] { core.state.withLock { $0.server.changes } }

    /// How many streams of events are open.
    public var streamCount: Int { core.state.withLock { $0.streams.count } }

    /// Forgets the requests and what took effect. Records and idempotency keys stay.
    public func clearLog() {
        core.state.withLock { state in
            state.firstRequest += state.requests.count
            state.requests = []
            state.server.changes = []
        }
    }

    /// Answers the next request so, of those that are meant.
    ///
    /// - Parameters:
    ///   - answer: What it is answered, or how it fails.
    ///   - filter: Which requests are meant.
    ///   - times: How many of them are answered so.
    public func answerNext(_ answer: ScriptedServerAnswer, to filter: ServerRequestFilter = .all, times: Int = 1) {
        core.state.withLock { state in
            for _ in 0..<times { state.scripts.append((filter, answer)) }
        }
    }

    /// Forgets what was said about requests that have not come.
    public func clearScripts() { core.state.withLock { $0.scripts = [] } }

    /// Asks for credentials from now on: takes these tokens, each until its time comes.
    public func require(tokens: [String: Date]) { core.state.withLock { $0.server.tokens = tokens } }

    /// Asks for credentials from now on: takes this token for ever.
    public func require(token: String) { require(tokens: [token: .distantFuture]) }

    /// Asks for no credentials any more.
    public func requireNoToken() { core.state.withLock { $0.server.tokens = nil } }
}
