import GRDB
import LockstepEvolution
import LockstepTables

// Records that were deleted on the server (Rules.md, C3).
extension LocalEdits {
    /// The treatment of a record that was deleted on the server.
    enum ServerDelete {
        /// It is deleted locally, too.
        case delete
        /// It stays: it was created locally, or its delete is pending.
        case keep
        /// It stays, and is created on the server again.
        case recreate
    }

    /// Decides by the policy what happens to a record that was deleted on the server, and updates its pending change.
    ///
    /// If the policy is a function, the record gets the values that it returns.
    func resolveServerDelete(of record: RecordReference) throws -> ServerDelete {
        let entity = transaction.plan.entities[record.entity]
        let key = record.key.values.map { Cell($0, arena: transaction.staging.arena) }
        guard let edits = try edits(of: entity), let pending = try edits.pending(of: key) else {
            return try recreateForMembers(entity.plan, key: record.key) ? .recreate : .delete
        }
        if try edits.isUnclaimed(key) { return .keep }
        switch pending.change {
        case .create: return .keep
        case .delete:
            try edits.removePending(key)
            let notes = try RecordNotes(transaction.database)
            try notes.forget([notes.record(record.key, in: entity.plan)], in: entity.plan)
            return .keep
        case .update: break
        }
        switch edits.kind {
        // It was deleted locally, and that was undone: the server may have got the delete alone.
        case _ where pending.marks.contains(.deletion): break
        case .serverWins: return .delete
        case .localChangesWin, .newestWins: break
        case .custom(let function):
            guard try write(function, key: key, edits: edits) else {
                try willDelete(record)
                try edits.removePending(key)
                return .delete
            }
        }
        // If the server takes no new records, there is nothing to send but the change.
        guard entity.plan.tracks(.create) else { return .keep }
        try edits.becomeCreate(key)
        try forgetSent(in: entity.plan, key: record.key)
        return .recreate
    }

    /// Creates a record on the server again that was not changed locally, but that contains others which were.
    ///
    /// - Returns: Whether it contains any.
    private func recreateForMembers(_ plan: EntityPlan, key: RecordKey) throws -> Bool {
        let ownership = transaction.options.ownership
        guard plan.tracks(.create), plan.tracks(.update),
            try InsideChanges(
                transaction.database, of: { $0.travelsInside || $0.travels && ownership?.isContained($0) == true }
            ).areEdited(in: plan, key: key)
        else { return false }
        if case .serverWins = policies.policy(for: plan).kind { return false }
        let writer = OutboxWriter(transaction.database, plan: plan)
        guard try writer.touch(key), let change = try writer.change(of: key) else { return false }
        try writer.makeAgain(change)
        try forgetSent(in: plan, key: key)
        return true
    }

    /// Forgets the records that were sent inside a deleted record: they were deleted with it.
    private func forgetSent(in plan: EntityPlan, key: RecordKey) throws {
        try SentMembers(database: transaction.database, plans: transaction.plan.schema)
            .forget(inside: RecordID(plan, key: key))
    }

    /// The owners of records that are sent inside them, that were created or changed locally, and that have no pending
    /// change of their own.
    func ownersOfEdited(_ plan: EntityPlan) throws -> Set<RecordKey> {
        guard plan.takes(.create), let ownership = transaction.options.ownership, ownership.sendsEmbedded else {
            return []
        }
        if case .serverWins = policies.policy(for: plan).kind { return [] }
        return try InsideChanges(transaction.database) { $0.travels && ownership.isContained($0) }.ownersOfEdited(plan)
    }

