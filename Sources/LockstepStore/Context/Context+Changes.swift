extension Context {
    /// Whether the next save has anything to write.
    public var hasChanges: Bool {
        inserted.contains { $0.recordState == .inserted } || changed.contains { $0.recordState == .changed }
            || !deleted.isEmpty || joins.values.contains { !$0.changes.isEmpty } || !reordered.isEmpty
    }

    /// Takes a new object in; generated initializers call it.
    public func insert<Object: Model>(_ object: Object) {
        precondition(object.context === self, "A model is inserted into the context it was made in.")
        guard object.recordState == .inserted, object.records == nil else { return }
        beginChange()
        defer { endChange() }
        changeRecorder?.willInsert(object)
        inserted.append(object)
        changeCount &+= 1
        adoptAttachments(of: object, Object.entity.plan)
        records(Object.self).insert(object)
    }

    /// Makes a record that was not found, as one step of the undo history. Where `make` throws, or what it made is not
    /// what was wanted, the records that it inserted are taken back.
    func making<Object: Model>(
        record: String? = nil, _ make: (Context) throws -> Object, check: (Object) throws -> Void = { _ in }
    ) throws -> Object {
        beginChange()
        defer { endChange() }
        let mark = InsertionMark(savedChanges: savedChanges, count: inserted.count)
        do {
            let made = try make(self)
            guard made.context === self else {
                throw StoreError(
                    .otherContext, doing: "making a record that was not found", entity: Object.entity.name,
                    record: record, reason: "a record of another context was made",
                    remedy: "Make the new record in the context that `make` is given.")
            }
            try check(made)
            return made
        } catch {
            discardInsertions(since: mark)
            throw error
        }
    }

    /// Takes back the objects that were inserted after a mark and not saved since.
    private func discardInsertions(since mark: InsertionMark) {
        let known = mark.savedChanges == savedChanges ? mark.count : 0
        for object in inserted.dropFirst(known).reversed() { discard(object) }
    }

    /// Whether the object's record is deleted, by the next save or already.
    public func isDeleted(_ object: ManagedObject) -> Bool { object.recordState == .deleted }

    /// Deletes a record with the next save, and at once as far as the context shows: what cascades goes with it, links
    /// to it are cleared, each as the schema's delete rules say. Where a rule denies the delete, the save throws.
    public func delete(_ object: ManagedObject) {
        guard object.context === self else { return }
        beginChange()
        defer { endChange() }
        // A list rather than recursion: cascades may be as deep as there are records.
        var open = [object]
        let wasDeleting = isDeleting
        isDeleting = true
        defer { isDeleting = wasDeleting }
        while let next = open.popLast() { open += deleteAlone(next, cascades: true).reversed() }
    }

    /// Takes back a new object as if it had not been made: nothing goes with it.
    func discard(_ object: ManagedObject) {
        guard object.recordState == .inserted else { return }
        let wasDeleting = isDeleting
        isDeleting = true
        defer { isDeleting = wasDeleting }
        _ = deleteAlone(object, cascades: false)
    }

    /// - Returns: The records that the delete cascades to.
    private func deleteAlone(_ object: ManagedObject, cascades: Bool) -> [ManagedObject] {
        guard let records = object.records else { return [] }
        let wasInserted = object.recordState == .inserted
        guard wasInserted || object.recordState == .stored || object.recordState == .changed else { return [] }
        let ownsLinks = !wasInserted || !isShadowed(object, records)
        // What the rules reach is read while the object still counts as there, and followed when it does not any more,
        // so that cycles end.
        let reached = records.plan.relationships.indices.map { relationship in
            ownsLinks ? reachedOrRefused(from: object, relationship) : []
        }
        changeRecorder?.willDelete(object)
        noteOrders(of: object)
        object.recordState = .deleted
        changeCount &+= 1
        if wasInserted {
            records.unregister(object)
            // The stored record whose place it had is still about to be deleted, and not to be found.
            if let replaced = records.deletedObjects[object.recordKey], replaced !== object {
                records.register(replaced)
            }
        } else {
            deleted.append(object)
            records.deletedObjects[object.recordKey] = object
        }
        if let successor = records.uncovered(by: object) {
            changeRecorder?.willUncover(successor)
            records.register(successor)
        }
        var cascading: [ManagedObject] = []
        for (relationship, members) in reached.enumerated() {
            let rule = leave(object, relationship, records, members, cascades: cascades)
            if rule == .cascade { cascading += members.filter { !family.isMovedByChild($0) } }
        }
        // A deleted record shows no members, and a long chain of records must not be released link by link.
        object.dropLinks()
        return cascading
    }

    /// An unsaved order goes with what was loaded of its owner.
    private func noteOrders(of object: ManagedObject) {
        guard let changeRecorder else { return }
        for relationship in object.plan.relationships.indices { changeRecorder.willReorder(object, relationship) }
    }

    /// Notes a link of a many to many that was made or taken away.
    func note(_ source: ManagedObject, _ destination: ManagedObject, _ join: JoinDescription, isAdded: Bool) {
        let changes = self.join(join)
        let note = changes.note(source, destination, join, isAdded: isAdded)
        changeRecorder?.didNote(note, in: changes)
    }

    /// A delete whose reach cannot be read is not saved: it would leave records that should go with it.
    private func reachedOrRefused(from object: ManagedObject, _ relationship: Int) -> [ManagedObject] {
        do { return try reached(from: object, relationship) } catch {
            refuse(RefusedChange(error: error))
            return []
        }
    }

    /// Whether a new object has the key of another record that stays: what is linked to that key belongs to that.
    private func isShadowed(_ object: ManagedObject, _ records: RecordMap) -> Bool {
        if records.isRegisteredElsewhere(object) { return true }
        let key = object.recordKey
        guard records.deletedObjects[key] == nil else { return false }
        if parent != nil { return remembering { try recordAbove(of: records, key) } != nil }
        let sql = "SELECT 1 FROM \(SQLName.quoted(records.plan.table)) WHERE \(records.plan.keyCondition)"
        return remembering { try integer(sql, key.values) } != nil
    }

    func noteChanged(_ object: ManagedObject) { changed.append(object) }

    /// The records that a delete of `object` could touch through a relationship.
    func reached(from object: ManagedObject, _ relationship: Int) throws -> [ManagedObject] {
        let description = object.plan.relationships[relationship]
        switch description.kind {
        case .toOneInverse, .toMany:
            return description.onDelete == .none ? [] : try loadedLinks(of: object, relationship).members
        case .manyToMany:
            return try loadedLinks(of: object, relationship).members
        case .toOne:
            guard description.onDelete == .cascade || description.onDelete == .deny,
                let key = object.foreignKey(relationship), let destination = object.records?.destination(relationship)
            else { return [] }
            return try record(of: destination, key).map { [$0] } ?? []
        }
    }

    /// The record with a key, unsaved ones included.
    func record(of records: RecordMap, _ key: RecordKey) throws -> ManagedObject? {
        if parent != nil {
            if let above = try recordAbove(of: records, key) { return above }
        } else if let stored = try objects(records, sql: records.plan.findSQL, key.values).first {
            return stored
        }
        return inserted.last { $0.recordState == .inserted && $0.records === records && $0.recordKey == key }
    }

    /// Follows the delete rule of one relationship of a deleted object, all but the cascade.
    ///
    /// - Returns: The rule; where nothing is to cascade, what stands in for it.
    private func leave(
        _ object: ManagedObject, _ relationship: Int, _ records: RecordMap, _ members: [ManagedObject], cascades: Bool
    ) -> DeleteRule {
        let description = records.plan.relationships[relationship]
        let rule = description.onDelete == .cascade && !cascades ? .nullify : description.onDelete
        let inverse = records.inverse(relationship)
        switch description.kind {
        case .toOne:
            if let owner = object.foreignKey(relationship) {
                records.linkIndex(relationship).loadedLinks(owner, epoch: linkEpoch)?.remove(object)
            }
        case .toOneInverse, .toMany:
            guard rule == .nullify, let inverse else { break }
            // From the end, where the loaded members are looked for first.
            for member in members.reversed() { member.setForeignKey(inverse, to: nil) }
        case .manyToMany(let description):
            for member in members {
                note(object, member, description, isAdded: false)
                guard let inverse, let links = member.linksIfLoaded(inverse) else { continue }
                changeRecorder?.willReorder(member, inverse)
                links.remove(object)
            }
        }
        return rule
    }
}

/// A moment in the list of a context's new objects.
struct InsertionMark {
    /// How often the list was emptied before.
    let savedChanges: Int
    let count: Int
}
