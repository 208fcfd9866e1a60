import Foundation
import LockstepStore

/// The statements run by a store's connections, from SQLite's trace.
///
/// Unchecked, because the compiler cannot see that `stored` is only touched while `lock` is held: a trace is called on
/// the connection's queue.
final class StatementLog: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: [String] = []

    var texts: [String] { lock.withLock { stored } }

    func add(_ text: String) { lock.withLock { stored.append(text) } }

    func clear() { lock.withLock { stored = [] } }
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
