import GRDB
import LockstepEvolution

extension RecordMap {
    /// Updates the loaded relationships of both owners after a foreign key has changed.
    func relink(_ object: ManagedObject, for relationship: Int, from old: RecordKey?, to new: RecordKey?) {
        guard let inverse = inverse(relationship) else { return }
        let index = linkIndex(relationship)
        let form = inverseForms[relationship]
        if let old, index.hasLoaded { index.loadedLinks(old, epoch: context.linkEpoch)?.remove(object) }
        if let new {
            if !object.isLoading {
                index.unsaved[new, default: []].append(object)
                context.recorders.current?.didLink(object, to: new, in: index)
            }
            if form.isToOne {
                replaceHolder(of: new, by: object, for: relationship, inverse: inverse)
            } else if index.hasLoaded {
                index.loadedLinks(new, epoch: context.linkEpoch)?.append(object)
            }
        }
        if form.isOrdered, !object.isLoading { place(object, for: relationship, in: new, cameFrom: old) }
    }

    /// Puts an object that was just linked at the end of its owner's order.
    private func place(_ object: ManagedObject, for relationship: Int, in new: RecordKey?, cameFrom old: RecordKey?) {
        guard let new, let links = linkIndex(relationship).loadedLinks(new, epoch: context.linkEpoch) else {
            // The position among the former owner's members means nothing to the new one. A new object may have been
            // given its position together with its owner.
            if old != nil { object.setPosition(relationship, to: nil) }
            return
        }
        guard links.members.last === object else { return }
        guard let previous = links.members.dropLast().last else { return object.setPosition(relationship, to: 0) }
        guard let index = position(of: previous, for: relationship) else {
            // Members that were linked from their own end have no position yet; loaded again, they would come last.
            return keepOrder(of: links.members[...], for: relationship, from: 0)
        }
        object.setPosition(relationship, to: index + 1)
    }

    /// Gives positions to objects that were linked from their own end while their owner's members were not loaded:
    /// after all others, in the order of linking.
    func placeUnplaced() throws {
        for (relationship, description) in plan.relationships.enumerated() {
            guard case .toOne(columns: let columns, position: let position?, isRequired: _) = description.kind else {
                continue
            }
            let index = linkIndex(relationship)
            for owner in index.unsaved.keys {
                let members = unsavedHolders(of: owner, for: relationship).filter { object in
                    object.state == .inserted || object.state == .changed
                }
                guard members.contains(where: { self.position(of: $0, for: relationship) == nil }) else { continue }
                if let links = index.loadedLinks(owner, epoch: context.linkEpoch) {
                    keepOrder(of: links.members[...], for: relationship, from: 0)
                    continue
                }
                if recordsAbove != nil {
                    // The parent may have members without a position itself.
                    keepOrder(
                        of: inOrder(try holders(of: owner, for: relationship), for: relationship)[...],
                        for: relationship, from: 0
                    )
                    continue
                }
                let sql = """
                    SELECT MAX(\(SQLName.quoted(plan.columns[position].name))) FROM \(SQLName.quoted(plan.table)) \
                    WHERE \(SQLName.condition(columns.map { plan.columns[$0].name }))
                    """
                var last = try context.connection.integer(sql, with: owner.values) ?? -1
                for member in members { last = max(last, self.position(of: member, for: relationship) ?? -1) }
                for member in members where self.position(of: member, for: relationship) == nil {
                    last += 1
                    member.setPosition(relationship, to: last)
                }
            }
        }
    }

    /// Gives members increasing positions. Those whose position is increasing already keep it.
    func keepOrder(of members: ArraySlice<ManagedObject>, for relationship: Int, from start: Int) {
        var least = start
        for member in members {
            let position = position(of: member, for: relationship)
            if let position, position >= least {
                least = position + 1
            } else {
                member.setPosition(relationship, to: least)
                least += 1
            }
        }
    }

    /// The position of an object in the ordered inverse of its to-one.
    func position(of object: ManagedObject, for relationship: Int) -> Int? {
        guard case .toOne(columns: _, position: let column?, isRequired: _) = plan.relationships[relationship].kind
        else { return nil }
        return Int(storedValue: object.storedValue(column))
    }

