import LockstepEvolution
import LockstepTables

// Records that were changed locally, and that the payload has too (Rules.md, C2 and C3).
extension TableMerge {
    /// How a pending change is updated once the record is written.
    struct PendingUpdate {
        let row: Int
        /// The record's values on the server; `nil` if the base is up to date.
        let base: [Cell]?
        let becomesUpdate: Bool
        /// The columns whose values the server has reported.
        var reported: [Int] = []
        /// Whether the pending change is removed.
        let isRemoved: Bool
        /// What both sides have changed; `nil` if there is nothing.
        var conflict: ResolvedConflict?
    }

    /// The columns to write of an existing record with a pending change; the others keep their values.
    ///
    /// - Parameter statement: Positioned on the record's row.
    func resolveEdits(
        _ head: Int, changed: ColumnSet?, statement: RawStatement, edits: EntityEdits
    ) throws -> ColumnSet? {
        let cells = table.row(head)
        guard let pending = try edits.pending(cells.fingerprint(entity), key: { table.key(head) }) else {
            return changed
        }
        let arena = transaction.staging.arena
        let remote = (0..<table.width).map { cells[$0].kind == .absent ? nil : cells[$0] }
        let sent = try edits.unconfirmed(of: table.key(head))
        let base =
            pending.change == .create
            ? try edits.base(ofCreation: table.key(head), sent: sent, remote: remote)
            : try edits.base(ofUpdate: table.key(head), sent: sent, remote: remote)
        let rows = ThreeWay(
            base: try edits.common(base, pending: pending, of: table.key(head), remote: remote),
            local: (0..<table.width).map { statement.cell($0).copied(to: arena) }, remote: remote,
            isSame: edits.isSame)
        let decision = rows.decide(edits.units) { pending.isUnclaimed ? .local : edits.winner(of: rows) }
        if pending.isUnclaimed {
            let newBase = pending.change == .update ? edits.newBase(rows) : nil
            pendingUpdates.append(
                PendingUpdate(
                    row: head, base: newBase, becomesUpdate: false, isRemoved: false,
                    conflict: edits.conflict(decision, rows: rows, isUnclaimed: true)))
            return changed?.subtracting(decision.kept, width: table.width)
        }
        let reported = try resolved(sent, remote: remote, edits: edits, head: head)
        let newBase = edits.newBase(rows) ?? (pending.change == .create || !reported.isEmpty ? base : nil)
        pendingUpdates.append(
            PendingUpdate(
                row: head, base: newBase, becomesUpdate: pending.change != .update, reported: reported,
                isRemoved: false, conflict: edits.conflict(decision, rows: rows)))
        if case .custom(let function) = edits.kind, !decision.conflicts.isEmpty {
            return try take(function, rows: rows, decision: decision, head: head, edits: edits)
        }
        var columns = changed ?? ColumnSet()
        // The server wins some although the payload lacks them.
        for column in 0..<table.width where rows.remote[column] == nil && decision.conflicts.contains(column) {
            let value = rows.value(of: column, after: decision)
            guard !edits.isSame(column, left: value, right: rows.local[column]) else { continue }
            rememberRow(head)
            cells[column] = value
            columns.insert(column)
        }
        return columns.subtracting(decision.kept, width: table.width)
    }

    /// The columns in which the payload shows what has become of the values that were sent without a response
    /// (Rules.md, P4).
    ///
    /// If the server still has the value of before, the request may arrive later, unless the server has rejected its
    /// version. Then an edit that is undone has to be sent.
    private func resolved(_ sent: [Int: [Cell]], remote: [Cell?], edits: EntityEdits, head: Int) throws -> [Int] {
        let isRejected = transaction.options.isRejection && !table.origins[head].isNested
        let base = sent.isEmpty || isRejected ? nil : try edits.base(of: table.key(head))
        return sent.filter { column, values in
            guard let reported = remote[column] else { return false }
            guard let base, edits.isSame(column, left: reported, right: base[column]) else { return true }
            return values.allSatisfy { edits.isSame(column, left: reported, right: $0) }
        }.map(\.key)
    }

    /// Resolves a conflict by an app's function.
    private func take(
        _ function: any ConflictFunction, rows: ThreeWay<Cell>, decision: ColumnDecision, head: Int, edits: EntityEdits
    ) throws -> ColumnSet? {
        guard let local = state.local else { return nil }
        let cells = table.row(head)
        // The server's values are needed again if the batch is decided again.
        rememberRow(head)
        let remote = edits.overlaid(rows)
        let result = try local.functions.resolve(
            RowConflict(
                base: rows.base?.map(\.databaseValue), local: rows.local.map(\.databaseValue),
                remote: remote.map(\.databaseValue)), by: function, in: transaction)
        guard let result else {
            pendingUpdates[pendingUpdates.count - 1].conflict?.losses = edits.losses(rows, result: nil)
            local.delete(table.key(head), of: entity)
            return nil
        }
        var changed = ColumnSet()
        var values = rows.local
        let serverColumns = Set(entity.plan.readOnlyColumns + [entity.plan.versionColumn].compactMap(\.self))
        for column in 0..<table.width where !entity.plan.keyColumns.contains(column) {
            let kept = decision.kept.contains(column) ? rows.local[column] : remote[column]
            let said = serverColumns.contains(column) ? nil : result[column]
            let value = said.map { Cell($0, arena: transaction.staging.arena) } ?? kept
            guard !edits.isSame(column, left: value, right: rows.local[column]) else { continue }
            cells[column] = value
            values[column] = value
            changed.insert(column)
        }
        pendingUpdates[pendingUpdates.count - 1].conflict?.losses = edits.losses(rows, result: values)
        return changed.isEmpty ? nil : changed
    }

