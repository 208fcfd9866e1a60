import Foundation
import LockstepStore
import LockstepSync
import TestSupport

extension World {
    /// What others do on the server.
    func editOnServer(_ random: inout SeededRandom) {
        let entity = random.element(of: domain.entities)
        let records = server.records(of: entity).sorted { $0.key < $1.key }
        let kinds = scenario.othersEdits.kinds(&random)
        if kinds.contains(.create) && !hasEnough(records.count) || records.isEmpty {
            return scenario.othersMayEdit(.create) ? makeOnServer(entity, &random) : ()
        }
        let key = random.element(of: records).key
        if kinds.contains(.delete) {
            deleteOnServer(entity, key)
        } else if kinds.contains(.link) || kinds.contains(.move) {
            linkOnServer(entity, key, &random)
        } else if scenario.othersMayEdit(.change) {
            changeOnServer(entity, key, &random)
        }
    }

    private func makeOnServer(_ entity: DomainEntity, _ random: inout SeededRandom) {
        guard let (key, record) = newRecord(entity, &random) else { return }
        server.put(record, key, in: entity)
        tellOthers("make \(entity.name) \(key): \(record.plain)")
    }

    /// - Returns: `nil` where there is nothing that the record could belong to.
    private func newRecord(_ entity: DomainEntity, _ random: inout SeededRandom) -> (key: String, json: JSONValue)? {
        let key = makeOthersKey(for: entity)
        var record = newValues(entity, key)
        for link in entity.links {
            let parent = serverDestination(link, of: entity, key.keyText, &random)
            record[link.key] = random.isOne(in: 2) || entity.requires(link) ? parent ?? .null : .null
            if entity.requires(link), parent == nil { return nil }
        }
        for list in ownLists(of: entity) { record[list.key] = serverMembers(list, &random) }
        for member in domain.members(of: entity) {
            guard let list = member.container?.list else { continue }
            record[list] = .array(
                (0..<Int.random(in: 0...2, using: &random)).map { _ in
                    newValues(member, makeOthersKey(for: member))
                })
        }
        // A newer app knows a member that the schema does not.
        if random.isOne(in: 2) { record[SimulatedServer.unknownMember] = .string("s\(makeToken())") }
        return (key.keyText, record)
    }

    private func newValues(_ entity: DomainEntity, _ key: DatabaseValue) -> JSONValue {
        var record: JSONValue = [:]
        record[entity.identityKey] = DomainEntity.json(key: key)
        for field in entity.fields {
            record[field.key] = entity.json(makeValue(field, of: entity, by: "s", at: clock.now), field)
        }
        return record
    }

    /// What others do while a collection is read page by page: they delete a record, so that those behind it move up,
    /// and may make another one.
    func pageTurn(_ entity: DomainEntity, _ random: inout SeededRandom) -> [ServerEdit] {
        let records = server.records(of: entity)
        guard let size = scenario.pageSize, records.count > size, !scenario.withoutTroubles.contains(.shift),
            scenario.othersMayEdit(.delete), scenario.mayDelete(entity)
        else {
            return []
        }
        let gone = random.element(of: records).key
        var edits = (scenario.serverCascades ? belongings(of: entity, gone) : []) + [.remove(entity, key: gone)]
        if random.isOne(in: 2), scenario.othersMayEdit(.create), let (key, json) = newRecord(entity, &random) {
            // Not a link to what goes.
            if !entity.links.contains(where: { SimulatedServer.text(json[$0.key] ?? .null) == gone }) {
                edits.append(.put(entity, key: key, json))
            }
        }
        return edits
    }

    private func changeOnServer(_ entity: DomainEntity, _ key: String, _ random: inout SeededRandom) {
        let fields = entity.fields.filter { $0.kind != .date || scenario.policy == .newestWins }
        var members: JSONObject = [:]
        for field in [random.element(of: fields)] + fields.filter({ $0.kind == .date }) {
            members[field.key] = entity.json(
                makeValue(field, of: entity, by: "s", at: clock.now), field)
        }
        if let name = server.records(of: entity).first(where: { $0.key == key })?.json[entity.nameField.key]?.plain {
            self.members.noteEdit(of: MemberNames.Name(entity: entity.name, name: name))
        }
        server.edit(key, of: entity, members)
        tellOthers("change \(entity.name) \(key): \(JSONValue.object(members).plain)")
    }

    private func linkOnServer(
        _ entity: DomainEntity, _ key: String, _ random: inout SeededRandom
    ) {
        var members: JSONObject = [:]
        if let link = entity.links.first, scenario.othersMayEdit(.move) {
            let isCut = random.isOne(in: 3) && !entity.requires(link)
            let parent = isCut ? nil : serverDestination(link, of: entity, key, &random)
            if parent != nil || !entity.requires(link) { members[link.key] = parent ?? .null }
        }
        for list in ownLists(of: entity) where scenario.othersMayEdit(.link) {
            members[list.key] = serverMembers(list, &random)
        }
        guard !members.isEmpty else { return }
        server.edit(key, of: entity, members)
        tellOthers("link \(entity.name) \(key): \(JSONValue.object(members).plain)")
    }

    private func deleteOnServer(_ entity: DomainEntity, _ key: String) {
        guard scenario.othersMayEdit(.delete), scenario.mayDelete(entity) else { return }
        for edit in (scenario.serverCascades ? belongings(of: entity, key) : []) + [.remove(entity, key: key)] {
            server.apply(edit)
            tellOthers(edit.text)
        }
    }

    /// Deletes what a device would delete along.
    private func belongings(of parent: DomainEntity, _ key: String) -> [ServerEdit] {
        // Two devices may have made a ring of owners, each of them a half of it.
        var open = ["\(parent.name) \(key)"]
        return belongings(of: parent, key, &open)
    }

    private func belongings(of parent: DomainEntity, _ key: String, _ open: inout [String]) -> [ServerEdit] {
        var edits: [ServerEdit] = []
        for child in domain.entities {
            for link in child.links where link.destination == parent.name {
                for record in server.records(of: child)
                where SimulatedServer.text(record.json[link.key] ?? .null) == key {
                    let name = "\(child.name) \(record.key)"
                    if open.contains(name) { continue }
                    open.append(name)
                    edits += belongings(of: child, record.key, &open) + [.remove(child, key: record.key)]
                }
            }
        }
        return edits
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
        guard let member = domain.entity(list.destination) else { return list.json([]) }
        let all = server.records(of: member).sorted { $0.key < $1.key }
        return list.json(
            all.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
                .compactMap { $0.json[member.identityKey] })
    }

    private func tellOthers(_ what: String) { trace.step(stepNumber, "Others", what) }
}

extension JSONValue {
    /// The JSON in one line.
    var plain: String { (try? json()).map { String(decoding: $0, as: UTF8.self) } ?? "?" }
}
