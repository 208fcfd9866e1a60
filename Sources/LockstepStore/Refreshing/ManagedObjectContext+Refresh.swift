import GRDB

extension ManagedObjectContext {
    /// Call this before a query of the app: it picks up what others have written since.
    ///
    /// Accessors do not call it, so that nothing changes during a loop that only follows relationships.
    func beginReading() throws {
        try errors.throwReadError()
        if !connection.isInUse { try showCommits() }
    }

    /// Picks up commits, after a signal of the store.
    func wake() {
        commits.inbox.didWake()
        remembering { try showCommits() }
        for companion in observers.awakeCompanions { companion.wake() }
    }

    /// Picks up commits, and notifies observers.
    func showCommits() throws {
        defer { observers.notify() }
        try observingChanges { try takeOverCommits() }
    }

    /// Picks up commits. Observers are notified later.
    func takeOverCommits() throws {
        try followParent()
        guard let waiting = commits.inbox.take() else { return }
        var unreadable: StoreError?
        do { try takeOver(waiting.unknown) } catch let error as StoreError where error.code == .unreadableValue {
            // It cannot be read next time either. It is reported once; a fetch of that record reports it again.
            unreadable = error
        } catch {
            commits.inbox.putBack(waiting)
            throw error
        }
        commits.seenCommit = waiting.number
        observers.didTakeOver(waiting.change)
        if let unreadable { throw unreadable }
    }

    private func takeOver(_ change: StoreChange) throws {
        let touched = identityMap.all.compactMap { records in
            change.tables[records.plan.table].map { (records: records, change: $0) }
        }
        unsaved.didChange()
        // Before the records are read, so that links that are set then belong to the new epoch.
        if change.tables.keys.contains(where: base.tracker.isLinked) {
            let epoch = linkEpoch
            identityMap.unloadLinks()
            observation?.didUnload(because: change.tables.keys, from: epoch, to: linkEpoch)
            for join in unsaved.joins.values { join.keepsUndone = true }
        }
        var failure: (any Error)?
        for (records, change) in touched {
            family.letChildrenFollow(records.objects(in: change))
            do { try records.refresh(change) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    // MARK: Public API

    /// Reads a record again now.
    ///
    /// A context automatically picks up commits of its own store. Use this for what another process has written, and to
    /// keep or drop changes after a save has thrown a conflict. A record that was deleted from the store becomes
    /// deleted, unless it has changes that are kept and the merge policy is not ``MergePolicy/storeWins``. A child
    /// copies its parent's state, after the parent has read the record again and kept its changes.
    ///
    /// - Parameters:
    ///   - object: A record of this context. New and deleted ones are ignored.
    ///   - keepingChanges: Whether its unsaved changes stay. They count as made against the current state of the store,
    ///     and the next save writes them. Otherwise, every value and its many-to-many links are those of the store.
    ///     Links stored in other records, such as the members of a to-many, are changes of those.
    /// - Throws: `StoreError` if the store cannot be read.
    public func refresh(_ object: ManagedObject, keepingChanges: Bool = true) throws {
        guard object.context === self, let records = object.records else { return }
        try showCommits()
        try observingChanges { try readAgain(object, records: records, keepingChanges: keepingChanges) }
    }

    private func readAgain(_ object: ManagedObject, records: RecordMap, keepingChanges: Bool) throws {
        guard object.state == .stored || object.state == .changed else { return }
        if let parent, let above = try records.objectAbove(object) { try parent.refresh(above) }
        if !keepingChanges {
            dropChanges(of: object)
            dropLinks(of: object)
        }
        try orders.keepOrDrop(of: object, keepingChanges: keepingChanges)
        try records.readAgain([(key: object.recordKey, object: object)], policy: .contextWins)
        identityMap.unloadLinks()
    }

    /// Reads every record and relationship that the context shows again, including what another process has written.
    ///
    /// Unsaved changes stay, depending on the context's ``mergePolicy``.
    ///
    /// - Throws: `StoreError` if the store cannot be read.
    public func refreshAll() throws {
        let change = StoreChange.everything(in: base.plans)
        defer { observers.notify() }
        try parent?.refreshAll()
        try observingChanges {
            try takeOverCommits()
            try takeOver(change)
        }
        observers.didTakeOver(change)
    }

    /// Discards the unsaved many-to-many links of a record.
    private func dropLinks(of object: ManagedObject) {
        guard !unsaved.joins.isEmpty, let records = object.records else { return }
        recorders.didChangeUnderneath(object)
        let key = object.recordKey
        for (relationship, description) in records.plan.relationships.enumerated() {
            guard case .manyToMany(let join) = description.kind, let changes = unsaved.joins[join.table] else {
                continue
            }
            changes.forget(of: key, in: join)
            // It is its own inverse, so both directions are rows.
            if let inverse = records.inverse(relationship), records.destination(relationship) === records,
                case .manyToMany(let back) = records.plan.relationships[inverse].kind
            {
                changes.forget(of: key, in: back)
            }
            if changes.changes.isEmpty { unsaved.joins[join.table] = nil }
        }
        identityMap.unloadLinks()
    }

}
