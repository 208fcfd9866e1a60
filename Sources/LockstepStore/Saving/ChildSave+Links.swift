import LockstepEvolution

extension ChildSave {
    /// Removes many-to-many links before deletes follow them.
    func unlink() {
        for (changes, link) in links() where !link.isAdded { edit(changes, link: link) { $0.remove($1) } }
    }

    /// Adds many-to-many links between records, all of which exist by then.
    func link() {
        for (changes, link) in links() where link.isAdded && link.left.isThere && link.right.isThere {
            edit(changes, link: link) { $0.insert($1) }
        }
    }

    private func links() -> [(JoinChanges, JoinChanges.Change)] {
        child.unsaved.joins.keys.sorted().compactMap { child.unsaved.joins[$0] }.flatMap { changes in
            changes.changesInOrder.map { (changes, $0) }
        }
    }

    private func edit(_ changes: JoinChanges, link: JoinChanges.Change, body: (LinkEditor, ManagedObject) -> Void) {
        guard let left = counterpart(link.left), let right = counterpart(link.right) else { return }
        if let relationship = changes.relationship(of: left.plan, isLeft: true) {
            LinkEditor(left, relationship: relationship).map { body($0, right) }
        } else if let relationship = changes.relationship(of: right.plan, isLeft: false) {
            LinkEditor(right, relationship: relationship).map { body($0, left) }
        }
    }

    /// Prevents the parent's delete rules from following links that the child had cleared before a delete, or that lead
    /// to the new record in place of a deleted one.
    func detach(_ moved: [ManagedObject]) {
        for object in child.unsaved.deleted {
            guard let other = counterpart(object), other.isThere else { continue }
            let row = ValueRow(of: object).reader
            for link in object.changedLinks where link.isFollowedByDelete {
                for column in link.columns { other.load(column, from: row) }
            }
        }
        for object in moved {
            guard let other = counterpart(object), other.isThere, let records = object.records else { continue }
            for link in object.changedLinks {
                guard let key = object.foreignKey(link.relationship), other.foreignKey(link.relationship) == key,
                    records.destination(link.relationship).deletedObjects[key] != nil
                else { continue }
                other.setForeignKey(link.relationship, to: nil)
            }
        }
    }

    /// Gives the members of an ordered many-to-many relationship the child's order. Those that only the parent knows
    /// come last.
    func order(_ owner: ManagedObject, for relationship: Int) {
        guard owner.isThere, let other = counterpart(owner), other.isThere,
            let members = owner.linksIfLoaded(relationship)?.members.compactMap(counterpartOrSame)
        else { return }
        do {
            let links = try parent.loadedLinks(of: other, for: relationship)
            let known = Set(members.lazy.map { ObjectIdentifier($0) })
            let others = links.members.filter { !known.contains(ObjectIdentifier($0)) }
            parent.recorders.current?.willReorder(other, for: relationship)
            links.replace(with: members.filter(links.contains) + others)
            parent.orders.note(of: other, for: relationship)
        } catch {
            parent.errors.refuse(RefusedChange(error: error, owner: other, relationship: relationship))
        }
    }

    /// The parent's object of a member that may be unchanged.
    private func counterpartOrSame(_ object: ManagedObject) -> ManagedObject? {
        counterpart(object) ?? parent.remembering { try object.records?.objectAbove(object) }
    }
}

/// A to-one whose key an object has changed.
struct ChangedLink {
    let relationship: Int
    let columns: [Int]
    /// The column with the position in an ordered inverse.
    let position: Int?
    /// Whether a delete of the object follows the link.
    let isFollowedByDelete: Bool
}

extension ManagedObject {
    /// The to-ones whose keys have unsaved changes.
    final var changedLinks: [ChangedLink] {
        plan.relationships.enumerated().compactMap { relationship, description in
            guard case .toOne(columns: let columns, position: let position, isRequired: _) = description.kind,
                columns.contains(where: hasChanged)
            else { return nil }
            return ChangedLink(
                relationship: relationship, columns: columns, position: position,
                isFollowedByDelete: description.onDelete == .cascade || description.onDelete == .deny)
        }
    }
}

extension EntityPlan {
    /// The columns with positions in ordered inverses.
    var positionColumns: [Int] {
        relationships.compactMap { description in
            if case .toOne(columns: _, position: let position, isRequired: _) = description.kind { return position }
            return nil
        }
    }
}

extension JoinChanges {
    /// The changes in the order in which they were first made.
    var changesInOrder: [Change] {
        var seen: Set<Pair> = []
        return order.filter { seen.insert($0).inserted }.compactMap { changes[$0] }
    }

    /// The relationship that has these links, seen from one side.
    func relationship(of plan: EntityPlan, isLeft: Bool) -> Int? {
        plan.relationships.firstIndex { description in
            guard case .manyToMany(let join) = description.kind else { return false }
            return join.table == table && Self.isSourceLeft(join) == isLeft
        }
    }
}
