extension ChangeStep {
    /// Restores the state before the step.
    func undo() {
        context.identityMap.unloadLinks()
        swapStates()
        for link in unsavedLinks.reversed() { link.index.removeLast(link.object, of: link.owner) }
        for (joins, note) in joinNotes.reversed() { joins.revert(note) }
        finish()
    }

    /// Restores the state after the step.
    func redo() {
        context.identityMap.unloadLinks()
        swapStates()
        for link in unsavedLinks { link.index.unsaved[link.owner, default: []].append(link.object) }
        for (joins, note) in joinNotes { joins.repeatNote(note) }
        finish()
    }

    private func finish() {
        swapOrders()
        if let former = refusals {
            refusals = context.errors.refusals
            context.errors.restore(former)
        }
        // Objects that are as in the store again are in none of the lists that children read.
        context.family.letChildrenFollow(touched)
        context.unsaved.didChange()
    }

    // MARK: Objects

    /// Restores the kept state of every object, and keeps the one that it had.
    private func swapStates() {
        var restored: [(object: ManagedObject, state: ObjectState)] = []
        for object in touched {
            guard let state = states[ObjectIdentifier(object)] else { continue }
            states[ObjectIdentifier(object)] = ObjectState(of: object, columns: state.values.columns)
            state.restore(object)
            restored.append((object, state))
        }
        register(restored)
        list(restored)
    }

    /// Restores the identity map: first removes objects that were not in it, so that the positions of those that were
    /// are free.
    private func register(_ restored: [(object: ManagedObject, state: ObjectState)]) {
        for (object, state) in restored {
            guard let records = object.records else { continue }
            if state.isPendingDelete {
                records.deletedObjects[object.recordKey] = object
            } else if records.deletedObjects[object.recordKey] === object {
                records.deletedObjects[object.recordKey] = nil
            }
            if !state.isRegistered { records.unregister(object) }
        }
        for (object, state) in restored where state.isRegistered { object.records?.register(object) }
        for (object, state) in restored where !state.isRegistered {
            // A deleted record whose key a new one had taken is found by its key again.
            guard let records = object.records, let replaced = records.deletedObjects[object.recordKey] else {
                continue
            }
            if !records.isRegisteredElsewhere(object) { records.register(replaced) }
        }
    }

    /// Restores the context's lists of objects to be saved. That of new objects may contain some that no longer exist,
    /// each at its index, because they are saved in that order.
    private func list(_ restored: [(object: ManagedObject, state: ObjectState)]) {
        let isRestored = Set(restored.lazy.map { ObjectIdentifier($0.object) })
        func others(_ list: [ManagedObject]) -> [ManagedObject] {
            list.filter { !isRestored.contains(ObjectIdentifier($0)) }
        }
        if restored.contains(where: { $0.state.recordState == .inserted }) {
            let listed = Set(context.unsaved.inserted.lazy.map { ObjectIdentifier($0) })
            for (object, state) in restored
            where state.recordState == .inserted && !listed.contains(ObjectIdentifier(object)) {
                context.unsaved.inserted.append(object)
            }
            context.unsaved.didChange()
            context.observation?.didInsert(in: context)
        }
        context.unsaved.changed = others(context.unsaved.changed)
        context.unsaved.changed += restored.lazy.filter { $0.state.recordState == .changed }.map(\.object)
        let listed = Set(context.unsaved.deleted.lazy.map { ObjectIdentifier($0) })
        let stay = Set(restored.lazy.filter(\.state.isPendingDelete).map { ObjectIdentifier($0.object) })
        context.unsaved.deleted.removeAll { object in
            isRestored.contains(ObjectIdentifier(object)) && !stay.contains(ObjectIdentifier(object))
        }
        context.unsaved.deleted += deletes.filter { object in
            stay.contains(ObjectIdentifier(object)) && !listed.contains(ObjectIdentifier(object))
        }
    }

    // MARK: Orders

    private func swapOrders() {
        for (link, order) in orders {
            orders[link] = UnsavedOrder(of: order.owner, link: link)
            let links = order.owner.links(link.relationship)
            // Loaded again on the next access, in the order of these.
            links.epoch = -1
            if let members = order.members { links.replace(with: members) }
            context.unsaved.reordered[link] = order.members == nil ? nil : order.owner
            context.unsaved.formerOrders[link] = order.former
        }
    }
}
