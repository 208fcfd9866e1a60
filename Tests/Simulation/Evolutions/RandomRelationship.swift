import LockstepEvolution
import TestSupport

/// Relationships with both ends: each to-many has an inverse.
enum RandomRelationship {
    enum Kind: CaseIterable {
        /// A foreign key without inverse.
        case toOne
        /// The foreign key is at the destination.
        case toMany
        case oneToOne
        case manyToMany
        /// A to-many or a to-one that is its own inverse.
        case symmetric
    }

    /// What a relationship is between, and what it is called at both ends.
    struct Ends {
        var owner: String
        var destination: String
        var name: String
        var inverse: String
    }

    /// Adds a relationship of any kind.
    ///
    /// - Returns: The names of its ends; none if no entities are suitable.
    static func add(to structure: inout SchemaStructure, _ random: inout SeededRandom) -> [MemberPath] {
        let kind = random.element(of: Kind.allCases)
        let keyed = structure.entities.filter { $0.identity != .none }.map(\.name)
        guard let destination = random.pick(keyed),
            var owner = random.pick(kind == .manyToMany ? keyed : structure.entities.map(\.name))
        else { return [] }
        if kind == .symmetric { owner = destination }
        var ends = Ends(owner: owner, destination: destination, name: "", inverse: "")
        ends.name = RandomNames.relationship(of: structure[entity: owner], &random)
        ends.inverse = RandomNames.relationship(of: structure[entity: destination], &random)
        if kind == .symmetric { ends.inverse = ends.name }
        if kind != .symmetric, owner == destination, ends.inverse.lowercased() == ends.name.lowercased() {
            ends.inverse += "Back"
        }
        guard !structure[entity: destination].memberNames.contains(ends.inverse.lowercased()) else { return [] }
        return add(kind, ends, to: &structure, &random)
    }

    static func add(
        _ kind: Kind, _ ends: Ends, to structure: inout SchemaStructure, _ random: inout SeededRandom
    ) -> [MemberPath] {
        switch kind {
        case .manyToMany: addJoinTable(ends, to: &structure, &random)
        case .symmetric:
            addSymmetric(ends, to: &structure, &random)
            return [MemberPath(ends.owner, member: ends.name)]
        case .toOne, .toMany, .oneToOne: addKey(kind, ends, to: &structure, &random)
        }
        let both = [MemberPath(ends.owner, member: ends.name), MemberPath(ends.destination, member: ends.inverse)]
        return kind == .toOne ? [both[0]] : both
    }

    // MARK: Foreign keys

    private static func addKey(
        _ kind: Kind, _ ends: Ends, to structure: inout SchemaStructure, _ random: inout SeededRandom
    ) {
        let isOptional =
            random.isLikely(60) || ends.owner == ends.destination
            || requires(ends.destination, ends.owner, in: structure)
        let columns = keyColumns(
            ends.name, of: structure[entity: ends.destination], in: structure[entity: ends.owner], &random)
        var link = RelationshipStructure(
            name: ends.name, destination: ends.destination, isToMany: false, isOptional: isOptional,
            inverse: kind == .toOne ? nil : ends.inverse, onDelete: random.isLikely(80) ? .nullify : .cascade,
            storage: .foreignKey(columns: columns, position: nil))
        if random.isLikely(60) { link.wire = idWire(ends.name, columns.count, &random) }
        structure[entity: ends.owner].relationships.append(link)
        if kind == .toOne { return }
        let rules: [DeleteRule] = isOptional ? DeleteRule.allCases : [.cascade, .deny, .none]
        var inverse = RelationshipStructure(
            name: ends.inverse, destination: ends.owner, isToMany: kind == .toMany, isOptional: true,
            inverse: ends.name, onDelete: random.element(of: rules), storage: .inverseForeignKey)
        if kind == .toMany {
            let hasKey = structure[entity: ends.owner].identity != .none
            inverse.wire =
                hasKey ? random.element(of: [.none, .ids(path: [ends.inverse])]) : .embedded(path: [ends.inverse])
        }
        structure[entity: ends.destination].relationships.append(inverse)
        if kind == .toMany, random.isLikely(30) {
            setOrdered(true, MemberPath(ends.destination, member: ends.inverse), in: &structure)
        }
    }

    static func idWire(_ name: String, _ count: Int, _ random: inout SeededRandom) -> RelationshipWire {
        let paths = count == 1 ? [["\(name)ID"]] : (1...count).map { [name, "key\($0)"] }
        return .id(paths: paths, embeddedPath: count == 1 && random.isLikely(50) ? [name] : [])
    }

    static func keyColumns(
        _ name: String, of destination: EntityStructure, in owner: EntityStructure, _ random: inout SeededRandom
    ) -> [String] {
        var taken = owner.columnNames
        let keys = destination.identity.keyAttributes
        let ending = random.element(of: ["_id", "ID"])
        return keys.map { key in
            let column = RandomNames.free(keys.count == 1 ? name + ending : "\(name)_\(key)", in: taken)
            taken.insert(column.lowercased())
            return column
        }
    }

