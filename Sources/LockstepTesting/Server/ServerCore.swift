import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepSystem

/// A fake server without its connections, the same in process and over sockets.
final class ServerCore: Sendable {
    private let dialect: any ServerDialect
    private let clock: any SyncClock
    let state: Locked<State>

    struct State {
        var server = ServerState()
        var requests: [ServerRequest] = []
        var scripts: [(filter: ServerRequestFilter, response: ScriptedServerResponse)] = []
        var streams: [Int: Stream] = [:]
        var lastStream = 0
        /// The number of the first request in the list.
        var firstRequest = 0
        var isRunning = true
        var schemaRule: SchemaRule?
    }

    struct Stream {
        let request: ServerRequest
        let continuation: AsyncThrowingStream<Data, any Error>.Continuation
    }

    init(dialect: any ServerDialect, clock: any SyncClock, state: ServerState = ServerState()) {
        self.dialect = dialect
        self.clock = clock
        self.state = Locked(State(server: state))
    }

    /// Responds to a request, according to the dialect and the scripts.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits at a gate.
    func reply(to request: ServerRequest) async throws -> ServerReply {
        guard let (number, script) = state.withLock({ $0.receive(request) }) else { return .none }
        do {
            let reply = try await reply(to: request, script: script)
            finish(number, status: reply.status)
            return reply
        } catch {
            finish(number, status: 0)
            throw error
        }
    }

    private func reply(to request: ServerRequest, script: ScriptedServerResponse?) async throws -> ServerReply {
        switch script {
        case .none: return act(request)
        case .response(let response): return .response(response)
        case .status(let status, let seconds):
            var headers: HTTPFields = [:]
            if let seconds { headers[.retryAfter] = String(seconds) }
            return .response(ServerResponse(status, json: ["error": "scripted by the test"], headers: headers))
        case .connectionFails: return .none
        case .held(let gate):
            try await gate.pass()
            return act(request)
        case .responseHeld(let gate):
            let reply = act(request)
            try await gate.pass()
            return reply
        case .responseLost:
            _ = act(request)
            return .none
        case .truncated:
            guard case .response(let response) = act(request) else { return .none }
            return .truncated(response)
        }
    }

    /// Handles a request.
    private func act(_ request: ServerRequest) -> ServerReply {
        change { state in
            if let refusal = state.schemaRule?.refusal(of: request) { return .response(refusal) }
            let response = dialect.response(to: request, in: &state.server)
            guard response.isStream else { return .response(response) }
            return .stream(response, open(request, in: &state))
        }
    }

    /// Changes the state, and notifies the streams. Notifying runs no other code, so it is done in the lock, and
    /// streams receive all changes in order.
    @discardableResult
    func change<Value>(_ body: (inout State) -> Value) -> Value {
        state.withLock { state in
            state.server.now = clock.now
            let start = state.server.treeChanges.count
            let streams = state.streams.sorted { $0.key < $1.key }
            let value = body(&state)
            for (_, stream) in streams {
                for event in dialect.events(for: stream.request, since: start, in: state.server) {
                    stream.continuation.yield(event)
                }
            }
            return value
        }
    }

    private func open(_ request: ServerRequest, in state: inout State) -> AsyncThrowingStream<Data, any Error> {
        let (stream, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
        state.lastStream += 1
        let number = state.lastStream
        state.streams[number] = Stream(request: request, continuation: continuation)
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.streams.removeValue(forKey: number) }
        }
        return stream
    }

    /// Sends bytes over every stream.
    func tellStreams(_ bytes: Data) {
        state.withLock { state in
            for (_, stream) in state.streams.sorted(by: { $0.key < $1.key }) { stream.continuation.yield(bytes) }
        }
    }

    /// Ends every stream.
    func endStreams(throwing error: (any Error)?) {
        let streams = state.withLock { state in
            defer { state.streams = [:] }
            return Array(state.streams.values)
        }
        for stream in streams { stream.continuation.finish(throwing: error) }
    }

    private func finish(_ number: Int, status: Int) {
        state.withLock { state in
            guard state.requests.indices.contains(number - state.firstRequest) else { return }
            state.requests[number - state.firstRequest].status = status
        }
    }
}

extension ServerCore.State {
    /// Logs a request, and returns its number and its script; `nil` if the server is stopped.
    fileprivate mutating func receive(_ request: ServerRequest) -> (Int, ScriptedServerResponse?)? {
        guard isRunning else { return nil }
        requests.append(request)
        let script = scripts.firstIndex { $0.filter.includes(request) }.map { scripts.remove(at: $0).response }
        return (firstRequest + requests.count - 1, script)
    }
}

extension ServerReply {
    var status: Int {
        switch self {
        case .response(let response), .stream(let response, _), .truncated(let response): response.status
        case .none: 0
        }
    }
}
