import GRDB
import LockstepStore

/// What the outbox protects from being deleted by a merge (Rules.md, M7).
///
/// Where the server wins, what was edited here is not protected; what was made here is, for it was never there. What
/// travels inside of an owner goes with that, or keeps it.
struct OutboxChanges: LocalChanges {
    let local: LocalEdits

    func changedRecords(of plan: EntityPlan, in database: Database) throws -> Set<RecordKey> {
        var changes = [OutboxChange.create.rawValue]
        if case .serverWins = local.policies.policy(for: plan).kind {
        } else {
            changes.append(OutboxChange.update.rawValue)
        }
        let keys = plan.keyColumns.map { SQLName.quoted(plan.columns[$0].name) }.joined(separator: ", ")
        let pending = """
            SELECT record FROM \(OutboxTables.outbox) WHERE entity = ? \
            AND change IN (\(changes.map(String.init).joined(separator: ", ")))
            """
        let unclaimed = local.unclaimed[plan.table] ?? []
        let waiting = """
            SELECT record FROM \(OutboxTables.outbox) WHERE entity = ? AND change <> \(OutboxChange.delete.rawValue)
            """
        // What was given to an owner here is its change, and the record's too.
        let lists = local.links.filter { link in
            if case .foreignKey = link.storage { link.destination === plan && !link.isOrderOnly } else { false }
        }
        let added = "SELECT destination FROM \(OutboxTables.links) WHERE is_added = 1 AND join_table = ?"
        let sql = """
            SELECT \(keys) FROM \(SQLName.quoted(plan.table)) WHERE \(plan.outboxRecordSQL()) IN \
            (\(([pending] + unclaimed.map { _ in waiting } + lists.map { _ in added }).joined(separator: " UNION ALL ")))
            """
        // A name that no entity has.
        let name = plan.travelsInside ? "" : plan.name
        let names = [name] + unclaimed + lists.map(\.name)
        var changed = try local.ownersOfEdited(plan)
        try RawStatement(sql, database).forEachRow(names.map(\.databaseValue)) { row in
            changed.insert(row.key(plan.keyColumns.count))
        }
        return changed
    }

    func addedMembers(of owner: RecordKey, by join: JoinDescription, in database: Database) throws -> Set<RecordKey> {
        try local.addedMembers(of: owner, by: join)
    }
}

extension LocalEdits {
    /// The members that an owner was linked to here by a many to many.
    fileprivate func addedMembers(of owner: RecordKey, by join: JoinDescription) throws -> Set<RecordKey> {
        guard let (entity, relationship) = end(of: join), let edits = try edits(of: relationship, entity) else {
            return []
        }
        let arena = run.staging.arena
        guard let links = try edits.links(of: owner.values.map { Cell($0, arena: arena) }) else { return [] }
        let members = join.destinationColumns.map(SQLName.quoted).joined(separator: ", ")
        let sql = """
            SELECT \(members) FROM \(SQLName.quoted(join.table)) WHERE \(SQLName.condition(join.sourceColumns))
            """
        var present: [RecordKey] = []
        try RawStatement(sql, run.database).forEachRow(owner.values) {
            present.append($0.key(join.destinationColumns.count))
        }
        return Set(try present.filter { try links.isAdded($0.values.map { Cell($0, arena: arena) }) })
    }

    /// The end from which a join is seen.
    func end(of join: JoinDescription) -> (MergeEntity, MergeRelationship)? {
        for entity in run.plan.entities {
            for relationship in entity.relationships {
                guard case .manyToMany(join) = relationship.description.kind else { continue }
                return (entity, relationship)
            }
        }
        return nil
    }
}
