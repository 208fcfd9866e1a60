import GRDB

// Records that travel inside of one whose change is undone (Rules.md, R10): their changes are undone with it.
extension OutboxDiscard {
    /// Lets the next pull bring what was changed inside of a record, and what was sent there and may have arrived.
    func noteMembers(of change: PendingChange, _ plan: EntityPlan, _ writer: OutboxWriter) throws {
        let isAnyGone = change.kind == .delete && plan.embedsMembers
        if try isAnyGone || !writer.marks(of: change).isEmpty || inside.areIn(plan, change.key) {
            try ValidatorTable.forget(plan.name, database)
        }
        let sent = SentMembers(database: database, plans: plans)
        // Where it was sent inside of another record, and arrives, it is the server's then.
        if change.kind == .create { try sent.forget(plan, change.key) }
        if change.kind == .update { try sent.forget(RecordPlace(plan, change.key), .sent) }
    }
}

extension InsideChanges {
    /// The changes of records inside of one, at any depth: those of owners before those of what is in them.
    func changes(inAllOf owner: EntityPlan, _ key: RecordKey) throws -> [PendingChange] {
        var changes: [PendingChange] = []
        var open = [(plan: owner, key: key)]
        var seen: Set<RecordPlace> = [RecordPlace(owner, key)]
        while !open.isEmpty {
            let next = open.removeFirst()
            for list in lists(of: next.plan) {
                let found = try self.changes(list, of: next.key)
                changes += found
                for member in try keys(list, of: next.key) + found.map(\.key)
                where seen.insert(RecordPlace(list.member, member)).inserted {
                    open.append((list.member, member))
                }
            }
        }
        return changes
    }
}

extension EntityPlan {
    /// Whether records lie in its own that do not travel by themselves.
    fileprivate var embedsMembers: Bool {
        relationships.contains { $0.isEmbedded && !$0.destination.entity.plan.travels }
    }
}
