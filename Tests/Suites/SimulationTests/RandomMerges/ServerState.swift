import LockstepEvolution
import LockstepStore
import TestSupport

/// A record's identity on the server, one value for each of its columns.
typealias ServerKey = [DatabaseValue]

/// The contents of a server, for every entity of a schema.
struct ServerState {
    struct Record {
        /// By the column's index; identities are not included.
        var values: [Int: DatabaseValue] = [:]
        /// Records without identity that are embedded in it, by relationship.
        var scraps: [String: [Record]] = [:]
    }

    /// One end of a link.
    struct Place: Hashable {
        let entity: String
        let relationship: String
    }

    var records: [String: [ServerKey: Record]] = [:]
    /// The destinations of the records' to-ones.
    var targets: [Place: [ServerKey: ServerKey]] = [:]
    /// The members of the many-to-many relationships that are sent, in order.
    var members: [Place: [ServerKey: [ServerKey]]] = [:]
}

/// The possible records of every entity, and servers that have some of them.
struct ServerMaker {
    let plans: SchemaPlan
    /// The identities of all possible records, in an order used by lists.
    let keys: [String: [ServerKey]]
    /// Whether several records can have the same unique value.
    let sharesUniqueValues: Bool
    var speller: ValueSpeller

    init(_ plans: SchemaPlan, sharesUniqueValues: Bool = false, seed: UInt64) {
        self.plans = plans
        self.sharesUniqueValues = sharesUniqueValues
        var speller = ValueSpeller(random: SeededRandom(seed: seed))
        var keys: [String: [ServerKey]] = [:]
        for plan in plans where !plan.isWithoutIdentity {
            keys[plan.name] = (0..<5).map { number in
                plan.wireColumns.map { Self.part(plan.columns[$0].type, number, &speller) }
            }
        }
        self.keys = keys
        self.speller = speller
    }

    private static func part(_ type: StoredType, _ number: Int, _ speller: inout ValueSpeller) -> DatabaseValue {
        switch type {
        case .uuid: speller.uuid().databaseValue
        case .string: ["a", "é/日", "7", "A", "a b\"c"][number].databaseValue
        default: [Int64(7), 1, -3, 9_007_199_254_740_993, 20][number].databaseValue
        }
    }

    mutating func state() -> ServerState {
        var state = ServerState()
        for plan in plans where !plan.isWithoutIdentity {
            for key in keys[plan.name] ?? [] where !speller.random.isOne(in: 4) {
                state.records[plan.name, default: [:]][key] = record(plan)
            }
        }
        link(&state)
        return state
    }

    /// Another state that is mostly the same.
    mutating func changed(_ state: ServerState) -> ServerState {
        var changed = state
        for plan in plans where !plan.isWithoutIdentity {
            for key in keys[plan.name] ?? [] where speller.random.isOne(in: 3) {
                changed.records[plan.name, default: [:]][key] = speller.random.isOne(in: 3) ? nil : record(plan)
            }
        }
        link(&changed)
        return changed
    }

    private mutating func record(_ plan: EntityPlan) -> ServerState.Record {
        var record = ServerState.Record()
        for (place, column) in plan.columns.enumerated() where column.wire != nil && !plan.wireColumns.contains(place) {
            if column.isUnique {
                let isNull = speller.random.isOne(in: 3)
                record.values[place] = isNull ? .null : "code-\(code())".databaseValue
            } else {
                let isNull = column.isOptional && speller.random.isOne(in: 4)
                record.values[place] = isNull ? .null : speller.value(of: column)
            }
        }
        for relationship in plan.relationships where relationship.carriesScraps {
            let count =
                relationship.isToMany
                ? Int.random(in: 0...3, using: &speller.random) : Int.random(in: 0...1, using: &speller.random)
            record.scraps[relationship.name] = (0..<count).map { _ in self.record(relationship.destination)
            }
        }
        return record
    }

    private mutating func code() -> UInt64 {
        sharesUniqueValues ? UInt64.random(in: 0..<4, using: &speller.random) : speller.random.next()
    }

    // MARK: Links

    private mutating func link(_ state: inout ServerState) {
        for plan in plans where !plan.isWithoutIdentity {
            for relationship in plan.relationships {
                switch relationship.kind {
                case .toOne(columns: _, position: _, isRequired: let isRequired):
                    linkToOne(plan, relationship, isRequired, &state)
                case .manyToMany where relationship.wire != .none:
                    linkMembers(plan, relationship, &state)
                default: break
                }
            }
        }
    }

