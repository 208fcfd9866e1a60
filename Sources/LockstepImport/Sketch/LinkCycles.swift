/// Links between entities, by name, that form no cycle.
struct AcyclicLinks {
    private var targets: [String: Set<String>] = [:]
    private var linked: Set<String> = []

    /// Adds a link, unless it would close a cycle.
    ///
    /// - Returns: Whether it was added.
    mutating func add(_ owner: String, target: String) -> Bool {
        if owner == target || reaches(owner, from: target) { return false }
        targets[owner, default: []].insert(target)
        linked.insert(target)
        return true
    }

    private func reaches(_ owner: String, from target: String) -> Bool {
        // Most entities are added after those that they link to, or before: there is nothing to search.
        guard linked.contains(owner) else { return false }
        var seen: Set<String> = []
        var open = [target]
        while let next = open.popLast() {
            if next == owner { return true }
            if seen.insert(next).inserted { open += targets[next] ?? [] }
        }
        return false
    }
}

extension SchemaSketch {
    /// The to-one relationships without which the others that fulfil a condition form no cycle.
    func closingCycles(where isIncluded: (MemberSketch) -> Bool) -> [(entity: Int, relationship: Int)] {
        var links = AcyclicLinks()
        var closing: [(entity: Int, relationship: Int)] = []
        for (index, entity) in entities.enumerated() {
            for (position, relationship) in entity.relationships.enumerated()
            where !relationship.type.isList && isIncluded(relationship) {
                if !links.add(entity.name, target: relationship.type.name) { closing.append((index, position)) }
            }
        }
        return closing
    }

    /// Makes a relationship of each cycle of required ones optional, and notes it.
    mutating func breakRequiredCycles(_ notes: ImportNotes) {
        for link in closingCycles(where: { !$0.isOptional }) {
            entities[link.entity].relationships[link.relationship].isOptional = true
            let relationship = entities[link.entity].relationships[link.relationship]
            notes.decided(
                relationship.line,
                text:
                    "\(entities[link.entity].name).\(relationship.name) is optional: records that require each other "
                    + "could never be created")
        }
    }
}
