import Foundation
import LockstepStore
import LockstepSync
import TestSupport

extension World {
    /// What others do on the server.
    func editOnServer(_ random: inout SeededRandom) {
        let entity = random.element(of: domain.entities)
        let records = server.records(of: entity).sorted { $0.key < $1.key }
        let choice = Int.random(in: 0..<100, using: &random)
        if choice < 35 || records.isEmpty { return makeOnServer(entity, &random) }
        let (key, record) = random.element(of: records)
        switch choice {
        case ..<70: changeOnServer(entity, key, &random)
        case ..<80: linkOnServer(entity, key, record, &random)
        default: deleteOnServer(entity, key)
        }
    }

    private func makeOnServer(_ entity: DomainEntity, _ random: inout SeededRandom) {
        let key = makeOthersKey(for: entity)
        var record: JSONValue = [:]
        record[entity.identityKey] = DomainEntity.json(key: key)
        for field in entity.fields {
            record[field.key] = entity.json(
                makeValue(field, of: entity, by: "s", at: clock.now, isRefused: false), field)
        }
        for link in entity.links {
            let parent = serverDestination(link, of: entity, key.keyText, &random)
            record[link.key] = random.isOne(in: 2) ? parent ?? .null : .null
        }
        for list in ownLists(of: entity) { record[list.key] = serverMembers(list, &random) }
        server.put(record, key.keyText, in: entity)
        tellOthers("make \(entity.name) \(key.keyText): \(record.plain)")
    }

    private func changeOnServer(_ entity: DomainEntity, _ key: String, _ random: inout SeededRandom) {
        let fields = entity.fields.filter { $0.kind != .date || scenario.policy == .newestWins }
        var members: [String: JSONValue] = [:]
        for field in [random.element(of: fields)] + fields.filter({ $0.kind == .date }) {
            members[field.key] = entity.json(
                makeValue(field, of: entity, by: "s", at: clock.now, isRefused: false), field)
        }
        server.edit(key, of: entity, members)
        tellOthers("change \(entity.name) \(key): \(JSONValue.object(members).plain)")
    }

    private func linkOnServer(
        _ entity: DomainEntity, _ key: String, _ record: JSONValue, _ random: inout SeededRandom
    ) {
        var members: [String: JSONValue] = [:]
        if let link = entity.links.first {
            members[link.key] = random.isOne(in: 3) ? .null : serverDestination(link, of: entity, key, &random) ?? .null
        }
        for list in ownLists(of: entity) { members[list.key] = serverMembers(list, &random) }
        guard !members.isEmpty else { return }
        server.edit(key, of: entity, members)
        tellOthers("link \(entity.name) \(key): \(JSONValue.object(members).plain)")
    }

    private func deleteOnServer(_ entity: DomainEntity, _ key: String) {
        if scenario.serverCascades { deleteChildren(of: entity, key) }
        server.remove(key, from: entity)
        server.tidyLists()
        tellOthers("delete \(entity.name) \(key)")
    }

    /// Deletes what a device would delete along.
    private func deleteChildren(of parent: DomainEntity, _ key: String) {
        for child in domain.entities {
            for link in child.links where link.destination == parent.name {
                for (childKey, record) in server.records(of: child)
                where SimulatedServer.text(record[link.key] ?? .null) == key {
                    deleteOnServer(child, childKey)
                }
            }
        }
    }

    private func serverDestination(
        _ link: DomainEntity.Link, of entity: DomainEntity, _ key: String, _ random: inout SeededRandom
    ) -> JSONValue? {
        guard let destination = domain.entity(link.destination) else { return nil }
        let records = server.records(of: destination).sorted { $0.key < $1.key }
            .filter { destination.name != entity.name || $0.key < key }
        return records.isEmpty ? nil : random.element(of: records).json[destination.identityKey]
    }

    /// The lists that the server tells links by: one end does, so that two ends never say different things.
    private func ownLists(of entity: DomainEntity) -> [DomainEntity.List] {
        entity.lists.filter { list in domain.joins.contains { $0.join == list.join && $0.owner.name == entity.name } }
    }

    private func serverMembers(_ list: DomainEntity.List, _ random: inout SeededRandom) -> JSONValue {
        guard let member = domain.entity(list.destination) else { return .array([]) }
        let all = server.records(of: member).sorted { $0.key < $1.key }
        return .array(
            all.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
                .compactMap { $0.json[member.identityKey] })
    }

    private func tellOthers(_ what: String) { trace.step(stepNumber, "Others", what) }
}

extension JSONValue {
    /// The JSON in one line.
    var plain: String { (try? json()).map { String(decoding: $0, as: UTF8.self) } ?? "?" }
}
