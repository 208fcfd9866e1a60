import GRDB
import LockstepEvolution

// Records that point at one whose creation is undone.
extension OutboxDiscard {
    /// Undoes changes of others that depend on a record that is about to be deleted, so that they do not wait for it
    /// any more. What the delete makes of the server's records is undone by the next pull, also of those that are
    /// deleted with others.
    func unlink(from key: RecordKey, of plan: EntityPlan) throws {
        guard leaving.insert(RecordID(plan, key: key)).inserted else { return }
        for other in plans where other.isTracked {
            for description in other.relationships where description.destination === plan {
                guard case .toOne(let columns, _, _) = description.kind else { continue }
                let names = columns.map { other.columns[$0].name }
                let sql = "\(other.selectSQL) WHERE \(SQLName.condition(names, in: other.table))"
                func pointing() throws -> [RecordKey] {
                    try database.valueRows(sql, with: key.values).map { row in
                        RecordKey(other.keyColumns.map { row[$0] })
                    }
                }
                let isDeletedToo = goesAlong(description, of: plan)
                for record in try pointing() {
                    let waiting = try PendingChange.fetch(database, of: record, plan: other)
                    if waiting?.kind != .create { try ValidatorTable.forget(other.name, in: database) }
                    // One that was created locally may not require it.
                    if let waiting, waiting.kind != .create || isDeletedToo { try discard(waiting) }
                }
                guard isDeletedToo else { continue }
                for record in try pointing() {
                    try forgetLists(with: record, of: other)
                    try unlink(from: record, of: other)
                }
            }
        }
    }

    /// The server's lists of others lose a record that is deleted.
    private func forgetLists(with key: RecordKey, of plan: EntityPlan) throws {
        for description in plan.relationships {
            guard case .manyToMany(let join) = description.kind else { continue }
            let isListed = "SELECT 1 FROM \(SQLName.quoted(join.table)) WHERE \(SQLName.condition(join.sourceColumns))"
            if try database.valueRows("\(isListed) LIMIT 1", with: key.values).isEmpty { continue }
            try ValidatorTable.forget(description.destination.name, in: database)
        }
    }

    /// Whether a record requires the one that it points at, or is deleted with it.
    func goesAlong(_ description: RelationshipDescription, of owner: EntityPlan) -> Bool {
        if case .toOne(_, _, isRequired: true) = description.kind { return true }
        let inverse = description.inverse.flatMap { owner.relationship(named: $0) }
        return inverse.map { owner.relationships[$0].onDelete == .cascade } ?? false
    }
}
