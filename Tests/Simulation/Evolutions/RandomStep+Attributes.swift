import Foundation
import LockstepEvolution
import LockstepJSON
import TestSupport

extension RandomStep {
    /// An attribute that nothing in this step has changed, and its entity.
    mutating func attribute(
        where isSuitable: (EntityStructure, AttributeStructure) -> Bool
    ) -> (path: MemberPath, attribute: AttributeStructure)? {
        let all = structure.entities.flatMap { entity in
            entity.attributes.filter { isSuitable(entity, $0) }.map { (MemberPath(entity.name, member: $0.name), $0) }
        }
        guard let (path, attribute) = random.pick(all), isOld(path), !touched.contains(path) else { return nil }
        if let name = attribute.type.enumerationName, touched.contains(MemberPath(name)) { return nil }
        return (path, attribute)
    }

    /// Replaces an attribute, and remembers that it and its enum have changed.
    mutating func put(_ attribute: AttributeStructure, at path: MemberPath, _ answers: ChangeAnswers = ChangeAnswers())
    {
        structure[entity: path.type][attribute: attribute.name] = attribute
        touch(path, attribute)
        self.answers[path] = answers
    }

    private mutating func touch(_ path: MemberPath, _ attribute: AttributeStructure) {
        touched.insert(path)
        if let name = attribute.type.enumerationName { touched.insert(MemberPath(name)) }
    }

    /// A value that an attribute allows, as it is recorded.
    mutating func value(of attribute: AttributeStructure) -> JSONValue? {
        RandomAttribute.value(of: attribute.type, attribute.limits, in: structure, &random)?.json
    }

    // MARK: Adding

    mutating func addAttribute() {
        guard let entity = random.pick(structure.entities) else { return }
        addAttribute(named: RandomNames.attribute(of: entity, &random), to: entity.name)
    }

    private mutating func addAttribute(named name: String, to type: String) {
        let path = MemberPath(type, member: name)
        let entity = structure[entity: type]
        var attribute = RandomAttribute.make(named: name, of: entity, in: &structure, &random)
        var answers = ChangeAnswers()
        if !attribute.isOptional, attribute.defaultValue == nil || random.isLikely(20), !attribute.isUnique {
            answers.fill = value(of: attribute)
            if answers.fill == nil { attribute.isOptional = attribute.defaultValue == nil }
        }
        structure[entity: type].attributes.append(attribute)
        touch(path, attribute)
        self.answers[path] = answers
    }

    /// A required attribute of synced records, which are pulled again.
    mutating func refetch() {
        guard let entity = random.pick(structure.entities.filter { $0.remote != nil && isOld(MemberPath($0.name)) })
        else {
            return
        }
        let path = MemberPath(entity.name, member: RandomNames.attribute(of: entity, &random))
        let attribute = AttributeStructure(
            name: path.member ?? "", column: RandomNames.column(path.member ?? "", in: entity, &random),
            type: .scalar(random.element(of: ScalarType.allCases)),
            wire: WireStructure(path: [path.member ?? ""]))
        structure[entity: entity.name].attributes.append(attribute)
        touch(path, attribute)
        answers[path] = ChangeAnswers(refetch: true)
    }

    // MARK: Names

    mutating func renameAttribute() {
        guard let entity = random.pick(structure.entities), let attribute = random.pick(entity.attributes) else {
            return
        }
        let name =
            random.isLikely(10) ? attribute.name.capitalized : RandomNames.attribute(of: entity, &random)
        guard name != attribute.name, entity.attribute(name) == nil else { return }
        rename(attribute, of: entity.name, to: name, to: random.isLikely(60))
    }

    /// - Parameter movesColumn: Whether the column gets another name, too; otherwise, it stays what it was.
    private mutating func rename(
        _ attribute: AttributeStructure, of type: String, to name: String, to movesColumn: Bool
    ) {
        var new = attribute
        new.name = name
        if movesColumn {
            var others = structure[entity: type]
            others.attributes.removeAll { $0.name == attribute.name }
            new.column = RandomNames.column(name, in: others, &random)
        }
        if new.wire?.path == [attribute.name], random.isLikely(70) { new.wire?.path = [name] }
        replace([attribute.name: new], of: type)
    }

    mutating func swapAttributes() {
        guard let entity = random.pick(structure.entities), let first = random.pick(entity.attributes),
            let second = random.pick(entity.attributes), first.name != second.name
        else { return }
        var (newFirst, newSecond) = (first, second)
        (newFirst.name, newSecond.name) = (second.name, first.name)
        if random.isLikely(60) { (newFirst.column, newSecond.column) = (second.column, first.column) }
        replace([first.name: newFirst, second.name: newSecond], of: entity.name)
    }

