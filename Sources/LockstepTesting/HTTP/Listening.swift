public import LockstepSync

#if Servers
    extension FakeServer {
        /// Listens on a port of 127.0.0.1; who listens on another one already leaves that.
        ///
        /// The package's trait `Servers` brings the sockets: `.package(url: …, from: …, traits: ["Servers"])`.
        ///
        /// - Parameter port: The port; `nil` for that of the last time, if there was one, and else for a free one.
        /// - Throws: What the system says where it does not give the port.
        public func listen(port: UInt16? = nil) async throws { try await openSocket(port: port) }
    }

    extension FakeRails {
        /// A server that listens on a free port of 127.0.0.1, for which the package's trait `Servers` is needed.
        ///
        /// - Throws: What the system says where it gives no port.
        public static func start(
            _ rules: RailsRules = RailsRules(), clock: any SyncClock = SystemClock()
        ) async throws -> FakeRails {
            let server = FakeRails(rules, clock: clock)
            try await server.listen()
            return server
        }
    }

    extension FakeFirebase {
        /// A server that listens on a free port of 127.0.0.1, for which the package's trait `Servers` is needed.
        ///
        /// - Throws: What the system says where it gives no port.
        public static func start(
            clock: any SyncClock = SystemClock(), redirectsStreams: Bool = true
        ) async throws -> FakeFirebase {
            let server = FakeFirebase(clock: clock, redirectsStreams: redirectsStreams)
            try await server.listen()
            return server
        }
    }
#else
    // What a package without the trait finds in their places: an error that says what to write.

    extension FakeServer {
        @available(*, unavailable, message: "Sockets need a trait: .package(url: …, from: …, traits: [\"Servers\"])")
        public func listen(port: UInt16? = nil) async throws {}
    }

    extension FakeRails {
        @available(*, unavailable, message: "Sockets need a trait: .package(url: …, from: …, traits: [\"Servers\"])")
        public static func start(
            _ rules: RailsRules = RailsRules(), clock: any SyncClock = SystemClock()
        ) async throws -> FakeRails { FakeRails(rules, clock: clock) }
    }

    extension FakeFirebase {
        @available(*, unavailable, message: "Sockets need a trait: .package(url: …, from: …, traits: [\"Servers\"])")
        public static func start(
            clock: any SyncClock = SystemClock(), redirectsStreams: Bool = true
        ) async throws -> FakeFirebase { FakeFirebase(clock: clock, redirectsStreams: redirectsStreams) }
    }
#endif
