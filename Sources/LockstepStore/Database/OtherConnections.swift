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
    func haveCommitted(_ database: Database, body: () throws -> Void = {}) throws -> Bool {
        let version = try Int64.fetchOne(database.cachedStatement(sql: "PRAGMA data_version"))
        guard lastVersion.withLock({ $0 }) != version else { return false }
        try body()
        lastVersion.withLock { $0 = version }
        return true
    }
}
