import Foundation
import GRDB
import LockstepEvolution
import LockstepStore

/// The changes to send now, and their order. They are read once for many changes.
struct PushBatch {
    /// A request to be made: a record with everything that is sent with it.
    struct Item: Sendable {
        let plan: EntityPlan
        let key: RecordKey
        /// The identifiers of the pending changes that the request settles.
        var changes: [Int64]
        /// Those of records that were in this one on the server and are in another one locally: the request removes
        /// them, and another one settles the change.
        var departures: [Int64] = []
        /// The versions of the changes when it was found out what the request depends on; empty if one is sent at a
        /// time.
        var versions: [Int64] = []
        /// New records that the request does not name although its records refer to them: those that are created later,
        /// and those that it creates itself and the server names. The links follow when they have names (Rules.md, P2).
        var later: Set<RecordID> = []
    }

    private(set) var items: [Item] = []
    private(set) var plan: PushPlan
    /// Deletes of records that the server has, or had, embedded in others that are deleted: nothing has to be sent for
    /// them.
    let obsolete: [(plan: EntityPlan, key: RecordKey)]
    /// Changes that nothing can be sent of, because their records are not in the store.
    let lost: [Int64]

    /// Reads the outbox.
    ///
    /// - Parameters:
    ///   - plans: The entities of the schema.
    ///   - isSerial: Whether one change at a time is sent.
    ///   - selection: Which changes to send, with what they require; `nil` for all.
    ///   - due: Returns when a wait is over, or `nil` if it is.
    init(
        _ database: Database, plans: SchemaPlan, ownership: WireOwnership, isSerial: Bool = true,
        selection: (@Sendable (EntityPlan, RecordKey) -> Bool)? = nil, due: @escaping (StoredWait?) -> Date?
    ) throws {
        var loader = PushRoundLoader(database: database, plans: plans, ownership: ownership, due: due)
        try loader.load()
        if !isSerial {
            try loader.addTouches()
            try loader.addVersions()
        }
        obsolete = loader.obsolete
        lost = loader.lost
        var planned = loader.planned
        if let selection { planned = Self.selected(planned, items: loader.items, selection: selection) }
        plan = PushPlan(planned)
        items = loader.items
        for link in loader.optionalLinks where link.isUnnamed || plan.isCut(link.parent, before: link.index) {
            items[link.index].later.insert(RecordID(link.plan, key: link.key))
        }
    }

    /// Holds back what was not selected and is not required by what was.
    private static func selected(
        _ planned: [PushPlan.Item], items: [Item], selection: (EntityPlan, RecordKey) -> Bool
    ) -> [PushPlan.Item] {
        var isWanted = items.map { selection($0.plan, $0.key) }
        var open = isWanted.indices.filter { isWanted[$0] }
        while let index = open.popLast() {
            for required in planned[index].requires + planned[index].prefers where !isWanted[required] {
                isWanted[required] = true
                open.append(required)
            }
        }
        var planned = planned
        for index in planned.indices where !isWanted[index] { planned[index].isHeld = true }
        return planned
    }

    mutating func next(at now: Date) -> Int? { plan.next(at: now) }
    mutating func finish(_ index: Int) { plan.finish(index) }
    mutating func hold(_ index: Int) { plan.hold(index) }
    mutating func delay(_ index: Int, until date: Date) { plan.delay(index, until: date) }
}

/// Reads pending changes and finds out what each requires on the server.
private struct PushRoundLoader {
    let database: Database
    let plans: SchemaPlan
    let ownership: WireOwnership
    let due: (StoredWait?) -> Date?
    var items: [PushBatch.Item] = []
    var planned: [PushPlan.Item] = []

    private struct Reference: Hashable {
        let entity: String
        let key: RecordKey
    }

    init(
        database: Database, plans: SchemaPlan, ownership: WireOwnership, due: @escaping (StoredWait?) -> Date?
    ) {
        self.database = database
        self.due = due
        self.plans = plans
        self.ownership = ownership
    }

    private var indexesByRecord: [Reference: Int] = [:]
    var obsolete: [(plan: EntityPlan, key: RecordKey)] = []
    var lost: [Int64] = []

