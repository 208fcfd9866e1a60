import GRDB
import LockstepEvolution
import LockstepTables

/// Local records that were created locally and have unique values of the server's records (Rules.md, C5).
struct LocalDuplicates {
    let state: MergeState
    let transaction: MergeTransaction
    private var database: Database { transaction.database }
    private var changes: RawChanges { transaction.changes }

    /// The limit for rename functions that keep returning values in use.
    private static let maximumRenames = 100

    init(_ state: MergeState) {
        self.state = state
        transaction = state.transaction
    }

    // MARK: Deciding

    /// Determines how the server's record can get its value; `nil` if the record that has it keeps it.
    ///
    /// - Parameters:
    ///   - holder: The key of the record that has the value.
    ///   - identity: The identity of the server's record.
    func resolution(
        _ holder: [Cell], claim: UniqueClaim, of entity: MergeEntity, identity: [DatabaseValue]
    ) throws -> DuplicateResolution? {
        let known = state.retryHints.duplicates
        let record = RecordKey(holder.map(\.databaseValue))
        guard try state.isOnlyLocal(holder, of: entity),
            try state.local?.edits(of: entity)?.isUnclaimed(holder) != true,
            !transaction.isListed(holder.fingerprint, of: entity)
        else { return nil }
        let earlier = known.filter { $0.entity == entity.index && $0.record == record }
        switch transaction.uniqueValues.policy(for: entity.plan).kind {
        case .report: return nil
        case .adopt:
            let isTaken = known.contains { $0.isAdoption(of: identity, in: entity.index) }
            return earlier.isEmpty && !isTaken
                ? .adopt(entity: entity.index, record: record, identity: identity) : nil
        case .rename(let rename):
            guard earlier.count < Self.maximumRenames else { return nil }
            return try self.rename(record, claim: claim, of: entity, rename: rename)
        }
    }

    private func rename(
        _ record: RecordKey, claim: UniqueClaim, of entity: MergeEntity, rename: (String) -> String
    ) throws -> DuplicateResolution? {
        let plan = entity.plan
        for (column, value) in zip(claim.columns, claim.values) {
            guard case .attribute = plan.columns[column].content, case .string = plan.columns[column].type,
                case .string(var text) = value.storage
            else { continue }
            let sql =
                "SELECT 1 FROM \(SQLName.quoted(plan.table)) WHERE \(SQLName.quoted(plan.columns[column].name)) = ?"
            let find = try RawStatement(sql, in: database)
            for _ in 0..<Self.maximumRenames {
                text = rename(text)
                guard try find.firstValue([text.databaseValue]) == nil else { continue }
                return .rename(entity: entity.index, record: record, column: column, value: text.databaseValue)
            }
            return nil
        }
        return nil
    }

    // MARK: Applying

    /// Applies what earlier attempts of the merge have decided, before anything is merged.
    func applyResolutions() throws {
        for resolution in state.retryHints.duplicates {
            let entity = transaction.plan.entities[resolution.entity]
            switch resolution {
            case .adopt(_, let record, let identity): try adopt(identity, for: record, of: entity)
            case .rename(_, let record, let column, let value):
                try rename(record, column: column, value: value, of: entity)
            }
        }
    }

    private func rename(_ record: RecordKey, column: Int, value: DatabaseValue, of entity: MergeEntity) throws {
        // The change is sent like any other.
        try changes.recordingChanges(database) {
            try changes.note(.update, in: entity.plan.table, database: database)
            try database.change(entity.plan.updateSQL([column]), with: [value] + record.values)
        }
        let name = entity.plan.columns[column].memberName
        transaction.recorder.note(
            MergeNote(
                .renamed, entity: entity.plan.name, record: record.text,
                text: "the server has another record with the same \(name), so this one was renamed"))
    }

    private func adopt(_ identity: [DatabaseValue], for record: RecordKey, of entity: MergeEntity) throws {
        let plan = entity.plan
        let columns = entity.wireKeyColumns.map { plan.columns[$0].name }
        let keys = plan.keyColumns.map { SQLName.quoted(plan.columns[$0].name) }.joined(separator: ", ")
        let existing = try database.valueRows(
            "SELECT \(keys) FROM \(SQLName.quoted(plan.table)) WHERE \(SQLName.condition(columns))", with: identity
        ).first
        if let existing {
            guard try unite(record, and: RecordKey(existing), of: plan, body: { try transaction.union.absorb($0) })
            else { return }
        } else if let remote = plan.remoteColumn {
            try changes.note(.update, in: plan.table, database: database)
            try database.change(plan.updateSQL([remote]), with: identity + record.values)
        } else {
            guard try unite(record, and: RecordKey(identity), of: plan, body: rekey) else { return }
        }
        reportAdoption(plan, key: RecordKey(identity))
    }

    func reportAdoption(_ plan: EntityPlan, key: RecordKey) {
        transaction.recorder.note(
            MergeNote(
                .adopted, entity: plan.name, record: key.text,
                text: "a record that was created locally has the same unique value: it is this record now"))
    }

    /// - Returns: Whether it was possible. If the server has both of two colliding records below, its record is
    ///   reported.
    private func unite(
        _ record: RecordKey, and other: RecordKey, of plan: EntityPlan, body: (RecordUnion.Pair) throws -> Void
    ) throws -> Bool {
        var below: [RecordUnion.Pair]?
        do {
            try database.inSavepoint {
                below = try transaction.union.unite(
                    RecordUnion.Pair(plan: plan, record: record, other: other), body: body)
                return .commit
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            // An index or a trigger of the app prevents it.
            return false
        }
        for pair in below ?? [] { reportAdoption(pair.plan, key: pair.other) }
        return below != nil
    }

    /// Changes the key of a record everywhere.
    private func rekey(_ pair: RecordUnion.Pair) throws {
        let plan = pair.plan
        let keys = plan.keyColumns.map { plan.columns[$0].name }
        try changes.note(.insert, in: plan.table, database: database)
        try changes.note(.update, in: plan.table, database: database)
        try transaction.union.move(plan.table, columns: keys, pair: pair)
        if plan.isTracked {
            let base = BaseTable(plan, in: database)
            try base.delete(pair.other)
            try transaction.union.move(base.name, columns: keys, pair: pair)
            try OutboxTable.rekey(plan, from: pair.record, to: pair.other, in: database)
        }
        _ = try transaction.union.move(pair)
    }
}

extension DuplicateResolution {
    fileprivate func isAdoption(of identity: [DatabaseValue], in entity: Int) -> Bool {
        if case .adopt(entity, _, let known) = self { known == identity } else { false }
    }
}
