#if !Servers
    /// Replaces the connections if the trait is not enabled. Nothing can call it.
    actor SocketServer {
        var port: UInt16 { 0 }

        init(core: ServerCore) {}

        func start(port: UInt16? = nil) async throws { throw ServersAreOff() }

        func stop() async {}
    }

    private struct ServersAreOff: Error {}
#endif