    /// A link to a new record that a request can be sent without at first.
    struct OptionalLink {
        let index: Int
        /// The request that creates the destination.
        let parent: Int
        let plan: EntityPlan
        let key: RecordKey
        /// Whether it is the same request, and the server names the destination.
        let isUnnamed: Bool
    }

    private(set) var optionalLinks: [OptionalLink] = []
    private var hasUnconfirmed = false
    /// The changes that are sent, each with the index of its request.
    private var sent: [(record: PendingRecord, index: Int)] = []

    mutating func load() throws {
        hasUnconfirmed = try OutboxTable.hasUnconfirmed(database)
        var changes: [PendingRecord] = []
        for plan in plans where plan.isTracked { changes += try PendingRecord.fetchAll(of: plan, in: database) }
        changes.sort { $0.id < $1.id }
        for change in changes {
            if change.isLost {
                if !change.isParked { lost.append(change.id) }
                continue
            }
            if try isObsolete(change) {
                obsolete.append((change.plan, change.key))
                continue
            }
            guard let index = try index(for: change) else { continue }
            sent.append((change, index))
        }
        for (change, index) in sent { try addDepartures(change, at: index) }
        addRequirements()
        try addLinkRequirements()
    }

    /// Finds out which requests must not travel at the same time.
    mutating func addTouches() throws {
        let touches = try PushTouchFinder(items, changes: sent, plans: plans, ownership: ownership) {
            try database.uniqueIndexes(of: $0)
        }.touches
        for index in planned.indices { planned[index].touches = touches[index] }
    }

    /// Notes which state of the changes was looked at: one that is edited later may depend on others (Rules.md, P18).
    mutating func addVersions() throws {
        let versions = try OutboxVersions.all(database)
        for index in items.indices { items[index].versions = items[index].changes.map { versions[$0] ?? 0 } }
    }

    /// The index of the request that a change is sent with: the one for the record that it is embedded in or, if it is
    /// in none now, the one that it has left; `nil` if this remote has no way to send the change.
    ///
    /// A record that was sent embedded in another one, gets its identity from the server and has no confirmed creation
    /// stays with the request that it was sent with.
    private mutating func index(for change: PendingRecord) throws -> Int? {
        let rows = change.isTaken ? [change.base, change.row] : [change.row, change.base]
        for values in rows where values != nil {
            let (plan, key) = try container(of: change, values: values)
            guard plan.travels else { continue }
            let index = index(of: plan, key: key, change: change)
            items[index].changes.append(change.id)
            return index
        }
        return nil
    }

    private func isObsolete(_ change: PendingRecord) throws -> Bool {
        guard change.kind == .delete, ownership.isContained(change.plan), let base = change.base else { return false }
        guard let owner = ownership.owner(of: change.plan, row: base) else {
            return try change.plan.travelsInside || change.hasLeft && !mayBeElsewhere(change, base: base)
        }
        return try row(of: owner.plan, key: owner.key) == nil && self.base(of: owner.plan, key: owner.key) == nil
    }

    /// A record that has moved from one owner to another leaves the first one before: that one's list is sent first.
    /// The same holds for an owner that it was sent with, if the response was lost.
    private mutating func addDepartures(_ change: PendingRecord, at index: Int) throws {
        guard change.kind == .update || change.isSent && !change.isTaken, ownership.isContained(change.plan),
            let base = change.base
        else { return }
        for values in [base] + (try sentPositions(of: change, base: base)) {
            guard ownership.owner(of: change.plan, row: values) != nil else { continue }
            let (plan, key) = try container(of: change, values: values)
            guard plan !== items[index].plan || key != items[index].key, plan.travels,
                try row(of: plan, key: key) != nil
            else { continue }
            let former = self.index(of: plan, key: key, change: change)
            guard !items[former].departures.contains(change.id) else { continue }
            items[former].departures.append(change.id)
            require(former, for: index)
        }
    }

