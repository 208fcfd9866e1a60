import GRDB
import LockstepStore

// What only this device has of records that the server has again (Rules.md, M7).
extension TableMerge {
    /// The values that a new record had when a merge deleted it, by their columns.
    func formerValues(of row: Int) throws -> [Int: Cell] {
        // A unique value may be another record's by now.
        let unique = try Set(statements.uniqueIndexes.get().joined())
        return try LocalValueTable.values(of: serverKey(of: row), entity.plan, transaction.database)
            .filter { !unique.contains($0.key) }
            .mapValues { Cell($0, arena: transaction.staging.arena) }
    }

    /// Forgets what the records that were inserted have again.
    func forgetFormerValues() throws {
        guard try !inserts.isEmpty && statements.hasLocalValues.get() else { return }
        for row in inserts where !isSkipped(row) {
            try LocalValueTable.forget(serverKey(of: Int(row)), of: entity.plan, transaction.database)
        }
    }

    private func serverKey(of row: Int) -> RecordKey {
        let cells = table.row(row)
        return RecordKey(entity.plan.serverKeyColumns.map { cells[$0].databaseValue })
    }
}
