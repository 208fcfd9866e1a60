import LockstepJSON
package import LockstepTables

extension MergeRun {
    /// Schedules the deletes of records that the server has withdrawn from this device. What was changed locally stays.
    package func withdraw(_ keys: [RecordKey]) {
        state.withdrawn += keys.map { RecordReference(entity: root.index, key: $0) }
    }

    /// Schedules the deletes of records that were deleted on the server.
    package func deleteRecords(_ identities: [RemoteIdentity], cancellation: MergeCancellation) throws {
        var kept = 0
        var respelled: [RemoteIdentity] = []
        let spellings = try IdentitySpellings(transaction.database)
        // What the server has confirmed recently, and does not have now.
        let confirmed = try transaction.options.absentAt.map { now in
            try ConfirmedTable.endFuture(now, in: transaction.database)
            return try ConfirmedTable.records(of: root.plan, at: now, in: transaction.database)
        }
        for identity in identities {
            try cancellation.check()
            guard let (key, isAddress) = try transaction.key(of: identity, in: root, spellings: spellings),
                try state.isKnown(key, of: root)
            else { continue }
            if !isAddress {
                respelled.append(identity)
            } else if transaction.options.keepsDeletedIdentities {
                kept += 1
            } else if confirmed?.contains(root.plan.recordText(RecordKey(key.map(\.databaseValue)))) == true {
                noteKept(identity)
            } else {
                state.scheduleDelete(key, of: root)
            }
        }
        if let first = respelled.first { noteRespelled(first, othersCount: respelled.count - 1) }
        guard kept > 0 else { return }
        let (records, stay) = kept == 1 ? ("record", "stays") : ("records", "stay")
        transaction.recorder.note(
            MergeNote(
                .remark, entity: root.plan.name,
                text: """
                    \(kept) \(records) that the server has deleted \(stay), because the merge does not delete; set `records` \
                    of the options to `.all`
                    """))
    }
}

extension MergeRun {
    private func noteRespelled(_ identity: RemoteIdentity, othersCount: Int) {
        let others = othersCount > 0 ? " and \(othersCount) others" : ""
        transaction.recorder.note(
            MergeNote(
                .remark, entity: root.plan.name, record: identity.text,
                text: """
                    the server has deleted “\(identity.text)”\(others), but it has sent the record here in another \
                    spelling of the UUID: that is another record, so nothing was deleted
                    """))
    }

    private func noteKept(_ identity: RemoteIdentity) {
        transaction.recorder.note(
            MergeNote(
                .unconfirmedDeletion, entity: root.plan.name, record: identity.text,
                text: """
                    the server does not have it (404), but has confirmed it a moment ago: it was kept, since a replica \
                    that lags behind may not have it yet
                    """))
    }
}

extension MergeSummary {
    /// Whether a record was kept that the server does not have.
    package var keepsAbsentRecord: Bool { notes.contains { $0.code == .unconfirmedDeletion } }
}

extension MergeTransaction {
    /// The local key of a record, and whether the server has sent it with this identity, instead of another spelling;
    /// `nil` if the identity is not one of the entity.
    fileprivate func key(
        of identity: RemoteIdentity, in entity: MergeEntity, spellings: IdentitySpellings
    ) throws -> (key: [Cell], isAddress: Bool)? {
        let columns = entity.wireKeyColumns
        guard columns.count == identity.values.count else { return nil }
        plan.spellings.role = .other
        defer { plan.spellings.role = .record }
        var cells: [Cell] = []
        var isAddress = true
        for (column, value) in zip(columns, identity.values) {
            guard let cell = try cell(value, of: entity, column: column) else { return nil }
            isAddress =
                try isAddress && spellings.isAddress(value, of: cell.databaseValue, column: column, plan: entity.plan)
            cells.append(cell)
        }
        guard entity.plan.remoteColumn != nil else { return (cells, isAddress) }
        guard try identities.isStored(cells[0], in: entity) else { return nil }
        return ([try identities.key(of: cells[0], in: entity)], isAddress)
    }

    /// A value of the identity as the column stores it, by the rules of reading JSON.
    private func cell(_ value: JSONValue, of entity: MergeEntity, column: Int) throws -> Cell? {
        var writer = JSONWriter()
        do { try writer.write(value) } catch { return nil }
        let bytes = writer.bytes.withUnsafeBufferPointer { staging.arena.copy($0) }
        var scanner = JSONScanner(bytes)
        let reader = entity.reader(column).takeUnretainedValue()
        var problem: ValueProblem?
        let cell = try reader.read(&scanner, in: staging.arena, problem: &problem)
        return problem == nil && cell.isValue ? cell : nil
    }
}

extension MergeState {
    /// Whether a record is in the store, or its delete is pending.
    fileprivate func isKnown(_ key: [Cell], of entity: MergeEntity) throws -> Bool {
        if try local?.edits(of: entity)?.pending(of: key) != nil { return true }
        let find = try transaction.statements(of: entity).find.get()
        find.bind(key)
        defer { find.reset() }
        return try find.step()
    }
}
