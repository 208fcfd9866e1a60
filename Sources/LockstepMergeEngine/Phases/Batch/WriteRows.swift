import GRDB
import LockstepTables

/// Writes the rows that differ (Rules.md, M6, M12 and C5).
///
/// After ``MatchRows``, which has decided about all entities: rows are not read and written at the same time. If a
/// record cannot have a unique value, it is deferred; if a trigger of the app refuses it, it is skipped with all
/// records nested in it. The batch is then rolled back to its start and written again, so that no part of it is written
/// incompletely.
struct WriteRows: BatchPhase {
    func run(_ batch: MergeBatch, in state: MergeState) throws {
        let skipCount = state.transaction.staging.skipCount
        try write(batch.tables, in: state)
        if state.transaction.staging.skipCount > skipCount { state.registerSkippedRows() }
    }

    private func write(_ tables: [TableMerge], in state: MergeState) throws {
        let (database, changes) = (state.transaction.database, state.transaction.changes)
        guard try !state.deferredUniqueValues.isEmpty || tables.contains(where: { try $0.mayConflict() }) else {
            for table in tables { try table.write(changes) }
            return
        }
        for table in tables { try deferRecords(table, in: state) }
        // Not in the savepoint, which may be rolled back.
        try changes.suppressOutbox(database)
        while true {
            try database.execute(sql: "SAVEPOINT lockstep_batch")
            let skipCount = state.transaction.staging.skipCount
            for table in tables { try table.write(changes) }
            let refusals = try tables.map { ($0, try UniqueConflicts($0).resolve()) }
            let isDone = state.transaction.staging.skipCount == skipCount && refusals.allSatisfy { $0.1.isEmpty }
            if !isDone { try database.execute(sql: "ROLLBACK TO lockstep_batch") }
            try database.execute(sql: "RELEASE lockstep_batch")
            if isDone { break }
            for (table, refused) in refusals {
                for refusal in refused { try table.deferValues(of: refusal.write) }
            }
        }
        for table in tables { state.deferredUniqueValues.add(table) }
    }

    /// Defers records of the batch whose values others need as well, or that were deferred in an earlier batch.
    private func deferRecords(_ table: TableMerge, in state: MergeState) throws {
        let watched = state.retryHints.watched(of: table.entity)
        let deferred = state.deferredUniqueValues
        guard watched != nil || deferred.hasRecords(of: table.entity) else { return }
        try table.deferRecords { row in
            let cells = table.table.row(row)
            return watched?.contains(cells.identityFingerprint(table.entity)) ?? false
                || deferred.has(cells.fingerprint(table.entity), of: table.entity)
        }
    }
}

extension DeferredUniqueValues {
    /// Adds the deferred records of a batch, and what the batch states about others that are deferred.
    fileprivate mutating func add(_ merge: TableMerge) {
        for row in merge.deferred.keys.sorted() where !merge.isSkipped(Int32(row)) {
            guard let deferred = merge.deferred[row] else { continue }
            add(
                row, of: merge.table, columns: deferred.columns, stored: deferred.stored,
                isNew: deferred.write.columns == nil)
        }
        guard hasRecords(of: merge.entity) else { return }
        for row in merge.mergedRows { restore(row, of: merge.table) }
    }
}
