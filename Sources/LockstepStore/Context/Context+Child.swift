extension Context {
    /// Makes a context that shows this one as it is, unsaved changes included, and saves to it.
    ///
    /// What is changed in the child is nowhere else until the child's ``save()`` hands it over: then this context has
    /// it as unsaved changes, and its own save stores it. Until then it can be thrown away: by ``rollback()``, or by
    /// letting go of the child. Objects of it that the app still has count as deleted then.
    ///
    /// ```swift
    /// let draft = context.makeChild()
    /// let sheet = try JobSheet.find(1, in: draft)
    /// sheet?.name = "Pump room"
    /// try draft.save()      // `context` has the name now
    /// try context.save()    // the store has it
    /// ```
    ///
    /// - A child has objects of its own, one for each record. Links go between records of one context.
    /// - ``find(_:_:)`` and relationships show this context's unsaved changes; `fetch`, `count` and `exists` ask the
    ///   store, as everywhere, and what this context has changed of the rows is shown, and what it is about to delete
    ///   left out.
    /// - What this context changes, takes back, saves or rolls back later is taken over when the child is next asked
    ///   for something or saved, the child's own changes untouched. Records that it deleted, or that never came to be,
    ///   count as deleted in the child. What becomes of one that the child has changed, its ``mergePolicy`` says: by
    ///   default the child's save makes it again.
    /// - A child is used where its parent is: on the same actor, or within the same `perform`. It keeps its parent
    ///   alive; the context of a `perform` closes its children when that ends.
    public func makeChild() -> Context {
        let child = Context(base, parent: self, isDroppable: true)
        family.addChild(child)
        addCompanion(child)
        return child
    }

    /// Makes a context beside this one: it shows the store without this one's unsaved changes, and saves to the store.
    ///
    /// It is used where this one is, on the same actor or within the same `perform`, and thrown away by letting go of
    /// it. Objects of it that the app still has count as deleted then. So keep it in a variable: its
    /// objects do not keep it.
    ///
    /// ```swift
    /// let scratch = context.makeScratch()
    /// let stored = try JobSheet.find(1, in: scratch)?.name
    /// ```
    public func makeScratch() -> Context {
        let scratch = Context(base, isDroppable: true)
        family.addScratch(scratch)
        addCompanion(scratch)
        return scratch
    }

    // MARK: Following the parent

    /// Takes over what the parent has changed since, as ``beginReading()`` does for the store. Free without a parent.
    func followParent() throws {
        guard let parent else { return }
        try checkOpen(parent)
        // Asking a child is asking its parent.
        try parent.takeOverCommits()
        parent.tellObservers()
        guard parent.changeCount != family.followedChanges else { return }
        let settled = family.takeFollowed(upTo: parent.changeCount)
        var seen: Set<ObjectIdentifier> = []
        var followed: [ManagedObject] = []
        for other in [settled, parent.inserted, parent.changed, parent.deleted].joined()
        where seen.insert(ObjectIdentifier(other)).inserted {
            if let object = follow(other) { followed.append(object) }
        }
        unloadLinksKeepingOrders()
        family.letChildrenFollow(followed)
        changeCount &+= 1
    }

    /// Takes over what a parent's object has become.
    ///
    /// - Returns: The object that may have changed with it.
    private func follow(_ other: ManagedObject) -> ManagedObject? {
        guard let above = other.records else { return nil }
        let records = records(of: above.model)
        guard let object = records.registered(like: other),
            object.recordState == .stored || object.recordState == .changed
        else { return nil }
        if other.recordState != .deleted {
            records.follow(other, object)
        } else if let successor = above.registered(like: other), successor.isThere {
            records.follow(successor, object)
        } else {
            // What was changed here is for the save to insert again, or to refuse, as the policy says.
            markGoneElsewhere([object])
        }
        return object
    }

    private func checkOpen(_ parent: Context) throws {
        guard family.isClosed || parent.family.isClosed else { return }
        throw StoreError(
            .closedContext, doing: "using a child context", reason: "the work of its parent context has ended",
            remedy: "Use a child only where its parent is, and not after the `perform` that lent it.")
    }

    // MARK: What the parent has

    /// The record with a key that the parent shows, as this context's object; `nil` where this one is to delete it.
    func recordAbove(of records: RecordMap, _ key: RecordKey) throws -> ManagedObject? {
        guard let parent, let above = records.recordsAbove, let other = try parent.record(of: above, key) else {
            return nil
        }
        let object = records.object(like: other)
        return object.isThere ? object : nil
    }

    /// The members that a relationship has in the parent, in the parent's order.
    func membersAbove(
        of owner: ManagedObject, _ key: RecordKey, _ relationship: Int, _ destination: RecordMap, _ inverse: Int
    ) throws -> [ManagedObject] {
        guard let parent, owner.recordState != .inserted, let other = try owner.records?.objectAbove(owner) else {
            // Links may point at a key before its record is there.
            if case .manyToMany = owner.plan.relationships[relationship].kind { return [] }
            return try destination.storedHolders(of: key, inverse)
        }
        let members = try parent.loadedLinks(of: other, relationship).members
        return members.map(destination.object(like:)).filter(\.isThere)
    }

    /// Loads a relationship of owners in the parent in one query, and takes it from there.
    func loadFromParent(_ relationship: Int, of owners: [ManagedObject], _ parent: Context) throws {
        let others = try owners.compactMap { try $0.records?.objectAbove($0) }
        try parent.load(relationship, of: others)
        for owner in owners {
            guard case .toOne = owner.plan.relationships[relationship].kind else {
                _ = try loadedLinks(of: owner, relationship)
                continue
            }
            guard let destination = owner.records?.destination(relationship) else { continue }
            let object = owner.foreignKey(relationship).flatMap { key in
                destination.registeredObject(of: key)
                    ?? destination.recordsAbove?.registeredObject(of: key).map(destination.object(like:))
            }
            let links = owner.links(relationship)
            links.replace(with: object.flatMap { $0.isThere ? [$0] : nil } ?? [])
            links.epoch = linkEpoch
        }
    }

    /// Makes an object what the parent has of it, unsaved changes lost.
    func reloadFromParent(_ object: ManagedObject, _ records: RecordMap) throws {
        let other = try records.objectAbove(object)
        unreadObjects.remove(ObjectIdentifier(object))
        guard let other else { return markGone([object]) }
        records.register(object)
        records.follow(other, object)
    }
}

