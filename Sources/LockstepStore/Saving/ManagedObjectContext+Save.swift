import GRDB
import LockstepEvolution

extension ManagedObjectContext {
    /// Stores all changes of the context in one transaction.
    ///
    /// Only changed columns are written. If it fails, the store and the context are unchanged.
    ///
    /// - Throws: `StoreError` with the entity, record and attribute: a violated limit, a missing required value, an
    ///   identity or a unique value that another record has, a delete that a rule denies, a record that was deleted
    ///   meanwhile, a store that cannot be written, or an earlier error of an accessor. A refused link is thrown until
    ///   that relationship is set again, its record is deleted, or everything is rolled back.
    public func save() throws { try saveAtOnce() }

    /// Stores all changes of the context in one transaction, once nothing else writes.
    ///
    /// A save waits for the end of a merge. This one suspends the task while it waits, so that the main actor stays
    /// free:
    ///
    /// ```swift
    /// Button("Save") { Task { try await context.save() } }
    /// ```
    ///
    /// Then it saves the changes that the context has at that time, in one go, as the synchronous `save()` does. If
    /// there are none, or in a child context, it does not wait.
    ///
    /// - Throws: `StoreError` as the synchronous `save()` does, and `CancellationError` if the task is cancelled while
    ///   it waits. The store and the context are then unchanged.
    public nonisolated(nonsending) func save() async throws {
        guard parent == nil, !unsaved.isEmpty else { return try saveAtOnce() }
        try await base.whenNothingIsWritten("saving") { try saveAtOnce() }
    }

    private func saveAtOnce() throws {
        guard !activity.isValidating else { throw StoreError.saveInRule }
        try errors.throwReadError()
        try errors.throwLostChange()
        try errors.throwRefusedChanges()
        defer { observers.notify() }
        guard !unsaved.isEmpty else {
            try takeOverCommits()
            return clearSaved()
        }
        try observingChanges { if let parent { try save(to: parent) } else { try saveToStore() } }
    }

    private func saveToStore() throws {
        let outcome = try takingBackOnError {
            try validateBeforeSave()
            let run = SaveRun(self)
            let attachments = try UnsavedAttachments(of: self)
            defer { attachments.removeStaged() }
            let outcome = try connection.write { database in
                try attachments.place()
                // No other commit is possible from here on.
                try settleBeforeSave()
                return try run.save(database)
            }
            attachments.release()
            return outcome
        }
        finishSave()
        markGone(outcome.gone)
        if outcome.hasRestored { identityMap.unloadLinks() }
        // Effects of triggers. The save is complete, so the next one throws an error.
        remembering { try takeOverCommits() }
    }

    /// Picks up what was saved elsewhere, and throws if the changes conflict with it.
    func settleBeforeSave() throws {
        try takeOverCommits()
        try ConflictResolver(self).settleAll()
        try checkDeniedDeletes()
        try errors.throwReadError()
        for records in identityMap.all { try records.placeUnplaced() }
    }

    /// Discards all unsaved changes, including refused ones: new objects count as deleted, changed and deleted ones are
    /// as in the store again.
    ///
    /// If something cannot be read, the next save or fetch throws the error.
    public func rollback() { observingChanges(discardChanges) }

    private func discardChanges() {
        let lost = unsaved.inserted.filter { $0.state == .inserted }
        let dirty = unsaved.changed.filter { $0.state == .changed } + unsaved.deleted
        for object in lost {
            object.state = .deleted
            object.records?.unregister(object)
        }
        for object in unsaved.deleted {
            object.state = .changed
            object.records?.register(object)
        }
        clearSaved()
        errors.clearLostChange()
        identityMap.unloadLinks()
        for object in dirty { reload(object) }
    }

    /// Discards all unsaved changes, as ``rollback()`` does, and releases everything that was loaded.
    ///
    /// A context keeps some records that nobody uses, so that they need not be read again, and relationships keep what
    /// they have loaded. Use this to free the memory of a long-lived context. Records that the app has stay valid, and
    /// load what is needed again.
    public func reset() {
        rollback()
        identityMap.releaseLoaded()
    }

    func finishSave() {
        let (inserted, changed) = (unsaved.inserted, unsaved.changed)
        inserted.forEachBorrowed { if $0.state == .inserted { settle($0) } }
        changed.forEachBorrowed { if $0.state == .changed { settle($0) } }
        for object in unsaved.deleted { object.records?.unregister(object) }
        noteSending()
        clearSaved()
    }

    /// Tells who observes whether a record is synced that it is sent with something that is stored elsewhere: a link,
    /// or a record without an identity.
    private func noteSending() {
        guard observation != nil else { return }
        for change in unsaved.joins.values.flatMap(\.changes.values) {
            for end in [change.left, change.right] { end.didChange(.synced) }
        }
        for (_, owner) in unsaved.reordered { owner.didChange(.synced) }
        for objects in [unsaved.inserted, unsaved.changed, unsaved.deleted] {
            for object in objects where !object.plan.hasIdentity { noteSendingWithOwners(object) }
        }
    }

    private func noteSendingWithOwners(_ object: ManagedObject) {
        for relationship in object.plan.foreignKeys.indices {
            guard let key = object.foreignKey(relationship) else { continue }
            object.records?.destination(relationship).registeredObject(of: key)?.didChange(.synced)
        }
    }

    private func settle(_ object: ManagedObject) {
        object.state = .stored
        if !object.originalValues.isEmpty { object.clearChanges() }
        commits.markRead(object)
        guard let records = object.records, !object.isRegistered || records.plan.remoteColumn != nil else { return }
        records.register(object)
    }

    private func clearSaved() {
        family.letChildrenFollow(unsaved.inserted, unsaved.changed, unsaved.deleted)
        recorders.clear()
        errors.clearRefusedChanges()
        unsaved.removeAll()
        identityMap.all.forEach { $0.clearUnsaved() }
    }

    // MARK: Denied deletes

    /// Checks that no record protected by a rule is deleted while the other end stays.
    private func checkDeniedDeletes() throws {
        for object in unsaved.deleted {
            for (relationship, description) in object.plan.relationships.enumerated()
            where description.onDelete == .deny {
                let left = try remaining(object, for: relationship)
                guard left > 0 else { continue }
                let (others, name) = (description.destination.name, description.name)
                throw StoreError(
                    .deleteDenied, doing: "deleting", entity: object.plan.name, record: object.recordKey.text,
                    attribute: description.name,
                    reason: "records of “\(others)” still link to it by “\(name)” (onDelete: deny): \(left)",
                    remedy: "Delete them too, or link them elsewhere, or roll back.")
            }
        }
    }

    /// The number of records that a relationship of a deleted object still leads to.
    private func remaining(_ object: ManagedObject, for relationship: Int) throws -> Int {
        guard let records = object.records else { return 0 }
        let key = object.recordKey
        switch records.plan.relationships[relationship].kind {
        case .toOneInverse, .toMany:
            guard let inverse = records.inverse(relationship) else { return 0 }
            return try records.destination(relationship).holders(of: key, for: inverse).count
        case .manyToMany, .toOne:
            return try ObjectDeletion(self).reached(from: object, for: relationship).count { $0.state != .deleted }
        }
    }
}
