import LockstepEvolution
import LockstepJSON

/// A possible renaming: something is gone, and something of the same type has come.
struct RenameGuess {
    /// By the former path, in the order of names; members have the new name of their entity.
    private(set) var candidates: [(former: MemberPath, new: [MemberPath])] = []
    /// Enums with another name and the same cases, which need no word.
    private(set) var enumerations: [MemberPath: String] = [:]

    /// - Parameters:
    ///   - former: The former tree, after the renames that are known.
    ///   - removals: What was not renamed, since it is removed.
    init(from former: SchemaTree, to new: SchemaTree, removals: Set<MemberPath>) {
        guessEnumerations(from: former, to: new)
        guessEntities(from: former, to: new, removals: removals)
        for (type, entity) in former.entities.sorted(by: { $0.key < $1.key }) {
            // An entity that is removed and has come again keeps no member.
            guard let kept = new.entities[type], !removals.contains(MemberPath(type)) else { continue }
            let come = kept.members.filter { entity.members[$0.key] == nil }
            for (name, properties) in entity.members.sorted(by: { $0.key < $1.key }) where kept.members[name] == nil {
                let path = MemberPath(type, member: name)
                let same = come.filter { Self.isSameType($0.value, properties) }.keys.sorted()
                if !removals.contains(path), !same.isEmpty {
                    candidates.append((path, same.map { MemberPath(type, member: $0) }))
                }
            }
        }
    }

    private mutating func guessEnumerations(from former: SchemaTree, to new: SchemaTree) {
        for (name, properties) in former.enumerations.sorted(by: { $0.key < $1.key })
        where new.enumerations[name] == nil {
            let same = new.enumerations.filter { other, tree in
                former.definition(of: MemberPath(other)) == nil && tree == properties
            }
            if same.count == 1, let other = same.keys.first, !enumerations.values.contains(other) {
                enumerations[MemberPath(name)] = other
            }
        }
    }

    private mutating func guessEntities(from former: SchemaTree, to new: SchemaTree, removals: Set<MemberPath>) {
        for (name, entity) in former.entities.sorted(by: { $0.key < $1.key })
        where new.entities[name] == nil && !removals.contains(MemberPath(name)) {
            let similar = new.entities.filter { other, tree in
                former.definition(of: MemberPath(other)) == nil && Self.isSimilar(entity, and: tree)
            }
            if !similar.isEmpty { candidates.append((MemberPath(name), similar.keys.sorted().map { MemberPath($0) })) }
        }
    }

    /// Whether most members are the same.
    private static func isSimilar(_ entity: EntityTree, and other: EntityTree) -> Bool {
        let same = entity.members.count { name, properties in
            other.members[name].map { isSameType($0, properties) } ?? false
        }
        return 2 * same > max(entity.members.count, other.members.count)
    }

    /// Whether two members have the same type or destination. One may be optional.
    private static func isSameType(_ left: JSONObject, _ right: JSONObject) -> Bool {
        func type(_ properties: JSONObject) -> String? {
            guard case .string(let text)? = properties["type"] ?? properties["to"] else { return nil }
            return text.hasSuffix("?") ? String(text.dropLast()) : text
        }
        return left.isRelationship == right.isRelationship && type(left) == type(right)
    }
}
