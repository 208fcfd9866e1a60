import GRDB

extension ManagedObjectContext {
    /// Reloads an object from its row. Unsaved changes are lost. An object that cannot be read now counts as stored and
    /// is read again later, so that later changes are recorded.
    func reload(_ object: ManagedObject) {
        guard let records = object.records else { return }
        object.clearChanges()
        object.state = .stored
        commits.unreadObjects.insert(ObjectIdentifier(object))
        remembering {
            if let above { return try above.reload(object, records: records) }
            try read { database in
                var isThere = false
                let statement = try database.cachedStatement(sql: records.plan.findSQL)
                RowWriter.bind(object.recordKey.values, to: statement.sqliteStatement)
                try connection.forEachRow(of: statement, in: database, plan: records.plan) { row in
                    isThere = true
                    records.takeOver(row, of: object)
                }
                if !isThere { markGone([object]) }
            }
            commits.unreadObjects.remove(ObjectIdentifier(object))
        }
    }

    /// Marks objects whose rows were deleted, so that they do not appear to exist.
    func markGone(_ objects: [ManagedObject]) {
        for object in objects {
            recorders.didChangeUnderneath(object)
            object.state = .deleted
            object.records?.unregister(object)
        }
        if objects.isEmpty { return }
        identityMap.unloadLinks()
        family.letChildrenFollow(objects)
        unsaved.didChange()
    }

    func dropChanges(of object: ManagedObject) {
        guard object.state == .changed else { return }
        recorders.didChangeUnderneath(object)
        unsaved.conflicts[ObjectIdentifier(object)] = nil
        object.clearChanges()
        object.state = .stored
        unsaved.changed.removeAll { $0 === object }
    }

    /// Marks records whose rows were deleted elsewhere. Depending on the policy, the save stores or refuses their local
    /// changes.
    func markGoneElsewhere(_ objects: [ManagedObject]) {
        markGone(
            objects.filter { object in
                recorders.didChangeUnderneath(object)
                if object.state == .changed, mergePolicy != .storeWins {
                    commits.unreadObjects.insert(ObjectIdentifier(object))
                    // Only the context has it now.
                    object.records?.didChangeRemoteIdentity(of: object)
                    return false
                }
                dropChanges(of: object)
                return true
            })
    }

    func isUnread(_ object: ManagedObject) -> Bool {
        !commits.unreadObjects.isEmpty && commits.unreadObjects.contains(ObjectIdentifier(object))
    }
}
