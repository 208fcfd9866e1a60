import LockstepStore

// What may become of staged rows, before anything of their batch is written.
extension MergeRun {
    /// Whether the record of a row is in the store, as it was before the batch.
    func isStored(_ row: Int, _ table: StagedTable) throws -> Bool {
        let find = try statements(of: table.entity).find.get()
        find.bind(table.key(row))
        defer { find.reset() }
        return try find.step()
    }

    /// Whether something may be written of a row: it is not skipped, nor left to the app, nor kept by the switches.
    func mayMerge(_ row: Int, _ table: StagedTable) throws -> Bool {
        if staging.isSkipped(row, of: table.entity.place) || table.origins[row].isReplaced { return false }
        let switches = switches(of: table.origins[row])
        if switches.isSuperset(of: [.insert, .update]) { return true }
        return switches.contains(try isStored(row, table) ? .update : .insert)
    }

    /// Whether the lists that a row has count: of what may not be updated only where it was not here.
    func mayHaveList(_ row: Int, _ table: StagedTable) throws -> Bool {
        if staging.isSkipped(row, of: table.entity.place) { return false }
        if switches(of: table.origins[row]).contains(.update) { return true }
        return try outcome(table.row(row).fingerprint(table.entity), of: table.entity) == .inserted
            || !isStored(row, table)
    }

    /// Keeps the keys of records that were skipped and that others have inside of them: the links wait for them.
    func reserveSkipped() throws {
        guard staging.skipCount > 0 else { return }
        for table in staging.tables {
            for link in table.links where link.targetRow >= 0 && !link.isOwner {
                let target = staging.tables[Int(link.targetTable)]
                let (row, entity) = (Int(link.targetRow), target.entity)
                guard let remote = entity.plan.remoteColumn, target.row(row)[remote].isValue,
                    staging.isSkipped(row, of: entity.place),
                    !staging.isSkipped(Int(link.row), of: table.entity.place)
                else { continue }
                _ = try identities.key(of: target.row(row)[remote], in: entity, isReserved: true)
            }
        }
    }

    /// Notes where the records are that are not merged: what only a record has that was deleted here goes with it, and
    /// is on no other list (Rules.md, C3).
    func noteSkipped() {
        guard local != nil, staging.skipCount > 0 else { return }
        for table in staging.tables where !table.entity.isOwned {
            let registry = registry(of: table.entity)
            for row in 0..<table.count where table.hasKey(row) {
                guard staging.isSkipped(row, of: table.entity.place) || table.origins[row].isReplaced else { continue }
                registry.note(
                    goesWithDeleted(table.origins[row]) ? .insideDeleted : .skipped,
                    of: table.row(row).fingerprint(table.entity))
            }
        }
    }

    /// Whether a row belongs to a record that was deleted here, by relationships that cascade. What is only shown there
    /// stays when that is deleted.
    private func goesWithDeleted(_ origin: Origin) -> Bool {
        guard staging.hasDeletedHere else { return false }
        var origin = origin
        while origin.isNested {
            let owner = staging.tables[Int(origin.ownerTable)]
            let relationship = owner.entity.plan.relationships[Int(origin.relationship)]
            if case .manyToMany = relationship.kind { return false }
            guard relationship.onDelete == .cascade else { return false }
            origin = owner.origins[Int(origin.ownerRow)]
            if origin.isDeletedHere { return true }
        }
        return false
    }
}
