public import LockstepSync

#if Servers
    extension FakeFirebase {
        /// Starts a server that listens on a free port of 127.0.0.1. This requires the package's trait `Servers`.
        ///
        /// - Throws: The system's error if no port is available.
        public static func start(
            clock: any SyncClock = SystemClock(), redirectsStreams: Bool = true
        ) async throws -> FakeFirebase {
            let server = FakeFirebase(clock: clock, redirectsStreams: redirectsStreams)
            try await server.listen()
            return server
        }
    }
#else
    // What a package without the trait finds in its place: an error that says what to write.
    extension FakeFirebase {
        @available(*, unavailable, message: "Sockets require a trait: .package(url: …, from: …, traits: [\"Servers\"])")
        public static func start(
            clock: any SyncClock = SystemClock(), redirectsStreams: Bool = true
        ) async throws -> FakeFirebase { FakeFirebase(clock: clock, redirectsStreams: redirectsStreams) }
    }
#endif
