import GRDB
internal import GRDBSQLite
import LockstepStore

extension MergeRun {
    /// Writes the records of a batch. Where one cannot have a value that is there once, or a trigger of the app refuses
    /// it, it is left out with all that is nested in it, and the batch is written again without them: nothing of it is
    /// half there.
    func write(_ merges: [TableMerge], isLast: Bool) throws {
        guard try merges.contains(where: { try $0.mayConflict() }) else {
            for merge in merges { try merge.write(changes) }
            return
        }
        // Not in the savepoint, which may be rolled back.
        try changes.beginQuiet(database)
        while true {
            try database.execute(sql: "SAVEPOINT lockstep_batch")
            let skipCount = staging.skipCount
            for merge in merges { try merge.write(changes) }
            var isSettled = true
            let verdicts = try merges.map { merge in
                let mayWait = !isLast || mayDelete(in: merge.table)
                let verdict = try UniqueConflicts(merge, self).settle(mayWait: mayWait)
                if !verdict.isEmpty { isSettled = false }
                return (merge, verdict)
            }
            if staging.skipCount > skipCount { isSettled = false }
            if !isSettled { try database.execute(sql: "ROLLBACK TO lockstep_batch") }
            try database.execute(sql: "RELEASE lockstep_batch")
            if isSettled { break }
            for (merge, verdict) in verdicts {
                for waiter in verdict.waiting { try merge.wait(waiter) }
                for loser in verdict.losers { try leaveOut(loser, merge) }
            }
        }
        for merge in merges { try parked.add(merge) }
    }

    /// Whether records of an entity may be deleted before the merge ends, which frees their values.
    private func mayDelete(in table: StagedTable) -> Bool {
        if options.records.contains(.delete) { return true }
        return options.nested.contains(.delete) && (0..<table.count).contains { table.origins[$0].isNested }
    }

    private func leaveOut(_ loser: TableMerge.Refusal, _ merge: TableMerge) throws {
        guard !staging.isSkipped(loser.write.row, of: merge.entity.place) else { return }
        let reason = UniqueConflicts.reason(loser.columns, merge.entity)
        try merge.leaveOut(loser.write.row, loser.columns, reason)
        noteConflict(merge.entity, merge.key(of: loser.write.row), reason)
    }

    func noteConflict(_ entity: MergeEntity, _ key: RecordKey, _ reason: String) {
        recorder.note(
            MergeNote(
                .uniqueConflict, entity: entity.plan.name, record: key.text,
                "\(reason): it stays as it is in the store, or is not inserted"))
    }

    /// Gives columns of a record values that no other has, until the right ones can be written. These keep to no limit:
    /// it is called where no check is looked at.
    func park(_ columns: [Int], of key: [Cell], _ entity: MergeEntity) throws {
        let statement = try statements(of: entity).parking(columns)
        statement.bind(key)
        try changes.note(.update, in: entity.plan.table, database)
        try statement.execute()
    }

    /// A value that no other record has.
    func noOnesValue() -> UnsafeBufferPointer<UInt8> {
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
