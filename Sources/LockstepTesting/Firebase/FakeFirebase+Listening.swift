public import LockstepSync

extension FakeFirebase {
    /// Starts a server that listens on a free port of 127.0.0.1. This requires the package's trait `Servers`.
    ///
    /// - Throws: The system's error if no port is available.
    #if !Servers
        // In a package without the trait, an error says what to write.
        @available(*, unavailable, message: "Sockets require a trait: .package(url: …, from: …, traits: [\"Servers\"])")
    #endif
    public static func start(
        clock: any SyncClock = SystemClock(), redirectsStreams: Bool = true
    ) async throws -> FakeFirebase {
        let server = FakeFirebase(clock: clock, redirectsStreams: redirectsStreams)
        try await server.listen()
        return server
    }
}
