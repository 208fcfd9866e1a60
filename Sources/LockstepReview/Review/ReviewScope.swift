import LockstepEvolution
import LockstepJSON

/// The structures before and after the changes, and the names that things had.
struct ReviewScope: Sendable {
    let former: SchemaStructure
    /// The former structure with the new names of what was renamed.
    let renamed: SchemaStructure
    let new: SchemaStructure
    /// The former names of renamed entities and enums, by their new names.
    private var formerTypes: [String: String] = [:]
    /// The former names of renamed members, by their new paths.
    private var formerMembers: [MemberPath: String] = [:]
    private let removed: Set<MemberPath>

    init(former: SchemaTree, new: SchemaTree, changes: [SchemaChange]) throws(StructureError) {
        self.former = try SchemaStructure(former)
        self.new = try SchemaStructure(new)
        var tree = former
        var removed: Set<MemberPath> = []
        for change in changes {
            switch change.action {
            case .rename(to: let name):
                try tree.apply(change)
                if let member = change.path.member {
                    let first = formerMembers.removeValue(forKey: change.path) ?? member
                    formerMembers[MemberPath(change.path.type, member: name)] = first
                } else {
                    formerTypes[name] = formerTypes.removeValue(forKey: change.path.type) ?? change.path.type
                }
            case .remove: removed.insert(change.path)
            case .add, .change: break
            }
        }
        self.removed = removed
        renamed = try SchemaStructure(tree)
    }

    func isRemoved(_ path: MemberPath) -> Bool { removed.contains(path) }

    /// The path that something had.
    func formerPath(of path: MemberPath) -> MemberPath {
        let type = formerTypes[path.type] ?? path.type
        return MemberPath(type, member: path.member.map { formerMembers[path] ?? $0 })
    }

    /// The entities whose tables change: those with attributes of an enum, if that is what the path names.
    func entities(changedAt path: MemberPath) -> [String] {
        guard new.enumeration(path.type) != nil else { return [path.type] }
        return renamed.entities.filter { entity in
            entity.attributes.contains { AttributeShape($0, in: renamed).enumeration?.name == path.type }
        }.map(\.name).sorted()
    }

    func formerShape(_ path: MemberPath) -> AttributeShape? { shape(path, in: renamed) }

    func newShape(_ path: MemberPath) -> AttributeShape? { shape(path, in: new) }

    private func shape(_ path: MemberPath, in structure: SchemaStructure) -> AttributeShape? {
        guard let attribute = path.member.flatMap({ structure.entity(path.type)?.attribute($0) }) else { return nil }
        return AttributeShape(attribute, in: structure)
    }

    /// Whether the server has the values of something, so that they can be pulled again.
    func isOnServer(_ path: MemberPath) -> Bool {
        guard let entity = renamed.entity(path.type), entity.remote != nil else { return false }
        guard let member = path.member else { return true }
        if let attribute = entity.attribute(member) { return attribute.wire != nil }
        guard let relationship = entity.relationship(member) else { return true }
        if relationship.wire != .none { return true }
        let inverse = relationship.inverse.flatMap { renamed.entity(relationship.destination)?.relationship($0) }
        return inverse.map { $0.wire != .none } ?? false
    }
}
