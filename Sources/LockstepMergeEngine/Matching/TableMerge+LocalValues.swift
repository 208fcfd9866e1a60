import GRDB
import LockstepJSON
import LockstepTables

// What only this device has of records that the server has again (Rules.md, M7).
extension TableMerge {
    /// The values that a new record had when a merge deleted it, by their columns.
    func formerValues(of row: Int) throws -> [Int: Cell] {
        guard let identity = try keptIdentity(of: row) else { return [:] }
        // A unique value may be another record's by now.
        let unique = try statements.uniqueColumns.get()
        return try LocalValueTable.values(of: identity, plan: entity.plan, in: transaction.database)
            .filter { !unique.contains($0.key) }
            .mapValues { Cell($0, arena: transaction.staging.arena) }
    }

    /// Forgets what the records that were inserted have again.
    func forgetFormerValues() throws {
        for row in inserts where !isSkipped(row) {
            guard let identity = try keptIdentity(of: Int(row)) else { continue }
            try LocalValueTable.forget(identity, of: entity.plan, in: transaction.database)
        }
    }

    /// The identity of a record on the server; `nil` if no values are kept of it.
    private func keptIdentity(of row: Int) throws -> RecordKey? {
        let kept = try statements.keptIdentities.get()
        if kept.isEmpty { return nil }
        let cells = table.row(row)
        let identity = RecordKey(entity.plan.serverKeyColumns.map { cells[$0].databaseValue })
        return kept.contains(ExactText(entity.plan.recordText(identity))) ? identity : nil
    }
}
