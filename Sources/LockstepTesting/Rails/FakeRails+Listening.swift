public import LockstepSync

extension FakeRails {
    /// Starts a server that listens on a free port of 127.0.0.1. This requires the package's trait `Servers`.
    ///
    /// - Throws: The system's error if no port is available.
    #if !Servers
        // In a package without the trait, an error says what to write.
        @available(*, unavailable, message: "Sockets require a trait: .package(url: …, from: …, traits: [\"Servers\"])")
    #endif
    public static func start(
        _ rules: RailsRules = RailsRules(), clock: any SyncClock = SystemClock()
    ) async throws -> FakeRails {
        let server = FakeRails(rules, clock: clock)
        try await server.listen()
        return server
    }
}