    /// Whether a record needs one of another entity, over any number of required relationships.
    static func requires(_ entity: String, _ other: String, in structure: SchemaStructure) -> Bool {
        var found: Set<String> = [entity]
        var pending = [entity]
        while let next = pending.popLast() {
            for link in structure.entity(next)?.relationships ?? [] where !link.isOptional && !link.isToMany {
                if link.destination == other { return true }
                if found.insert(link.destination).inserted { pending.append(link.destination) }
            }
        }
        return false
    }

    // MARK: Join tables

    private static func addJoinTable(_ ends: Ends, to structure: inout SchemaStructure, _ random: inout SeededRandom) {
        let (owner, destination) = (structure[entity: ends.owner], structure[entity: ends.destination])
        let isSelf = ends.owner == ends.destination
        let left = keyNames(isSelf ? ends.inverse : ends.owner.lowercased(), owner)
        let right = keyNames(isSelf ? ends.name : ends.destination.lowercased(), destination)
        let name = RandomNames.free(
            "\(owner.table)_\(random.isLikely(50) ? destination.table : ends.name)", in: structure.tableNames)
        let table = JoinTableStructure(name: name, leftColumns: left, rightColumns: right)
        let rules: [DeleteRule] = [.nullify, .nullify, .cascade, .deny, .none]
        structure[entity: ends.owner].relationships.append(
            RelationshipStructure(
                name: ends.name, destination: ends.destination, isToMany: true, isOptional: true, inverse: ends.inverse,
                onDelete: random.element(of: rules), storage: .joinTable(table),
                wire: random.element(of: [.none, .ids(path: [ends.name])])))
        structure[entity: ends.destination].relationships.append(
            RelationshipStructure(
                name: ends.inverse, destination: ends.owner, isToMany: true, isOptional: true, inverse: ends.name,
                onDelete: random.element(of: rules), storage: .inverseJoinTable(name),
                wire: random.element(of: [.none, .ids(path: [ends.inverse])])))
        for path in [MemberPath(ends.owner, member: ends.name), MemberPath(ends.destination, member: ends.inverse)]
        where random.isLikely(30) {
            setOrdered(true, path, in: &structure)
        }
    }

    private static func addSymmetric(_ ends: Ends, to structure: inout SchemaStructure, _ random: inout SeededRandom) {
        let owner = structure[entity: ends.owner]
        let table = JoinTableStructure(
            name: RandomNames.free("\(owner.table)_\(ends.name)", in: structure.tableNames),
            leftColumns: keyNames(ends.owner.lowercased(), owner), rightColumns: keyNames("other_\(ends.name)", owner),
            isSymmetric: true)
        let isToOne = random.isLikely(30)
        let wire: RelationshipWire =
            isToOne ? .id(paths: [["\(ends.name)ID"]], embeddedPath: []) : .ids(path: [ends.name])
        structure[entity: ends.owner].relationships.append(
            RelationshipStructure(
                name: ends.name, destination: ends.owner, isToMany: !isToOne, isOptional: true, inverse: ends.name,
                onDelete: random.element(of: [.nullify, .nullify, .cascade, .deny, .none]), storage: .joinTable(table),
                wire: random.element(of: [.none, wire])))
        if !isToOne, random.isLikely(30) { setOrdered(true, MemberPath(ends.owner, member: ends.name), in: &structure) }
    }

    private static func keyNames(_ name: String, _ entity: EntityStructure) -> [String] {
        let keys = entity.identity.keyAttributes
        return keys.map { keys.count == 1 ? "\(name)_id" : "\(name)_\($0)" }
    }

    // MARK: Order

    /// Makes a to-many keep the order of its members, or not: a position column comes or goes.
    static func setOrdered(_ isOrdered: Bool, _ path: MemberPath, in structure: inout SchemaStructure) {
        guard let member = path.member, let inverse = structure[entity: path.type][relationship: member].inverse else {
            return
        }
        structure[entity: path.type][relationship: member].isOrdered = isOrdered
        let link = structure[entity: path.type][relationship: member]
        switch link.storage {
        case .inverseForeignKey:
            let owner = structure[entity: link.destination]
            let columns = owner[relationship: inverse].foreignKeyColumns
            let position = isOrdered ? RandomNames.free("\(member)_position", in: owner.columnNames) : nil
            structure[entity: link.destination][relationship: inverse].storage = .foreignKey(
                columns: columns, position: position)
        case .joinTable(var table):
            table.leftPosition = isOrdered ? free("\(member)_position", in: table) : nil
            structure[entity: path.type][relationship: member].storage = .joinTable(table)
        case .inverseJoinTable:
            guard case .joinTable(var table) = structure[entity: link.destination][relationship: inverse].storage else {
                return
            }
            table.rightPosition = isOrdered ? free("\(member)_position", in: table) : nil
            structure[entity: link.destination][relationship: inverse].storage = .joinTable(table)
        case .foreignKey: break
        }
    }

    private static func free(_ name: String, in table: JoinTableStructure) -> String {
        let positions = [table.leftPosition, table.rightPosition].compactMap(\.self)
        return RandomNames.free(
            name, in: Set((table.leftColumns + table.rightColumns + positions).map { $0.lowercased() }))
    }
}
