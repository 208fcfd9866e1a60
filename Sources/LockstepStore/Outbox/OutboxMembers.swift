/// What writes down that records were deleted which do not travel by themselves, and which the server has in the JSON of
/// their owners: a list that lacks one may mean that it is to stay.
struct OutboxMembers {
    private let plan: EntityPlan
    private let touch: OutboxTouch

    init(_ plan: EntityPlan, _ touch: OutboxTouch) {
        self.plan = plan
        self.touch = touch
    }

    /// Where records are embedded that hold the key of their owner.
    private struct Place {
        let owner: EntityPlan
        let relationship: String
        let columns: [Int]
    }

    /// A record that is made again is not deleted.
    func insertion() -> [String] {
        places.isEmpty
            ? []
            : [
                """
                DELETE FROM \(OutboxTables.deletedMembers) WHERE entity = \(OutboxSQL.literal(plan.name)) \
                AND record = \(plan.outboxRecordSQL("NEW"))
                """
            ]
    }

    func deletion() -> [String] { places.compactMap(note) + (embedsMembers ? [forgetMembers()] : []) }

    /// An owner that is deleted too has gone before: what was in it goes with it.
    private func note(_ place: Place) -> String? {
        guard let remote = plan.remoteColumn else { return nil }
        let table = OutboxTables.deletedMembers
        let record = plan.outboxRecordSQL("OLD")
        let name = OutboxSQL.literal(plan.name)
        let key = OutboxSQL.values("OLD", plan, place.columns)
        let identity = OutboxSQL.values("OLD", plan, [remote])[0]
        return """
            INSERT INTO \(table) (entity, record, owner_entity, owner, relationship, remote) \
            SELECT \(name), \(record), \(OutboxSQL.literal(place.owner.name)), \
            \(place.owner.outboxRecordSQL(of: key)), \(OutboxSQL.literal(place.relationship)), \(identity) \
            WHERE \(identity) IS NOT NULL AND EXISTS (SELECT 1 FROM \(SQLName.quoted(place.owner.table)) WHERE \
            \(OutboxSQL.matches(place.owner, place.owner.keyColumns, key))) \
            AND NOT EXISTS (SELECT 1 FROM \(table) WHERE entity = \(name) AND record = \(record))
            """
    }

    private func forgetMembers() -> String {
        """
        DELETE FROM \(OutboxTables.deletedMembers) WHERE owner_entity = \(OutboxSQL.literal(plan.name)) \
        AND owner = \(plan.outboxRecordSQL("OLD"))
        """
    }

    private var places: [Place] {
        guard !plan.travels, plan.remoteColumn != nil, OutboxTouch.reaches(plan, touch.plans) else { return [] }
        return touch.plans.flatMap { owner in
            owner.relationships.compactMap { description in
                guard case .embedded = description.wire, description.destination.entity.plan === plan,
                    let inverse = description.inverse.flatMap({ plan.relationship(named: $0) }),
                    !plan.foreignKeys[inverse].isEmpty
                else { return nil }
                return Place(owner: owner, relationship: description.name, columns: plan.foreignKeys[inverse])
            }
        }
    }

    /// Whether records are embedded in this entity's that are written down where they are deleted.
    private var embedsMembers: Bool {
        plan.relationships.contains { description in
            guard case .embedded = description.wire else { return false }
            return OutboxMembers(description.destination.entity.plan, touch).places.contains { $0.owner === plan }
        }
    }
}
