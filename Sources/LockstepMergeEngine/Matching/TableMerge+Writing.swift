import GRDB
import LockstepTables

// Writing what was decided.
extension TableMerge {
    /// Writes what was decided. It may be called again after its changes were rolled back.
    func write(_ changes: RawChanges) throws {
        refused = []
        if !updates.isEmpty { try changes.note(.update, in: entity.plan.table, database: transaction.database) }
        for update in updates where !isSkipped(update.row) {
            try transaction.checkCancellation()
            try write(Write(row: Int(update.row), columns: update.columns))
        }
        guard !inserts.isEmpty else { return }
        try transaction.pageCache.enlarge(for: inserts.count, of: entity)
        try changes.note(.insert, in: entity.plan.table, database: transaction.database)
        guard changes.isQuiet, deferred.isEmpty else { return try insertRows() }
        try transaction.database.insertRows(
            inserts.count, firing: statements.insertTriggers.get(), body: insertRows)
    }

    private func insertRows() throws {
        for row in inserts where !isSkipped(row) {
            try transaction.checkCancellation()
            try write(Write(row: Int(row), columns: nil))
        }
    }

    @inline(__always)
    private func write(_ write: Write) throws {
        if !deferred.isEmpty, deferred[write.row] != nil { return try writeDeferred(write) }
        if let refusal = try attempt(write) { refused.append(refusal) }
    }

    /// The rows of the records that are merged.
    var mergedRows: some Sequence<Int> { groups.heads.lazy.filter { !self.isSkipped($0) }.map { Int($0) } }

    func isSkipped(_ row: Int32) -> Bool { transaction.staging.isSkipped(Int(row), of: entity.index) }

    /// Writes a row.
    ///
    /// - Returns: Why the row could not be written, if another record has a unique value. If the table refuses it for
    ///   another reason, the record is invalid and is skipped.
    func attempt(_ write: Write) throws -> Refusal? {
        do {
            try run(write)
            return nil
        } catch let error as DatabaseError {
            guard error.resultCode == .SQLITE_CONSTRAINT else { throw error }
            let problem = StoreError(error, doing: "merging", plan: entity.plan, record: key(of: write.row))
            let columns = problem.columns(of: entity.plan)
            if problem.code == .notUnique, !columns.isEmpty { return Refusal(write: write, columns: columns) }
            try transaction.skip(write.row, of: entity, column: columns.first, reason: problem.reason)
            return nil
        }
    }

    private func run(_ write: Write) throws {
        let cells = table.row(write.row)
        guard let set = write.columns else {
            let statement = try statements.insert.get()
            for column in 0..<table.width { cells[column].bind(to: statement.pointer, parameter: Int32(column + 1)) }
            try statement.execute()
            return
        }
        let (statement, columns) = try statements.update(set)
        var parameter: Int32 = 1
        for column in columns {
            cells[column].bind(to: statement.pointer, parameter: parameter)
            parameter += 1
        }
        for column in entity.plan.keyColumns {
            cells[column].bind(to: statement.pointer, parameter: parameter)
            parameter += 1
        }
        try statement.execute()
    }

    /// Records the outcomes of the records, after all of them are written.
    func recordOutcomes() {
        for update in updates where !isSkipped(update.row) {
            record(.updated, row: Int(update.row))
            if let trace = transaction.changeTrace {
                let columns = entity.plan.columns.indices.filter(update.columns.contains)
                trace.record(
                    entity, key: key(of: Int(update.row)), names: columns.map { entity.plan.columns[$0].memberName })
            }
        }
        for (row, targets) in replaced where !isSkipped(Int32(row)) {
            for (relationship, key) in targets { state.replacedTargets.add(relationship, of: entity, key: key) }
        }
        for row in inserts where !isSkipped(row) { record(.inserted, row: Int(row)) }
        noteConfirmed()
    }

    /// Notes the records that are new to this device as those of the server, or in a scope: a list may not have them
    /// yet (Rules.md, M7.9).
    private func noteConfirmed() {
        guard transaction.options.confirmedAt != nil, entity.plan.travels else { return }
        let keys = entity.plan.foreignKeys.flatMap(\.self)
        let moved = updates.filter { update in keys.contains(where: update.columns.contains) }.map(\.row)
        let arrived = pendingUpdates.filter(\.becomesUpdate).map { Int32($0.row) }
        for row in Set(moved + arrived).sorted() + inserts where !isSkipped(row) {
            state.noteConfirmed(key(of: Int(row)), of: entity)
        }
    }

    @inline(__always)
    private func record(_ outcome: KeyRegistry.Outcome, row: Int) {
        registry.record(outcome, at: Int(groups.indexes[row]))
    }

    func key(of row: Int) -> RecordKey { table.key(of: row) }
}
