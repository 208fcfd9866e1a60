import Foundation
import LockstepStore
import LockstepSync
import TestSupport

/// An edit of one record, decided before it is made.
struct LocalEdit: Sendable {
    enum Kind: Sendable {
        case insert
        case update
        case delete
        /// Puts these keys into a list, or takes them out.
        case link(DomainEntity.List, DatabaseValue, isAdded: Bool)
    }

    let kind: Kind
    let entity: DomainEntity
    let key: DatabaseValue
    /// The columns that are written, with the keys of their JSON.
    var values: [(column: String, key: String, value: DatabaseValue, json: JSONValue)] = []

    /// Whether it links to a record by a key that only the device knows, other than its owner's, whose list models
    /// have.
    func linksLocally(_ domain: Domain) -> Bool {
        guard !domain.isEmbedded(entity) else { return false }
        return entity.links.contains { link in
            domain.entity(link.destination)?.isServerMade == true && values.contains { $0.column == link.name }
        }
    }

    var text: String {
        let record = "\(entity.name) \(key.keyText)"
        let list = values.map { "\($0.column) = \($0.value.keyText)" }.joined(separator: ", ")
        switch kind {
        case .insert: return "makes \(record): \(list)"
        case .update: return "changes \(record): \(list)"
        case .delete: return "deletes \(record)"
        case .link(let list, let member, let isAdded):
            return
                "\(isAdded ? "adds" : "takes") \(list.destination) \(member.keyText) \(isAdded ? "to" : "from") \(record)"
        }
    }
}

extension World {
    /// One to three edits in one transaction, by models or by SQL.
    func editLocally(_ device: Device, killedAfter statements: Int?, _ random: inout SeededRandom) async throws {
        let before = try await device.snapshot()
        var edits: [LocalEdit] = []
        for _ in 0..<random.element(of: [1, 1, 1, 2, 3]) {
            guard let edit = makeEdit(device, before, &random) else { continue }
            edits.append(edit)
            // What comes after was decided by what is there no more.
            if case .delete = edit.kind { break }
        }
        // Models link to objects, and JSON has no word for one that the server does not know.
        let isSQL = random.isOne(in: 2) || edits.contains { $0.linksLocally(domain) }
        guard !edits.isEmpty else { return }
        for edit in edits { trace.step(stepNumber, device.name, edit.text + (isSQL ? " (by SQL)" : "")) }
        _ = try await device.live(killedAfter: statements) { [edits, domain] in
            do {
                if isSQL {
                    try await Self.write(edits, device.store)
                } else {
                    try await Self.save(edits, device.store, domain)
                }
            } catch let error as StoreError {
                trace.note("not saved: \(error.reason)")
            } catch let error as DatabaseError {
                trace.note("not saved: \(error.message ?? "")")
            }
        }
        let after = try await device.snapshot()
        notePromises(device, before, after)
        noteWrites(device, before, after)
    }

    // MARK: Deciding

    private func makeEdit(_ device: Device, _ snapshot: Snapshot, _ random: inout SeededRandom) -> LocalEdit? {
        let entity = random.element(of: domain.entities)
        let keys = (snapshot.rows[entity.table] ?? [:]).values.compactMap { $0[entity.keyName] }
            .sorted { $0.keyText < $1.keyText }
        let kinds = scenario.edits.kinds(&random)
        // Taken in any case, so that the other decisions do not depend on what there is.
        var details = SeededRandom(seed: random.next())
        if kinds.contains(.create) && !hasEnough(keys.count) || keys.isEmpty {
            guard scenario.mayEdit(.create) else { return nil }
            return insertion(device, entity, device.makeKey(for: entity), snapshot, &details)
        }
        let key = details.element(of: keys)
        if kinds.contains(.delete) {
            guard scenario.mayEdit(.delete), scenario.mayDelete(entity) else { return nil }
            return LocalEdit(kind: .delete, entity: entity, key: key)
        }
        if kinds.contains(.link) { return scenario.mayEdit(.link) ? link(entity, key, snapshot, &details) : nil }
        return update(device, entity, key, snapshot, &details)
    }

    /// Whether no more records are made where there are so many.
    func hasEnough(_ count: Int) -> Bool { scenario.isCrowded && count >= 3 }

