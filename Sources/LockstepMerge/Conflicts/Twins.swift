import GRDB
import LockstepStore

/// What is to be done about a record that was made here, so that the server's record can have its value.
enum TwinLesson: Sendable {
    /// It is the server's record, which has this identity.
    case adopt(entity: Int, record: RecordKey, identity: [DatabaseValue])
    /// It gets another value.
    case rename(entity: Int, record: RecordKey, column: Int, value: DatabaseValue)

    var entity: Int {
        switch self {
        case .adopt(let entity, _, _), .rename(let entity, _, _, _): entity
        }
    }

    var record: RecordKey {
        switch self {
        case .adopt(_, let record, _), .rename(_, let record, _, _): record
        }
    }
}

/// Records that were made here, and that have values which the server's records want (Rules.md, C5).
struct Twins {
    let run: MergeRun
    private var database: Database { run.database }
    private var changes: RawChanges { run.changes }

    /// A function that gives nothing new is not called for ever.
    private static let mostRenames = 100

    init(_ run: MergeRun) { self.run = run }

    // MARK: Deciding

    /// What lets the server's record have its value; `nil` where the record that has it keeps it.
    ///
    /// - Parameters:
    ///   - holder: The key of the record that has the value.
    ///   - identity: The one of the server's record.
    func lesson(
        _ holder: [Cell], _ claim: UniqueClaim, _ entity: MergeEntity, identity: [DatabaseValue]
    ) throws -> TwinLesson? {
        let known = run.lessons.twins
        let record = RecordKey(holder.map(\.databaseValue))
        guard try run.isOnlyHere(holder, entity), try run.local?.edits(of: entity)?.isUnclaimed(holder) != true,
            !run.isListed(holder.fingerprint, of: entity)
        else { return nil }
        let earlier = known.filter { $0.entity == entity.place && $0.record == record }
        switch run.uniqueValues.policy(for: entity.plan).kind {
        case .report: return nil
        case .adopt:
            let isTaken = known.contains { $0.isAdoption(of: identity, in: entity.place) }
            return earlier.isEmpty && !isTaken
                ? .adopt(entity: entity.place, record: record, identity: identity) : nil
        case .rename(let rename):
            guard earlier.count < Self.mostRenames else { return nil }
            return try self.rename(record, claim, entity, rename)
        }
    }

    private func rename(
        _ record: RecordKey, _ claim: UniqueClaim, _ entity: MergeEntity, _ rename: (String) -> String
    ) throws -> TwinLesson? {
        let plan = entity.plan
        for (column, value) in zip(claim.columns, claim.values) {
            guard case .attribute = plan.columns[column].content, case .string = plan.columns[column].type,
                case .string(var text) = value.storage
            else { continue }
            let sql =
                "SELECT 1 FROM \(SQLName.quoted(plan.table)) WHERE \(SQLName.quoted(plan.columns[column].name)) = ?"
            let find = try RawStatement(sql, database)
            for _ in 0..<Self.mostRenames {
                text = rename(text)
                guard try find.firstValue([text.databaseValue]) == nil else { continue }
                return .rename(entity: entity.place, record: record, column: column, value: text.databaseValue)
            }
            return nil
        }
        return nil
    }

    // MARK: Doing

    /// Does what earlier tries of the merge have decided, before anything is merged.
    func settle() throws {
        for lesson in run.lessons.twins {
            let entity = run.plan.entities[lesson.entity]
            switch lesson {
            case .adopt(_, let record, let identity): try adopt(identity, record, entity)
            case .rename(_, let record, let column, let value): try rename(record, column, value, entity)
            }
        }
    }

    private func rename(_ record: RecordKey, _ column: Int, _ value: DatabaseValue, _ entity: MergeEntity) throws {
        // It is a change that goes out as any other.
        try changes.noticed(database) {
            try changes.note(.update, in: entity.plan.table, database)
            try database.change(entity.plan.updateSQL([column]), [value] + record.values)
        }
        let name = entity.plan.columns[column].memberName
        run.recorder.note(
            MergeNote(
                .renamed, entity: entity.plan.name, record: record.text,
                "the server has another record with the same \(name): it got another one"))
    }

    private func adopt(_ identity: [DatabaseValue], _ record: RecordKey, _ entity: MergeEntity) throws {
        let plan = entity.plan
        let columns = entity.wireKeyColumns.map { plan.columns[$0].name }
        let keys = plan.keyColumns.map { SQLName.quoted(plan.columns[$0].name) }.joined(separator: ", ")
        let there = try database.valueRows(
            "SELECT \(keys) FROM \(SQLName.quoted(plan.table)) WHERE \(SQLName.condition(columns))", identity
        ).first
        if let there {
            guard try unite(record, RecordKey(there), plan, { try run.union.absorb($0) }) else { return }
        } else if let remote = plan.remoteColumn {
            try changes.note(.update, in: plan.table, database)
            try database.change(plan.updateSQL([remote]), identity + record.values)
        } else {
            guard try unite(record, RecordKey(identity), plan, rekey) else { return }
        }
        note(plan, RecordKey(identity))
    }

    func note(_ plan: EntityPlan, _ key: RecordKey) {
        run.recorder.note(
            MergeNote(
                .adopted, entity: plan.name, record: key.text,
                "a record that was made here has the same value that is there once: it is this one now"))
    }

    /// - Returns: Whether it could be done. Where the server has two of what is below both, its record is reported.
    private func unite(
        _ record: RecordKey, _ other: RecordKey, _ plan: EntityPlan, _ body: (RecordUnion.Pair) throws -> Void
    ) throws -> Bool {
        var below: [RecordUnion.Pair]?
        do {
            try database.inSavepoint {
                below = try run.union.unite(RecordUnion.Pair(plan: plan, record: record, other: other), body)
                return .commit
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            // An index or a trigger of the app forbids it.
            return false
        }
        for pair in below ?? [] { note(pair.plan, pair.other) }
        return below != nil
    }

    /// Gives a record another key, wherever that is written down.
    private func rekey(_ pair: RecordUnion.Pair) throws {
        let plan = pair.plan
        let keys = plan.keyColumns.map { plan.columns[$0].name }
        try changes.note(.insert, in: plan.table, database)
        try changes.note(.update, in: plan.table, database)
        try run.union.move(plan.table, keys, pair)
        if plan.isTracked {
            let base = BaseTable(plan, database)
            try base.delete(pair.other)
            try run.union.move(base.name, keys, pair)
            try OutboxTable.rekey(plan, pair.record, to: pair.other, database)
        }
        _ = try run.union.move(pair)
    }
}

extension TwinLesson {
    fileprivate func isAdoption(of identity: [DatabaseValue], in entity: Int) -> Bool {
        if case .adopt(entity, _, let known) = self { known == identity } else { false }
    }
}
