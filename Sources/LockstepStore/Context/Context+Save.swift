import GRDB

extension Context {
    /// Stores every change of the context in one transaction.
    ///
    /// Only changed columns are written. Where it fails, the store and the context are as they were before.
    ///
    /// - Throws: `StoreError` that names entity, record and attribute: a limit or a required value that was not kept
    ///   to, an identity or a unique value that another record has, a delete that a rule denies, a record that was
    ///   deleted meanwhile, a store that cannot be written; also what an earlier accessor could not read. A link that
    ///   was refused is thrown until that relationship is set again, its record is deleted, or all is rolled back.
    public func save() throws {
        guard !isValidating else { throw StoreError.saveInRule }
        try throwPendingReadError()
        try throwLostChange()
        try throwRefusedChanges()
        defer { tellObservers() }
        guard hasChanges else {
            try takeOverCommits()
            return clearSaved()
        }
        if let parent { return try save(to: parent) }
        let outcome = try takingBackOnError {
            try validateBeforeSave()
            let run = SaveRun(self)
            let attachments = try UnsavedAttachments(of: self)
            defer { attachments.removeStaged() }
            let outcome = try write { database in
                try attachments.place()
                // Nobody else can commit from here on.
                try takeOverCommits()
                try settleConflicts()
                try checkDeniedDeletes()
                try throwPendingReadError()
                for records in allRecords { try records.placeUnplaced() }
                return try run.save(database)
            }
            attachments.letGo()
            return outcome
        }
        finishSave()
        markGone(outcome.gone)
        if outcome.hasRestored { unloadLinks() }
        // What triggers have done beyond the save. The save has been done: an error is for the next one.
        remembering { try takeOverCommits() }
    }

    /// Throws away every unsaved change, refused ones included: new objects count as deleted, changed and deleted ones
    /// are as in the store again.
    ///
    /// What cannot be read back is thrown by the next save or fetch.
    public func rollback() {
        let lost = inserted.filter { $0.recordState == .inserted }
        let dirty = changed.filter { $0.recordState == .changed } + deleted
        for object in lost {
            object.recordState = .deleted
            object.records?.unregister(object)
        }
        for object in deleted {
            object.recordState = .changed
            object.records?.register(object)
        }
        clearSaved()
        lostChange = nil
        unloadLinks()
        for object in dirty { reload(object) }
    }

    func finishSave() {
        let (inserted, changed) = (inserted, changed)
        inserted.forEachBorrowed { if $0.recordState == .inserted { settle($0) } }
        changed.forEachBorrowed { if $0.recordState == .changed { settle($0) } }
        for object in deleted { object.records?.unregister(object) }
        clearSaved()
    }

    private func settle(_ object: ManagedObject) {
        object.recordState = .stored
        if !object.changedColumns.isEmpty { object.clearChanges() }
        if !unreadObjects.isEmpty { unreadObjects.remove(ObjectIdentifier(object)) }
        guard let records = object.records, !object.isRegistered || records.plan.remoteColumn != nil else { return }
        records.register(object)
    }

    private func clearSaved() {
        savedChanges += 1
        family.letChildrenFollow(inserted, changed, deleted)
        changeCount &+= 1
        changeRecorder?.clear()
        replacedAttachments = []
        undoHistory?.clear()
        withdrawRefusals()
        conflicts = [:]
        inserted.removeAll()
        changed.removeAll()
        deleted.removeAll()
        joins.removeAll()
        reordered.removeAll()
        formerOrders.removeAll()
        allRecords.forEach { $0.clearUnsaved() }
    }

    // MARK: Reading back

    /// Takes over an object's row, unsaved changes lost. One that cannot be read now counts as stored and is read again
    /// later: what is changed of it then is noted.
    func reload(_ object: ManagedObject) {
        guard let records = object.records else { return }
        object.clearChanges()
        object.recordState = .stored
        unreadObjects.insert(ObjectIdentifier(object))
        remembering {
            if parent != nil { return try reloadFromParent(object, records) }
            try read { database in
                var isThere = false
                let statement = try database.cachedStatement(sql: records.plan.findSQL)
                RowWriter.bind(object.recordKey.values, to: statement.sqliteStatement)
                try forEachRow(of: statement, database, records.plan) { row in
                    isThere = true
                    records.takeOver(row, object)
                }
                if !isThere { markGone([object]) }
            }
            unreadObjects.remove(ObjectIdentifier(object))
        }
    }

    /// Objects whose rows are gone do not look alive.
    func markGone(_ objects: [ManagedObject]) {
        for object in objects {
            noteChangedUnderneath(object)
            object.recordState = .deleted
            object.records?.unregister(object)
        }
        if objects.isEmpty { return }
        unloadLinks()
        family.letChildrenFollow(objects)
        changeCount &+= 1
    }

    // MARK: Denied deletes

    /// A record that a rule protects must not be deleted while the other end stays.
    func checkDeniedDeletes() throws {
        for object in deleted {
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
            return try reached(from: object, relationship).count { $0.recordState != .deleted }
        }
    }
}

extension RecordMap {
    /// Sets every property of an object from its row.
    func takeOver(_ row: RowReader, _ object: ManagedObject) {
        context.changeRecorder?.willTakeOver(row, object)
        object.isLoading = true
        defer { object.isLoading = false }
        for column in plan.columns.indices { object.load(column, from: row) }
    }
}
