import LockstepEvolution
import LockstepStore
import TestSupport

/// The features of a payload besides whole and valid records.
struct PayloadStyle {
    /// Records may lack keys (M1).
    var lacksKeys = false
    /// Records can be invalid, or without identity (M4, M12).
    var hasFaults = false
    /// Nested records can be invalid, too, at every depth.
    var hasNestedFaults = false
    /// Records can be repeated, with other values the first time (M3).
    var hasDuplicates = false
    /// Other spellings of the keys (N1), and unknown keys (M13).
    var variesKeys = true
    /// Keys come in the order of the schema. If records contradict each other, the order counts, which
    /// representations do not have (M16).
    var keepsOrder = false

    /// Records come from several states of the server, like pages that are read while it changes (M16).
    var isTorn = false
    /// Records can have unique values of other records.
    var sharesUniqueValues = false

    static let complete = PayloadStyle()
    static let contested = PayloadStyle(sharesUniqueValues: true)
    static let ordered = PayloadStyle(keepsOrder: true)
    static let faulty = PayloadStyle(
        lacksKeys: true, hasFaults: true, hasNestedFaults: true, hasDuplicates: true, keepsOrder: true)
    static let wild = PayloadStyle(lacksKeys: true, hasFaults: true, hasDuplicates: true)
    static let torn = PayloadStyle(lacksKeys: true, hasFaults: true, hasDuplicates: true, isTorn: true)
}

/// Encodes a server's records as payloads, in as many ways as there are.
struct PayloadMaker {
    let server: ServerMaker
    /// The encoded state; for a torn payload, one of several for each record.
    private var state: ServerState
    private let states: [ServerState]
    let style: PayloadStyle
    var speller: ValueSpeller
    /// For what was added later, so that the other stories stay as they were.
    private var later: SeededRandom
    private var latest: SeededRandom

    /// How deep records are embedded in each other; the keys of deeper ones are missing.
    private static let depthLimit = 3

    /// - Parameter states: Those of the server; a single one, except for torn payloads.
    init(_ server: ServerMaker, _ states: [ServerState], _ style: PayloadStyle, seed: UInt64) {
        self.server = server
        self.states = states
        state = states[0]
        self.style = style
        speller = ValueSpeller(random: SeededRandom(seed: seed))
        later = SeededRandom(seed: seed &* 389 &+ 17)
        latest = SeededRandom(seed: seed &* 577 &+ 23)
    }

    /// Every record of an entity on the server.
    mutating func list(of plan: EntityPlan) -> [PayloadObject] {
        var objects: [PayloadObject] = []
        for key in server.keys[plan.name] ?? [] where states.contains(where: { $0.records[plan.name]?[key] != nil }) {
            objects.append(object(plan, key, depth: 0))
            guard style.hasDuplicates, speller.random.isOne(in: 5) else { continue }
            objects.append(object(plan, key, depth: 0))
        }
        return objects.shuffled(using: &speller.random)
    }

    // MARK: Records

    private mutating func object(_ plan: EntityPlan, _ key: ServerKey, depth: Int) -> PayloadObject {
        let former = state
        defer { state = former }
        tear(plan, key, isAtTop: depth == 0)
        var object = PayloadObject()
        // Invalid values are mostly at the top only: there are other copies of a nested record, and no rule defines which
        // of them counts for its owner’s lists.
        let mayBeWrong = style.hasFaults && (depth == 0 || style.hasNestedFaults)
        putIdentity(plan, key, mayBeWrong, &object)
        putValues(plan, state.records[plan.name]?[key] ?? ServerState.Record(), mayBeWrong, &object)
        for relationship in plan.relationships where relationship.wire != .none {
            if !relationship.isRequired, isLeftOut(depth > 0 ? 6 : 8) { continue }
            put(relationship, of: plan, key, depth, &object)
        }
        return finished(object)
    }

    /// Encodes a record from a state that has it: mostly nested records from that of their owner.
    private mutating func tear(_ plan: EntityPlan, _ key: ServerKey, isAtTop: Bool) {
        guard style.isTorn, isAtTop || speller.random.isOne(in: 4) else { return }
        let known = states.filter { $0.records[plan.name]?[key] != nil }
        if !known.isEmpty { state = speller.random.element(of: known) }
    }

