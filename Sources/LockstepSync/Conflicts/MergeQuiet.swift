import GRDB
import LockstepStore

/// Keeps the triggers of the outbox quiet while a merge writes what the server sent.
///
/// It begins with the first write: a merge that changes nothing writes nothing at all (Rules.md, M6).
final class MergeQuiet {
    private let database: Database
    private var isOn = false
    private lazy var hasTable = Result { [database] in try database.hasTable(OutboxTables.quiet) }

    init(_ database: Database) { self.database = database }

    func begin() throws {
        guard !isOn, try hasTable.get() else { return }
        try RawStatement("INSERT OR IGNORE INTO \(OutboxTables.quiet) (id) VALUES (1)", database).execute()
        isOn = true
    }

    func end() throws {
        guard isOn else { return }
        try RawStatement("DELETE FROM \(OutboxTables.quiet)", database).execute()
        isOn = false
    }
}
