#if Servers
    import FlyingFox
    import FlyingSocks
    import Foundation

    /// Sockets that send written data at once.
    ///
    /// The header and the body of a response are two writes. Nagle's algorithm (RFC 896) delays the second one until
    /// the client has acknowledged the first, and a client may delay that for 40 ms (RFC 1122, 4.2.3.2): each request
    /// of a connection would take as long.
    struct PromptSockets: AsyncSocketPool {
        private let pool: any AsyncSocketPool

        init(_ pool: any AsyncSocketPool) { self.pool = pool }

        func prepare() async throws { try await pool.prepare() }

        func run() async throws { try await pool.run() }

        /// Every connection waits here for its first request, so none is missed.
        func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
            // If the system refuses, the socket is only slower.
            try? socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
            try await pool.suspendSocket(socket, untilReadyFor: events)
        }
    }
#endif
