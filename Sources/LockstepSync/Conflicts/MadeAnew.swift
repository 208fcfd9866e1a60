import GRDB
import LockstepStore

/// Makes records again inside of one that the server has lost, or that they have left (Rules.md, C3 and R10): there they
/// are new, and get new identities.
struct MadeAnew {
    private let database: Database
    private let changes: RawChanges

    init(_ database: Database, _ changes: RawChanges) { (self.database, self.changes) = (database, changes) }

    /// Takes away the identity that a server has given to a record which never travels by itself.
    func forgetIdentity(of plan: EntityPlan, _ key: RecordKey) throws {
        guard plan.travelsInside, let remote = plan.remoteColumn else { return }
        try changes.note(.update, in: plan.table, database)
        try database.change(plan.updateSQL([remote]), [.null] + key.values)
    }

    /// Makes all records anew that lie in one, at any depth.
    func members(of owner: EntityPlan, _ key: RecordKey, _ isContained: @escaping (EntityPlan) -> Bool) throws {
        let inside = InsideChanges(database, of: isContained)
        var open = [(plan: owner, key: key)]
        var seen: Set<RecordPlace> = [RecordPlace(owner, key)]
        while let next = open.popLast() {
            for list in inside.lists(of: next.plan) {
                for member in try inside.keys(list, of: next.key)
                where seen.insert(RecordPlace(list.member, member)).inserted {
                    try make(list.member, member)
                    open.append((list.member, member))
                }
            }
        }
    }

    /// Makes a record anew.
    func make(_ plan: EntityPlan, _ key: RecordKey) throws {
        let writer = OutboxWriter(database, plan)
        guard try writer.touch(key), let change = try writer.change(of: key) else { return }
        if let remote = plan.remoteColumn {
            try changes.note(.update, in: plan.table, database)
            try database.change(plan.updateSQL([remote]), [.null] + key.values)
        }
        try writer.makeAgain(change)
        try writer.dropBase(of: key)
    }
}
