import GRDB
import LockstepTables

/// The records in the outbox, which a merge must not delete (Rules.md, M7).
///
/// If the server wins, records that were edited locally are not protected. Those that were created locally are, since
/// the server has never had them. Records that are sent inside an owner are deleted or kept with it.
struct OutboxChanges: LocalChanges {
    let local: LocalEdits

    func changedRecords(of plan: EntityPlan, in database: Database) throws -> Set<RecordKey> {
        var kinds: [PendingChange.Kind] = [.create]
        if case .serverWins = local.policies.policy(for: plan).kind {} else { kinds.append(.update) }
        // Linking a record to an owner changes the owner and the record.
        let lists = local.links.filter { link in
            if case .foreignKey = link.storage { link.destination === plan && !link.isOrderOnly } else { false }
        }
        let pending = try OutboxTable.records(
            of: plan,
            selection: OutboxTable.Selection(kinds: kinds, unclaimed: local.unclaimed[plan.table] ?? [], lists: lists),
            in: database)
        return try pending.union(local.ownersOfEdited(plan))
    }

    func addedMembers(of owner: RecordKey, by join: JoinDescription, in database: Database) throws -> Set<RecordKey> {
        try local.addedMembers(of: owner, by: join)
    }
}

extension LocalEdits {
    /// The members that were linked to an owner locally by a many to many.
    fileprivate func addedMembers(of owner: RecordKey, by join: JoinDescription) throws -> Set<RecordKey> {
        guard let (entity, relationship) = end(of: join), let edits = try edits(of: relationship, entity: entity) else {
            return []
        }
        let arena = transaction.staging.arena
        guard let links = try edits.links(of: owner.values.map { Cell($0, arena: arena) }) else { return [] }
        let members = join.destinationColumns.map(SQLName.quoted).joined(separator: ", ")
        let sql = """
            SELECT \(members) FROM \(SQLName.quoted(join.table)) WHERE \(SQLName.condition(join.sourceColumns))
            """
        var present: [RecordKey] = []
        try RawStatement(sql, in: transaction.database).forEachRow(owner.values) {
            present.append($0.key(join.destinationColumns.count))
        }
        return Set(try present.filter { try links.isAdded($0.values.map { Cell($0, arena: arena) }) })
    }

    /// The end from which a join is seen.
    func end(of join: JoinDescription) -> (MergeEntity, MergeRelationship)? {
        for entity in transaction.plan.entities {
            for relationship in entity.relationships {
                guard case .manyToMany(join) = relationship.description.kind else { continue }
                return (entity, relationship)
            }
        }
        return nil
    }
}
