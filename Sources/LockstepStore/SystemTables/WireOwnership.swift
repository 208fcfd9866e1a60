package import GRDB

/// Who tells a server what: which end of a relationship carries its links, and which records travel inside of others.
///
/// It follows from the schema and from whether the remote takes embedded records, and is worked out once. Triggers,
/// pushes, pulls and merges ask here and nowhere else.
package struct WireOwnership: Sendable {
    /// Whether embedded records of entities with paths of their own travel inside of their owners. Of other entities
    /// they always do.
    package let sendsEmbedded: Bool
    private let containers: [String: [Container]]
    private let carriers: [String: JoinEnd]
    private let embeddedNames: Set<String>
    private let untoldLinks: [String: String]

    /// How an entity's records find the record that they are embedded in: by these columns of their own.
    private struct Container: Sendable {
        let owner: EntityPlan
        let columns: [Int]
    }

    package init(_ plans: [EntityPlan], sendsEmbedded: Bool) {
        self.sendsEmbedded = sendsEmbedded
        var containers: [String: [Container]] = [:]
        var embeddedNames: Set<String> = []
        for owner in plans {
            for relationship in owner.relationships {
                guard relationship.isEmbedded else { continue }
                let member = relationship.destination.entity.plan
                guard sendsEmbedded || !member.isReachable else { continue }
                embeddedNames.insert(member.name)
                if let columns = relationship.columnsOfInverse {
                    containers[member.name, default: []].append(Container(owner: owner, columns: columns))
                }
            }
        }
        var carriers: [String: JoinEnd] = [:]
        for ends in JoinEnd.ends(of: plans) {
            guard let carrier = ends.first(where: { sendsEmbedded || !$0.dependsOnRemote }) else { continue }
            carriers[carrier.join.table] = carrier
        }
        self.containers = containers
        self.carriers = carriers
        self.embeddedNames = embeddedNames
        untoldLinks = Self.untoldLinks(plans, carriers, sendsEmbedded: sendsEmbedded)
    }

    /// The links that are noted, and that no end of can carry to this remote, with what the schema calls them.
    private static func untoldLinks(
        _ plans: [EntityPlan], _ carriers: [String: JoinEnd], sendsEmbedded: Bool
    ) -> [String: String] {
        var untold: [String: String] = [:]
        for link in OutboxLink.links(of: plans) where link.isNoted && !link.isOrderOnly {
            let relationship = link.owner.relationships[link.relationship]
            let isTold =
                switch link.storage {
                case .joinTable(let join): carriers[join.table] != nil
                case .foreignKey: relationship.isSent(sendsEmbedded: sendsEmbedded)
                }
            if !isTold { untold[link.name] = "\(link.owner.name).\(relationship.name)" }
        }
        return untold
    }

    // MARK: Records

    /// Whether an entity's records may travel inside of another's.
    package func isContained(_ plan: EntityPlan) -> Bool { containers[plan.name] != nil }

    /// The record that another travels inside of, by the foreign keys of its row; `nil` where it travels by itself.
    package func owner(of plan: EntityPlan, row: [DatabaseValue]) -> (plan: EntityPlan, key: RecordKey)? {
        for container in containers[plan.name] ?? [] {
            let values = container.columns.map { row[$0] }
            if values.allSatisfy({ !$0.isNull }) { return (container.owner, RecordKey(values)) }
        }
        return nil
    }

    /// Whether an entity's collection is read by itself: it has a path, and its records do not come in others' bodies.
    package func isFollowed(_ plan: EntityPlan) -> Bool { plan.isReachable && !embeddedNames.contains(plan.name) }

    // MARK: Links

    /// Whether this end of a many to many tells the server of the links: one end does.
    package func carries(_ relationship: RelationshipDescription, of plan: EntityPlan) -> Bool {
        guard case .manyToMany(let join) = relationship.kind, let carrier = carriers[join.table] else { return false }
        return carrier.plan === plan && carrier.description.name == relationship.name
    }

    /// Whether a to-one is told by the record that holds the key, rather than by the list of the other end.
    package func isToldByHolder(_ relationship: RelationshipDescription) -> Bool {
        guard relationship.wire != .none else { return false }
        return !isToldByOwner(relationship)
    }

    /// Whether the owner's body, which has the whole record, says of a to-one whose it is.
    private func isToldByOwner(_ relationship: RelationshipDescription) -> Bool {
        guard let inverse = relationship.embeddingInverse else { return false }
        return inverse.isSent(sendsEmbedded: sendsEmbedded)
    }

    /// Whether a relationship's key belongs in the body of a record.
    package func isSent(_ relationship: RelationshipDescription, of plan: EntityPlan) -> Bool {
        if case .manyToMany = relationship.kind { return carries(relationship, of: plan) }
        return relationship.isSent(sendsEmbedded: sendsEmbedded)
    }

    /// What the schema calls a link that nobody can tell the server of; `nil` where somebody does.
    package func untoldLink(_ name: String) -> String? { untoldLinks[name] }
}

