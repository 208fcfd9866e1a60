import GRDB
import LockstepStore

/// Which end of a relationship carries it to the server, and which records travel inside of others.
///
/// It follows from the schema and the remote's traits, and is worked out once.
struct Containment: Sendable {
    /// How an entity's records find the record that they are embedded in: by these columns of their own.
    struct Container: Sendable {
        let owner: EntityPlan
        let columns: [Int]
    }

    private let plans: [EntityPlan]
    private let containers: [String: [Container]]
    private let joinCarriers: [String: String]
    let sendsEmbedded: Bool

    init(_ plans: [EntityPlan], sendsEmbedded: Bool) {
        self.plans = plans
        self.sendsEmbedded = sendsEmbedded
        var containers: [String: [Container]] = [:]
        var joinCarriers: [String: String] = [:]
        for owner in plans {
            for relationship in owner.relationships {
                let member = relationship.destination.entity.plan
                if let container = Self.container(of: member, in: owner, relationship),
                    sendsEmbedded || !member.isReachable
                {
                    containers[member.name, default: []].append(container)
                }
                guard case .manyToMany(let join) = relationship.kind, case .ids = relationship.wire,
                    owner.remote?.writes.contains(.update) == true
                else { continue }
                joinCarriers[join.table] = joinCarriers[join.table] ?? owner.name
            }
        }
        self.containers = containers
        self.joinCarriers = joinCarriers
    }

    private static func container(
        of member: EntityPlan, in owner: EntityPlan, _ relationship: RelationshipDescription
    ) -> Container? {
        guard case .embedded = relationship.wire, let inverse = relationship.inverse,
            let place = member.relationship(named: inverse)
        else { return nil }
        let columns = member.foreignKeys[place]
        return columns.isEmpty ? nil : Container(owner: owner, columns: columns)
    }

    /// Whether an entity's records may travel inside of another's.
    func isContained(_ plan: EntityPlan) -> Bool { containers[plan.name] != nil }

    /// The record that another travels inside of, by the foreign keys of its row; `nil` where it travels by itself.
    func owner(of plan: EntityPlan, row: [DatabaseValue]) -> (plan: EntityPlan, key: RecordKey)? {
        for container in containers[plan.name] ?? [] {
            let values = container.columns.map { row[$0] }
            if values.allSatisfy({ !$0.isNull }) { return (container.owner, RecordKey(values)) }
        }
        return nil
    }

    /// Whether this end of a many to many tells the server of the links: one end does.
    func carries(_ join: JoinDescription, _ plan: EntityPlan) -> Bool { joinCarriers[join.table] == plan.name }

    /// Whether a to-one is told by the record that holds the key, rather than by the list of the other end.
    func isToldByHolder(_ relationship: RelationshipDescription) -> Bool {
        if case .none = relationship.wire { false } else { true }
    }

    /// Whether a relationship's key belongs in the body of a record.
    func isSent(_ relationship: RelationshipDescription, of plan: EntityPlan) -> Bool {
        switch relationship.wire {
        case .none: return false
        case .id: return true
        case .ids:
            guard case .manyToMany(let join) = relationship.kind else { return true }
            return carries(join, plan)
        case .embedded:
            return sendsEmbedded || !relationship.destination.entity.plan.isReachable
        }
    }
}

extension EntityPlan {
    /// Whether its records have addresses of their own on a server.
    var isReachable: Bool {
        if case .none = identity { return false }
        return remote != nil
    }
}