    private mutating func scrap(_ record: ServerState.Record, _ plan: EntityPlan) -> PayloadNode {
        var object = PayloadObject()
        putValues(plan, record, false, &object)
        return .object(finished(object))
    }

    private mutating func isLeftOut(_ count: Int) -> Bool { style.lacksKeys && speller.random.isOne(in: count) }

    private mutating func putIdentity(
        _ plan: EntityPlan, _ key: ServerKey, _ mayBeWrong: Bool, _ object: inout PayloadObject
    ) {
        let isFaulty = mayBeWrong && speller.random.isOne(in: 12)
        for (place, value) in zip(plan.wireColumns, key) {
            let column = plan.columns[place]
            guard let path = column.wire?.path else { continue }
            if isFaulty, place == plan.wireColumns.last {
                switch Int.random(in: 0..<3, using: &speller.random) {
                case 0: continue
                case 1: object.put(.null, at: path)
                default: object.put(speller.invalid(column), at: path)
                }
            } else {
                object.put(identity(value), at: path)
            }
        }
    }

    /// An identity as written by a server (M5).
    private mutating func identity(_ value: DatabaseValue) -> PayloadNode {
        switch value.storage {
        case .int64(let number):
            return .value(json: speller.random.element(of: ["\(number)", "\(number)", "\"\(number)\""]), stored: value)
        case .string(let text):
            let isUUID = text.utf8.count == 36
            let spelt = isUUID && speller.random.isOne(in: 3) ? text.uppercased() : text
            return .value(json: spelling(of: spelt, &speller.random), stored: value)
        default: return .null
        }
    }

    private mutating func putValues(
        _ plan: EntityPlan, _ record: ServerState.Record, _ mayBeWrong: Bool, _ object: inout PayloadObject
    ) {
        // A record without identity is created again each time: it does not have what it lacks.
        let mayLack = !plan.isWithoutIdentity
        let isFaulty = mayBeWrong && speller.random.isOne(in: 10)
        let places = record.values.keys.sorted()
        let fault = isFaulty ? places.randomElement(using: &speller.random) : nil
        for place in places {
            let column = plan.columns[place]
            guard let path = column.wire?.path, let value = record.values[place] else { continue }
            // Of the required values, only those with a default: if a record is repeated, one copy may complete the
            // other.
            let mayBeLeftOut = column.isOptional || column.defaultValue != nil
            if mayLack, mayBeLeftOut, isLeftOut(8) { continue }
            if place == fault, column.type != .json {
                object.put(speller.invalid(column), at: path)
            } else if mayBeWrong, !column.isOptional, column.type != .json, speller.random.isOne(in: 40) {
                object.put(.null, at: path)
            } else {
                object.put(speller.spell(value, of: column), at: path)
            }
        }
    }

    // MARK: Relationships

    private mutating func put(
        _ relationship: RelationshipDescription, of plan: EntityPlan, _ key: ServerKey, _ depth: Int,
        _ object: inout PayloadObject
    ) {
        let linked = self.linked(relationship, of: plan, key)
        switch relationship.wire {
        case .none: break
        case .id(let paths, let embedded):
            let isThere = linked.first.map { state.records[relationship.target.name]?[$0] != nil } ?? false
            // In place of an identity, the whole record can come (R1).
            if !embedded.isEmpty, isThere, depth < Self.depthLimit, speller.random.isOne(in: 4) {
                let own = self.object(relationship.target, linked[0], depth: depth + 1)
                let other = another(relationship.target, depth: depth + 1)
                object.put(.object(other ?? own), at: embedded)
                // If the whole record comes, its identity can come too (R1); it must if the record is another one.
                let canBeAlone = !style.hasFaults || style.hasNestedFaults
                if canBeAlone, speller.random.isOne(in: 2), other == nil { return }
            }
            for (place, path) in paths.enumerated() {
                object.put(linked.first.map { identity($0[place]) } ?? .null, at: path)
            }
        case .ids(let path, let embedded):
            let members = linked.map { identity($0[0]) }
            if relationship.isToMany { return object.put(list(members), at: path) }
            let isThere = linked.first.map { state.records[relationship.target.name]?[$0] != nil } ?? false
            if !embedded.isEmpty, isThere, depth < Self.depthLimit, speller.random.isOne(in: 4) {
                object.put(.object(self.object(relationship.target, linked[0], depth: depth + 1)), at: embedded)
                if !style.hasFaults || style.hasNestedFaults, speller.random.isOne(in: 2) { return }
            }
            object.put(members.first ?? .null, at: path)
        case .embedded(let path, _):
            if relationship.carriesScraps {
                putScraps(relationship, of: plan, key, path, &object)
            } else if depth < Self.depthLimit {
                let nested = linked.map { PayloadNode.object(self.object(relationship.target, $0, depth: depth + 1)) }
                object.put(relationship.isToMany ? list(nested) : nested.first ?? .null, at: path)
            }
        }
    }

