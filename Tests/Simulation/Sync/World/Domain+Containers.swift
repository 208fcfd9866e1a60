import LockstepEvolution
import LockstepStore

extension DomainEntity {
    /// Where records lie that are inside of others on a server.
    struct Container: Sendable {
        /// The entity of those that they are in.
        let owner: String
        let path: String
        /// The list in what the server has.
        let list: String
        /// The list in what it is sent.
        let sentList: String
        /// The to-one of the records on a device that holds their owner's key.
        let link: Link
    }

    /// The keys of the lists that have whole records.
    var embeddedKeys: [String] {
        plan.relationships.compactMap { relationship in
            if case .embedded(let path, _) = relationship.wire { path.first } else { nil }
        }
    }

    /// Whether a record cannot be without what a link leads to: nobody has a record whose owner is gone.
    func requires(_ link: Link) -> Bool { link.isRequired || container?.link.name == link.name }
}

extension Domain {
    /// The same domain as a kind of server has it.
    func on(_ server: ServerKind) -> Domain {
        var domain = self
        // Owners come before what is in them, so that paths are whole.
        for owner in entities {
            guard let known = domain.entity(owner.name) else { continue }
            for (member, container) in Self.containers(in: known, of: domain, on: server) {
                guard let place = domain.entities.firstIndex(where: { $0.name == member }) else { continue }
                domain.entities[place].container = container
            }
        }
        return domain
    }

    private static func containers(
        in owner: DomainEntity, of domain: Domain, on server: ServerKind
    ) -> [(member: String, container: DomainEntity.Container)] {
        embedded(in: owner, domain).compactMap { embedded in
            guard server.embeds || !embedded.member.plan.isReachable else { return nil }
            let list = server.storedKey(embedded.key)
            return (
                embedded.member.name,
                DomainEntity.Container(
                    owner: owner.name, path: "\(owner.path)/\(list)", list: list, sentList: embedded.key,
                    link: embedded.link)
            )
        }
    }

    /// The to-many relationships of an owner whose records may be inside of it, whatever the server does.
    static func embedded(
        in owner: DomainEntity, _ domain: Domain
    ) -> [(key: String, member: DomainEntity, link: DomainEntity.Link)] {
        owner.plan.relationships.compactMap { relationship in
            guard case .embedded(let path, _) = relationship.wire, path.count == 1,
                let member = domain.entity(relationship.destination.name),
                let link = member.links.first(where: { $0.destination == owner.name })
            else { return nil }
            return (path[0], member, link)
        }
    }

    /// Whether others embed the records, on some servers.
    func isEmbedded(_ entity: DomainEntity) -> Bool {
        entities.contains { owner in Self.embedded(in: owner, self).contains { $0.member.name == entity.name } }
    }

    /// Those with collections of their own.
    var followed: [DomainEntity] { entities.filter { $0.container == nil } }

    /// What is inside of an entity's records.
    func members(of owner: DomainEntity) -> [DomainEntity] { entities.filter { $0.container?.owner == owner.name } }

    /// The entity whose records an entity's records are inside of.
    func owner(of member: DomainEntity) -> DomainEntity? { member.container.flatMap { entity($0.owner) } }
}

extension Scenario {
    /// Whether an entity's records are deleted: those that others are inside of may have to stay.
    func mayDelete(_ entity: DomainEntity) -> Bool {
        !withoutTroubles.contains(.orphan) || domain.members(of: entity).isEmpty
    }
}

extension Snapshot {
    /// The record that goes to the server with another one inside of it: itself, where it goes by itself.
    func root(of entity: DomainEntity, _ key: String, _ domain: Domain) -> (entity: DomainEntity, key: String)? {
        var (entity, key) = (entity, key)
        while let container = entity.container {
            guard let owner = domain.owner(of: entity),
                let link = rows[entity.table]?[key]?[container.link.name], !link.isNull
            else { return nil }
            (entity, key) = (owner, link.keyText)
        }
        return (entity, key)
    }
}
