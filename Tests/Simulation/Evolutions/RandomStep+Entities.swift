import LockstepEvolution
import TestSupport

extension RandomStep {
    // MARK: Entities

    mutating func addEntity() {
        guard structure.entities.count < 6 else { return }
        RandomStructure.addEntity(to: &structure, &random)
    }

    mutating func renameEntity() {
        guard let entity = random.pick(structure.entities) else { return }
        let name = RandomNames.type(in: structure, &random)
        structure[entity: entity.name].name = name
        for index in structure.entities.indices {
            for position in structure.entities[index].relationships.indices
            where structure.entities[index].relationships[position].destination == entity.name {
                structure.entities[index].relationships[position].destination = name
            }
        }
        move([MemberPath(entity.name): MemberPath(name)])
        guard random.isLikely(60) else { return }
        structure[entity: name].table = RandomNames.table(name, in: structure, &random)
        structure.nameIndexes()
    }

    /// Two tables change places, or one gets another name.
    mutating func renameTable() {
        guard let entity = random.pick(structure.entities), let other = random.pick(structure.entities) else { return }
        if entity.name != other.name, random.isLikely(50) {
            structure[entity: entity.name].table = other.table
            structure[entity: other.name].table = entity.table
        } else {
            structure[entity: entity.name].table = RandomNames.table(entity.name, in: structure, &random)
        }
        structure.nameIndexes()
    }

    mutating func removeEntity() {
        guard structure.entities.count > 1, let entity = random.pick(structure.entities) else { return }
        remove(entity.name)
    }

    private mutating func remove(_ name: String) {
        for entity in structure.entities {
            for link in entity.relationships where link.destination == name || entity.name == name {
                removeEnds(of: MemberPath(entity.name, member: link.name))
            }
        }
        structure.entities.removeAll { $0.name == name }
        forget(MemberPath(name))
    }

    /// Something else gets the name of a removed entity.
    mutating func replaceEntity() {
        guard let entity = random.pick(structure.entities), isOld(MemberPath(entity.name)) else { return }
        remove(entity.name)
        let new = RandomStructure.addEntity(to: &structure, &random)
        let isTaken =
            structure.entities.contains { $0.name == entity.name }
            || structure.enumerations.contains { $0.name == entity.name }
        if !isTaken { structure[entity: new].name = entity.name }
    }

    mutating func changeRemote() {
        guard let entity = random.pick(structure.entities.filter { $0.remote != nil }) else { return }
        structure[entity: entity.name].remote = RandomStructure.remote(of: entity, &random)
        changeScope(of: entity.name)
    }

    /// Changes what the records belong to on a server, and who reads and writes them.
    private mutating func changeScope(of name: String) {
        let scope = random.element(of: [nil, .own, .everyone] as [RecordScope?])
        let rules: [AccessRule?] = scope == nil ? [nil] : [.nobody, .everyone]
        structure[entity: name].scope = scope
        structure[entity: name].readers = random.element(of: rules)
        structure[entity: name].writers = random.element(of: rules)
    }

    mutating func changeLocality() {
        guard let entity = random.pick(structure.entities), entity.version == nil else { return }
        guard entity.remote == nil else { return structure[entity: entity.name].remote = nil }
        let remote = RandomStructure.remote(of: entity, &random)
        structure[entity: entity.name].remote = remote
        let canPush = entity.identity != .none && remote.writes.contains(.create)
        answers[MemberPath(entity.name), default: ChangeAnswers()].first =
            canPush && random.isLikely(50) ? .push : .pull
    }

    // MARK: Relationships

    private mutating func relationship(
        where isSuitable: (RelationshipStructure) -> Bool = { _ in true }
    ) -> (path: MemberPath, relationship: RelationshipStructure)? {
        let all = structure.entities.flatMap { entity in
            entity.relationships.filter(isSuitable).map { (MemberPath(entity.name, member: $0.name), $0) }
        }
        return random.pick(all)
    }

    mutating func addRelationship() {
        let paths = RandomRelationship.add(to: &structure, &random)
        touched.formUnion(paths)
        paths.first.map { pullAgain($0) }
    }

    /// No record knows a required link that is new to it. Synced records are pulled again.
    private mutating func pullAgain(_ path: MemberPath) {
        guard isOld(MemberPath(path.type)), let link = structure[entity: path.type].relationship(path.member ?? ""),
            !link.isOptional
        else { return }
        if structure[entity: path.type].remote == nil || !mayPullAgain {
            structure[entity: path.type][relationship: link.name].isOptional = true
        } else {
            answers[path] = ChangeAnswers(refetch: true)
        }
    }

    mutating func removeRelationship() {
        guard let (path, _) = relationship() else { return }
        removeEnds(of: path)
    }

    /// Removes a relationship with its inverse.
    private mutating func removeEnds(of path: MemberPath) {
        guard let link = structure.entity(path.type)?.relationship(path.member ?? "") else { return }
        structure[entity: path.type].relationships.removeAll { $0.name == path.member }
        forget(path)
        if let inverse = link.inverse, structure.entity(link.destination) != nil {
            structure[entity: link.destination].relationships.removeAll { $0.name == inverse }
            forget(MemberPath(link.destination, member: inverse))
        }
        structure.nameIndexes()
    }

