import Foundation
import LockstepStore

/// What a store's connections have run, as it is told.
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

    /// A store's configuration that counts here.
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

    /// The queries that `body` makes.
    func queries(_ body: () throws -> Void) rethrows -> [String] {
        log.clear()
        try body()
        return log.texts
    }
}