    private func insertion(
        _ device: Device, _ entity: DomainEntity, _ key: DatabaseValue, _ snapshot: Snapshot,
        _ random: inout SeededRandom
    ) -> LocalEdit? {
        var edit = LocalEdit(kind: .insert, entity: entity, key: key)
        for field in entity.fields { edit.values.append(value(field, entity, device, &random)) }
        for link in entity.links where !random.isOne(in: 3) || entity.requires(link) {
            if let value = destination(link, of: entity, key, snapshot, &random) {
                edit.values.append(value)
            } else if entity.requires(link) {
                return nil
            }
        }
        return edit
    }

    private func update(
        _ device: Device, _ entity: DomainEntity, _ key: DatabaseValue, _ snapshot: Snapshot,
        _ random: inout SeededRandom
    ) -> LocalEdit? {
        var edit = LocalEdit(kind: .update, entity: entity, key: key)
        let (changes, moves) = (scenario.mayEdit(.change), scenario.mayEdit(.move))
        if let link = entity.links.shuffled(using: &random).first, random.isOne(in: 4) && moves || !changes {
            guard moves else { return nil }
            let value =
                random.isOne(in: 4) && !entity.requires(link)
                ? (link.name, link.key, DatabaseValue.null, JSONValue.null)
                : destination(link, of: entity, key, snapshot, &random)
            if let value { edit.values.append(value) }
        } else if changes {
            let fields = entity.fields.filter { $0.kind != .date }
            edit.values.append(value(random.element(of: fields), entity, device, mayIgnore: true, &random))
            // The time of the edit, for those who go by it.
            for field in entity.fields where field.kind == .date && scenario.policy == .newestWins {
                edit.values.append(value(field, entity, device, &random))
            }
        }
        return edit.values.isEmpty ? nil : edit
    }

    private func link(
        _ entity: DomainEntity, _ key: DatabaseValue, _ snapshot: Snapshot, _ random: inout SeededRandom
    ) -> LocalEdit? {
        guard let first = entity.lists.first else { return nil }
        let list = entity.lists.count > 1 ? random.element(of: entity.lists) : first
        guard let member = domain.entity(list.destination) else { return nil }
        let members = (snapshot.rows[member.table] ?? [:]).values.compactMap { $0[member.keyName] }
            .sorted { $0.keyText < $1.keyText }
        guard !members.isEmpty else { return nil }
        let other = random.element(of: members)
        let isOwner = domain.joins.contains { $0.join == list.join }
        let row =
            isOwner
            ? Snapshot.LinkRow(source: key, destination: other) : Snapshot.LinkRow(source: other, destination: key)
        let isThere = snapshot.links[list.join.table]?.contains(row) ?? false
        return LocalEdit(kind: .link(list, other, isAdded: !isThere), entity: entity, key: key)
    }

    private func value(
        _ field: DomainEntity.Field, _ entity: DomainEntity, _ device: Device, mayIgnore: Bool = false,
        _ random: inout SeededRandom
    ) -> (String, String, DatabaseValue, JSONValue) {
        let isRefused =
            random.isOne(in: 14) && field.kind == .text && server.hasRefusals
            && !scenario.withoutTroubles.contains(.refusal)
        let isBreaking = random.isOne(in: 30) && field.kind == .text && !scenario.withoutTroubles.contains(.broken)
        // Without a body, nobody can tell.
        let isIgnored =
            mayIgnore && random.isOne(in: 14) && field.kind == .text && server.hasRefusals && scenario.respondsWithBody
            && entity.container == nil && !scenario.withoutTroubles.contains(.ignoring)
        let mark =
            isRefused
            ? SimulatedServer.refusedMark
            : isBreaking ? SimulatedServer.breakingMark : isIgnored ? SimulatedServer.ignoredMark : ""
        let value = makeValue(
            field, of: entity, by: device.name.prefix(1).lowercased(), at: device.now, mark: mark)
        return (field.name, field.key, value, entity.json(value, field))
    }

    /// A record to link to. A tree grows from greater keys to smaller ones, so that it has no rings.
    private func destination(
        _ link: DomainEntity.Link, of entity: DomainEntity, _ key: DatabaseValue, _ snapshot: Snapshot,
        _ random: inout SeededRandom
    ) -> (String, String, DatabaseValue, JSONValue)? {
        guard let destination = domain.entity(link.destination) else { return nil }
        let keys = (snapshot.rows[destination.table] ?? [:]).values.compactMap { $0[destination.keyName] }
            .filter { destination.name != entity.name || $0.keyText < key.keyText }
            .sorted { $0.keyText < $1.keyText }
        guard !keys.isEmpty else { return nil }
        let parent = random.element(of: keys)
        return (link.name, link.key, parent, DomainEntity.json(key: parent))
    }
}
