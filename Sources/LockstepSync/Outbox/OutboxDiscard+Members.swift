import GRDB
import LockstepStore

// Records that travel inside of one whose change is undone (Rules.md, R10).
extension OutboxDiscard {
    /// What was made in it and has not reached the server goes. What was changed or deleted in it comes back with the next
    /// pull, which must not be told that nothing has changed.
    func discardMembers(of change: PendingChange, _ plan: EntityPlan, _ writer: OutboxWriter) throws {
        let root = RecordPlace(plan, change.key)
        let isAnyDeleted = try DeletedMembers.forget(in: root, database, plans)
        let isAnyGone = change.kind == .delete && plan.embedsMembers
        if try isAnyDeleted || isAnyGone || writer.isTouched(change) { try FetchValidators.forget(plan.name, database) }
        let sent = SentMembers(database: database, plans: plans)
        // Where it was sent inside of another record, and arrives, it is the server's then.
        if change.kind == .create { try sent.forget(plan, change.key) }
        guard change.kind == .update else { return }
        var seen: Set<RecordPlace> = [root]
        try dropNewMembers(of: plan, change.key, sent.members(of: root), &seen)
        // What was sent may have arrived: then the next pull has it.
        try sent.forget(root, .sent)
    }

    private func dropNewMembers(
        of owner: EntityPlan, _ key: RecordKey, _ sent: [SentMember], _ seen: inout Set<RecordPlace>
    ) throws {
        for relationship in owner.relationships {
            let plan = relationship.destination.entity.plan
            guard case .embedded = relationship.wire, !plan.travels, let remote = plan.remoteColumn,
                let inverse = relationship.inverse.flatMap({ plan.relationship(named: $0) }),
                !plan.foreignKeys[inverse].isEmpty
            else { continue }
            let names = plan.foreignKeys[inverse].map { plan.columns[$0].name }
            let rows = try database.valueRows(
                "\(plan.selectSQL) WHERE \(SQLName.condition(names, in: plan.table))", key.values)
            for row in rows {
                let member = RecordKey(plan.keyColumns.map { row[$0] })
                guard seen.insert(RecordPlace(plan, member)).inserted else { continue }
                // Of what the server has taken it only has not said who it is.
                let isTaken = sent.contains {
                    $0.plan === plan && $0.key == member && ($0.state == .taken || $0.state == .untold)
                }
                if row[remote].isNull, !isTaken {
                    try changes.note(.delete, in: plan.table, database)
                    try database.change(plan.deleteSQL, member.values)
                } else {
                    try dropNewMembers(of: plan, member, sent, &seen)
                }
            }
        }
    }
}

extension EntityPlan {
    /// Whether records lie in its own that do not travel by themselves.
    fileprivate var embedsMembers: Bool {
        relationships.contains { relationship in
            guard case .embedded = relationship.wire else { return false }
            return !relationship.destination.entity.plan.travels
        }
    }
}