    /// Some other record than the one that a key refers to: it is merged, and the key decides the link (R1).
    private mutating func another(_ plan: EntityPlan, depth: Int) -> PayloadObject? {
        let keys = (server.keys[plan.name] ?? []).filter { state.records[plan.name]?[$0] != nil }
        guard !style.isTorn, latest.isOne(in: 4), let key = keys.randomElement(using: &latest) else { return nil }
        let (speller, later) = (speller, later)
        defer { (self.speller, self.later) = (speller, later) }
        self.speller.random = SeededRandom(seed: latest.next())
        return object(plan, key, depth: depth)
    }

    /// In place of an empty list, null can come (M1).
    private mutating func list(_ nodes: [PayloadNode]) -> PayloadNode {
        nodes.isEmpty && later.isOne(in: 2) ? .null : .list(nodes)
    }

    private mutating func putScraps(
        _ relationship: RelationshipDescription, of plan: EntityPlan, _ key: ServerKey, _ path: [String],
        _ object: inout PayloadObject
    ) {
        let records = state.records[plan.name]?[key]?.scraps[relationship.name] ?? []
        let scraps = records.map { scrap($0, relationship.target) }
        object.put(relationship.isToMany ? .list(scraps) : scraps.first ?? .null, at: path)
    }

    /// The records at the other end, in the order of the list.
    private func linked(_ relationship: RelationshipDescription, of plan: EntityPlan, _ key: ServerKey) -> [ServerKey] {
        let place = ServerState.Place(entity: plan.name, relationship: relationship.name)
        switch relationship.kind {
        case .toOne: return (state.targets[place]?[key]).map { [$0] } ?? []
        case .manyToMany: return state.members[place]?[key] ?? []
        case .toOneInverse, .toMany:
            guard let inverse = relationship.inverse else { return [] }
            let links = state.targets[ServerState.Place(entity: relationship.target.name, relationship: inverse)] ?? [:]
            let isWhole = !relationship.wire.isIDs
            return (server.keys[relationship.target.name] ?? []).filter { child in
                links[child] == key && (!isWhole || state.records[relationship.target.name]?[child] != nil)
            }
        }
    }

    // MARK: Keys

    private mutating func finished(_ object: PayloadObject) -> PayloadObject {
        var object = object
        guard style.variesKeys else { return object }
        for index in object.members.indices where speller.random.isOne(in: 6) {
            // Another spelling is read after everything else.
            if style.keepsOrder, !object.members[index].value.isScalar { continue }
            object.members[index].key = Self.otherSpelling(of: object.members[index].key)
        }
        if speller.random.isOne(in: 6) {
            let value = PayloadNode.value(json: #"{"a": [1, "}", null]}"#, stored: .null)
            object.members.append(PayloadObject.Member(key: "not_in_the_schema", meaning: nil, value: value))
        }
        // Beside a key, another spelling of it is not read (N1).
        if latest.isOne(in: 4), let member = object.members.filter(\.value.isScalar).randomElement(using: &latest),
            member.key == member.meaning, Self.otherSpelling(of: member.key) != member.key
        {
            object.members.append(
                PayloadObject.Member(
                    key: Self.otherSpelling(of: member.key), meaning: nil, value: .invalid(json: "[[]]")))
        }
        if !style.keepsOrder { object.members.shuffle(using: &speller.random) }
        return object
    }

    /// `body_text` for `bodyText`, and the other way around.
    private static func otherSpelling(of key: String) -> String {
        if key.contains("_") {
            let words = key.split(separator: "_").map(String.init)
            return words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        }
        var spelt = ""
        for (index, character) in key.enumerated() {
            if character.isUppercase, index > 0, spelt.last?.isUppercase == false { spelt += "_" }
            spelt.append(character)
        }
        return spelt == key ? key : spelt.lowercased()
    }
}