    /// For one-to-one: unlinks the object that pointed at the owner before.
    private func replaceHolder(of owner: RecordKey, by object: ManagedObject, for relationship: Int, inverse: Int) {
        let owners = destination(relationship)
        guard let links = linkIndex(relationship).loadedLinks(owner, epoch: context.linkEpoch) else {
            replaceUnloadedHolder(of: owner, by: object, for: relationship)
            return
        }
        let others = links.members.filter { $0 !== object }
        links.replace(with: [object])
        guard !object.isLoading else { return }
        for other in others { release(other, for: relationship, rule: owners.plan.relationships[inverse].onDelete) }
    }

    private func replaceUnloadedHolder(of owner: RecordKey, by object: ManagedObject, for relationship: Int) {
        guard !object.isLoading, let inverse = inverse(relationship) else { return }
        let rule = destination(relationship).plan.relationships[inverse].onDelete
        let holders = context.remembering { try self.holders(of: owner, for: relationship) } ?? []
        for other in holders where other !== object { release(other, for: relationship, rule: rule) }
    }

    /// Unlinks an object of a one-to-one relationship. If it requires an owner and belongs to this one only, it is
    /// deleted.
    func release(_ object: ManagedObject, for relationship: Int, rule: DeleteRule) {
        if context.family.isMovedByChild(object) { return }
        if case .toOne(columns: _, position: _, isRequired: true) = plan.relationships[relationship].kind {
            if rule == .cascade { context.delete(object) }
            return
        }
        object.setForeignKey(relationship, to: nil)
    }

    /// The records whose to-one points at `owner`, unsaved ones included.
    func holders(of owner: RecordKey, for relationship: Int) throws -> [ManagedObject] {
        holders(of: owner, for: relationship, stored: try storedHolders(of: owner, for: relationship))
    }

    /// The records whose to-one points at `owner` in the store.
    func storedHolders(of owner: RecordKey, for relationship: Int) throws -> [ManagedObject] {
        if let recordsAbove {
            return try recordsAbove.holders(of: owner, for: relationship).map(object(like:)).filter(\.isThere)
        }
        let condition = SQLName.condition(foreignKeyColumns(relationship).map { plan.columns[$0].name }, in: plan.table)
        return try objects(sql: "\(plan.selectSQL) WHERE \(condition)", arguments: owner.values)
    }

    /// The records whose to-one points at `owner`: the stored ones, without those that were linked elsewhere since, and
    /// with those that were linked to it.
    func holders(of owner: RecordKey, for relationship: Int, stored: [ManagedObject]) -> [ManagedObject] {
        let linked = unsavedHolders(of: owner, for: relationship)
        let known = Set(linked.lazy.map { ObjectIdentifier($0) })
        // One that was removed and added again is behind those that stayed, as in loaded members.
        let stayed = linked.isEmpty ? stored : stored.filter { !known.contains(ObjectIdentifier($0)) }
        return (stayed + linked).filter { object in
            switch object.state {
            case .stored: true
            case .inserted, .changed: object.foreignKey(relationship) == owner
            case .deleted, .missing: false
            }
        }
    }

    /// The records that have an unsaved link to `owner`, in the order in which they were last linked.
    private func unsavedHolders(of owner: RecordKey, for relationship: Int) -> [ManagedObject] {
        guard let objects = linkIndex(relationship).unsaved[owner] else { return [] }
        var known: Set<ObjectIdentifier> = []
        // They may have been linked elsewhere since, or be as in the store again.
        return objects.reversed().filter { object in
            known.insert(ObjectIdentifier(object)).inserted && object.foreignKey(relationship) == owner
        }.reversed()
    }

    /// The columns of a to-one that holds the key; empty for another relationship.
    func foreignKeyColumns(_ relationship: Int) -> [Int] {
        guard case .toOne(columns: let columns, position: _, isRequired: _) = plan.relationships[relationship].kind
        else { return [] }
        return columns
    }
}