    /// Gives attributes other names and columns, with everything that mentions them.
    private mutating func replace(_ new: [String: AttributeStructure], of type: String) {
        var entity = structure[entity: type]
        var columns: [String: String] = [:]
        for index in entity.attributes.indices {
            guard let attribute = new[entity.attributes[index].name] else { continue }
            columns[entity.attributes[index].column] = attribute.column
            entity.attributes[index] = attribute
        }
        func renamed(_ name: String) -> String { new[name]?.name ?? name }
        switch entity.identity {
        case .none: break
        case .attributes(let names): entity.identity = .attributes(names.map(renamed))
        case .local(let local, let remote): entity.identity = .local(renamed(local), remote: renamed(remote))
        }
        entity.version = entity.version.map(renamed)
        for index in entity.indexes.indices {
            entity.indexes[index].columns = entity.indexes[index].columns.map { columns[$0] ?? $0 }
        }
        structure[entity: type] = entity
        let paths = new.map { (MemberPath(type, member: $0), MemberPath(type, member: $1.name)) }
        move(Dictionary(paths) { first, _ in first })
    }

    // MARK: Removing

    mutating func removeAttribute() {
        let all = structure.entities.flatMap { entity in
            entity.attributes.filter { !entity.fixedAttributes.contains($0.name) && entity.attributes.count > 1 }
                .map { MemberPath(entity.name, member: $0.name) }
        }
        guard let path = random.pick(all), isOld(path) else { return }
        remove(path)
    }

    private mutating func remove(_ path: MemberPath) {
        structure[entity: path.type].attributes.removeAll { $0.name == path.member }
        structure.nameIndexes()
        forget(path)
    }

    /// Something else gets the name of a removed attribute.
    mutating func replaceAttribute() {
        guard let (path, _) = attribute(where: { !$0.fixedAttributes.contains($1.name) }) else { return }
        remove(path)
        addAttribute(named: path.member ?? "", to: path.type)
    }

    // MARK: Without a change of values

    mutating func changeDefault() {
        guard let (path, former) = attribute(where: { !$0.fixedAttributes.contains($1.name) && !$1.isUnique }),
            case var attribute = former
        else { return }
        attribute.defaultValue =
            random.isLikely(60) ? RandomAttribute.defaultValue(of: attribute, in: structure, &random) : nil
        put(attribute, at: path)
    }

    mutating func changeWire() {
        guard let (path, former) = attribute(where: { !$0.fixedAttributes.contains($1.name) }),
            case var attribute = former
        else { return }
        attribute.wire = random.isLikely(80) ? RandomAttribute.wire(of: attribute, &random) : nil
        put(attribute, at: path)
    }

    // MARK: Indexes

    mutating func addIndex() {
        guard let entity = random.pick(structure.entities) else { return }
        RandomStructure.addIndex(to: &structure[entity: entity.name], &random)
        structure.nameIndexes()
    }

    mutating func removeIndex() {
        guard let entity = random.pick(structure.entities), let index = random.pick(entity.indexes) else { return }
        structure[entity: entity.name].indexes.removeAll { $0 == index }
        structure.nameIndexes()
    }

    mutating func becomeUnique() {
        guard
            let (path, former) = attribute(where: { entity, attribute in
                guard !entity.fixedAttributes.contains(attribute.name), !attribute.isUnique else { return false }
                return [.scalar(.string), .scalar(.int), .scalar(.uuid), .scalar(.double)].contains(attribute.type)
            }), case var attribute = former
        else { return }
        attribute.isUnique = true
        let others = structure[entity: path.type].attributes.filter { other in
            let path = MemberPath(path.type, member: other.name)
            return [.scalar(.int), .scalar(.date)].contains(other.type) && isOld(path)
        }
        let newest = random.isLikely(50) ? random.pick(others).map { "keepNewest(by: \($0.name))" } : nil
        put(attribute, at: path, ChangeAnswers(duplicates: newest ?? "keepFirst"))
    }

    mutating func stopBeingUnique() {
        guard let (path, former) = attribute(where: { $1.isUnique && !$0.fixedAttributes.contains($1.name) }),
            case var attribute = former
        else { return }
        attribute.isUnique = false
        put(attribute, at: path)
    }
}