    /// Whether a record may be in an owner that it was sent with in a request that was not rejected.
    private func mayBeElsewhere(_ change: PendingRecord, base: [DatabaseValue]) throws -> Bool {
        try sentPositions(of: change, base: base).contains { row in
            guard let owner = ownership.owner(of: change.plan, row: row) else { return false }
            return try OutboxWriter(database, plan: owner.plan).change(of: owner.key)?.parked == nil
        }
    }

    /// The versions of the record in the owners that it was sent with in requests without a response.
    private func sentPositions(of change: PendingRecord, base: [DatabaseValue]) throws -> [[DatabaseValue]] {
        guard hasUnconfirmed else { return [] }
        return change.plan.positions(
            sent: try OutboxWriter(database, plan: change.plan).unconfirmed(change.id), base: base)
    }

    /// The record that a change is sent with, or its own.
    private func container(
        of change: PendingRecord, values: [DatabaseValue]?
    ) throws -> (plan: EntityPlan, key: RecordKey) {
        var (plan, key, row) = (change.plan, change.key, values)
        // A cycle of owners, which only a mistake can make, ends where it was entered.
        var seen: Set<Reference> = [Reference(entity: plan.name, key: key)]
        while ownership.isContained(plan), let values = row,
            let owner = ownership.owner(of: plan, row: values),
            seen.insert(Reference(entity: owner.plan.name, key: owner.key)).inserted,
            let ownerRow = try self.row(of: owner.plan, key: owner.key) ?? base(of: owner.plan, key: owner.key)
        {
            (plan, key) = (owner.plan, owner.key)
            row = ownerRow
        }
        return (plan, key)
    }

    /// The index of the request for a record that a change is sent with.
    private mutating func index(of plan: EntityPlan, key: RecordKey, change: PendingRecord) -> Int {
        let reference = Reference(entity: plan.name, key: key)
        if let index = indexesByRecord[reference] {
            // A change that was made after the others failed makes all of them eligible again.
            planned[index].isHeld = planned[index].isHeld && change.isParked
            planned[index].retryAt = planned[index].retryAt.flatMap { earlier in
                due(change.wait).map { max($0, earlier) }
            }
            return index
        }
        indexesByRecord[reference] = items.count
        items.append(PushBatch.Item(plan: plan, key: key, changes: []))
        planned.append(PushPlan.Item(id: change.id, retryAt: due(change.wait), isHeld: change.isParked))
        return items.count - 1
    }

    /// An owner that is deleted too was embedded in one itself.
    private func base(of plan: EntityPlan, key: RecordKey) throws -> [DatabaseValue]? {
        plan.isTracked ? try OutboxWriter(database, plan: plan).base(of: key) : nil
    }

    private func row(of plan: EntityPlan, key: RecordKey) throws -> [DatabaseValue]? {
        try database.valueRows(plan.findSQL, with: key.values).first
    }

    // MARK: What comes first

    /// Parents are created before children, and deleted after them (Rules.md, P2).
    private mutating func addRequirements() {
        var created: [Reference: Int] = [:]
        var deleted: [Reference: Int] = [:]
        for (change, index) in sent {
            let reference = Reference(entity: change.plan.name, key: change.key)
            if change.kind == .create { created[reference] = index }
            if change.kind == .delete { deleted[reference] = index }
        }
        if created.isEmpty && deleted.isEmpty { return }
        for (change, index) in sent {
            for (relationship, columns) in zip(change.plan.relationships, change.plan.foreignKeys)
            where !columns.isEmpty {
                let destination = relationship.destination.name
                let now = key(columns, in: change.row)
                let before = key(columns, in: change.base)
                // A record whose creation waits in another one does not hold this one back.
                let isElsewhere = change.isTaken && ownership.isContained(change.plan)
                if change.kind != .delete, !isElsewhere, let now,
                    let parent = created[Reference(entity: destination, key: now)]
                {
                    let owner = relationship.destination
                    if ownership.isSentByKeyHolder(relationship) {
                        require(parent, for: index, to: (owner, now), canFollow: change.canBeSent(without: columns))
                    } else {
                        require(
                            index, for: parent, to: (change.plan, change.key),
                            canFollow: relationship.isListedByIdentity && owner.tracks(.update))
                    }
                }
                // A record leaves its parent before that is deleted: the server may cascade to its children.
                if let before, before != now || change.kind == .delete,
                    let parent = deleted[Reference(entity: destination, key: before)]
                {
                    let isOptional = columns.contains { change.plan.columns[$0].isOptional }
                    change.kind == .delete && isOptional ? prefer(index, for: parent) : require(index, for: parent)
                }
            }
        }
        createdPositions = created
    }

