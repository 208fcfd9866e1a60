package import LockstepEvolution
package import TestSupport

/// Structures of every kind: identities, types, relationships and their storage.
package enum RandomStructure {
    /// A valid structure with one to four entities.
    package static func make(_ random: inout SeededRandom) -> SchemaStructure {
        var structure = SchemaStructure(name: "Random")
        for _ in 0..<random.number(1...4) { addEntity(to: &structure, &random) }
        for _ in 0..<random.number(0...5) { _ = RandomRelationship.add(to: &structure, &random) }
        for entity in structure.entities.map(\.name) {
            for _ in 0..<random.number(0...2) { addIndex(to: &structure[entity: entity], &random) }
        }
        structure.nameIndexes()
        return structure
    }

    /// - Returns: The name of the entity.
    @discardableResult
    static func addEntity(to structure: inout SchemaStructure, _ random: inout SeededRandom) -> String {
        let name = RandomNames.type(in: structure, &random)
        var entity = EntityStructure(
            name: name, table: RandomNames.table(name, in: structure, &random), identity: .none, attributes: [])
        // No enum gets its name meanwhile.
        structure.entities.append(entity)
        let isLocal = random.isLikely(35)
        addIdentity(to: &entity, &random)
        let count = random.number(1...8)
        while entity.attributes.count < count {
            let name = RandomNames.attribute(of: entity, &random)
            entity.attributes.append(RandomAttribute.make(named: name, of: entity, in: &structure, &random))
        }
        if !isLocal { entity.remote = remote(of: entity, &random) }
        let candidates = entity.attributes.filter {
            $0.isOptional && !entity.fixedAttributes.contains($0.name) && !$0.isUnique
                && [.scalar(.int), .scalar(.string)].contains($0.type)
        }
        if !isLocal, random.isLikely(20) { entity.version = random.pick(candidates)?.name }
        structure[entity: name] = entity
        return name
    }

    static func remote(of entity: EntityStructure, _ random: inout SeededRandom) -> RemoteStructure {
        let writes = RemoteStructure.Write.allCases.filter { _ in random.isLikely(80) }
        return RemoteStructure(
            path: "/\(entity.name.lowercased())\(random.number(1...3))", writes: Set(writes),
            wrapKey: random.isLikely(20) ? "data" : nil)
    }

    private static func addIdentity(to entity: inout EntityStructure, _ random: inout SeededRandom) {
        switch random.number(1...10) {
        case 1...5: entity.identity = .attributes([addKey(to: &entity, named: "id", &random)])
        case 6, 7:
            let first = addKey(to: &entity, named: "country", &random)
            entity.identity = .attributes([first, addKey(to: &entity, named: "number", &random)])
        case 8, 9:
            let local = addKey(to: &entity, named: "localID", of: .uuid, &random)
            let remote = addKey(to: &entity, named: "remoteID", &random)
            entity[attribute: remote].isOptional = true
            entity[attribute: remote].isUnique = true
            entity[attribute: remote].defaultValue = nil
            entity.identity = .local(local, remote: remote)
        default: break
        }
    }

    private static func addKey(
        to entity: inout EntityStructure, named name: String, of type: ScalarType? = nil,
        _ random: inout SeededRandom
    ) -> String {
        let type = type ?? random.element(of: [.uuid, .int, .int16, .string])
        var key = AttributeStructure(
            name: name, column: RandomNames.column(name, in: entity, &random), type: .scalar(type),
            wire: WireStructure(path: [name]))
        if type == .uuid, random.isLikely(70) { key.defaultValue = .newUUID }
        entity.attributes.append(key)
        return name
    }

    /// Adds an index of one or two columns. It is unique only if it contains the key, so that any rows fit.
    static func addIndex(to entity: inout EntityStructure, _ random: inout SeededRandom) {
        let links = entity.relationships.flatMap(\.foreignKeyColumns)
        guard let first = random.pick(entity.attributes.map(\.column) + links) else { return }
        var columns = [first]
        if random.isLikely(50), let second = random.pick(entity.attributes.map(\.column)), second != first {
            columns.append(second)
        }
        let key = entity.keyColumns
        let isUnique = columns.count > key.count && !key.isEmpty && key.allSatisfy(columns.contains)
        guard !entity.indexes.contains(where: { $0.columns == columns }), columns != key else { return }
        entity.indexes.append(
            IndexStructure(
                name: columns.joined(separator: "_"), columns: columns, isUnique: isUnique && random.isLikely(60)))
    }
}
