package import GRDB
package import LockstepStore
import LockstepSystem

/// Checks a store after each transaction, and keeps what is found first.
package final class StoreWatch: TransactionObserver, Sendable {
    private let invariants: [StoreInvariant]
    private let sql: String
    private let found = Locked<String?>(nil)
    private let checking: @Sendable (() -> Void) -> Void

    /// Something that a transaction has broken.
    package struct Violation: Error, CustomStringConvertible {
        /// The invariant, and what has broken it.
        package let description: String
    }

    /// - Parameter checking: Runs a check. Its statements are none of the app's.
    package init(_ store: Store, checking: @escaping @Sendable (() -> Void) -> Void = { $0() }) {
        invariants = StoreInvariant.all(store.plans)
        sql = invariants.enumerated().map { "SELECT \($0), * FROM (\($1.sql))" }.joined(separator: " UNION ALL ")
        self.checking = checking
        store.writer.add(transactionObserver: self, extent: .databaseLifetime)
        store.writer.writeWithoutTransaction(databaseDidCommit)
    }

    /// Fails if a transaction has broken an invariant.
    package func check() throws {
        if let text = found.withLock({ $0 }) { throw Violation(description: text) }
    }

    /// It needs no events.
    package func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { false }
    /// It gets no events.
    package func databaseDidChange(with event: DatabaseEvent) {}
    /// Nothing has changed.
    package func databaseDidRollback(_ database: Database) {}

    /// Checks the invariants.
    package func databaseDidCommit(_ database: Database) {
        checking {
            do {
                guard let row = try Row.fetchOne(database.cachedStatement(sql: sql + " LIMIT 1")) else { return }
                let invariant = invariants[row[0]]
                note("\(invariant.rule): \(invariant.sentence) Broken by \(row[1] as String? ?? "NULL")")
            } catch {
                note("the invariants cannot be read: \(error)")
            }
        }
    }

    private func note(_ text: String) { found.withLock { $0 = $0 ?? text } }
}
