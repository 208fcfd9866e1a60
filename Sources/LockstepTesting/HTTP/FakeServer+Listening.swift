extension FakeServer {
    /// Listens on a port of 127.0.0.1. A server that listens on another port stops listening there.
    ///
    /// Sockets require the package's trait `Servers`: `.package(url: …, from: …, traits: ["Servers"])`.
    ///
    /// - Parameter port: The port. `nil` reuses the previous port if there was one, and otherwise chooses a free one.
    /// - Throws: The system's error if the port is not available.
    #if !Servers
        // In a package without the trait, an error says what to write.
        @available(*, unavailable, message: "Sockets require a trait: .package(url: …, from: …, traits: [\"Servers\"])")
    #endif
    public func listen(port: UInt16? = nil) async throws { try await openSocket(port: port) }
}
