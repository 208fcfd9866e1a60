import LockstepEvolution
import LockstepTables

extension MergeState {
    /// Registers which rows of the batch are not merged. A record that is only nested in a record that was deleted
    /// locally is deleted with it, and counts as listed nowhere else (Rules.md, C3).
    func registerSkippedRows() {
        let staging = transaction.staging
        guard local != nil, staging.skipCount > 0 else { return }
        for table in staging.tables where !table.entity.isOwned {
            let registry = transaction.registry(of: table.entity)
            for row in 0..<table.count where table.hasKey(row) {
                guard staging.isSkipped(row, of: table.entity.index) || table.origins[row].isReplaced else { continue }
                registry.record(
                    isDeletedWithOwner(table.origins[row]) ? .insideDeleted : .skipped,
                    of: table.row(row).fingerprint(table.entity))
            }
        }
    }

    /// Whether a row belongs to a record that was deleted locally, by relationships that cascade. A record that is
    /// merely embedded there stays.
    private func isDeletedWithOwner(_ origin: Origin) -> Bool {
        let staging = transaction.staging
        guard staging.hasDeletedLocally else { return false }
        var origin = origin
        while origin.isNested {
            let owner = staging.tables[Int(origin.ownerTable)]
            let relationship = owner.entity.plan.relationships[Int(origin.relationship)]
            if case .manyToMany = relationship.kind { return false }
            guard relationship.onDelete == .cascade else { return false }
            origin = owner.origins[Int(origin.ownerRow)]
            if origin.isDeletedLocally { return true }
        }
        return false
    }
}
