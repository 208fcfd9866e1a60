import GRDB
internal import GRDBSQLite
import LockstepStore

// Columns that get a placeholder until their values can be written.
extension MergeTransaction {
    /// Gives columns of a record values that no other has, until the right ones can be written. They break limits:
    /// call it in ``withoutChecks(_:)``.
    func writePlaceholders(_ columns: [Int], of key: [Cell], _ entity: MergeEntity) throws {
        let statement = try statements(of: entity).placeholders(columns)
        statement.bind(key)
        try changes.note(.update, in: entity.plan.table, database)
        try statement.execute()
    }

    /// A value that no other record has.
    func placeholder() -> UnsafeBufferPointer<UInt8> {
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        return bytes.withUnsafeBufferPointer { staging.arena.copy($0) }
    }

    /// Does something while the checks of the tables are not looked at.
    func withoutChecks(_ body: () throws -> Void) throws {
        try database.execute(sql: "PRAGMA ignore_check_constraints = 1")
        defer { lookAtChecks() }
        try body()
    }

    /// How often it is tried: an interruption ends one try, and is over with it.
    private static let mostTries = 8

    /// The pragma outlives a rollback. GRDB would not run it once the task is cancelled.
    private func lookAtChecks() {
        for _ in 0..<Self.mostTries {
            let code = sqlite3_exec(
                database.sqliteConnection, "PRAGMA ignore_check_constraints = 0", nil, nil, nil)
            if code == SQLITE_OK { return }
        }
    }
}
