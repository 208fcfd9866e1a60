import GRDB
import LockstepSystem

/// Notices what other connections commit: other processes, and other stores of the same file in this one.
final class OtherConnections: Sendable {
    private let lastVersion = Locked<Int64?>(nil)

    /// Whether another connection has committed something since the last time that `body` has run.
    ///
    /// `data_version` changes if, and only if, another connection has committed:
    /// https://www.sqlite.org/pragma.html#pragma_data_version
    ///
    /// - Parameters:
    ///   - database: The writer's connection.
    ///   - body: Takes over what was committed. If it throws, it counts as not noticed.
    func haveCommitted(_ database: Database, _ body: () throws -> Void = {}) throws -> Bool {
        let version = try Int64.fetchOne(database.cachedStatement(sql: "PRAGMA data_version"))
        guard lastVersion.withLock({ $0 }) != version else { return false }
        try body()
        lastVersion.withLock { $0 = version }
        return true
    }
}

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
                    base.hub.post(Commit(change: .everything(in: base.entities)))
                }
            }
        } catch let error as DatabaseError {
            throw StoreError.thrown(for: error, doing: "looking for changes of other processes")
        }
    }
}

extension StoreChange {
    /// Any row of any table may have changed.
    static func everything(in entities: [EntityPlan]) -> StoreChange {
        var change = StoreChange()
        for plan in entities { change.tables[plan.table] = TableChange(hasInserts: true, isUnbounded: true) }
        return change
    }
}
