import LockstepJSON

extension SchemaTree {
    /// Renames an attribute or a relationship, which already has its new name, in the scope of its entity and in all
    /// access paths through it.
    mutating func renameInAccess(of entity: String, member: String, to name: String) {
        if case .object(let scope)? = entities[entity]?.properties["scope"] {
            let renamed = scope.mapValues { $0 == .string(member) ? .string(name) : $0 }
            entities[entity]?.properties["scope"] = .object(renamed)
        }
        for start in entities.keys.sorted() {
            for key in ["read", "write"] {
                guard case .array(let paths)? = entities[start]?.properties[key] else { continue }
                let renamed = paths.map { path -> String in
                    guard case .string(let text) = path else { return "" }
                    return self.path(text, from: start, renaming: member, of: entity, to: name)
                }
                guard renamed.map(JSONValue.string) != paths, !renamed.contains("") else { continue }
                // A structure has them in the order of their names.
                entities[start]?.properties[key] = .array(renamed.sorted().map(JSONValue.string))
            }
        }
    }

    private func path(
        _ text: String, from start: String, renaming member: String, of entity: String, to name: String
    ) -> String {
        var current: String? = start
        let parts = text.split(separator: ".").map(String.init).map { part in
            let renamed = current == entity && part == member ? name : part
            let properties = current.flatMap { entities[$0]?.members[renamed] }
            if case .string(let destination)? = properties?["to"] {
                current = TypeText.name(in: destination)
            } else {
                current = nil
            }
            return renamed
        }
        return parts.joined(separator: ".")
    }
}
