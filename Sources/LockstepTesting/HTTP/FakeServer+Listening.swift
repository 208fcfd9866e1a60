#if Servers
    extension FakeServer {
        /// Listens on a port of 127.0.0.1. A server that listens on another port stops listening there.
        ///
        /// Sockets require the package's trait `Servers`: `.package(url: …, from: …, traits: ["Servers"])`.
        ///
        /// - Parameter port: The port. `nil` reuses the previous port if there was one, and otherwise chooses a free
        ///   one.
        /// - Throws: The system's error if the port is not available.
        public func listen(port: UInt16? = nil) async throws { try await openSocket(port: port) }
    }
#else
    // What a package without the trait finds in its place: an error that says what to write.
    extension FakeServer {
        @available(*, unavailable, message: "Sockets require a trait: .package(url: …, from: …, traits: [\"Servers\"])")
        public func listen(port: UInt16? = nil) async throws {}
    }
#endif
