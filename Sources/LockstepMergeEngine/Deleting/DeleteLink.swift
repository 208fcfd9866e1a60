import LockstepEvolution
import LockstepTables

/// The effect of deleting a record on one of its relationships, as the generated triggers implement it.
struct DeleteLink {
    let relationship: RelationshipDescription
    /// The index of the destination's entity in the plans.
    let destination: Int
    let form: Form
    /// Whether foreign key constraints of SQLite implement it, as for relationships between records that are never
    /// sent. Such a link never refers to a deleted record.
    let isConstraint: Bool

    enum Form {
        /// The destinations hold the key, in these columns.
        case inverse([Int])
        /// The record itself holds the key, in these columns.
        case foreignKey([Int])
        case join(JoinDescription)
    }

    var rule: DeleteRule { relationship.onDelete }
    /// Whether the destinations are sent inside the record, and have no change of their own if they are new.
    var isEmbedded: Bool { relationship.isEmbedded }

    /// The links of each entity by which a delete can reach another record.
    static func links(of plans: SchemaPlan) -> [[DeleteLink]] {
        plans.map { plan in plan.relationships.compactMap { DeleteLink($0, of: plan, plans: plans) } }
    }

    private init?(_ relationship: RelationshipDescription, of plan: EntityPlan, plans: SchemaPlan) {
        let target = relationship.destination
        guard relationship.onDelete != .none, let destination = plans.firstIndex(where: { $0 === target })
        else { return nil }
        self.relationship = relationship
        self.destination = destination
        isConstraint = plan.remote == nil && target.remote == nil
        switch relationship.kind {
        case .toMany, .toOneInverse:
            guard let inverse = relationship.inverseIndex else { return nil }
            form = .inverse(target.foreignKeys[inverse])
        case .toOne(columns: let columns, position: _, isRequired: _):
            // The record is deleted together with its foreign key.
            if relationship.onDelete == .nullify { return nil }
            form = .foreignKey(columns)
        case .manyToMany(let join):
            if relationship.onDelete == .nullify { return nil }
            form = .join(join)
        }
    }
}
