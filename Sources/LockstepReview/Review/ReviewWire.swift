import LockstepEvolution

/// Changes that a server notices.
extension ChangeReview {
    /// Compares the keys or the paths of something that was renamed, or may have been.
    mutating func reviewWire(from former: MemberPath, to new: MemberPath) {
        let old = scope.former.entity(former.type)
        let entity = scope.new.entity(new.type)
        guard let member = former.member, let newMember = new.member else {
            return reviewPath(new, from: old?.remote, to: entity?.remote)
        }
        if let old = old?.attribute(member), let attribute = entity?.attribute(newMember) {
            reviewKey(new, from: old.wire, to: attribute.wire, isRename: true)
        } else if let old = old?.relationship(member), let relationship = entity?.relationship(newMember) {
            reviewLinkKey(new, from: old.wire, to: relationship.wire)
        }
    }

    mutating func reviewPath(_ path: MemberPath, from old: RemoteStructure?, to new: RemoteStructure?) {
        guard let old, let new, old.path != new.path else { return }
        find(
            .wirePathChanged, at: path, message: "The path changes from \(old.path) to \(new.path)",
            help: "To keep the path, write 'remote: { path: \(old.path) }'.", level: .warning)
    }

    mutating func reviewKey(
        _ path: MemberPath, from old: WireStructure?, to new: WireStructure?, isRename: Bool = false
    ) {
        guard let old, let new, old.path != new.path, !new.formerPaths.contains(old.path) else { return }
        // Of a renamed attribute, the key was compared with the rename.
        guard isRename || scope.formerPath(of: path).member == path.member else { return }
        reportKey(path, from: old.path, to: new.path)
    }

    mutating func reviewLinkKey(
        _ path: MemberPath, from old: RelationshipWire, to new: RelationshipWire
    ) {
        switch (old, new) {
        case (.id(paths: let former, embeddedPath: _), .id(paths: let keys, embeddedPath: _)):
            guard former.count == 1, keys.count == 1 else { return }
            if former != keys { reportKey(path, from: former[0], to: keys[0]) }
        case (.ids(path: let former, _), .ids(path: let keys, _)),
            (.embedded(path: let former, _), .embedded(path: let keys, _)):
            if former != keys { reportKey(path, from: former, to: keys) }
        default: break
        }
    }

    private mutating func reportKey(_ path: MemberPath, from old: [String], to new: [String]) {
        let key = old.count == 1 ? old[0] : "[\(old.joined(separator: ", "))]"
        find(
            .wireKeyChanged, at: path,
            message: "The JSON key of '\(path)' changes from '\(old.joined(separator: "/"))' to "
                + "'\(new.joined(separator: "/"))'",
            help: "To keep the key, write 'key: \(key)'. If the server changes, 'formerKeys: [\(key)]' reads both.",
            level: .warning)
    }
}