extension RelationshipDescription {
    /// Whether a remote takes it, many to many aside, which one end carries.
    fileprivate func isSent(sendsEmbedded: Bool) -> Bool {
        switch wire {
        case .none: false
        case .id, .ids: true
        case .embedded: sendsEmbedded || !destination.entity.plan.isReachable
        }
    }

    /// The columns of the destination that hold the key of this relationship; `nil` where they are elsewhere.
    package var columnsOfInverse: [Int]? {
        let plan = destination.entity.plan
        guard let place = inverse.flatMap({ plan.relationship(named: $0) }) else { return nil }
        let columns = plan.foreignKeys[place]
        return columns.isEmpty ? nil : columns
    }

    /// The other end, where that embeds the records of this one.
    package var embeddingInverse: RelationshipDescription? {
        let plan = destination.entity.plan
        guard let place = inverse.flatMap({ plan.relationship(named: $0) }),
            plan.relationships[place].isEmbedded
        else { return nil }
        return plan.relationships[place]
    }
}

/// An end of a many to many that can tell a server of the links.
struct JoinEnd: Sendable {
    let plan: EntityPlan
    /// The place among the entity's relationships.
    let relationship: Int
    let join: JoinDescription
    /// Whether only some remotes take what it says: those that take embedded records.
    let dependsOnRemote: Bool

    var description: RelationshipDescription { plan.relationships[relationship] }

    /// Whether the links are changes of records that are sent as such; else of the owners that those are embedded in.
    var isOfRecords: Bool { plan.takes(.update) }

    /// The ends of each many to many, the one that tells first: records before what is embedded in others, and what
    /// every remote takes before what only some do; else by the order of the entities.
    static func ends(of plans: [EntityPlan]) -> [[JoinEnd]] {
        var tables: [String] = []
        var ends: [String: [JoinEnd]] = [:]
        for plan in plans {
            for place in plan.relationships.indices {
                guard let end = JoinEnd(plan, place, plans) else { continue }
                if ends[end.join.table] == nil { tables.append(end.join.table) }
                ends[end.join.table, default: []].append(end)
            }
        }
        return tables.compactMap { table in
            ends[table]?.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
                .map(\.element)
        }
    }

    private var rank: Int { (isOfRecords ? 0 : 2) + (dependsOnRemote ? 1 : 0) }

    private init?(_ plan: EntityPlan, _ place: Int, _ plans: [EntityPlan]) {
        let description = plan.relationships[place]
        guard case .manyToMany(let join) = description.kind, description.wire != .none,
            OutboxTouch.reaches(plan, plans)
        else { return nil }
        (self.plan, relationship, self.join) = (plan, place, join)
        dependsOnRemote =
            description.isEmbedded && description.destination.entity.plan.isReachable
            || !plan.travels && plan.isReachable
    }
}

extension EntityPlan {
    /// Whether its records have addresses of their own on a server.
    package var isReachable: Bool {
        if case .none = identity { return false }
        return remote != nil
    }
}
