import LockstepEvolution
import LockstepJSON

extension ChangeReview {
    mutating func reviewAdded(_ change: inout SchemaChange, for relationship: RelationshipStructure) -> ChangeCost {
        let path = change.path
        if scope.new.entity(path.type)?.remote != nil, relationship.wire != .none { pulledAgain.insert(path.type) }
        if !relationship.isToMany, !relationship.isOptional, !takeRefetch(&change) {
            find(
                .addsRequired, at: path, message: "'\(path)' is required; existing records have no link",
                answers: answersForLinks(path), help: "Or make it optional: '\(relationship.destination)?'.")
        }
        // The index over a foreign key is a change of the entity.
        return .instant
    }

    private func answersForLinks(_ path: MemberPath) -> [ReviewFinding.Answer] {
        guard scope.isOnServer(MemberPath(path.type)) else { return [] }
        return [.init(condition: nil, flags: "--refetch \(path.type)")]
    }

    mutating func reviewChanged(
        _ change: inout SchemaChange, from old: RelationshipStructure, to new: RelationshipStructure
    ) -> ChangeCost {
        let path = change.path
        guard continues(from: old, to: new) else {
            find(
                .narrowsType, at: path,
                message: "\(Self.change(of: path, from: old, to: new)); the links of existing records are lost",
                answers: [.init(condition: nil, flags: "--remove \(scope.formerPath(of: path))")],
                help: scope.isOnServer(path) ? "The links that the server has are pulled again." : nil)
            return .instant
        }
        if old.isOptional, !new.isOptional, !takeRefetch(&change) {
            find(
                .becomesRequired, at: path, message: "'\(path)' becomes required; some records have no link",
                answers: answersForLinks(path))
        }
        reviewLinkKey(path, from: old.wire, to: new.wire)
        return old.isOptional != new.isOptional && !new.isToMany ? .shuffle : .instant
    }

    /// Whether the links stay. The end without a foreign key has none of its own: those of the other end count.
    private func continues(from old: RelationshipStructure, to new: RelationshipStructure) -> Bool {
        guard old.destination == new.destination else { return false }
        switch (old.storage, new.storage) {
        case (.foreignKey(columns: let former, position: _), .foreignKey(columns: let columns, position: _)):
            return former.count == columns.count
        case (.foreignKey, _): return false
        case (.joinTable, .joinTable), (.joinTable, .inverseJoinTable), (.inverseJoinTable, .joinTable),
            (.inverseJoinTable, .inverseJoinTable):
            return old.isSymmetric == new.isSymmetric && old.isToMany == new.isToMany
                && keepsJoinTable(from: old, to: new)
        case (.inverseForeignKey, _): return true
        case (.joinTable, _), (.inverseJoinTable, _): return false
        }
    }

    /// Whether the links in a join table stay with this end. If the two ends get other inverses, at most one of them
    /// can have the links; and an end cannot bring its links to one that has links of its own.
    private func keepsJoinTable(from old: RelationshipStructure, to new: RelationshipStructure) -> Bool {
        if old.inverse == new.inverse { return true }
        return ![old.inverse, new.inverse].contains { inverse in
            let other = MemberPath(old.destination, member: inverse)
            guard let inverse, !scope.isRemoved(other) else { return false }
            return scope.renamed.entity(old.destination)?.relationship(inverse) != nil
                && scope.new.entity(old.destination)?.relationship(inverse) != nil
        }
    }

    private static func change(
        of path: MemberPath, from old: RelationshipStructure, to new: RelationshipStructure
    ) -> String {
        guard text(old) == text(new) else {
            return "'\(path)' is stored in another way, from \(text(old)) to \(text(new))"
        }
        let (former, present) = (old.inverse ?? "none", new.inverse ?? "none")
        return former == present
            ? "'\(path)' is stored in another way"
            : "'\(path)' gets another inverse, from \(former) to \(present)"
    }

    private static func text(_ relationship: RelationshipStructure) -> String {
        let name = relationship.destination
        return relationship.isToMany ? "[\(name)]" : relationship.isOptional ? "\(name)?" : name
    }

    // MARK: Removals

    /// Reviews something that was removed.
    mutating func reviewRemoved(_ change: inout SchemaChange) -> ChangeCost {
        let path = change.path
        guard let entity = scope.renamed.entity(path.type) else { return .instant }
        let shown = scope.formerPath(of: path)
        let isKept = scope.isOnServer(path)
        let answers = [ReviewFinding.Answer(condition: nil, flags: "--remove \(shown)")]
        guard let member = path.member else {
            if !removals.contains(path) {
                let lost =
                    isKept
                    ? "the server keeps its records, and changes that are not pushed become leftovers"
                    : "its records are nowhere else"
                find(.removesEntity, at: path, message: "'\(shown)' is removed; \(lost)", answers: answers)
            }
            return .instant
        }
        if entity.attribute(member) != nil {
            if !removals.contains(path) {
                let lost =
                    isKept
                    ? "the server keeps its values, and a change that is not pushed becomes a leftover"
                    : "its values are nowhere else"
                find(.removesAttribute, at: path, message: "'\(shown)' is removed; \(lost)", answers: answers)
            }
            return .drop
        }
        guard let relationship = entity.relationship(member) else { return .instant }
        if !isRemovalKnown(of: relationship, at: path) {
            let lost =
                isKept
                ? "the server keeps its links, and a change that is not pushed becomes a leftover"
                : "its links are nowhere else"
            find(.removesRelationship, at: path, message: "'\(shown)' is removed; \(lost)", answers: answers)
        }
        return relationship.foreignKeyColumns.isEmpty ? .instant : .drop
    }

    /// Whether the removal was consented to, also by that of the destination or of the other end.
    private func isRemovalKnown(of relationship: RelationshipStructure, at path: MemberPath) -> Bool {
        if removals.contains(path) || scope.isRemoved(MemberPath(relationship.destination)) { return true }
        guard let inverse = relationship.inverse else { return false }
        let other = MemberPath(relationship.destination, member: inverse)
        if removals.contains(other) { return true }
        // Both ends are removed, and the one that stores the links is reported.
        guard scope.isRemoved(other) else { return false }
        switch relationship.storage {
        case .foreignKey, .joinTable: return false
        case .inverseForeignKey, .inverseJoinTable: return true
        }
    }
}