    private var createdPositions: [Reference: Int] = [:]

    private func key(_ columns: [Int], in row: [DatabaseValue]?) -> RecordKey? {
        guard let row, columns.allSatisfy({ !row[$0].isNull }) else { return nil }
        return RecordKey(columns.map { row[$0] })
    }

    private mutating func require(_ required: Int, for index: Int) {
        guard required != index, !planned[index].requires.contains(required) else { return }
        planned[index].requires.append(required)
    }

    private mutating func prefer(_ preferred: Int, for index: Int) {
        guard preferred != index, !planned[index].prefers.contains(preferred) else { return }
        planned[index].prefers.append(preferred)
    }

    /// - Parameters:
    ///   - destination: The new record that the request names.
    ///   - canFollow: Whether it can be sent without naming it at first.
    private mutating func require(
        _ required: Int, for index: Int, to destination: (plan: EntityPlan, key: RecordKey), canFollow: Bool
    ) {
        guard canFollow else { return require(required, for: index) }
        prefer(required, for: index)
        let isUnnamed = required == index && destination.plan.remoteColumn != nil
        if required == index, !isUnnamed { return }
        optionalLinks.append(
            OptionalLink(
                index: index, parent: required, plan: destination.plan, key: destination.key, isUnnamed: isUnnamed))
    }

    /// New members are sent before the list that names them.
    private mutating func addLinkRequirements() throws {
        if createdPositions.isEmpty { return }
        for plan in plans {
            for relationship in plan.relationships {
                guard case .manyToMany(let join) = relationship.kind, ownership.carries(relationship, of: plan) else {
                    continue
                }
                let destination = relationship.destination
                for (reference, member) in createdPositions where reference.entity == destination.name {
                    for owner in try owners(of: reference.key, in: join) {
                        guard let index = indexesByRecord[Reference(entity: plan.name, key: owner)] else { continue }
                        require(
                            member, for: index, to: (destination, reference.key), canFollow: plan.tracks(.update))
                    }
                }
            }
        }
    }

    private func owners(of member: RecordKey, in join: JoinDescription) throws -> [RecordKey] {
        let columns = join.sourceColumns.map(SQLName.quoted).joined(separator: ", ")
        let sql = """
            SELECT \(columns) FROM \(SQLName.quoted(join.table)) WHERE \(SQLName.condition(join.destinationColumns))
            """
        return try database.valueRows(sql, with: member.values).map { RecordKey($0) }
    }
}

extension PendingRecord {
    /// Whether the server accepts the record without a link, or with the former one, and takes the link afterwards.
    fileprivate func canBeSent(without columns: [Int]) -> Bool {
        guard plan.tracks(.update) else { return false }
        let former = kind == .create ? nil : base
        return columns.allSatisfy { column in
            let isAlone = plan.foreignKeys.filter { $0.contains(column) }.count == 1
            let canBeEmpty = plan.columns[column].isOptional || former?[column].isNull == false
            return isAlone && canBeEmpty && !plan.keyColumns.contains(column)
        }
    }
}

extension RelationshipDescription {
    /// Whether the other end sends the identities of the records that hold the key.
    fileprivate var isListedByIdentity: Bool {
        guard let index = inverseIndex else { return false }
        if case .ids = destination.relationships[index].wire { return true } else { return false }
    }
}

extension PushBatch.Item {
    /// Whether one of the changes was edited since it was found out what the request depends on.
    func isOutdated(_ database: Database) throws -> Bool {
        try zip(changes, versions).contains { try OutboxVersions.version(of: $0, in: database) > $1 }
    }
}
