extension ManagedObjectContext {
    /// The parent's state; `nil` in a context that shows the store.
    var above: ParentView? { parent.map { ParentView(context: self, parent: $0) } }
}

/// The state of a child's parent, as the child's own objects.
struct ParentView {
    let context: ManagedObjectContext
    let parent: ManagedObjectContext

    /// The parent's record with a key, as this context's object; `nil` if this context is about to delete it.
    func record(of records: RecordMap, key: RecordKey) throws -> ManagedObject? {
        guard let other = try records.recordsAbove?.record(key) else { return nil }
        let object = records.object(like: other)
        return object.isThere ? object : nil
    }

    /// The members of a relationship in the parent, in the parent's order.
    func members(
        of owner: ManagedObject, key: RecordKey, for relationship: Int, to destination: RecordMap, inverse: Int
    ) throws -> [ManagedObject] {
        guard owner.state != .inserted, let other = try owner.records?.objectAbove(owner) else {
            // Links may point at a key before its record exists.
            if case .manyToMany = owner.plan.relationships[relationship].kind { return [] }
            return try destination.storedHolders(of: key, for: inverse)
        }
        let members = try parent.loadedLinks(of: other, for: relationship).members
        return members.map(destination.object(like:)).filter(\.isThere)
    }

    /// Loads a relationship of owners in the parent in one query, and copies it from there.
    func load(_ relationship: Int, of owners: [ManagedObject]) throws {
        let others = try owners.compactMap { try $0.records?.objectAbove($0) }
        try LinkLoader(parent).load(relationship, of: others)
        for owner in owners {
            guard case .toOne = owner.plan.relationships[relationship].kind else {
                _ = try context.loadedLinks(of: owner, for: relationship)
                continue
            }
            guard let destination = owner.records?.destination(relationship) else { continue }
            let object = owner.foreignKey(relationship).flatMap { key in
                destination.registeredObject(of: key)
                    ?? destination.recordsAbove?.registeredObject(of: key).map(destination.object(like:))
            }
            if let object, object.isThere {
                owner.keep(object, for: relationship)
            } else {
                owner.keepNoDestination(for: relationship)
            }
        }
    }

    /// Sets an object to the parent's values. Unsaved changes are lost.
    func reload(_ object: ManagedObject, records: RecordMap) throws {
        let other = try records.objectAbove(object)
        context.commits.unreadObjects.remove(ObjectIdentifier(object))
        guard let other else { return context.markGone([object]) }
        records.register(object)
        records.follow(other, of: object)
    }
}
