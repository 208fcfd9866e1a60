import LockstepEvolution
import LockstepStore

/// The contents of a store, in dictionaries: simple, slow and easy to verify.
///
/// Keys are always the server's identities, even if the store has its own keys too.
struct ReferenceStore {
    struct Row: Hashable {
        /// By the column's index; the keys and foreign keys of records with `{ local, remote }` are the server's.
        var values: [Int: DatabaseValue] = [:]
    }

    /// A many-to-many link.
    struct Link: Hashable {
        let source: ServerKey
        let destination: ServerKey

        /// The same link of a symmetric relationship, as the other end has it.
        var reversed: Link { Link(source: destination, destination: source) }
    }

    /// A child that was assigned to an owner before it arrived (R3).
    struct Waiting {
        let owner: ServerKey
        let position: Int
    }

    let plans: SchemaPlan
    var rows: [String: [ServerKey: Row]] = [:]
    /// Records without identity, with their owners in their foreign keys.
    var scraps: [String: [Row]] = [:]
    /// By table: the position in the list, if it is ordered.
    var links: [String: [Link: Int?]] = [:]
    var waiting: [ServerState.Place: [ServerKey: Waiting]] = [:]

    init(_ plans: SchemaPlan) {
        self.plans = plans
    }

    /// Whether a row has all required values.
    static func isComplete(_ row: Row, _ plan: EntityPlan) -> Bool {
        plan.columns.indices.allSatisfy { column in
            if case .surrogateKey = plan.columns[column].content { return true }
            return plan.isOptional[column] || (row.values[column] ?? .null) != .null
        }
    }

    func isComplete(_ key: ServerKey, _ entity: String) -> Bool {
        guard let plan = plans[entity], let row = rows[entity]?[key] else { return true }
        return Self.isComplete(row, plan)
    }

    // MARK: To-ones

    /// The columns and the position of a to-one.
    static func foreignKey(_ relationship: RelationshipDescription) -> (
        columns: [Int], position: Int?, isRequired: Bool
    )? {
        if case .toOne(let columns, let position, let isRequired) = relationship.kind {
            (columns, position, isRequired)
        } else {
            nil
        }
    }

    /// The records with a to-one to `owner`.
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

    /// Whether a record is kept, even if it belongs to a deleted one.
    typealias IsKept = (EntityPlan, ServerKey) -> Bool
    /// Whether the list of a record is in the payload: its links to deleted records are kept.
    typealias IsTold = (EntityPlan, ServerKey, String) -> Bool

    /// Deletes a record, with the effects of its delete rules. A record that is kept keeps its key of a deleted one.
    ///
    /// - Returns: The deleted records, by entity.
    mutating func delete(
        _ key: ServerKey, _ plan: EntityPlan, isKept: IsKept, isTold: IsTold
    ) -> [(entity: String, key: ServerKey)] {
        guard let row = rows[plan.name]?.removeValue(forKey: key) else { return [] }
        var deleted = [(entity: plan.name, key: key)]
        for relationship in plan.relationships {
            switch relationship.kind {
            case .toMany, .toOneInverse:
                deleted += release(relationship, of: key, isKept, isTold)
            case .toOne(let columns, let position, isRequired: _):
                let target = columns.map { row.values[$0] ?? .null }
                letWait(key, plan, relationship, target, position.flatMap { row.values[$0] }, isTold)
                if relationship.onDelete == .cascade, !isKept(relationship.target, target) {
                    deleted += delete(target, relationship.target, isKept: isKept, isTold: isTold)
                }
            case .manyToMany(let join):
                links[join.table] = links[join.table]?.filter { link in
                    if join.isSymmetric { return isLeft(link.key, relationship, after: key, isTold) }
                    if isSourceOfTravellingEnd(relationship) { return link.key.source != key }
                    return link.key.destination != key
                        || isTold(relationship.target, link.key.source, relationship.inverse ?? "")
                }
            }
        }
        return deleted
    }

    /// Whether a symmetric link is left after the delete of a record: it is, in both directions, if it does not have the
    /// record, or if the list of the other one is in the payload.
    private func isLeft(
        _ link: Link, _ relationship: RelationshipDescription, after key: ServerKey, _ isTold: IsTold
    ) -> Bool {
        guard link.source == key || link.destination == key else { return true }
        let other = link.source == key ? link.destination : link.source
        return other != key && isTold(relationship.target, other, relationship.name)
    }

    /// A deleted record waits for its owner if that lists it by its identity.
    private mutating func letWait(
        _ key: ServerKey, _ plan: EntityPlan, _ toOne: RelationshipDescription, _ owner: ServerKey,
        _ position: DatabaseValue?, _ isTold: IsTold
    ) {
        guard let inverse = toOne.inverseDescription, inverse.wire.isIDs, !owner.contains(.null),
            isTold(toOne.target, owner, inverse.name)
        else { return }
        let place = ServerState.Place(entity: plan.name, relationship: toOne.name)
        waiting[place, default: [:]][key] = Waiting(
            owner: owner, position: position.flatMap(Int.fromDatabaseValue) ?? 0)
    }

    private mutating func release(
        _ relationship: RelationshipDescription, of key: ServerKey, _ isKept: IsKept, _ isTold: IsTold
    ) -> [(entity: String, key: ServerKey)] {
        guard let inverse = relationship.inverseDescription, let columns = Self.foreignKey(inverse)?.columns else {
            return []
        }
        let target = relationship.target
        if target.isWithoutIdentity {
            scraps[target.name]?.removeAll { scrap in
                columns.enumerated().allSatisfy { scrap.values[$0.element] == key[$0.offset] }
            }
            return []
        }
        guard relationship.onDelete != .none else { return [] }
        var deleted: [(entity: String, key: ServerKey)] = []
        for child in children(of: key, target.name, inverse) where !isKept(target, child) {
            if relationship.onDelete == .cascade {
                deleted += delete(child, target, isKept: isKept, isTold: isTold)
            } else if Self.foreignKey(inverse)?.isRequired == false {
                point(child, target.name, inverse, at: nil)
            }
        }
        return deleted
    }

    /// Links are stored from the end that is sent.
    private func isSourceOfTravellingEnd(_ relationship: RelationshipDescription) -> Bool { relationship.wire != .none }
}
