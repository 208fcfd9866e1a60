public import LockstepSync

#if Servers
    extension FakeRails {
        /// Starts a server that listens on a free port of 127.0.0.1. This requires the package's trait `Servers`.
        ///
        /// - Throws: The system's error if no port is available.
        public static func start(
            _ rules: RailsRules = RailsRules(), clock: any SyncClock = SystemClock()
        ) async throws -> FakeRails {
            let server = FakeRails(rules, clock: clock)
            try await server.listen()
            return server
        }
    }
#else
    // What a package without the trait finds in its place: an error that says what to write.
    extension FakeRails {
        @available(*, unavailable, message: "Sockets require a trait: .package(url: …, from: …, traits: [\"Servers\"])")
        public static func start(
            _ rules: RailsRules = RailsRules(), clock: any SyncClock = SystemClock()
        ) async throws -> FakeRails { FakeRails(rules, clock: clock) }
    }
#endif
