/// Resolves the parents of entities.
enum CoreDataHierarchy {
    /// Fewer than the levels that the language allows, because a parent with records becomes two entities.
    private static let depthLimit = 30

    static func resolve(_ entities: [CoreDataEntity], notes: ImportNotes) {
        let byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
        for entity in entities {
            guard let name = entity.parentName else { continue }
            guard let parent = byName[name] else {
                notes.left(entity.line, text: "\(entity.name): the parent '\(name)' is not in the model")
                continue
            }
            var ancestor: CoreDataEntity? = parent
            var depth = 1
            while let next = ancestor, next !== entity, depth <= depthLimit {
                (ancestor, depth) = (next.parent, depth + 1)
            }
            guard ancestor == nil else {
                let reason =
                    ancestor === entity
                    ? "is one of its own descendants" : "is more than \(depthLimit) levels below the first ancestor"
                notes.left(entity.line, text: "\(entity.name): its parent '\(name)' \(reason)")
                continue
            }
            entity.parent = parent
            parent.children.append(entity)
        }
    }
}
