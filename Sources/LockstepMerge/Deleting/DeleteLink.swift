import LockstepStore

/// What the delete of a record does by one of its relationships, as the generated triggers have it.
struct DeleteLink {
    let relationship: RelationshipDescription
    /// The destination's entity, by its place in the plans.
    let destination: Int
    let form: Form
    /// Whether SQLite's own foreign keys do it, as where both ends never leave the device. A link of those never
    /// points at a record that is gone.
    let isConstraint: Bool

    enum Form {
        /// The destinations hold the key in these columns.
        case inverse([Int])
        /// The record itself holds the key, in these columns.
        case foreignKey([Int])
        case join(JoinDescription)
    }

    var rule: DeleteRule { relationship.onDelete }
    /// Whether the destinations travel inside of the record, and have no change of their own where they are new.
    var isEmbedded: Bool { relationship.isEmbedded }

    /// The links of each entity that a delete can reach another record by.
    static func links(of plans: [EntityPlan]) -> [[DeleteLink]] {
        plans.map { plan in plan.relationships.compactMap { DeleteLink($0, of: plan, plans) } }
    }

    private init?(_ relationship: RelationshipDescription, of plan: EntityPlan, _ plans: [EntityPlan]) {
        let target = relationship.destination.entity.plan
        guard relationship.onDelete != .none, let destination = plans.firstIndex(where: { $0 === target })
        else { return nil }
        self.relationship = relationship
        self.destination = destination
        isConstraint = plan.remote == nil && target.remote == nil
        switch relationship.kind {
        case .toMany, .toOneInverse:
            guard let inverse = relationship.inverse.flatMap({ target.relationship(named: $0) }) else { return nil }
            form = .inverse(target.foreignKeys[inverse])
        case .toOne(columns: let columns, position: _, isRequired: _):
            // The record goes, and its foreign key with it.
            if relationship.onDelete == .nullify { return nil }
            form = .foreignKey(columns)
        case .manyToMany(let join):
            if relationship.onDelete == .nullify { return nil }
            form = .join(join)
        }
    }
}
