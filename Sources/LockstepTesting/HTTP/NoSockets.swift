#if !Servers
    /// Stands for the connections of a package that did not ask for them; nothing can call it.
    actor SocketServer {
        var port: UInt16 { 0 }

        init(core: ServerCore) {}

        func start(port: UInt16? = nil) async throws { throw ServersAreOff() }

        func stop() async {}
    }

    private struct ServersAreOff: Error {}
#endif