    /// The links are stored in another way: a to-one becomes a to-many, for example, or a pair of relationships becomes
    /// one that is its own inverse. The history says that the relationship is another one, or only that its properties
    /// changed.
    mutating func replaceRelationship() {
        guard let (path, link) = relationship(where: { $0.inverse != nil }), isOld(path) else { return }
        let inverse = MemberPath(link.destination, member: link.inverse)
        let isKeyed =
            structure[entity: path.type].identity != .none && structure[entity: link.destination].identity != .none
        guard isOld(inverse), !touched.contains(path), !touched.contains(inverse), isKeyed else { return }
        let former = [path: origin(of: path)].merging([inverse: origin(of: inverse)]) { own, _ in own }
        removeEnds(of: path)
        var ends = RandomRelationship.Ends(
            owner: path.type, destination: link.destination, name: path.member ?? "", inverse: link.inverse ?? "")
        let isOfOne = path.type == link.destination
        let kinds: [RandomRelationship.Kind] = [.toMany, .oneToOne, .manyToMany] + (isOfOne ? [.symmetric] : [])
        let kind = random.element(of: kinds)
        if kind == .symmetric {
            ends.inverse = ends.name
        } else if path == inverse {
            ends.inverse = RandomNames.free("\(ends.name)Back", in: structure[entity: path.type].memberNames)
        }
        let paths = RandomRelationship.add(kind, ends, to: &structure, &random)
        touched.formUnion(paths)
        pullAgain(path)
        if random.isLikely(50) { keep(former.filter { paths.contains($0.key) }) }
    }

    mutating func renameRelationship() {
        guard let (path, link) = relationship() else { return }
        let name = RandomNames.relationship(of: structure[entity: path.type], &random)
        var new = link
        new.name = name
        if let inverse = link.inverse {
            structure[entity: link.destination][relationship: inverse].inverse = name
            // Of a link from an entity to itself.
            if link.destination == path.type { new = structure[entity: path.type][relationship: link.name] }
            new.name = name
        }
        if case .foreignKey(_, let position) = link.storage, random.isLikely(60) {
            var others = structure[entity: path.type]
            others.relationships.removeAll { $0.name == link.name }
            let columns = RandomRelationship.keyColumns(
                name, of: structure[entity: link.destination], in: others, &random)
            new.storage = .foreignKey(columns: columns, position: position)
            renameColumns(link.foreignKeyColumns, to: columns, of: path.type)
        }
        structure[entity: path.type][relationship: link.name] = new
        move([path: MemberPath(path.type, member: name)])
        structure.nameIndexes()
    }

    private mutating func renameColumns(_ columns: [String], to new: [String], of type: String) {
        let names = Dictionary(zip(columns, new)) { first, _ in first }
        for index in structure[entity: type].indexes.indices {
            structure[entity: type].indexes[index].columns = structure[entity: type].indexes[index].columns.map {
                names[$0] ?? $0
            }
        }
    }

    mutating func changeOrder() {
        guard let (path, link) = relationship(where: { $0.isToMany && $0.inverse != nil }) else { return }
        RandomRelationship.setOrdered(!link.isOrdered, path, in: &structure)
        structure.nameIndexes()
    }

    /// The other end defines the join table, or the table gets another name.
    mutating func changeEnds() {
        guard let (path, link) = relationship(where: { if case .joinTable = $0.storage { true } else { false } }),
            case .joinTable(var table) = link.storage, let inverse = link.inverse
        else { return }
        if random.isLikely(50) {
            table.name = RandomNames.free(
                random.isLikely(50) ? "\(table.name)_links" : "links", in: structure.tableNames)
        }
        if table.isSymmetric {
            structure[entity: path.type][relationship: link.name].storage = .joinTable(table)
        } else if random.isLikely(50) {
            let other = JoinTableStructure(
                name: table.name, leftColumns: table.rightColumns, rightColumns: table.leftColumns,
                leftPosition: table.rightPosition, rightPosition: table.leftPosition)
            structure[entity: path.type][relationship: link.name].storage = .inverseJoinTable(table.name)
            structure[entity: link.destination][relationship: inverse].storage = .joinTable(other)
        } else {
            structure[entity: path.type][relationship: link.name].storage = .joinTable(table)
            structure[entity: link.destination][relationship: inverse].storage = .inverseJoinTable(table.name)
        }
        structure.nameIndexes()
    }

    mutating func changeRule() {
        guard let (path, link) = relationship() else { return }
        let inverse = link.inverse.flatMap { structure[entity: link.destination].relationship($0) }
        let clears = inverse.map { $0.isToMany || $0.isOptional } ?? true
        let rules = DeleteRule.allCases.filter { clears || $0 != .nullify }
        structure[entity: path.type][relationship: link.name].onDelete = random.element(of: rules)
    }

    /// A to-one becomes required, with a key for records that have no link, or optional.
    mutating func changeRequirement() {
        guard let (path, link) = relationship(where: { !$0.foreignKeyColumns.isEmpty }), isOld(path) else { return }
        guard !touched.contains(path) else { return }
        touched.insert(path)
        structure[entity: path.type][relationship: link.name].isOptional.toggle()
        guard link.isOptional else { return }
        let isCycle =
            link.destination == path.type || RandomRelationship.requires(link.destination, path.type, in: structure)
        let inverse = link.inverse.flatMap { structure[entity: link.destination].relationship($0) }
        if isCycle || inverse?.onDelete == .nullify {
            structure[entity: path.type][relationship: link.name].isOptional = true
            return
        }
        let key = structure[entity: link.destination].identity.keyAttributes.first
        let attribute = key.flatMap(structure[entity: link.destination].attribute)
        guard link.foreignKeyColumns.count == 1, random.isLikely(70), let attribute else { return }
        answers[path] = ChangeAnswers(fill: value(of: attribute))
    }
}
