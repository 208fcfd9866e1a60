import LockstepStore
import LockstepSystem
import LockstepTesting

// Records inside of others, which others see and edit as if they lay in collections of their own.
extension SimulatedServer {
    /// The records in all the lists of their owners, with the owner's key.
    func members(of entity: DomainEntity) -> [(key: String, json: JSONValue)] {
        guard let container = entity.container, let owner = domain.owner(of: entity) else { return [] }
        return records(of: owner).flatMap { _, record in
            Self.list(record[container.list]).map { member in
                var json = member
                json[container.link.key] = record[owner.identityKey]
                return (Self.text(member[entity.identityKey] ?? .null), json)
            }
        }
    }

    func putMember(_ json: JSONValue, _ key: String, in entity: DomainEntity) {
        guard let container = entity.container else { return }
        let owner = Self.text(json[container.link.key] ?? .null)
        var json = json
        json[container.link.key] = nil
        changeList(of: entity, in: owner) { [json] list in
            list.removeAll { Self.text($0[entity.identityKey] ?? .null) == key }
            list.append(json)
        }
    }

    func editMember(_ key: String, of entity: DomainEntity, _ members: JSONObject) {
        guard let container = entity.container,
            var json = records(of: entity).first(where: { $0.key == key })?.json
        else { return }
        let owner = Self.text(json[container.link.key] ?? .null)
        for (key, value) in members { json[key] = value }
        if Self.text(json[container.link.key] ?? .null) != owner {
            removeMember(key, of: entity)
            return putMember(json, key, in: entity)
        }
        json[container.link.key] = nil
        changeList(of: entity, in: owner) { [json] list in
            for place in list.indices where Self.text(list[place][entity.identityKey] ?? .null) == key {
                list[place] = json
            }
        }
    }

    func removeMember(_ key: String, of entity: DomainEntity) {
        guard let container = entity.container,
            let json = records(of: entity).first(where: { $0.key == key })?.json
        else { return }
        changeList(of: entity, in: Self.text(json[container.link.key] ?? .null)) { list in
            list.removeAll { Self.text($0[entity.identityKey] ?? .null) == key }
        }
    }

    private func changeList(of entity: DomainEntity, in key: String, _ change: (inout [JSONValue]) -> Void) {
        guard let container = entity.container, let owner = domain.owner(of: entity),
            let record = records(of: owner).first(where: { $0.key == key })?.json
        else { return }
        var list = Self.list(record[container.list])
        change(&list)
        edit(key, of: owner, [container.list: .array(list)])
    }

    static func list(_ value: JSONValue?) -> [JSONValue] {
        if case .array(let list)? = value { list } else { [] }
    }

    // MARK: Rules

    /// What nests where: records that get ids of their own inside of others, and those that are shown with their owners
    /// and listed without.
    static func addNesting(to rules: inout RailsRules, _ scenario: Scenario) {
        let domain = scenario.domain
        for owner in domain.followed {
            let nestings = nestings(in: owner, domain)
            if !nestings.isEmpty { rules.nested[owner.path] = nestings }
            for (key, member, link) in Domain.embedded(in: owner, domain) where member.container == nil {
                rules.nestedLists[owner.path, default: [:]][key] = .init(member.path, by: link.key)
            }
        }
    }

    /// As Rails does, they refuse a record that they have no more; a server that made it anew would make it with each
    /// request again.
    private static func nestings(in owner: DomainEntity, _ domain: Domain) -> [RailsNesting] {
        domain.members(of: owner).compactMap { member in
            guard member.isServerMade, let container = member.container else { return nil }
            return RailsNesting(
                container.list, requestKey: container.sentList, refusesUnknown: true,
                nested: nestings(in: member, domain))
        }
    }

    /// Gives records inside of others the identities that they were sent without.
    static func identifying(_ domain: Domain) -> MemoryRemote.Fill? {
        guard domain.entities.contains(where: { $0.container != nil && $0.isServerMade }) else { return nil }
        let numbers = Locked<[String: Int64]>([:])
        return { record, _, _ in
            for owner in domain.followed { identify(in: &record, owner, domain, numbers) }
        }
    }

    private static func identify(
        in record: inout JSONValue, _ owner: DomainEntity, _ domain: Domain, _ numbers: Locked<[String: Int64]>
    ) {
        for member in domain.members(of: owner) {
            guard let container = member.container, case .array(let list)? = record[container.list] else { continue }
            record[container.list] = .array(
                list.map { json in
                    var json = json
                    if member.isServerMade, json[member.identityKey] ?? .null == .null {
                        json[member.identityKey] = .integer(
                            numbers.withLock { numbers in
                                numbers[member.path, default: 0] += 1
                                return numbers[member.path] ?? 0
                            })
                    }
                    identify(in: &json, member, domain, numbers)
                    return json
                })
        }
    }

    // MARK: Effects

    /// Something that was written to a record, also to one inside of another.
    struct Effect: Sendable {
        let kind: ServerChange.Kind
        let path: String
        /// `nil` for a record that was sent without an identity.
        let key: String?
        let json: JSONValue
    }

    /// What changes did to records, those inside of others too.
    func effects(of changes: some Sequence<ServerChange>) -> [Effect] {
        changes.flatMap { change in
            let own = Effect(kind: change.kind, path: change.path, key: change.key, json: change.json)
            guard let entity = domain.entity(at: change.path) else { return [own] }
            return [own] + effects(in: change.json, entity)
        }
    }

    private func effects(in json: JSONValue, _ owner: DomainEntity) -> [Effect] {
        domain.members(of: owner).flatMap { member -> [Effect] in
            guard let container = member.container else { return [] }
            let list = Self.list(json[container.sentList] ?? json[container.list])
            return list.filter { $0["_destroy"] != true }.flatMap { json in
                [
                    Effect(
                        kind: .updated, path: member.path, key: json[member.identityKey].map(Self.text), json: json)
                ] + effects(in: json, member)
            }
        }
    }
}
