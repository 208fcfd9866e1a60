import GRDB
import LockstepStore

// Records that are gone on the server (Rules.md, C3).
extension LocalEdits {
    /// Says what becomes of a record that the server has no more.
    ///
    /// What was edited here is made there again, deleted here, or put as an app's function says, by the policy.
    ///
    /// - Returns: Whether it is to be deleted here.
    func isGone(_ record: RecordReference) throws -> Bool {
        let entity = run.plan.entities[record.entity]
        let key = record.key.values.map { Cell($0, arena: run.staging.arena) }
        guard let edits = try edits(of: entity), let pending = try edits.pending(of: key) else {
            return try !isMadeAnew(entity.plan, record.key)
        }
        if try edits.isUnclaimed(key) { return false }
        switch pending.change {
        case .create: return false
        case .delete:
            try edits.drop(key)
            return false
        case .update: break
        }
        switch edits.kind {
        // It was deleted here, and that was undone: the server may have heard of the delete alone.
        case _ where pending.marks.contains(.deletion): break
        case .serverWins: return true
        case .localChangesWin, .newestWins: break
        case .custom(let function):
            guard try write(function, key, edits) else {
                try edits.drop(key)
                return true
            }
        }
        // Where the server takes no new ones there is nothing to send but what there was.
        if entity.plan.tracks(.create) {
            try edits.becomeCreate(key)
            try forgetSent(in: entity.plan, record.key)
        }
        return false
    }

    /// Makes a record again that was not changed here, and that others are inside of which were.
    ///
    /// - Returns: Whether there are such.
    private func isMadeAnew(_ plan: EntityPlan, _ key: RecordKey) throws -> Bool {
        let ownership = run.options.ownership
        guard plan.tracks(.create), plan.tracks(.update),
            try InsideChanges(
                run.database, of: { $0.travelsInside || $0.travels && ownership?.isContained($0) == true }
            ).areEdited(in: plan, key)
        else { return false }
        if case .serverWins = policies.policy(for: plan).kind { return false }
        let writer = OutboxWriter(run.database, plan)
        guard try writer.touch(key), let change = try writer.change(of: key) else { return false }
        try writer.makeAgain(change)
        try forgetSent(in: plan, key)
        return true
    }

    /// What was sent in a record went with it.
    private func forgetSent(in plan: EntityPlan, _ key: RecordKey) throws {
        try SentMembers(database: run.database, plans: run.plan.entities.map(\.plan))
            .forget(inside: RecordPlace(plan, key))
    }

    /// The records that others travel inside of which were made or changed here, and that say nothing of it themselves.
    func ownersOfEdited(_ plan: EntityPlan) throws -> Set<RecordKey> {
        guard plan.takes(.create), let ownership = run.options.ownership, ownership.sendsEmbedded else { return [] }
        if case .serverWins = policies.policy(for: plan).kind { return [] }
        return try InsideChanges(run.database) { $0.travels && ownership.isContained($0) }.ownersOfEdited(plan)
    }

    /// Lets an app's function say what counts of a record that is gone on the server.
    ///
    /// - Returns: Whether the record stays.
    private func write(_ function: any ConflictFunction, _ key: [Cell], _ edits: EntityEdits) throws -> Bool {
        let find = try run.statements(of: edits.entity).find.get()
        find.bind(key)
        guard try find.step() else {
            find.reset()
            return false
        }
        let plan = edits.entity.plan
        let local = plan.columns.indices.map { find.cell($0).databaseValue }
        find.reset()
        let base = try edits.base(of: key)?.map(\.databaseValue)
        let conflict = RowConflict(base: base, local: local, remote: nil, run: run, maker: maker)
        guard let result = try function.resolve(conflict) else { return false }
        let changed = plan.columns.indices.filter { column in
            guard !plan.keyColumns.contains(column), let value = result[column] else { return false }
            return value != local[column]
        }
        guard !changed.isEmpty else { return true }
        let statement = try RawStatement(plan.updateSQL(changed), run.database)
        try run.changes.note(.update, in: plan.table, run.database)
        try statement.run(changed.map { result[$0] ?? .null } + key.map(\.databaseValue))
        run.note(.updated, edits.entity, key.fingerprint, RecordKey(key.map(\.databaseValue)), isListed: false)
        return true
    }

    /// The records in a scope that were edited here and that the payload does not list, though the server had them in
    /// the scope: one that was moved into it here is no loss there.
    func unlistedEdits(in scope: ResolvedScope) throws -> [RecordReference] {
        let plan = scope.plan
        let entity = run.plan.entities[scope.entity]
        guard scope.link == nil else { return [] }
        let owners = try ownersOfEdited(plan)
        guard try !owners.isEmpty || edits(of: entity) != nil else { return [] }
        let edited = try OutboxTable.updatedRecords(of: plan, where: scope.condition, scope.arguments, run.database)
            .union(owners)
        return edited.isEmpty ? [] : try run.sweeper.unlisted(in: scope).filter { edited.contains($0.key) }
    }

    /// Forgets what was pending of a record that was deleted because the server has it no more.
    func didDelete(_ entity: Int, _ key: RecordKey) throws {
        guard let edits = try edits(of: run.plan.entities[entity]) else { return }
        let cells = key.values.map { Cell($0, arena: run.staging.arena) }
        if let pending = try edits.pending(of: cells), !pending.isUnclaimed { try edits.drop(cells) }
    }
}
