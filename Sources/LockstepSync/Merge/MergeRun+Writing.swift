import GRDB
import LockstepStore

extension MergeRun {
    /// Writes the records of a batch. Where one cannot have a value that is there once, it is left out with all that is
    /// nested in it, and the batch is written again without them: nothing of it is half there.
    func write(_ merges: [TableMerge], isLast: Bool) throws {
        guard try merges.contains(where: { try $0.mayConflict() }) else {
            for merge in merges { try merge.write(changes) }
            return
        }
        while true {
            try database.execute(sql: "SAVEPOINT lockstep_batch")
            for merge in merges { try merge.write(changes) }
            let losers = try merges.flatMap { merge in
                let mayWait = !isLast || mayDelete(in: merge.table)
                return try UniqueConflicts(merge, self).settle(mayWait: mayWait).map { (merge, $0) }
            }
            if !losers.isEmpty { try database.execute(sql: "ROLLBACK TO lockstep_batch") }
            try database.execute(sql: "RELEASE lockstep_batch")
            guard !losers.isEmpty else { return parked.batchIsWritten() }
            parked.rollBack()
            for (merge, loser) in losers { try leaveOut(loser, merge) }
        }
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

    /// Gives columns of a record values that no other has, until the right ones can be written.
    func park(_ columns: [Int], of key: [Cell], _ entity: MergeEntity) throws {
        let plan = entity.plan
        let assignments = columns.map { column in
            "\(SQLName.quoted(plan.columns[column].name)) = \(plan.columns[column].isOptional ? "NULL" : "randomblob(16)")"
        }
        let statement = try RawStatement(
            """
            UPDATE \(SQLName.quoted(plan.table)) SET \(assignments.joined(separator: ", ")) WHERE \(plan.keyCondition)
            """, database)
        statement.bind(key)
        try changes.note(.update, in: plan.table, database)
        // The value keeps to no limit, and is gone before the transaction ends.
        try withoutChecks { _ = try statement.run() }
    }

    /// Does something while the checks of the tables are not looked at.
    func withoutChecks(_ body: () throws -> Void) throws {
        try database.execute(sql: "PRAGMA ignore_check_constraints = 1")
        let result = Result(catching: body)
        try database.execute(sql: "PRAGMA ignore_check_constraints = 0")
        try result.get()
    }
}
