import GRDB

extension Store {
    /// Looks whether another process has saved something since the last time, and shows it: contexts, live results and
    /// ``Outbox/updates`` are refreshed, as after a commit of this process.
    ///
    /// Call it when the app becomes active. SQLite does not report the commits of other processes; this asks for them,
    /// with one statement if there were none.
    ///
    /// - Returns: Whether something was saved.
    /// - Throws: `StoreError` if the store cannot be read.
    @discardableResult
    public func refreshFromOtherProcesses() async throws -> Bool {
        do {
            return try await writer.writeWithoutTransaction { [base] database in
                try base.otherConnections.haveCommitted(database) {
                    // Nothing is written, so nobody is waited for.
                    try database.inTransaction(.deferred) {
                        try database.notifyChanges(in: .fullDatabase)
                        return .commit
                    }
                    base.hub.post(Commit(change: .everything(in: base.plans)))
                }
            }
        } catch let error as DatabaseError {
            throw StoreError.thrown(for: error, doing: "looking for changes of other processes")
        }
    }
}

extension StoreChange {
    /// Any row of any table may have changed.
    static func everything(in plans: SchemaPlan) -> StoreChange {
        var change = StoreChange()
        for plan in plans { change.tables[plan.table] = TableChange(hasInserts: true, isUnbounded: true) }
        return change
    }
}
