package import GRDB
import LockstepEvolution

/// Determines what is sent with which record: which end of a relationship contains its links, and which records are
/// sent inside others.
///
/// It follows from the schema and from whether the remote accepts embedded records. A sync computes it once for its
/// remote. What does not depend on a remote (triggers, discards, merges without a sync) uses the plans of the entities.
package struct WireOwnership: Sendable {
    /// Whether embedded records of entities with their own paths are sent inside their owners. Records of other
    /// entities always are.
    package let sendsEmbedded: Bool
    private let carriers: [String: JoinEnd]
    private let embeddedNames: Set<String>
    private let unsentLinks: [String: String]

    package init(_ plans: SchemaPlan, sendsEmbedded: Bool) {
        self.sendsEmbedded = sendsEmbedded
        let embedded = plans.flatMap(\.relationships).filter(\.isEmbedded).map(\.destination)
        embeddedNames = Set(embedded.filter { sendsEmbedded || !$0.isReachable }.map(\.name))
        var carriers: [String: JoinEnd] = [:]
        for ends in JoinEnd.ends(of: plans) {
            guard let carrier = ends.first(where: { sendsEmbedded || !$0.dependsOnRemote }) else { continue }
            carriers[carrier.join.table] = carrier
        }
        self.carriers = carriers
        unsentLinks = Self.unsentLinks(plans, carriers: carriers, sendsEmbedded: sendsEmbedded)
    }

    /// The recorded links that no end can send to this remote, by name, with their names in the schema.
    private static func unsentLinks(
        _ plans: SchemaPlan, carriers: [String: JoinEnd], sendsEmbedded: Bool
    ) -> [String: String] {
        var unsent: [String: String] = [:]
        for link in OutboxLinkRoute.links(of: plans) where link.isNoted && !link.isOrderOnly {
            let relationship = link.owner.relationships[link.relationship]
            let isSent =
                switch link.storage {
                case .joinTable(let join): carriers[join.table] != nil
                case .foreignKey: relationship.isSent(sendsEmbedded: sendsEmbedded)
                }
            if !isSent { unsent[link.name] = "\(link.owner.name).\(relationship.name)" }
        }
        return unsent
    }

    // MARK: Records

    /// Whether an entity's records may be sent inside another's.
    package func isContained(_ plan: EntityPlan) -> Bool {
        !plan.ownerRelationships.isEmpty && (sendsEmbedded || !plan.isReachable)
    }

    /// The record that another is sent inside, by the foreign keys of its row; `nil` if it is sent separately.
    package func owner(of plan: EntityPlan, row: [DatabaseValue]) -> (plan: EntityPlan, key: RecordKey)? {
        plan.owner(of: row, in: self)
    }

    /// Whether an entity's collection is read separately: it has a path, and its records are not in the bodies of
    /// others.
    package func isFollowed(_ plan: EntityPlan) -> Bool { plan.isReachable && !embeddedNames.contains(plan.name) }

    // MARK: Links

    /// Whether this end of a many-to-many relationship is the one that sends the links to the server.
    package func carries(_ relationship: RelationshipDescription, of plan: EntityPlan) -> Bool {
        guard case .manyToMany(let join) = relationship.kind, let carrier = carriers[join.table] else { return false }
        return carrier.plan === plan && carrier.description.name == relationship.name
    }

    /// Whether a to-one is sent with the record that holds the key, instead of in the list of the other end.
    package func isSentByKeyHolder(_ relationship: RelationshipDescription) -> Bool {
        guard relationship.wire != .none else { return false }
        return !isSentByOwner(relationship)
    }

    /// Whether the owner's body, which contains the complete record, determines the owner.
    private func isSentByOwner(_ relationship: RelationshipDescription) -> Bool {
        guard let inverse = relationship.embeddingInverse else { return false }
        return inverse.isSent(sendsEmbedded: sendsEmbedded)
    }

    /// Whether a relationship's key is part of the body of a record.
    package func isSent(_ relationship: RelationshipDescription, of plan: EntityPlan) -> Bool {
        if case .manyToMany = relationship.kind { return carries(relationship, of: plan) }
        return relationship.isSent(sendsEmbedded: sendsEmbedded)
    }

    /// The name in the schema of a link that cannot be sent to the server; `nil` if it can.
    package func unsentLink(_ name: String) -> String? { unsentLinks[name] }
}

extension RelationshipDescription {
    /// Whether a remote accepts it, except for many-to-many relationships, which are sent by one end.
    fileprivate func isSent(sendsEmbedded: Bool) -> Bool {
        switch wire {
        case .none: false
        case .id, .ids: true
        case .embedded: sendsEmbedded || !destination.isReachable
        }
    }

    /// The columns of the destination that hold the key of this relationship; `nil` if they are elsewhere.
    package var columnsOfInverse: [Int]? {
        guard let index = inverseIndex else { return nil }
        let columns = destination.foreignKeys[index]
        return columns.isEmpty ? nil : columns
    }

    /// The other end, if it embeds the records of this one.
    package var embeddingInverse: RelationshipDescription? {
        guard let index = inverseIndex, case let other = destination.relationships[index], other.isEmbedded else {
            return nil
        }
        return other
    }
}

/// An end of a many-to-many relationship that can send the links to a server.
struct JoinEnd: Sendable {
    let plan: EntityPlan
    /// The index in the entity's relationships.
    let relationship: Int
    let join: JoinDescription
    /// Whether only some remotes accept it: those that accept embedded records.
    let dependsOnRemote: Bool

    var description: RelationshipDescription { plan.relationships[relationship] }

    /// Whether the links are changes of records that are sent separately; otherwise of the owners that embed them.
    var isOfRecords: Bool { plan.takes(.update) }

    /// The ends of each many-to-many relationship, preferred ones first: records before what is embedded in others, and
    /// what every remote accepts before what only some do; otherwise in the order of the entities.
    static func ends(of plans: SchemaPlan) -> [[JoinEnd]] {
        var tables: [String] = []
        var ends: [String: [JoinEnd]] = [:]
        for plan in plans {
            for index in plan.relationships.indices {
                guard let end = JoinEnd(plan, index: index, plans: plans) else { continue }
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

    private init?(_ plan: EntityPlan, index: Int, plans: SchemaPlan) {
        let description = plan.relationships[index]
        guard case .manyToMany(let join) = description.kind, description.wire != .none,
            OwnerTouchTriggers.reaches(plan, plans: plans)
        else { return nil }
        (self.plan, relationship, self.join) = (plan, index, join)
        dependsOnRemote =
            description.isEmbedded && description.destination.isReachable
            || !plan.travels && plan.isReachable
    }
}

extension EntityPlan {
    /// Whether its records have their own addresses on a server.
    package var isReachable: Bool { hasIdentity && remote != nil }
}
