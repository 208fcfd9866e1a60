import Foundation
import LockstepStore
import LockstepSystem

/// The statements run by a store's connections, from SQLite's trace, which is called on the connection's queue.
final class StatementLog: Sendable {
    private let stored = Locked<[String]>([])

    var texts: [String] { stored.withLock { $0 } }

    func add(_ text: String) { stored.withLock { $0.append(text) } }

    func clear() { stored.withLock { $0 = [] } }
}

/// Counts the queries of a store.
final class StatementCounter: Sendable {
    private let log = StatementLog()

    /// A store's configuration that counts with this counter.
    var configuration: Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { [log] database in
            database.trace { event in
                guard case .statement(let statement) = event, statement.sql.hasPrefix("SELECT") else { return }
                log.add(statement.sql)
            }
        }
        return configuration
    }

    /// Forgets the queries that were run.
    func clear() { log.clear() }

    /// The queries that were run since ``clear()``.
    var queries: [String] { log.texts }

    /// The queries run by `body`.
    func queries(_ body: () throws -> Void) rethrows -> [String] {
        clear()
        try body()
        return queries
    }
}
