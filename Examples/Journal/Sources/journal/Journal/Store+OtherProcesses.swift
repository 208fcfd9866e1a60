import LockstepStore

extension Store {
    /// Lets the main context show what other processes save to the same file, until it is cancelled.
    ///
    /// A store's contexts learn of everything that goes through this store. Of what another process has written SQLite
    /// says nothing until it is asked.
    ///
    /// - Parameter version: The ``dataVersion()`` of what is shown already.
    @MainActor func followOtherProcesses(since version: Int) async throws {
        var shown = version
        while true {
            let version = try await dataVersion()
            if version != shown { try mainContext.refreshAll() }
            shown = version
            try await Task.sleep(for: .milliseconds(300))
        }
    }

    /// A number that changes when another process has committed something.
    func dataVersion() async throws -> Int {
        // SQLite counts the commits of other connections for each connection; all of this store's own go through its one
        // writer, which is asked here.
        try await writer.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    }
}
