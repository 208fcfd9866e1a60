import GRDB
import LockstepEvolution
import LockstepStore

/// Finds out what the requests of a batch touch besides their own records.
struct PushTouchFinder {
    private let ownership: WireOwnership
    private let items: [PushBatch.Item]
    /// For each request, what it touches.
    private(set) var touches: [[PushTouch]]
    /// The requests that the changes of records are sent with, without those that nothing links to.
    private var indexes: [Reference: Int] = [:]
    /// The request that was first found to touch a value.
    private var firstByValue: [PushTouch.Subject: Int] = [:]
    private var movesRecords: Set<Int> = []

    private struct Reference: Hashable {
        let entity: String
        let key: RecordKey
    }

    /// - Parameters:
    ///   - changes: The pending changes, each with the index of the request that it is sent with.
    ///   - uniqueIndexes: The columns of the unique indexes of an entity.
    init(
        _ items: [PushBatch.Item], changes: [(record: PendingRecord, index: Int)], plans: SchemaPlan,
        ownership: WireOwnership, uniqueIndexes: (EntityPlan) throws -> [[Int]]
    ) rethrows {
        self.items = items
        self.ownership = ownership
        touches = Array(repeating: [], count: items.count)
        addRecords(changes, plans: plans)
        addLinks(changes)
        var indexes: [String: [[Int]]] = [:]
        for (record, index) in changes {
            let plan = record.plan
            let unique = try indexes[plan.name] ?? uniqueIndexes(plan)
            indexes[plan.name] = unique
            addValues(of: record, at: index, uniqueIndexes: unique)
        }
        addIdentities(changes)
        addMoves()
    }

    // MARK: What responses contain

    private mutating func addRecords(_ changes: [(record: PendingRecord, index: Int)], plans: SchemaPlan) {
        var written = [Set<String>](repeating: [], count: items.count)
        for (record, index) in changes { written[index].insert(record.plan.name) }
        let isWritten = written.reduce(into: Set<String>()) { $0.formUnion($1) }
        var read: [String: Set<String>] = [:]
        for plan in Dictionary(grouping: items, by: \.plan.name).values.compactMap(\.first?.plan) {
            read[plan.name] = entitiesInResponses(of: plan).intersection(isWritten)
        }
        let isRead = read.values.reduce(into: Set<String>()) { $0.formUnion($1) }
        if isRead.isEmpty { return }
        for (index, item) in items.enumerated() {
            let changed = written[index].intersection(isRead)
            touches[index] += changed.sorted().map { PushTouch(subject: .records($0), side: .one) }
            let mentioned = read[item.plan.name] ?? []
            touches[index] += mentioned.sorted().map { PushTouch(subject: .records($0), side: .other) }
        }
    }

    /// The entities of whose records the response to a change of a record may say something: it contains them, or lists
    /// their identities. What is sent inside the record is not meant.
    private func entitiesInResponses(of plan: EntityPlan) -> Set<String> {
        var found: Set<String> = []
        var seen: Set<String> = [plan.name]
        var open = [plan]
        while let plan = open.popLast() {
            for relationship in plan.relationships where saysSomething(relationship) {
                let destination = relationship.destination
                if !(relationship.isEmbedded && ownership.isContained(destination)) { found.insert(destination.name) }
                if relationship.listsRecords, seen.insert(destination.name).inserted { open.append(destination) }
            }
        }
        return found
    }

    /// Whether JSON says something of other records by it. The one that a key refers to may be in it, too: linked
    /// records are not changed at the same time anyway.
    private func saysSomething(_ relationship: RelationshipDescription) -> Bool {
        switch (relationship.wire, relationship.kind) {
        case (.none, _), (.id, .toOne): false
        case (.id, _), (.ids, _), (.embedded, _): true
        }
    }

    // MARK: Linked records

