import LockstepTables

/// Skips the records that an earlier attempt of the merge has refused, with all that is nested in them
/// (Rules.md, M11 and M12).
///
/// After ``ResolveLinks``, since they are found by key; before ``MatchRows``, since no row may be compared with them.
struct SkipRefusedRecords: BatchPhase {
    func run(_ batch: MergeBatch, in state: MergeState) throws {
        guard state.retryHints.hasRefusals else { return }
        let staging = state.transaction.staging
        var refused: [(table: StagedTable, row: Int, refusal: MergeRetryHints.Refusal)] = []
        for table in staging.tables where table.count > 0 {
            guard let refusals = state.retryHints.refusals(of: table.entity) else { continue }
            for row in 0..<table.count where table.hasKey(row) {
                guard let refusal = refusals[table.row(row).identityFingerprint(table.entity)] else { continue }
                refused.append((table, row, refusal))
            }
        }
        // One that is nested in another of them is skipped with it, and an invalid one is reported already.
        let reported = refused.filter { !staging.isSkipped($0.row, of: $0.table.entity.index) }
        for (table, row, _) in refused { staging.skip(row, of: table.entity.index) }
        let record = { (row: Int, table: StagedTable) in table.origins[row].record }
        for (table, row, refusal) in reported.sorted(by: { record($0.row, $0.table) < record($1.row, $1.table) })
        where !isInSkipped(row, in: table, staging: staging) { try report(refusal, row: row, in: table, state: state) }
    }

    private func isInSkipped(_ row: Int, in table: StagedTable, staging: Staging) -> Bool {
        let origin = table.origins[row]
        return origin.isNested && staging.isSkipped(Int(origin.ownerRow), of: Int(origin.ownerTable))
    }

    /// Reports a record once, even if the payload repeats it.
    private func report(_ refusal: MergeRetryHints.Refusal, row: Int, in table: StagedTable, state: MergeState) throws {
        let (entity, transaction) = (table.entity, state.transaction)
        let identity = table.row(row).identityFingerprint(entity)
        guard state.reportedRefusals[entity.index, default: []].insert(identity).inserted else { return }
        let skipped = transaction.skippedRecord(row, of: entity, columns: refusal.columns, reason: refusal.reason)
        if transaction.options.invalidRecords == .abort { throw MergeError(skipped) }
        transaction.recorder.skip(skipped)
        transaction.recorder.note(
            MergeNote(
                .uniqueConflict, entity: entity.plan.name, record: skipped.identity ?? table.key(of: row).text,
                text: "\(refusal.reason): it stays as it is in the store, or is not inserted"))
    }
}
