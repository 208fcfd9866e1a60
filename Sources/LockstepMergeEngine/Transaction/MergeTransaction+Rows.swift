import LockstepTables

// What may be written of staged rows, before any row of their batch is written.
extension MergeTransaction {
    /// Whether the record of a row is in the store, as of the start of the batch.
    func isStored(_ row: Int, in table: StagedTable) throws -> Bool {
        let find = try statements(of: table.entity).find.get()
        find.bind(table.key(row))
        defer { find.reset() }
        return try find.step()
    }

    /// Whether a row may be written: it is not skipped, not left to the app, and and the options allow it.
    func mayMerge(_ row: Int, in table: StagedTable) throws -> Bool {
        if staging.isSkipped(row, of: table.entity.index) || table.origins[row].isReplaced { return false }
        let operations = operations(of: table.origins[row])
        if operations.isSuperset(of: [.insert, .update]) { return true }
        return operations.contains(try isStored(row, in: table) ? .update : .insert)
    }

    /// Whether the lists of a row count. If the record may not be updated, they count only if it is new.
    func mayHaveList(_ row: Int, in table: StagedTable) throws -> Bool {
        if staging.isSkipped(row, of: table.entity.index) { return false }
        if operations(of: table.origins[row]).contains(.update) { return true }
        return try outcome(table.row(row).fingerprint(table.entity), of: table.entity) == .inserted
            || !isStored(row, in: table)
    }
}
