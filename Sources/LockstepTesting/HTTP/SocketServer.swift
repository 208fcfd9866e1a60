#if Servers
    import FlyingFox
    import FlyingSocks
    import Foundation
    import HTTPTypes
    import LockstepStore

    /// The connections of a fake server: HTTP 1.1 over local sockets.
    actor SocketServer {
        private let core: ServerCore
        private var server: HTTPServer?
        private var task: Task<Void, any Error>?
        /// The first port that was used. It is reused after a restart.
        private(set) var port: UInt16 = 0

        /// Held requests wait without a limit.
        private static let timeoutSeconds: TimeInterval = 3600
        /// The time that connections have to end. After that, waiting connections are broken.
        private static let stopSeconds: TimeInterval = 0
        /// The size of the pieces in which a body is written.
        private static let pieceSize = 256 * 1024

        init(core: ServerCore) { self.core = core }

        /// Listens on a port of 127.0.0.1: on the given one, on the previous one, or on a free one.
        ///
        /// - Throws: The system's error if the port is not available.
        func start(port wanted: UInt16? = nil) async throws {
            if server != nil && (wanted ?? port) == port { return }
            await stop()
            let port = wanted ?? self.port
            let handler = ClosureHTTPHandler { [core] in try await SocketServer.respond(to: $0, core: core) }
            let server = HTTPServer(
                address: try .inet(ip4: "127.0.0.1", port: port), timeout: Self.timeoutSeconds,
                pool: PromptSockets(HTTPServer.defaultPool()), logger: .disabled, handler: handler)
            // A loaded machine may need some time. A server that cannot listen fails here all the same, and at once if
            // the port is in use.
            let listening = Task { try await server.waitUntilListening(timeout: 120) }
            let task = Task {
                defer { listening.cancel() }
                try await server.run()
            }
            do { try await listening.value } catch {
                task.cancel()
                try await task.value
                throw error
            }
            if case .ip4(_, port: let port) = await server.listeningAddress { self.port = port }
            (self.server, self.task) = (server, task)
        }

        /// Breaks every connection, and stops listening.
        func stop() async {
            guard let server else { return }
            self.server = nil
            await server.stop(timeout: Self.stopSeconds)
            task?.cancel()
            _ = await task?.result
            task = nil
        }

        private static func respond(to request: FlyingFox.HTTPRequest, core: ServerCore) async throws
            -> FlyingFox.HTTPResponse
        {
            var headers: HTTPFields = [:]
            for header in request.headers.keys {
                guard let name = HTTPField.Name(header.rawValue) else { continue }
                headers[name] = request.headers[header]
            }
            let received = ServerRequest(
                HTTPTypes.HTTPRequest.Method(request.method.rawValue) ?? .get, request.target.rawValue,
                headers: headers,
                body: try await request.bodyData)
            return response(try await core.reply(to: received))
        }

        private static func response(_ reply: ServerReply) -> FlyingFox.HTTPResponse {
            switch reply {
            case .none: return FlyingFox.HTTPResponse(webSocket: BrokenConnection())
            case .response(let content):
                return response(content, body: HTTPBodySequence(data: content.body, suggestedBufferSize: pieceSize))
            case .truncated(let content):
                let (pieces, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
                continuation.yield(content.body.prefix(content.body.count / 2))
                continuation.finish(throwing: ConnectionBroken())
                return response(content, body: HTTPBodySequence(from: BodyPieces(pieces), count: content.body.count))
            case .stream(let content, let events):
                return response(content, body: HTTPBodySequence(from: BodyPieces(events.preceded(by: content.body))))
            }
        }

        private static func response(_ response: ServerResponse, body: HTTPBodySequence) -> FlyingFox.HTTPResponse {
            var headers = HTTPHeaders()
            for field in response.headers { headers.setValues([field.value], for: HTTPHeader(field.name.rawName)) }
            return FlyingFox.HTTPResponse(
                statusCode: HTTPStatusCode(response.status, phrase: "Status"), headers: headers, body: body)
        }
    }

    /// The connection must break here.
    private struct ConnectionBroken: Error {}

    /// Breaks the connection before there is a response. If the upgrade of a connection fails, nothing is written to
    /// it; after any other failure, a response with the status 500 would be.
    private struct BrokenConnection: WSHandler {
        func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
            throw ConnectionBroken()
        }
    }

    /// Pieces of a body, each sent as soon as it arrives.
    private struct BodyPieces: AsyncBufferedSequence {
        typealias Element = UInt8

        private let pieces: AsyncThrowingStream<Data, any Error>

        init(_ pieces: AsyncThrowingStream<Data, any Error>) { self.pieces = pieces }

        func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces.makeAsyncIterator()) }

        struct Iterator: AsyncBufferedIteratorProtocol {
            var pieces: AsyncThrowingStream<Data, any Error>.AsyncIterator
            /// The rest of the last piece.
            private var rest = Data()

            init(pieces: AsyncThrowingStream<Data, any Error>.AsyncIterator) { self.pieces = pieces }

            mutating func next() async throws -> UInt8? {
                if rest.isEmpty { rest = try await nextBuffer(suggested: 1) ?? Data() }
                return rest.popFirst()
            }

            mutating func nextBuffer(suggested count: Int) async throws -> Data? {
                if !rest.isEmpty {
                    defer { rest = Data() }
                    return rest
                }
                while let piece = try await pieces.next() {
                    if !piece.isEmpty { return piece }
                }
                // If its reader is cancelled, a stream ends normally, which would look like the end of the body.
                try Task.checkCancellation()
                return nil
            }
        }
    }
#endif
