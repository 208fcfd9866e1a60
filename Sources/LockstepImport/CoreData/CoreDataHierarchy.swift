/// Resolves the parents of entities.
enum CoreDataHierarchy {
    static func resolve(_ entities: [CoreDataEntity], _ notes: CoreDataNotes) {
        let byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
        for entity in entities {
            guard let name = entity.parentName else { continue }
            guard let parent = byName[name] else {
                notes.left(entity.node.line, "\(entity.name): the parent '\(name)' is not in the model")
                continue
            }
            var ancestor: CoreDataEntity? = parent
            while let next = ancestor, next !== entity { ancestor = next.parent }
            guard ancestor == nil else {
                notes.left(entity.node.line, "\(entity.name): its parent '\(name)' is one of its own descendants")
                continue
            }
            entity.parent = parent
            parent.children.append(entity)
        }
    }
}
