import LockstepEvolution
import LockstepMerge
import LockstepStore
import TestSupport

/// The records of a store by the server's identities, and the links between them.
struct StoredRecords {
    private let plans: SchemaPlan
    private var rows: [String: [ServerKey: [DatabaseValue]]] = [:]
    private var links: [String: Set<[DatabaseValue]>] = [:]

    init(of store: Store) async throws {
        plans = store.plans
        (rows, links) = try await store.writer.read { [plans] database in
            var rows: [String: [ServerKey: [DatabaseValue]]] = [:]
            var links: [String: Set<[DatabaseValue]>] = [:]
            for plan in plans {
                for row in try database.valueRows(plan.selectSQL) where !plan.isWithoutIdentity {
                    rows[plan.name, default: [:]][plan.wireColumns.map { row[$0] }] = row
                }
                for case .manyToMany(let join) in plan.relationships.map(\.kind) where !join.isToOne {
                    let columns = (join.sourceColumns + join.destinationColumns).map(SQLName.quoted)
                    let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(SQLName.quoted(join.table))"
                    links[join.table] = Set(try database.valueRows(sql))
                }
            }
            return (rows, links)
        }
    }

    func records(of plan: EntityPlan) -> [ServerKey: [DatabaseValue]] { rows[plan.name] ?? [:] }

    /// The records that have other attributes; `nil` if none do.
    func difference(from other: StoredRecords, in plan: EntityPlan) -> String? {
        let (mine, theirs) = (records(of: plan), other.records(of: plan))
        if Set(mine.keys) != Set(theirs.keys) {
            return "there are other records: \(Set(mine.keys).symmetricDifference(theirs.keys))"
        }
        return mine.first { values($0.value, plan) != values(theirs[$0.key] ?? [], plan) }.map { key, row in
            "\(plan.name) \(key) has \(theirs[key] ?? []) instead of \(row)"
        }
    }

    private func values(_ row: [DatabaseValue], _ plan: EntityPlan) -> [DatabaseValue] {
        zip(plan.columns, row).compactMap { column, value in
            if case .attribute = column.content { value } else { nil }
        }
    }

    /// What a merge with these operations must not have done.
    func problem(with operations: MergeOperations, _ after: StoredRecords) -> String? {
        for plan in plans {
            let (mine, theirs) = (records(of: plan), after.records(of: plan))
            for (key, row) in theirs {
                guard let former = mine[key] else {
                    if operations.contains(.insert) { continue }
                    return "\(plan.name) \(key) is new"
                }
                if operations.contains(.update) || values(former, plan) == values(row, plan) { continue }
                return "\(plan.name) \(key) was \(former) and is \(row)"
            }
            if !operations.contains(.delete), let gone = Set(mine.keys).subtracting(theirs.keys).first {
                return "\(plan.name) \(gone) is gone"
            }
        }
        if operations.contains(.update) || operations.contains(.delete) { return nil }
        return links.first { table, links in
            // A new record may be linked to one that was there.
            let known = Set(links.flatMap { $0 })
            let others = (after.links[table] ?? []).subtracting(links).filter { known.isSuperset(of: $0) }
            return !links.isSubset(of: after.links[table] ?? []) || !others.isEmpty && !operations.contains(.insert)
        }.map { "links of \($0.key) are others" }
    }
}

/// The records with a value, or without one, in a column.
struct ScopeChoice: CustomStringConvertible {
    let plan: EntityPlan
    let column: ColumnDescription
    let value: DatabaseValue
    private let place: Int
    /// Whether the record that the value refers to is in the store, if it does refer to one.
    let isKnown: Bool
    /// Whether the list is a page of what has the value.
    let isPage: Bool

    /// Returns `nil` if the entity has no such column.
    init?(of plan: EntityPlan, _ records: StoredRecords, _ random: inout SeededRandom) {
        let places = plan.columns.indices.filter { place in
            if plan.wireColumns.contains(place) || plan.keyColumns.contains(place) { return false }
            switch plan.columns[place].content {
            case .attribute:
                let column = plan.columns[place]
                return column.defaultValue != .newUUID && (column.isOptional || column.type == .bool)
            // The keys that stores make differ.
            case .foreignKey(let name):
                let relationship = plan.relationships.first { $0.name == name }
                return plan.foreignKeys.contains([place]) && relationship?.target.remoteColumn == nil
            case .position, .surrogateKey: return false
            }
        }
        let rows = records.records(of: plan).sorted { "\($0.key)" < "\($1.key)" }
        guard let place = places.randomElement(using: &random), !rows.isEmpty else { return nil }
        (self.plan, self.place, column) = (plan, place, plan.columns[place])
        let isForeignKey = if case .foreignKey = column.content { true } else { false }
        isKnown = !isForeignKey || !random.isOne(in: 4)
        isPage = random.isOne(in: 5)
        switch column.type {
        case _ where isKnown: value = random.element(of: rows).value[place]
        case .int, .int16, .int32, .int64: value = 31_987.databaseValue
        default: value = "00000000-0000-4000-8000-ffffffffffff".databaseValue
        }
    }

    func contains(_ row: [DatabaseValue]) -> Bool { row[place] == value }

    var description: String { "\(column.name) = \(value)" }
}

extension EntityPlan {
    /// The keys of its JSON, as all their spellings have them.
    var firstKeys: Set<String> {
        let others = relationships.flatMap { relationship -> [[String]] in
            if case .id(let paths, let path) = relationship.wire { return paths + [path] }
            return [relationship.wire.ownPath, relationship.wire.otherPath].compactMap(\.self)
        }
        return Set((columns.compactMap { $0.wire?.path } + others).compactMap(\.first).map(Self.plain))
    }

    static func plain(_ key: String) -> String { key.replacing("_", with: "").lowercased() }

    /// The identities of an entity's records in a record of a payload, itself included.
    func listedKeys(of entity: EntityPlan, in object: PayloadObject) -> [ServerKey] {
        var keys: [ServerKey] = []
        if entity.name == name {
            let parts = wireColumns.compactMap { column -> DatabaseValue? in
                guard let path = columns[column].wire?.path, case .value(_, let value)? = object[path] else {
                    return nil
                }
                return value
            }
            if parts.count == wireColumns.count { keys.append(parts) }
        }
        for relationship in relationships {
            for path in [relationship.wire.ownPath, relationship.wire.otherPath].compactMap(\.self) {
                let node = object[path]
                let nodes = if case .list(let nodes)? = node { nodes } else { node.map { [$0] } ?? [] }
                for case .object(let nested) in nodes {
                    keys += relationship.target.listedKeys(of: entity, in: nested)
                }
            }
        }
        return keys
    }
}
