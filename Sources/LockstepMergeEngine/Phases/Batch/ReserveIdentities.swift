import LockstepTables

/// Reserves the keys of records that others refer to and that are not in the store, so that the links become valid when
/// the records are received (Rules.md, R2).
///
/// Last in a batch, when it is known which records were written. Afterwards the batch is released.
struct ReserveIdentities: BatchPhase {
    func run(_ batch: MergeBatch, in state: MergeState) throws {
        let transaction = state.transaction
        let (staging, identities) = (transaction.staging, transaction.identities)
        try reserveSkipped(transaction)
        try identities.reserveMissing(hasLocalEdits: state.local != nil)
        if state.deferredUniqueValues.isEmpty {
            try identities.forgetWritten(
                beyond: min(RemoteIdentities.knownLimit, transaction.options.batchRecordLimit),
                isAllWritten: staging.skipCount == 0 && staging.replacements.isEmpty)
        }
        transaction.registries.forEach { $0.rest() }
        staging.removeAll()
    }

    /// Reserves the keys of records that were skipped and that are nested in others, whose links wait for them.
    private func reserveSkipped(_ transaction: MergeTransaction) throws {
        let staging = transaction.staging
        guard staging.skipCount > 0 else { return }
        for table in staging.tables {
            func reserve(_ row: Int, of target: StagedTable, from owner: Int32) throws {
                let entity = target.entity
                guard let remote = entity.plan.remoteColumn, target.row(row)[remote].isValue,
                    staging.isSkipped(row, of: entity.index), !staging.isSkipped(Int(owner), of: table.entity.index)
                else { return }
                _ = try transaction.identities.key(of: target.row(row)[remote], in: entity, isLinked: true)
            }
            for link in table.links where link.targetRow >= 0 && !link.isOwner {
                try reserve(Int(link.targetRow), of: staging.tables[Int(link.targetTable)], from: link.row)
            }
            for membership in table.memberships {
                let relationship = table.entity.relationships[Int(membership.relationship)]
                guard relationship.isSymmetricToOne else { continue }
                for member in table.members(of: membership) where member.row >= 0 {
                    try reserve(Int(member.row), of: staging.tables[relationship.destination], from: membership.row)
                }
            }
        }
    }
}

/// Reserves the keys of records that only links of the end phases refer to, such as a deferred unique foreign key.
///
/// After ``AssignDeferredUniqueValues``, which writes the last links.
struct ReserveRemainingIdentities: MergePhase {
    func run(_ state: MergeState) throws {
        try state.transaction.identities.reserveMissing(hasLocalEdits: state.local != nil)
    }
}