    /// Records that are linked, or were linked, are not changed at the same time.
    private mutating func addLinks(_ changes: [(record: PendingRecord, index: Int)]) {
        let destinations = Set(
            changes.lazy.flatMap { $0.record.plan.relationships }.map { $0.destination.name })
        for (record, index) in changes where destinations.contains(record.plan.name) {
            indexes[Reference(entity: record.plan.name, key: record.key)] = index
        }
        if indexes.isEmpty { return }
        var linked: Set<Int> = []
        for (record, index) in changes {
            for (relationship, columns) in zip(record.plan.relationships, record.plan.foreignKeys) {
                if columns.isEmpty { continue }
                let (now, before) = (key(columns, in: record.row), key(columns, in: record.base))
                let destination = relationship.destination.name
                let owners = Set([now, before].compactMap(\.self)).compactMap {
                    indexes[Reference(entity: destination, key: $0)]
                }
                for owner in Set(owners) where owner != index {
                    touches[index].append(PushTouch(subject: .change(owner), side: .other))
                    if linked.insert(owner).inserted {
                        touches[owner].append(PushTouch(subject: .change(owner), side: .one))
                    }
                }
                if before != nil, now != before, !ownership.isSentByKeyHolder(relationship) {
                    movesRecords.formUnion(owners + [index])
                }
            }
        }
    }

    private func key(_ columns: [Int], in row: [DatabaseValue]?) -> RecordKey? {
        guard let row, columns.allSatisfy({ !row[$0].isNull }) else { return nil }
        return RecordKey(columns.map { row[$0] })
    }

    // MARK: Unique values

    private mutating func addValues(of record: PendingRecord, at index: Int, uniqueIndexes: [[Int]]) {
        let plan = record.plan
        for columns in uniqueIndexes { addValues(columns, of: record, at: index) }
        for (relationship, columns) in zip(plan.relationships, plan.foreignKeys) where !columns.isEmpty {
            guard let inverse = relationship.inverse else { continue }
            let destination = relationship.destination
            guard let end = destination.relationship(named: inverse),
                case .toOneInverse = destination.relationships[end].kind
            else { continue }
            addValues(columns, of: record, at: index)
        }
    }

    /// A value that a record has or had, unless it keeps it.
    private mutating func addValues(_ columns: [Int], of record: PendingRecord, at index: Int) {
        let (now, before) = (key(columns, in: record.row), key(columns, in: record.base))
        if now == before { return }
        for case let key? in [now, before] {
            let subject = PushTouch.Subject.value(record.plan.name, columns: columns, key)
            guard let first = firstByValue[subject] else {
                firstByValue[subject] = index
                continue
            }
            if first == index { continue }
            let touch = PushTouch(subject: subject, side: .alone)
            for index in [first, index] where !touches[index].contains(touch) { touches[index].append(touch) }
        }
    }

    // MARK: Identities

    /// A creation without a response may be a record that a pull has brought: if it is, the two rows become one.
    private mutating func addIdentities(_ changes: [(record: PendingRecord, index: Int)]) {
        let entities = Set(changes.lazy.filter(\.record.isTaken).map(\.record.plan.name))
        if entities.isEmpty { return }
        for (record, index) in changes where entities.contains(record.plan.name) {
            guard let column = record.plan.remoteColumn else { continue }
            let isNamed = [record.row, record.base].contains { $0.map { !$0[column].isNull } ?? false }
            guard record.isTaken || isNamed else { continue }
            let subject = PushTouch.Subject.identities(record.plan.name)
            touches[index].append(PushTouch(subject: subject, side: record.isTaken ? .one : .other))
        }
    }

    // MARK: Moves

    /// A response with a list from which a record is moved, or to which it is, may have been made before.
    private mutating func addMoves() {
        for (index, item) in items.enumerated() where !item.departures.isEmpty { movesRecords.insert(index) }
        if movesRecords.isEmpty { return }
        let entities = Set(movesRecords.map { items[$0].plan.name })
        for (index, item) in items.enumerated() where entities.contains(item.plan.name) {
            let side: PushTouch.Side = movesRecords.contains(index) ? .alone : .one
            touches[index].append(PushTouch(subject: .lists(item.plan.name), side: side))
        }
    }
}
