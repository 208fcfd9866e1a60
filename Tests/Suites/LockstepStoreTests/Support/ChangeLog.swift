import GRDB
@testable import LockstepStore
@testable import LockstepTables

/// Keeps what a context has told of.
final class ChangeLog: ContextObserver {
    private(set) var changes: [StoreChange] = []
    var onChange: (() -> Void)?

    func contextDidRefresh(_ change: StoreChange) {
        changes.append(change)
        onChange?()
    }

    /// What was told since the last call, as one line for each table: `book: +? ~1,2 -3`.
    @discardableResult
    func take() -> [String] {
        var merged = StoreChange()
        for change in changes { merged.merge(change) }
        changes = []
        return merged.tables.sorted { $0.key < $1.key }.map { table, change in
            var parts = [table + ":"]
            if change.isUnbounded { parts.append("*") }
            if change.hasInserts { parts.append("+") }
            for (sign, keys) in [("~", change.updated), ("-", change.deleted)] where !keys.isEmpty {
                parts.append(sign + keys.map(\.text).sorted().joined(separator: ","))
            }
            return parts.joined(separator: " ")
        }
    }
}
