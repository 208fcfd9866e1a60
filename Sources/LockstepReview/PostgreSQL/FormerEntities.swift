import LockstepEvolution

/// The entities that the new version does not have. Between the two files, devices of the former version still read and
/// write their records.
///
/// What they refer to has its new names. Kept entities get back their relationships to them, which are not in JSON.
struct FormerEntities {
    private let evolution: SchemaEvolution
    private let removed: [EntityStructure]
    /// The new names of kept entities, by their former names.
    private let names: [String: String]

    init(_ evolution: SchemaEvolution) {
        self.evolution = evolution
        removed = evolution.former.entities.filter { evolution.removedEntities[$0.name] != nil }
        names = Dictionary(
            evolution.entities.compactMap { name, entity in entity.origin.map { ($0, name) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The structure between the two files with these entities.
    ///
    /// - Parameters:
    ///   - structure: The new structure with the names that tables and columns have between the two.
    ///   - isKept: Whether a column of a new table, by its new names, is the former one.
    /// - Returns: `nil` if they cannot be in one structure with the new ones.
    func added(
        to structure: SchemaStructure, isKept: (_ column: String, _ table: String) -> Bool
    ) -> SchemaStructure? {
        var result = structure
        for index in result.entities.indices {
            guard let origin = evolution.entities[result.entities[index].name]?.origin,
                let former = evolution.former.entity(origin)
            else { continue }
            for relationship in former.relationships where isRemoved(relationship.destination) {
                var restored = current(relationship)
                (restored.name, restored.wire) = (Self.restoredName(relationship.name), .none)
                result.entities[index].relationships.append(restored)
            }
        }
        result.enumerations += evolution.former.enumerations.filter { structure.enumeration($0.name) == nil }
        for entity in removed {
            guard structure.entity(entity.name) == nil, refersToKeys(entity, isKept: isKept),
                let entity = current(entity)
            else { return nil }
            result.entities.append(entity)
        }
        return removed.allSatisfy { isInScope($0.name, of: result) } ? result : nil
    }

    private func isRemoved(_ entity: String) -> Bool { evolution.removedEntities[entity] != nil }

    // MARK: Names

    /// A name that no relationship of a schema has.
    private static func restoredName(_ name: String) -> String { "lockstep_former_\(name)" }

    /// The name that a member of a former entity has now; `nil` if it is gone.
    private func name(of member: String, in entity: String) -> String? {
        if isRemoved(entity) { return member }
        let members = names[entity].flatMap { evolution.entities[$0]?.members } ?? [:]
        if let name = members.first(where: { $0.value.origin == member })?.key { return name }
        let relationship = evolution.former.entity(entity)?.relationship(member)
        return relationship.map { isRemoved($0.destination) } == true ? Self.restoredName(member) : nil
    }

    private func current(_ relationship: RelationshipStructure) -> RelationshipStructure {
        var result = relationship
        result.destination = names[relationship.destination] ?? relationship.destination
        result.inverse = relationship.inverse.flatMap { name(of: $0, in: relationship.destination) }
        return result
    }

    private func current(_ entity: EntityStructure) -> EntityStructure? {
        var result = entity
        result.relationships = entity.relationships.map(current)
        for rule in [\EntityStructure.readers, \EntityStructure.writers] {
            guard case .users(let paths) = entity[keyPath: rule] else { continue }
            let converted = paths.compactMap { current($0, from: entity) }
            guard converted.count == paths.count else { return nil }
            result[keyPath: rule] = .users(converted)
        }
        return result
    }

    private func current(_ path: AccessPath, from entity: EntityStructure) -> AccessPath? {
        var (last, result) = (entity, path)
        for (index, relationship) in path.relationships.enumerated() {
            guard let name = name(of: relationship, in: last.name),
                let next = last.relationship(relationship).flatMap({ evolution.former.entity($0.destination) })
            else { return nil }
            result.relationships[index] = name
            last = next
        }
        guard let attribute = name(of: path.attribute, in: last.name) else { return nil }
        result.attribute = attribute
        return result
    }

    // MARK: References

    /// Whether the columns with the keys of kept records still fit those.
    private func refersToKeys(
        _ entity: EntityStructure, isKept: (_ column: String, _ table: String) -> Bool
    ) -> Bool {
        entity.relationships.allSatisfy { relationship in
            guard relationship.storage != .inverseForeignKey, let name = names[relationship.destination],
                let former = evolution.former.entity(relationship.destination), let new = evolution.new.entity(name)
            else { return true }
            return new.keyColumns == former.keyColumns && new.keyColumns.allSatisfy { isKept($0, new.table) }
        }
    }

    /// Whether what decides the scope of an entity's records is on the server, too.
    private func isInScope(_ entity: String, of structure: SchemaStructure) -> Bool {
        guard let entity = structure.entity(entity), case .relationship(let name) = entity.scope else { return true }
        let destination = entity.relationship(name).flatMap { structure.entity($0.destination) }
        return destination?.scope != nil && destination?.remote != nil
    }
}
