import LockstepJSON

/// The changes that make one structure from another.
package struct SchemaDiff {
    private var tree: SchemaTree
    private let target: SchemaTree
    private var changes: [SchemaChange] = []

    /// Returns the changes from `former` to `new`. Applying them in order to `former` results in `new`.
    ///
    /// Without hints, something with another name is something else: it is removed and added.
    ///
    /// - Parameters:
    ///   - renames: What was renamed, by its former name. A member's path can have the former or the new name of its
    ///     entity.
    ///   - replaced: What is in both and nevertheless not the same: it is removed and added, an entity with
    ///     its members.
    /// - Throws: `StructureError` if a hint names something that does not exist.
    package static func changes(
        from former: SchemaTree, to new: SchemaTree, renames: [MemberPath: String] = [:],
        replaced: Set<MemberPath> = []
    ) throws(StructureError) -> [SchemaChange] {
        var diff = SchemaDiff(tree: former, target: new)
        try diff.rename(renames)
        try diff.remove(replaced)
        try diff.add()
        try diff.change()
        try diff.removeEnumerations()
        return diff.changes
    }

    /// Returns `former` with the names that its entities, enums and members get.
    ///
    /// - Throws: `StructureError` if a hint names something that does not exist.
    package static func renamed(
        _ former: SchemaTree, to new: SchemaTree, renames: [MemberPath: String]
    ) throws(StructureError) -> SchemaTree {
        var diff = SchemaDiff(tree: former, target: new)
        try diff.rename(renames)
        return diff.tree
    }

    private init(tree: SchemaTree, target: SchemaTree) {
        self.tree = tree
        self.target = target
    }

    private mutating func append(_ path: MemberPath, action: SchemaChange.Action) throws(StructureError) {
        let change = SchemaChange(path, action: action)
        try tree.apply(change)
        changes.append(change)
    }

    // MARK: Renaming

    private mutating func rename(_ renames: [MemberPath: String]) throws(StructureError) {
        let types = renames.filter { $0.key.member == nil }
        try renameAll(Dictionary(types.map { ($0.key.type, $0.value) }) { first, _ in first }) { MemberPath($0) }
        var members: [String: [String: String]] = [:]
        for (path, name) in renames {
            guard let member = path.member else { continue }
            members[types[MemberPath(path.type)] ?? path.type, default: [:]][member] = name
        }
        for (type, renames) in members.sorted(by: { $0.key < $1.key }) {
            try renameAll(renames) { MemberPath(type, member: $0) }
        }
    }

    /// Renames in an order in which no new name exists yet; names that change places are renamed in two steps.
    private mutating func renameAll(_ renames: [String: String], path: (String) -> MemberPath) throws(StructureError) {
        var remaining = renames.filter { $0.key != $0.value }
        // What has one of the new names, and does not get another, is something else that is removed.
        for name in remaining.values.sorted() where renames[name] == nil {
            if tree.definition(of: path(name)) != nil { try displace(path(name)) }
        }
        while !remaining.isEmpty {
            let names = remaining.keys.sorted()
            if let name = names.first(where: { remaining[remaining[$0] ?? ""] == nil }), let new = remaining[name] {
                remaining[name] = nil
                try append(path(name), action: .rename(to: new))
            } else if let name = names.first, let new = remaining.removeValue(forKey: name) {
                let temporary = "lockstep_\(name)"
                try append(path(name), action: .rename(to: temporary))
                remaining[temporary] = new
            }
        }
    }

    // MARK: Removing and adding

    private mutating func remove(_ replaced: Set<MemberPath>) throws(StructureError) {
        for (type, entity) in tree.entities.sorted(by: { $0.key < $1.key }) {
            guard let kept = target.entities[type], !replaced.contains(MemberPath(type)) else { continue }
            for (member, properties) in entity.members.sorted(by: { $0.key < $1.key }) {
                let path = MemberPath(type, member: member)
                let isSame = kept.members[member].map { $0.isRelationship == properties.isRelationship } ?? false
                if !isSame || replaced.contains(path) { try append(path, action: .remove(was: properties)) }
            }
        }
        for type in tree.entities.keys.sorted() + tree.enumerations.keys.sorted() {
            let path = MemberPath(type)
            let isEntity = tree.entities[type] != nil
            let isKept = isEntity ? target.entities[type] != nil : target.enumerations[type] != nil
            // An enum whose name is free is removed when no attribute needs it.
            let isInTheWay = isEntity || target.definition(of: path) != nil
            if !isKept || replaced.contains(path), isInTheWay { try displace(path) }
        }
    }

    /// Removes what something else gets the name of. An enum with attributes gets another name until these have
    /// changed: it says how their values are stored.
    private mutating func displace(_ path: MemberPath) throws(StructureError) {
        guard let definition = tree.definition(of: path) else { return }
        let isUsed = tree.entities.values.contains { entity in
            entity.members.values.contains { properties in
                guard case .string(let type)? = properties["type"] else { return false }
                return TypeText.name(in: type) == path.type
            }
        }
        let isEnumeration = path.member == nil && tree.enumerations[path.type] != nil
        try append(
            path, action: isEnumeration && isUsed ? .rename(to: "lockstep_\(path.type)") : .remove(was: definition))
    }

    private mutating func removeEnumerations() throws(StructureError) {
        for type in tree.enumerations.keys.sorted() where target.enumerations[type] == nil {
            guard let definition = tree.definition(of: MemberPath(type)) else { continue }
            try append(MemberPath(type), action: .remove(was: definition))
        }
    }

    private mutating func add() throws(StructureError) {
        for type in target.enumerations.keys.sorted() + target.entities.keys.sorted() {
            let path = MemberPath(type)
            guard tree.definition(of: path) == nil, let definition = target.definition(of: path) else { continue }
            try append(path, action: .add(definition))
        }
        for (type, entity) in target.entities.sorted(by: { $0.key < $1.key }) {
            for (member, properties) in entity.members.sorted(by: { $0.key < $1.key })
            where tree.entities[type]?.members[member] == nil {
                try append(MemberPath(type, member: member), action: .add(properties))
            }
        }
    }

    // MARK: Changing

    private mutating func change() throws(StructureError) {
        for type in target.enumerations.keys.sorted() + target.entities.keys.sorted() {
            try change(MemberPath(type))
            for member in target.entities[type]?.members.keys.sorted() ?? [] {
                try change(MemberPath(type, member: member))
            }
        }
    }

    private mutating func change(_ path: MemberPath) throws(StructureError) {
        guard let former = tree.ownProperties(of: path), let new = target.ownProperties(of: path), former != new else {
            return
        }
        let keys = Set(former.keys).union(new.keys).filter { former[$0] != new[$0] }
        try append(
            path,
            action: .change(from: former.filter { keys.contains($0.key) }, to: new.filter { keys.contains($0.key) }))
    }
}
