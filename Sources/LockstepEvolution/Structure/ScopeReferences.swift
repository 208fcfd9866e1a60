extension EntityStructure {
    /// - Throws: `StructureError` if the scope leads nowhere, or around in a circle.
    func checkScope(among entities: [String: EntityStructure]) throws(StructureError) {
        var entity = self
        var seen: Set<String> = []
        while case .relationship(let name)? = entity.scope {
            guard seen.insert(entity.name).inserted else { throw scopeError("it leads to itself") }
            guard let link = entity.relationship(name) else { throw scopeError("there is no relationship '\(name)'") }
            guard !link.isToMany, !link.foreignKeyColumns.isEmpty else { throw scopeError("'\(name)' holds no key") }
            guard let destination = entities[link.destination], destination.scope != nil else {
                throw scopeError("'\(link.destination)' has none")
            }
            entity = destination
        }
        if case .attribute(let name)? = scope, attribute(name) == nil {
            throw scopeError("there is no attribute '\(name)'")
        }
    }

    private func scopeError(_ reason: String) -> StructureError { StructureError([name, "scope"], reason: reason) }

    /// - Throws: `StructureError` if a path leads nowhere, or there is no scope that anybody could read or write.
    func checkAccess(among entities: [String: EntityStructure]) throws(StructureError) {
        for (key, rule) in [("read", readers), ("write", writers)] {
            guard let rule else { continue }
            if scope == nil { throw StructureError([name, key], reason: "there is no scope") }
            guard case .users(let paths) = rule else { continue }
            for path in paths {
                if let missing = missingPart(of: path, among: entities) {
                    throw StructureError([name, key], reason: "'\(path.text)' leads nowhere: there is no '\(missing)'")
                }
            }
        }
    }

    private func missingPart(of path: AccessPath, among entities: [String: EntityStructure]) -> String? {
        var entity = self
        for name in path.relationships {
            guard let destination = entity.relationship(name).flatMap({ entities[$0.destination] }) else { return name }
            entity = destination
        }
        return entity.attribute(path.attribute) == nil ? path.attribute : nil
    }
}
