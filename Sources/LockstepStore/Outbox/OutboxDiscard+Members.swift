import GRDB

// Records that are sent inside one whose change is undone (Rules.md, R10): their changes are undone with it.
extension OutboxDiscard {
    /// Makes the next pull fetch what was changed inside a record, and what was sent there and may have arrived.
    func noteMembers(of change: PendingChange, plan: EntityPlan, writer: OutboxWriter) throws {
        let isAnyGone = change.kind == .delete && plan.embedsMembers
        if try isAnyGone || !writer.marks(of: change).isEmpty || inside.areIn(plan, key: change.key) {
            try ValidatorTable.forget(plan.name, in: database)
        }
        let sent = SentMembers(database: database, plans: plans)
        // If it was sent inside another record and has arrived, it exists on the server.
        if change.kind == .create { try sent.forget(plan, key: change.key) }
        if change.kind == .update { try sent.forget(RecordID(plan, key: change.key), in: .sent) }
    }
}

extension InsideChanges {
    /// The changes of records inside one, at any depth: those of owners before those of their members.
    func changes(inAllOf owner: EntityPlan, key: RecordKey) throws -> [PendingChange] {
        var changes: [PendingChange] = []
        var open = [(plan: owner, key: key)]
        var seen: Set<RecordID> = [RecordID(owner, key: key)]
        while !open.isEmpty {
            let next = open.removeFirst()
            for list in lists(of: next.plan) {
                let found = try self.changes(list, of: next.key)
                changes += found
                for member in try keys(list, of: next.key) + found.map(\.key)
                where seen.insert(RecordID(list.member, key: member)).inserted {
                    open.append((list.member, member))
                }
            }
        }
        return changes
    }
}

extension EntityPlan {
    /// Whether it contains records that are not sent separately.
    fileprivate var embedsMembers: Bool {
        relationships.contains { $0.isEmbedded && !$0.destination.travels }
    }
}
