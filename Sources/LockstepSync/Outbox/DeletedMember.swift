import GRDB
import LockstepStore

/// An embedded record that was deleted here and that the server has in its owner's list (Rules.md, R10).
struct DeletedMember: Sendable {
    let plan: EntityPlan
    let key: RecordKey
    /// The record whose JSON it was in, and under which relationship.
    let owner: RecordPlace
    let relationship: String
    /// Who it is on the server.
    let remote: DatabaseValue
    /// The record that it went to the server with: the owner, or where that does not travel, its owner.
    let root: RecordPlace

    /// The same as what a merge keeps from coming back.
    var asSent: SentMember {
        SentMember(
            plan: plan, key: key, owner: owner, relationship: relationship, place: 0, row: [], state: .deleted,
            remote: remote)
    }
}

/// What a store remembers of embedded records that were deleted here, until the server has confirmed a change of the
/// record that they were in. Triggers write it down: ``OutboxTables/deletedMembers``.
struct DeletedMembers {
    private let database: Database
    private let ownership: WireOwnership
    private let byName: [String: EntityPlan]

    private static let table = OutboxTables.deletedMembers

    init(_ database: Database, _ plans: [EntityPlan]) {
        self.database = database
        ownership = WireOwnership(plans, sendsEmbedded: true)
        byName = plans.byName
    }

    /// Whether any are remembered.
    static func areThere(_ database: Database) throws -> Bool {
        try database.hasRows(table)
    }

    /// Those whose owners are here; none where nothing is remembered, which costs one look.
    static func all(_ database: Database, _ plans: [EntityPlan]) throws -> [DeletedMember] {
        try areThere(database) ? DeletedMembers(database, plans).all() : []
    }

    /// Forgets those that went to the server with a record.
    static func forget(in root: RecordPlace, _ database: Database, _ plans: [EntityPlan]) throws -> Bool {
        let members = try all(database, plans).filter { $0.root == root }
        for member in members { try forget(member, database) }
        return !members.isEmpty
    }

    static func forget(_ member: DeletedMember, _ database: Database) throws {
        try database.change(
            "DELETE FROM \(table) WHERE entity = ? AND record = ?",
            [member.plan.name.databaseValue, member.key.values[0]])
    }

    private func all() throws -> [DeletedMember] {
        try database.valueRows(
            "SELECT entity, record, owner_entity, owner, relationship, remote FROM \(Self.table) ORDER BY entity, record"
        ).compactMap { row in
            let texts = [0, 2, 4].map { String.fromDatabaseValue(row[$0]) ?? "" }
            guard let plan = byName[texts[0]], let owner = byName[texts[1]],
                let key = OutboxRecord.key(row[3], of: owner), let root = try root(of: owner, key)
            else { return nil }
            return DeletedMember(
                plan: plan, key: RecordKey(row[1]), owner: RecordPlace(owner, key), relationship: texts[2],
                remote: row[5], root: root)
        }
    }

    /// `nil` where the record is not here any more: what was in it went with it. Nor has a ring of owners one, which
    /// nothing but a mistake makes.
    private func root(of plan: EntityPlan, _ key: RecordKey) throws -> RecordPlace? {
        var (plan, key) = (plan, key)
        var seen: Set<RecordPlace> = []
        while seen.insert(RecordPlace(plan, key)).inserted,
            let row = try database.valueRows(plan.findSQL, key.values).first
        {
            guard !plan.travels else { return RecordPlace(plan, key) }
            guard let owner = ownership.owner(of: plan, row: row) else { return nil }
            (plan, key) = owner
        }
        return nil
    }
}
