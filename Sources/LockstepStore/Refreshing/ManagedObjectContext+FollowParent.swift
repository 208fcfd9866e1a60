extension ManagedObjectContext {
    /// Picks up the parent's changes, as ``beginReading()`` does for the store. It costs nothing without a parent.
    func followParent() throws {
        guard let parent else { return }
        try checkOpen(parent)
        // Using a child uses its parent.
        try parent.takeOverCommits()
        parent.observers.notify()
        guard parent.unsaved.revision != family.followedChanges else { return }
        let settled = family.takeFollowed(upTo: parent.unsaved.revision)
        var seen: Set<ObjectIdentifier> = []
        var followed: [ManagedObject] = []
        for other in [settled, parent.unsaved.inserted, parent.unsaved.changed, parent.unsaved.deleted].joined()
        where seen.insert(ObjectIdentifier(other)).inserted {
            if let object = follow(other) { followed.append(object) }
        }
        orders.unloadLinksKeepingOrders()
        family.letChildrenFollow(followed)
        unsaved.didChange()
    }

    /// Copies the current state of a parent's object.
    ///
    /// - Returns: The object that may have changed with it.
    private func follow(_ other: ManagedObject) -> ManagedObject? {
        guard let above = other.records else { return nil }
        let records = records(of: above.model)
        guard let object = records.registered(like: other),
            object.state == .stored || object.state == .changed
        else { return nil }
        if other.state != .deleted {
            records.follow(other, of: object)
        } else if let successor = above.registered(like: other), successor.isThere {
            records.follow(successor, of: object)
        } else {
            // Depending on the policy, the save inserts it again or throws.
            markGoneElsewhere([object])
        }
        return object
    }

    private func checkOpen(_ parent: ManagedObjectContext) throws {
        guard family.isClosed || parent.family.isClosed else { return }
        throw StoreError(
            .closedContext, doing: "using a child context", reason: "its parent context is closed",
            remedy: "Use a child only with its parent, and not after the end of the `perform` that it belongs to.")
    }
}

extension RecordMap {
    /// Copies the parent's state of records. Those that it does not have were deleted.
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
