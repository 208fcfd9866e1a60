import GRDB
internal import GRDBSQLite
import LockstepTables

// Columns that get a placeholder until their values can be written.
extension MergeTransaction {
    /// Writes unique placeholders into columns of a record, until their values can be written. Placeholders violate
    /// constraints: call this in ``withoutChecks(_:)``.
    func writePlaceholders(_ columns: [Int], of key: [Cell], entity: MergeEntity) throws {
        let statement = try statements(of: entity).placeholders(columns)
        statement.bind(key)
        try changes.note(.update, in: entity.plan.table, database: database)
        try statement.execute()
    }

    /// A value that no other record has.
    func placeholder() -> UnsafeBufferPointer<UInt8> {
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        return bytes.withUnsafeBufferPointer { staging.arena.copy($0) }
    }

    /// Runs `body` with the CHECK constraints of the tables disabled.
    func withoutChecks(_ body: () throws -> Void) throws {
        try database.execute(sql: "PRAGMA ignore_check_constraints = 1")
        defer { enableChecks() }
        try body()
    }

    /// The maximum number of attempts. An interruption ends only the current attempt.
    private static let maximumAttempts = 8

    /// The pragma survives a rollback. GRDB would not execute it after the task is canceled.
    private func enableChecks() {
        for _ in 0..<Self.maximumAttempts {
            let code = sqlite3_exec(
                database.sqliteConnection, "PRAGMA ignore_check_constraints = 0", nil, nil, nil)
            if code == SQLITE_OK { return }
        }
    }
}