    /// Decides about a record that does not exist in the store: if it was deleted locally, it stays deleted, and the
    /// delete is sent (Rules.md, C3). Otherwise, it is inserted, and a pending change of it is removed then.
    ///
    /// - Returns: Whether the record stays deleted.
    func resolveLocalDelete(_ head: Int, edits: EntityEdits) throws -> Bool {
        let cells = table.row(head)
        guard let pending = try edits.pending(cells.fingerprint(entity), key: { table.key(head) }) else { return false }
        guard pending.change == .delete else {
            if pending.isUnclaimed { return false }
            pendingUpdates.append(PendingUpdate(row: head, base: nil, becomesUpdate: false, isRemoved: true))
            return false
        }
        guard fold(head, exists: true) else { return true }
        let key = table.key(head)
        let base = try edits.base(of: key)
        let rows = ThreeWay(
            base: base, local: base ?? (0..<table.width).map { transaction.defaultCell(entity, column: $0) ?? .null },
            remote: (0..<table.width).map { cells[$0].kind == .absent ? nil : cells[$0] }, isSame: edits.isSame)
        if let newBase = edits.newBase(rows) {
            edits.deferBase(newBase)
            if base != nil { lostToDeletes[head] = edits.losses(rows, result: nil, deletedBy: .local) }
        }
        return true
    }

    /// Leaves out local changes that are sent with an owner: links that it lists, the order of its list, and records
    /// that are never sent on their own.
    func keepLinks(_ head: Int, changed: ColumnSet?, statement: RawStatement) throws -> ColumnSet? {
        guard let local = state.local, var changed else { return changed }
        for relationship in entity.heldLinks where relationship.foreignKey?.contains(where: changed.contains) ?? false {
            guard try isHeld(relationship, head: head, statement: statement, local: local),
                let columns = relationship.foreignKey
            else {
                continue
            }
            columns.forEach { changed.remove($0) }
            if let position = relationship.positionColumn { changed.remove(position) }
        }
        let origin = table.origins[head]
        guard origin.isNested, !changed.isEmpty else { return changed.isEmpty ? nil : changed }
        let owner = LinkOwner(table: transaction.staging.tables[Int(origin.ownerTable)], row: Int(origin.ownerRow))
        let listing = owner.entity.relationships[Int(origin.relationship)]
        let position = listing.inverse.flatMap { entity.relationships[$0].positionColumn }.flatMap {
            changed.contains($0) ? $0 : nil
        }
        if !entity.plan.travels, try local.keepsEmbedded(in: owner, areTracked: entity.plan.isTracked) { return nil }
        guard let position, try local.keepsOrder(of: owner) else { return changed }
        let foreignKey = listing.inverse.flatMap { entity.relationships[$0].foreignKey } ?? []
        if !foreignKey.contains(where: changed.contains) { changed.remove(position) }
        return changed.isEmpty ? nil : changed
    }

    /// Whether a to-one keeps its local value: the server's link was removed locally, or the local one was added
    /// locally.
    private func isHeld(
        _ relationship: MergeRelationship, head: Int, statement: RawStatement, local: LocalEdits
    ) throws -> Bool {
        let owner = transaction.plan.entities[relationship.destination]
        guard let inverse = relationship.inverse, let columns = relationship.foreignKey,
            let edits = try local.edits(of: owner.relationships[inverse], entity: owner)
        else { return false }
        let (record, cells) = (table.key(head), table.row(head))
        let remoteKey = columns.map { cells[$0] }
        if remoteKey.allSatisfy(\.isValue), try edits.links(of: remoteKey)?.isRemoved(record) == true { return true }
        if case .serverWins = local.policies.policy(for: owner.plan).kind { return false }
        let localKey = columns.map { statement.cell($0) }
        return try localKey.allSatisfy(\.isValue) && edits.links(of: localKey)?.isAdded(record) == true
    }

    /// Updates the pending changes of the records that were written.
    func writePendingUpdates() throws {
        guard let edits else { return }
        try edits.writeDeferredBases()
        for (row, losses) in lostToDeletes.sorted(by: { $0.key < $1.key }) {
            try transaction.conflicts.write(losses, rule: .deletedLocally, of: key(of: row), plan: entity.plan)
        }
        for update in pendingUpdates where !isSkipped(Int32(update.row)) {
            let key = table.key(update.row)
            if update.isRemoved {
                try edits.removePending(key)
                continue
            }
            if let base = update.base { try edits.writeBase(base) }
            if update.becomesUpdate {
                // If the server does not accept updates, there is nothing more to send.
                guard entity.plan.tracks(.update) else {
                    try edits.removePending(key)
                    continue
                }
                try edits.becomeUpdate(key)
            }
            if !update.becomesUpdate { try edits.clearUnconfirmed(key, columns: update.reported) }
            edits.recordMerged(key)
            if let conflict = update.conflict {
                try transaction.report(conflict, of: RecordKey(key.map(\.databaseValue)), in: entity.plan)
            }
        }
    }
}

extension ColumnSet {
    /// The set without others; `nil` if it is empty.
    fileprivate func subtracting(_ others: ColumnSet, width: Int) -> ColumnSet? {
        var rest = self
        for column in 0..<width where others.contains(column) { rest.remove(column) }
        return rest.isEmpty ? nil : rest
    }
}
