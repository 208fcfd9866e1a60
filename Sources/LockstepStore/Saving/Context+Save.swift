import GRDB

extension Context {
    /// Stores every change of the context in one transaction.
    ///
    /// Only changed columns are written. If it fails, the store and the context are as they were before.
    ///
    /// - Throws: `StoreError` that names entity, record and attribute: a limit or a required value that was not kept
    ///   to, an identity or a unique value that another record has, a delete that a rule denies, a record that was
    ///   deleted meanwhile, a store that cannot be written; also what an earlier accessor could not read. A link that
    ///   was refused is thrown until that relationship is set again, its record is deleted, or all is rolled back.
    public func save() throws {
        guard !activity.isValidating else { throw StoreError.saveInRule }
        try errors.throwReadError()
        try errors.throwLostChange()
        try errors.throwRefusedChanges()
        defer { observers.notify() }
        guard hasChanges else {
            try takeOverCommits()
            return clearSaved()
        }
        if let parent { try save(to: parent) } else { try saveToStore() }
    }

    private func saveToStore() throws {
        let outcome = try takingBackOnError {
            try validateBeforeSave()
            let run = SaveRun(self)
            let attachments = try UnsavedAttachments(of: self)
            defer { attachments.removeStaged() }
            let outcome = try connection.write { database in
                try attachments.place()
                // Nothing else can commit from here on.
                try settleBeforeSave()
                return try run.save(database)
            }
            attachments.letGo()
            return outcome
        }
        finishSave()
        markGone(outcome.gone)
        if outcome.hasRestored { identityMap.unloadLinks() }
        // What triggers have done beyond the save. The save has been done: an error is for the next one.
        remembering { try takeOverCommits() }
    }

    /// Takes over what was saved elsewhere, and throws if the changes cannot be saved to that.
    func settleBeforeSave() throws {
        try takeOverCommits()
        try ConflictResolver(self).settleAll()
        try checkDeniedDeletes()
        try errors.throwReadError()
        for records in identityMap.all { try records.placeUnplaced() }
    }

    /// Throws away every unsaved change, refused ones included: new objects count as deleted, changed and deleted ones
    /// are as in the store again.
    ///
    /// What cannot be read back is thrown by the next save or fetch.
    public func rollback() {
        let lost = unsaved.inserted.filter { $0.recordState == .inserted }
        let dirty = unsaved.changed.filter { $0.recordState == .changed } + unsaved.deleted
        for object in lost {
            object.recordState = .deleted
            object.records?.unregister(object)
        }
        for object in unsaved.deleted {
            object.recordState = .changed
            object.records?.register(object)
        }
        clearSaved()
        errors.clearLostChange()
        identityMap.unloadLinks()
        for object in dirty { reload(object) }
    }

    /// Throws away every unsaved change, as ``rollback()`` does, and releases everything that was loaded.
    ///
    /// Relationships hold the records that they have loaded; a context that lives long and goes through many of them
    /// gives back their memory here. Records that the app holds stay good, and load again what they are asked for.
    public func reset() {
        rollback()
        identityMap.releaseLoaded()
    }

    func finishSave() {
        let (inserted, changed) = (unsaved.inserted, unsaved.changed)
        inserted.forEachBorrowed { if $0.recordState == .inserted { settle($0) } }
        changed.forEachBorrowed { if $0.recordState == .changed { settle($0) } }
        for object in unsaved.deleted { object.records?.unregister(object) }
        clearSaved()
    }

    private func settle(_ object: ManagedObject) {
        object.recordState = .stored
        if !object.changedColumns.isEmpty { object.clearChanges() }
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

    /// A record that a rule protects must not be deleted while the other end stays.
    private func checkDeniedDeletes() throws {
        for object in unsaved.deleted {
            for (relationship, description) in object.plan.relationships.enumerated()
            where description.onDelete == .deny {
                let left = try remaining(object, relationship)
                guard left > 0 else { continue }
                throw StoreError(
                    .deleteDenied, doing: "deleting", entity: object.plan.name, record: object.recordKey.text,
                    attribute: description.name,
                    reason: "records at its relationship “\(description.name)” would lose it: \(left)",
                    remedy: "Delete them too, or link them elsewhere, or roll back.")
            }
        }
    }

    /// How many records a relationship of a deleted object still leads to.
    private func remaining(_ object: ManagedObject, _ relationship: Int) throws -> Int {
        guard let records = object.records else { return 0 }
        let key = object.recordKey
        switch records.plan.relationships[relationship].kind {
        case .toOneInverse, .toMany:
            guard let inverse = records.inverse(relationship) else { return 0 }
            return try records.destination(relationship).holders(of: key, inverse).count
        case .manyToMany, .toOne:
            return try ObjectDeletion(self).reached(from: object, relationship).count { $0.recordState != .deleted }
        }
    }
}