extension ManagedObject {
    /// Whether the record is in the context: not deleted, and no stand-in.
    final var isThere: Bool { recordState != .deleted && recordState != .missing }
}

extension RecordMap {
    /// Takes over the values of a parent's object; the context's own unsaved ones stay, or not, as the policy says.
    func follow(_ other: ManagedObject, _ object: ManagedObject) {
        merge(ValueRow(of: other).reader, into: object, policy: context.mergePolicy)
    }

    /// Takes over what the parent has of records; those that it has not are gone.
    func readParentAgain(_ objects: [ManagedObject], policy: MergePolicy) throws {
        var gone: [ManagedObject] = []
        for object in objects {
            if let other = try objectAbove(object) {
                merge(ValueRow(of: other).reader, into: object, policy: policy)
            } else {
                gone.append(object)
            }
        }
        context.markGoneElsewhere(gone)
    }
}

extension TypedRecordMap {
    /// Whether this context or one above has an object with this identity.
    func isKnown(_ identity: Object.Identity) -> Bool {
        registered(identity) != nil || parentRecords?.isKnown(identity) ?? false
    }

    /// This context's object of the record of a parent's object.
    func typedObject(like other: Object) -> Object {
        if let known = registered(other.identity) {
            if known.recordState != .inserted {
                guard other.recordState != .deleted || known.recordState == .deleted else { return copy(of: other) }
                let isBehind = context.parent.map { $0.changeCount != context.family.followedChanges } ?? false
                if isBehind, known.isThere { follow(other, known) }
                return known
            }
            // As in `typedObject(at:)`: the parent's record is about to be deleted, or the new one is a duplicate.
            if let replaced = deletedObjects[known.recordKey] as? Object { return replaced }
        }
        let object = copy(of: other)
        if object.isThere { register(object) }
        return object
    }

    private func copy(of other: Object) -> Object {
        let object = Object(row: ValueRow(of: other).reader, context: context)
        object.records = self
        if other.recordState == .deleted { object.recordState = .deleted }
        return object
    }
}
