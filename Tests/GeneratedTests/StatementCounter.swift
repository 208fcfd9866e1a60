import Foundation
import LockstepStore

/// Counts the queries of a store.
///
/// Unchecked, because the compiler cannot see that `texts` is only touched while `lock` is held.
final class StatementCounter: @unchecked Sendable {
    private let lock = NSLock()
    private var texts: [String] = []

    /// A store's configuration that counts here.
    var configuration: Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            database.trace { event in
                if case .statement(let statement) = event { self.note(statement.sql) }
            }
        }
        return configuration
    }

    private func note(_ sql: String) {
        lock.lock()
        defer { lock.unlock() }
        if sql.hasPrefix("SELECT") { texts.append(sql) }
    }

    /// The queries that `body` makes.
    func queries(_ body: () throws -> Void) rethrows -> [String] {
        lock.withLock { texts = [] }
        try body()
        return lock.withLock { texts }
    }
}