    /// Whether only records of the server can be at the end of a link: those that are sent as a whole.
    private func isWhole(_ wire: RelationshipWire?) -> Bool {
        if case .embedded = wire { true } else { false }
    }

    private mutating func linkToOne(
        _ plan: EntityPlan, _ relationship: RelationshipDescription, _ isRequired: Bool, _ state: inout ServerState
    ) {
        let target = relationship.destination
        let inverse = relationship.inverseDescription
        let travelsHere = relationship.wire != .none
        guard travelsHere || inverse.map({ $0.wire != .none }) == true else { return }
        let mustBeThere = isWhole(relationship.wire) || isWhole(inverse?.wire) || inverse?.wire.isIDs == true
        var free = keys[target.name] ?? []
        if mustBeThere { free = free.filter { state.records[target.name]?[$0] != nil } }
        var links: [ServerKey: ServerKey] = [:]
        for key in (keys[plan.name] ?? []).shuffled(using: &speller.random) {
            guard !free.isEmpty, isRequired || !speller.random.isOne(in: 4) else { continue }
            let chosen = Int.random(in: free.indices, using: &speller.random)
            links[key] = free[chosen]
            if case .toOneInverse? = inverse?.kind { free.remove(at: chosen) }
        }
        state.targets[ServerState.Place(entity: plan.name, relationship: relationship.name)] = links
    }

    private mutating func linkMembers(
        _ plan: EntityPlan, _ relationship: RelationshipDescription, _ state: inout ServerState
    ) {
        let target = relationship.destination
        var known = keys[target.name] ?? []
        if isWhole(relationship.wire) { known = known.filter { state.records[target.name]?[$0] != nil } }
        var links: [ServerKey: [ServerKey]] = [:]
        if relationship.isSymmetric {
            links = relationship.isToMany ? symmetricMembers(known) : pairs(known)
        } else {
            for key in keys[plan.name] ?? [] {
                let list = known.filter { _ in speller.random.isOne(in: 2) }
                links[key] = list.shuffled(using: &speller.random)
            }
        }
        state.members[ServerState.Place(entity: plan.name, relationship: relationship.name)] = links
    }

    /// Lists of at most one record, which lists the other one; it may be itself.
    private mutating func pairs(_ keys: [ServerKey]) -> [ServerKey: [ServerKey]] {
        var lists: [ServerKey: [ServerKey]] = [:]
        var free = keys.shuffled(using: &speller.random)
        while let key = free.popLast() {
            if speller.random.isOne(in: 3) { continue }
            let other = speller.random.isOne(in: 8) ? key : free.popLast() ?? key
            lists[key] = [other]
            lists[other] = [key]
        }
        return lists
    }

    /// Lists in which two records either list each other or do not; each in an order of its own. A record can be linked
    /// to itself.
    private mutating func symmetricMembers(_ keys: [ServerKey]) -> [ServerKey: [ServerKey]] {
        var lists: [ServerKey: [ServerKey]] = [:]
        for (index, key) in keys.enumerated() {
            if speller.random.isOne(in: 6) { lists[key, default: []].append(key) }
            for other in keys[(index + 1)...] where speller.random.isOne(in: 2) {
                lists[key, default: []].append(other)
                lists[other, default: []].append(key)
            }
        }
        for key in keys { lists[key]?.shuffle(using: &speller.random) }
        return lists
    }
}

extension EntityPlan {
    var isWithoutIdentity: Bool { !hasIdentity }

    /// The columns of the identity on the server.
    var wireColumns: [Int] { isWithoutIdentity ? [] : remoteColumn.map { [$0] } ?? keyColumns }
}

extension RelationshipDescription {
    var target: EntityPlan { destination }

    var isRequired: Bool {
        if case .toOne(columns: _, position: _, isRequired: let isRequired) = kind { isRequired } else { false }
    }

    /// Whether it is its own inverse.
    var isSymmetric: Bool { if case .manyToMany(let join) = kind { join.isSymmetric } else { false } }

    var carriesScraps: Bool { target.isWithoutIdentity && wire != .none }

    var inverseDescription: RelationshipDescription? {
        inverse.flatMap { name in target.relationships.first { $0.name == name } }
    }
}

extension RelationshipWire {
    var isIDs: Bool { if case .ids = self { true } else { false } }
}
