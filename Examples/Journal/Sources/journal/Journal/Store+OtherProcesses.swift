import LockstepStore

extension Store {
    /// Updates the main context when other processes save to the same file, until the task is cancelled.
    ///
    /// A store's contexts follow all changes that are made through this store. SQLite does not announce the changes of
    /// other processes, so they must be polled.
    ///
    /// - Parameter version: The ``dataVersion()`` that the context shows already.
    @MainActor func followOtherProcesses(since version: Int) async throws {
        var shown = version
        while true {
            let version = try await dataVersion()
            if version != shown { try mainContext.refreshAll() }
            shown = version
            try await Task.sleep(for: .milliseconds(300))
        }
    }

    /// A number that changes when another process has committed a change.
    func dataVersion() async throws -> Int {
        // SQLite counts, for each connection, the commits of other connections. This store writes only through its one
        // writer, which is used here.
        try await writer.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    }
}
