import GRDB
import LockstepEvolution
import LockstepTables

extension EntityEdits {
    /// Removes the pending changes of merged records that no longer differ from the server's.
    ///
    /// A record that contains others with changes keeps its pending change, which lets apps display it as changed.
    ///
    /// - Returns: Whether there were any.
    func reconcile(_ hasSameList: (KeyFingerprint, MergeRelationship) -> Bool) throws -> Bool {
        guard !merged.isEmpty else { return false }
        var hasRemoved = false
        let members = InsideChanges(transaction.database)
        for key in merged.values.map({ $0.values.map { Cell($0, arena: transaction.staging.arena) } }) {
            guard let pending = try pending(of: key), pending.change == .update, !pending.isUnclaimed,
                !pending.marks.contains(.embedded) || !entity.plan.travelsInside, try !differs(key),
                try unconfirmed(of: key).isEmpty, !pending.marks.contains(.deletion),
                entity.relationships.allSatisfy({
                    !isRecordedByOwnerOnly($0, pending: pending) || hasSameList(key.fingerprint, $0)
                }),
                try links.allSatisfy({ try !hasPendingLinks(key, link: $0) }),
                try !members.areIn(entity.plan, key: RecordKey(key.map(\.databaseValue)))
            else { continue }
            try removePending(key)
            hasRemoved = true
        }
        return hasRemoved
    }

    /// Ensures that an owner has a pending change if something inside it must be sent: a record may have been moved to
    /// it.
    func markOwnersChanged() throws {
        guard entity.plan.travelsInside, !merged.isEmpty else { return }
        let owners = InsideOwners(transaction.database)
        for key in merged.values {
            guard try PendingChange.fetch(transaction.database, of: key, plan: entity.plan) != nil else { continue }
            try owners.touchOwner(of: entity.plan, key: key)
        }
    }

    /// Whether only the owner's pending change records a change of a relationship: the order, or records that belong to
    /// the owner.
    private func isRecordedByOwnerOnly(_ relationship: MergeRelationship, pending: PendingEdit) -> Bool {
        let description = relationship.description
        guard description.wire != .none, relationship.foreignKey == nil else {
            guard description.isEmbedded else { return false }
            return !description.destination.travels
        }
        let members = description.destination
        if description.isOrdered || !members.isTracked { return true }
        return !members.travels && pending.marks.contains(.embedded)
    }

    /// Whether the sent columns of a record differ from its base.
    private func differs(_ key: [Cell]) throws -> Bool {
        guard let base = try base(of: key) else { return true }
        let find = try transaction.statements(of: entity).find.get()
        find.bind(key)
        defer { find.reset() }
        guard try find.step() else { return true }
        return entity.plan.travellingColumns.contains { !isSame($0, left: find.cell($0), right: base[$0]) }
    }

    private func hasPendingLinks(_ key: [Cell], link: OutboxLinkRoute) throws -> Bool {
        let source = RecordKey(key.map(\.databaseValue))
        return try OutboxLinkTable(transaction.database).hasRows(of: link, from: source, plan: entity.plan)
    }
}
