extension Context {
    /// Takes over what the parent has changed since, as ``beginReading()`` does for the store. Free without a parent.
    func followParent() throws {
        guard let parent else { return }
        try checkOpen(parent)
        // Asking a child is asking its parent.
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
}

extension RecordMap {
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
