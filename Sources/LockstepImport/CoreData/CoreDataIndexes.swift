/// Adds the uniqueness constraints that are no identity, and the indexes.
struct CoreDataIndexes {
    private let entity: CoreDataEntity
    private let notes: ImportNotes
    private let names: CoreDataNames
    /// The indices of the sketch's entities by their names.
    private let positions: [String: Int]

    init(_ entity: CoreDataEntity, notes: ImportNotes, names: CoreDataNames, positions: [String: Int]) {
        (self.entity, self.notes, self.names, self.positions) = (entity, notes, names, positions)
    }

    func add(to sketch: inout SchemaSketch) {
        for constraint in entity.constraints { add(constraint, isUnique: true, to: &sketch) }
        for index in entity.indexes { add(index, isUnique: false, to: &sketch) }
    }

    /// Each entity with records gets the index; one attribute gets an option, where it is declared.
    private func add(_ index: CoreDataIndex, isUnique: Bool, to sketch: inout SchemaSketch) {
        let (line, members) = (index.line, index.members)
        guard !members.isEmpty, Set(members).count == members.count else {
            return notes.left(
                line,
                text:
                    "\(entity.name): the \(isUnique ? "constraint" : "index") over \(members.joined(separator: ", "))",
                help: "It has no members, or one of them twice.")
        }
        let chosen = members.map(names.member)
        for concrete in entity.concrete {
            guard let index = positions[names.entity(concrete)] else { continue }
            let unusable = zip(chosen, members).first { !isIndexable($0.0, in: sketch.entities[index], sketch: sketch) }
            if let (name, member) = unusable {
                let type = attribute(name, of: sketch.entities[index], in: sketch)?.type.name
                notes.left(
                    line,
                    text: "\(concrete.name): the \(isUnique ? "constraint" : "index") over "
                        + members.joined(separator: ", "),
                    help: type.flatMap {
                        ["data", "json"].contains($0) ? "'\(member)' is \($0), which has no index." : nil
                    }
                        ?? "Only stored attributes, and to-one relationships with the key, can be indexed.")
                continue
            }
            sketch.entities[index].addIndex(over: chosen, isUnique: isUnique)
        }
    }

    private func isIndexable(_ name: String, in entity: EntitySketch, sketch: SchemaSketch) -> Bool {
        if let found = attribute(name, of: entity, in: sketch) {
            return found.type.isIndexable && !found.isTransient
        }
        guard let link = entity.relationships.first(where: { $0.name == name }) else { return false }
        return !link.type.isList && hasKey(link, of: entity, in: sketch)
    }

    /// An attribute of an entity or of one that it extends.
    private func attribute(_ name: String, of entity: EntitySketch, in sketch: SchemaSketch) -> MemberSketch? {
        var level: EntitySketch? = entity
        while let current = level {
            if let found = current.attributes.first(where: { $0.name == name }) { return found }
            level = current.extends.flatMap { positions[$0] }.map { sketch.entities[$0] }
        }
        return nil
    }

    /// A to-one relationship has the key if its other end is to-many or missing.
    private func hasKey(_ link: MemberSketch, of entity: EntitySketch, in sketch: SchemaSketch) -> Bool {
        guard let inverse = link.inverse else { return true }
        let target = positions[link.type.name].map { sketch.entities[$0] }
        return target?.relationships.first { $0.name == inverse }?.type.isList ?? true
    }
}
