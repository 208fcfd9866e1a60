import GRDB

extension Context {
    /// Begins what the app asks of the store: what others have written since is taken over.
    ///
    /// Accessors do not call it, so that nothing changes under a loop that only goes through relationships.
    func beginReading() throws {
        try errors.throwReadError()
        if !connection.isInUse { try showCommits() }
    }

    /// Takes over what was committed, because the store says that there is something.
    func wake() {
        commits.inbox.didWake()
        remembering { try showCommits() }
        for companion in observers.awakeCompanions { companion.wake() }
    }

    /// Takes over what was committed since, and notifies observers.
    func showCommits() throws {
        defer { observers.notify() }
        try takeOverCommits()
    }

    /// Takes over what was committed since; observers are notified later.
    func takeOverCommits() throws {
        try followParent()
        guard let waiting = commits.inbox.take() else { return }
        var unreadable: StoreError?
        do { try takeOver(waiting.unknown) } catch let error as StoreError where error.code == .unreadableValue {
            // It will not be readable next time either. It is reported once; a fetch of that record reports it again.
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
        // Before the records are read: what is linked again then is linked in the new epoch.
        if change.tables.keys.contains(where: base.tracker.isLinked) {
            identityMap.unloadLinks()
            for join in unsaved.joins.values { join.keepsUndone = true }
        }
        var failure: (any Error)?
        for (records, change) in touched {
            family.letChildrenFollow(records.objects(in: change))
            do { try records.refresh(change) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    // MARK: For the app

    /// Reads a record again now.
    ///
    /// A context takes over commits made through its store by itself; this is for what another process has written, and
    /// to accept or drop changes after a save has thrown a conflict. A record that is gone from the store becomes
    /// deleted, unless it has changes that are kept and the merge policy is not ``MergePolicy/storeWins``. A child
    /// reads what its parent has, once that has read the record again and kept its changes.
    ///
    /// - Parameters:
    ///   - object: A record of this context. Nothing happens to new and deleted ones.
    ///   - keepingChanges: Whether its unsaved changes stay; they count as made to what the store has now, and the next
    ///     save writes them. If not, every value is the store's, and so are its links of many to many. Links that other
    ///     records hold, as the members of a to-many do, are changes of those.
    /// - Throws: `StoreError` if the store cannot be read.
    public func refresh(_ object: ManagedObject, keepingChanges: Bool = true) throws {
        guard object.context === self, let records = object.records else { return }
        try showCommits()
        guard object.recordState == .stored || object.recordState == .changed else { return }
        if let parent, let above = try records.objectAbove(object) { try parent.refresh(above) }
        if !keepingChanges {
            dropChanges(of: object)
            dropLinks(of: object)
        }
        try orders.keepOrDrop(of: object, keepingChanges: keepingChanges)
        try records.readAgain([(key: object.recordKey, object: object)], policy: .contextWins)
        identityMap.unloadLinks()
    }

    /// Reads every record and relationship that the context shows again: what another process has written too.
    ///
    /// Unsaved changes stay, as the context's ``mergePolicy`` says.
    ///
    /// - Throws: `StoreError` if the store cannot be read.
    public func refreshAll() throws {
        var change = StoreChange()
        for plan in base.tracker.entities {
            change.tables[plan.table] = TableChange(hasInserts: true, isUnbounded: true)
        }
        defer { observers.notify() }
        try parent?.refreshAll()
        try takeOverCommits()
        try takeOver(change)
        observers.didTakeOver(change)
    }

    /// Forgets the unsaved links of many to many of a record.
    private func dropLinks(of object: ManagedObject) {
        guard !unsaved.joins.isEmpty, let records = object.records else { return }
        recorders.didChangeUnderneath(object)
        let key = object.recordKey
        for (relationship, description) in records.plan.relationships.enumerated() {
            guard case .manyToMany(let join) = description.kind, let changes = unsaved.joins[join.table] else {
                continue
            }
            changes.forget(of: key, join)
            // Its own inverse: both directions are rows.
            if let inverse = records.inverse(relationship), records.destination(relationship) === records,
                case .manyToMany(let back) = records.plan.relationships[inverse].kind
            {
                changes.forget(of: key, back)
            }
            if changes.changes.isEmpty { unsaved.joins[join.table] = nil }
        }
        identityMap.unloadLinks()
    }

}
