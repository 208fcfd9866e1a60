import LockstepStore

/// What a store has, in dictionaries: simple, slow and easy to believe.
///
/// Keys are the server's identities throughout, where the store has keys of its own too.
struct ReferenceStore {
    struct Row: Hashable {
        /// By the column's place; the keys and foreign keys of records with `{ local, remote }` are the server's.
        var values: [Int: DatabaseValue] = [:]
    }

    /// A link of a many to many.
    struct Link: Hashable {
        let source: ServerKey
        let destination: ServerKey
    }

    /// A child that is told to be an owner's before it is here (R3).
    struct Waiting {
        let owner: ServerKey
        let position: Int
    }

    let plans: [String: EntityPlan]
    var rows: [String: [ServerKey: Row]] = [:]
    /// Records without identity, with their owners in their foreign keys.
    var scraps: [String: [Row]] = [:]
    /// By table: the place in the list, where it is ordered.
    var links: [String: [Link: Int?]] = [:]
    var waiting: [ServerState.Place: [ServerKey: Waiting]] = [:]

    init(_ plans: [EntityPlan]) {
        self.plans = Dictionary(uniqueKeysWithValues: plans.map { ($0.name, $0) })
    }

    // MARK: To-ones

    /// The columns and the place of a to-one.
    static func foreignKey(_ relationship: RelationshipDescription) -> (
        columns: [Int], position: Int?, isRequired: Bool
    )? {
        if case .toOne(let columns, let position, let isRequired) = relationship.kind {
            (columns, position, isRequired)
        } else {
            nil
        }
    }

    /// The records that point at `owner` by a to-one.
    func children(of owner: ServerKey, _ entity: String, _ toOne: RelationshipDescription) -> [ServerKey] {
        guard let columns = Self.foreignKey(toOne)?.columns else { return [] }
        return (rows[entity] ?? [:]).filter { row in
            columns.enumerated().allSatisfy { row.value.values[$0.element] == owner[$0.offset] }
        }.map(\.key)
    }

    mutating func point(
        _ child: ServerKey, _ entity: String, _ toOne: RelationshipDescription, at owner: ServerKey?,
        position: Int? = nil
    ) {
        guard let key = Self.foreignKey(toOne), rows[entity]?[child] != nil else { return }
        for (part, column) in key.columns.enumerated() {
            rows[entity]?[child]?.values[column] = owner.map { $0[part] } ?? .null
        }
        if let column = key.position { rows[entity]?[child]?.values[column] = position?.databaseValue ?? .null }
    }

    // MARK: Deleting

    /// Deletes a record, with what its delete rules say of others.
    ///
    /// - Parameter isKept: Whether a record stays, even if it belongs to one that goes: it is only let go then.
    /// - Returns: The records that went, by entity.
    mutating func delete(
        _ key: ServerKey, _ plan: EntityPlan, isKept: (EntityPlan, ServerKey) -> Bool
    ) -> [(entity: String, key: ServerKey)] {
        guard let row = rows[plan.name]?.removeValue(forKey: key) else { return [] }
        var deleted = [(entity: plan.name, key: key)]
        for relationship in plan.relationships {
            switch relationship.kind {
            case .toMany, .toOneInverse:
                deleted += release(relationship, of: key, isKept)
            case .toOne(let columns, position: _, isRequired: _) where relationship.onDelete == .cascade:
                deleted += delete(columns.map { row.values[$0] ?? .null }, relationship.target, isKept: isKept)
            case .toOne: break
            case .manyToMany(let join):
                let isSource = isSourceOfTravellingEnd(relationship)
                links[join.table] = links[join.table]?.filter { (isSource ? $0.key.source : $0.key.destination) != key }
            }
        }
        return deleted
    }

    private mutating func release(
        _ relationship: RelationshipDescription, of key: ServerKey, _ isKept: (EntityPlan, ServerKey) -> Bool
    ) -> [(entity: String, key: ServerKey)] {
        guard let inverse = relationship.inverseDescription, let columns = Self.foreignKey(inverse)?.columns else {
            return []
        }
        let target = relationship.target
        let isCascade = relationship.onDelete == .cascade
        if target.isWithoutIdentity {
            scraps[target.name]?.removeAll { scrap in
                columns.enumerated().allSatisfy { scrap.values[$0.element] == key[$0.offset] }
            }
            return []
        }
        guard relationship.onDelete != .none else { return [] }
        return children(of: key, target.name, inverse).flatMap { child -> [(entity: String, key: ServerKey)] in
            if isCascade, !isKept(target, child) { return delete(child, target, isKept: isKept) }
            if Self.foreignKey(inverse)?.isRequired == true { return [] }
            point(child, target.name, inverse, at: nil)
            return []
        }
    }

    /// Links are kept from the end that travels.
    private func isSourceOfTravellingEnd(_ relationship: RelationshipDescription) -> Bool { relationship.wire != .none }
}