    /// Calls an app's function for a record that was deleted on the server, and writes what it returns.
    ///
    /// - Returns: Whether the record stays.
    private func write(_ function: any ConflictFunction, key: [Cell], edits: EntityEdits) throws -> Bool {
        let find = try transaction.statements(of: edits.entity).find.get()
        find.bind(key)
        guard try find.step() else {
            find.reset()
            return false
        }
        let plan = edits.entity.plan
        let local = plan.columns.indices.map { find.cell($0).databaseValue }
        find.reset()
        let base = try edits.base(of: key)?.map(\.databaseValue)
        let conflict = RowConflict(base: base, local: local, remote: nil)
        guard let result = try functions.resolve(conflict, by: function, in: transaction) else { return false }
        let changed = plan.columns.indices.filter { column in
            guard !plan.keyColumns.contains(column), let value = result[column] else { return false }
            return !value.isIdentical(to: local[column])
        }
        guard !changed.isEmpty else { return true }
        if let rows = try edits.rows(ofDeletedOnServer: key) {
            var values = rows.local
            for column in changed { values[column] = Cell(result[column] ?? .null, arena: transaction.staging.arena) }
            let losses = edits.losses(rows, result: values, deletedBy: .remote)
            try transaction.conflicts.write(
                losses, rule: edits.rule, of: RecordKey(key.map(\.databaseValue)), plan: plan)
        }
        let statement = try RawStatement(plan.updateSQL(changed), in: transaction.database)
        try transaction.changes.note(.update, in: plan.table, database: transaction.database)
        try statement.run(changed.map { result[$0] ?? .null } + key.map(\.databaseValue))
        transaction.record(
            .updated, of: edits.entity, fingerprint: key.fingerprint, key: RecordKey(key.map(\.databaseValue)),
            isListed: false)
        return true
    }

    /// The records in a scope that were edited locally and that the payload does not list, although the server had them
    /// in the scope: one that was moved into it locally was never listed there.
    func unlistedEdits(in scope: ResolvedScope, deletion: StaleRecordDeletion) throws -> [RecordReference] {
        let plan = scope.plan
        let entity = transaction.plan.entities[scope.entity]
        guard scope.link == nil else { return [] }
        let owners = try ownersOfEdited(plan)
        guard try !owners.isEmpty || edits(of: entity) != nil else { return [] }
        let edited = try OutboxTable.updatedRecords(
            of: plan, where: scope.condition, with: scope.arguments, in: transaction.database
        )
        .union(owners)
        return edited.isEmpty ? [] : try deletion.unlisted(in: scope).filter { edited.contains($0.key) }
    }

    /// Remembers the local edits of a record that is about to be deleted because the server lacks it (Rules.md, C6).
    func willDelete(_ record: RecordReference) throws {
        let entity = transaction.plan.entities[record.entity]
        guard lostEdits[record] == nil, let edits = try edits(of: entity) else { return }
        let key = record.key.values.map { Cell($0, arena: transaction.staging.arena) }
        guard let pending = try edits.pending(of: key), pending.change == .update,
            let rows = try edits.rows(ofDeletedOnServer: key)
        else { return }
        lostEdits[record] = edits.losses(rows, result: nil, deletedBy: .remote)
    }

    /// Forgets the pending changes of a record that was deleted because the server lacks it, and of links to it.
    ///
    /// - Parameter isWithdrawn: Whether the server may still have it, out of the user's sight: then links to it are
    ///   still sent.
    func didDelete(_ entity: Int, key: RecordKey, isWithdrawn: Bool) throws {
        let plan = transaction.plan.entities[entity].plan
        if !isWithdrawn { try OutboxLinkTable(transaction.database).forget(links, to: key, plan: plan) }
        guard let edits = try edits(of: transaction.plan.entities[entity]) else { return }
        let cells = key.values.map { Cell($0, arena: transaction.staging.arena) }
        if let losses = lostEdits.removeValue(forKey: RecordReference(entity: entity, key: key)) {
            try transaction.conflicts.write(losses, rule: edits.rule, of: key, plan: plan)
        }
        if let pending = try edits.pending(of: cells), !pending.isUnclaimed { try edits.removePending(cells) }
    }
}

extension EntityEdits {
    /// The values of a record that was deleted on the server: what both sides knew, and the local ones; `nil` if it is
    /// not in the store, or has no base.
    fileprivate func rows(ofDeletedOnServer key: [Cell]) throws -> ThreeWay<Cell>? {
        guard let base = try base(of: key), let local = try local(of: key) else { return nil }
        return ThreeWay(base: base, local: local, remote: base, isSame: isSame)
    }
}
