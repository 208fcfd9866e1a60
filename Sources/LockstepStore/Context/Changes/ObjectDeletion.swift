import LockstepEvolution

/// Deletes objects of a context, as far as the context shows, and follows the schema's delete rules.
struct ObjectDeletion {
    private let context: ManagedObjectContext

    init(_ context: ManagedObjectContext) { self.context = context }

    /// Deletes an object and everything that its delete cascades to.
    func delete(_ object: ManagedObject) {
        // A list instead of recursion, because cascades may be as deep as there are records.
        var open = [object]
        let wasDeleting = context.activity.isDeleting
        context.activity.isDeleting = true
        defer { context.activity.isDeleting = wasDeleting }
        while let next = open.popLast() { open += deleteAlone(next, cascades: true).reversed() }
    }

    /// Discards a new object as if it had not been created. Nothing is cascaded.
    func discard(_ object: ManagedObject) {
        guard object.state == .inserted else { return }
        let wasDeleting = context.activity.isDeleting
        context.activity.isDeleting = true
        defer { context.activity.isDeleting = wasDeleting }
        _ = deleteAlone(object, cascades: false)
    }

    /// - Returns: The records that the delete cascades to.
    private func deleteAlone(_ object: ManagedObject, cascades: Bool) -> [ManagedObject] {
        guard let records = object.records else { return [] }
        let wasInserted = object.state == .inserted
        guard wasInserted || object.state == .stored || object.state == .changed else { return [] }
        let ownsLinks = !wasInserted || !isShadowed(object, records: records)
        // The reached records are read while the object still counts as existing, and processed when it does not any
        // more, so that cycles end.
        let reached = records.plan.relationships.indices.map { relationship in
            ownsLinks ? reachedOrRefused(from: object, for: relationship) : []
        }
        context.recorders.current?.willDelete(object)
        noteOrders(of: object)
        object.state = .deleted
        context.unsaved.didChange()
        if wasInserted {
            records.unregister(object)
            // The stored record whose place it took is still about to be deleted, and must not be found.
            if let replaced = records.deletedObjects[object.recordKey], replaced !== object {
                records.register(replaced)
            }
        } else {
            context.unsaved.deleted.append(object)
            records.deletedObjects[object.recordKey] = object
        }
        if let successor = records.uncovered(by: object) {
            context.recorders.current?.willUncover(successor)
            records.register(successor)
        }
        var cascading: [ManagedObject] = []
        for (relationship, members) in reached.enumerated() {
            let rule = leave(object, for: relationship, records: records, members: members, cascades: cascades)
            if rule == .cascade { cascading += members.filter { !context.family.isMovedByChild($0) } }
        }
        // A deleted record shows no members. A long chain of records must not be released link by link.
        object.dropLinks()
        return cascading
    }

    /// Records the unsaved orders of its relationships before the loaded members are dropped.
    private func noteOrders(of object: ManagedObject) {
        guard let recorder = context.recorders.current else { return }
        for relationship in object.plan.relationships.indices { recorder.willReorder(object, for: relationship) }
    }

    /// The records that the delete reaches. If they cannot be read, the delete is refused by the save, because it would
    /// leave records that should be deleted.
    private func reachedOrRefused(from object: ManagedObject, for relationship: Int) -> [ManagedObject] {
        do { return try reached(from: object, for: relationship) } catch {
            context.errors.refuse(RefusedChange(error: error))
            return []
        }
    }

    /// Whether a new object has the key of another record that stays. What is linked to that key belongs to that
    /// record.
    private func isShadowed(_ object: ManagedObject, records: RecordMap) -> Bool {
        if records.isRegisteredElsewhere(object) { return true }
        let key = object.recordKey
        guard records.deletedObjects[key] == nil else { return false }
        if let above = context.above { return context.remembering { try above.record(of: records, key: key) } != nil }
        let sql = "SELECT 1 FROM \(SQLName.quoted(records.plan.table)) WHERE \(records.plan.keyCondition)"
        return context.remembering { try context.connection.integer(sql, with: key.values) } != nil
    }

    /// The records that a delete of `object` could affect through a relationship.
    func reached(from object: ManagedObject, for relationship: Int) throws -> [ManagedObject] {
        let description = object.plan.relationships[relationship]
        switch description.kind {
        case .toOneInverse, .toMany:
            return description.onDelete == .none ? [] : try context.loadedLinks(of: object, for: relationship).members
        case .manyToMany:
            return try context.loadedLinks(of: object, for: relationship).members
        case .toOne:
            guard description.onDelete == .cascade || description.onDelete == .deny,
                let key = object.foreignKey(relationship), let destination = object.records?.destination(relationship)
            else { return [] }
            return try destination.record(key).map { [$0] } ?? []
        }
    }

    /// Applies the delete rule of one relationship of a deleted object, except for the cascade.
    ///
    /// - Returns: The rule; if nothing is to be cascaded, the rule that is used instead.
    private func leave(
        _ object: ManagedObject, for relationship: Int, records: RecordMap, members: [ManagedObject], cascades: Bool
    ) -> DeleteRule {
        let description = records.plan.relationships[relationship]
        let rule = description.onDelete == .cascade && !cascades ? .nullify : description.onDelete
        let inverse = records.inverse(relationship)
        switch description.kind {
        case .toOne:
            if let owner = object.foreignKey(relationship) {
                records.linkIndex(relationship).loadedLinks(owner, epoch: context.linkEpoch)?.remove(object)
            }
        case .toOneInverse, .toMany:
            guard rule == .nullify, let inverse else { break }
            // From the end, because that is where the loaded members are looked for first.
            for member in members.reversed() { member.setForeignKey(inverse, to: nil) }
        case .manyToMany(let description):
            for member in members {
                context.unsaved.noteLink(object, to: member, in: description, isAdded: false)
                if description.isSymmetric, member !== object {
                    context.unsaved.noteLink(member, to: object, in: description, isAdded: false)
                }
                guard let inverse, let links = member.linksIfLoaded(inverse) else { continue }
                context.recorders.current?.willReorder(member, for: inverse)
                links.remove(object)
            }
        }
        return rule
    }
}
