/// Deletes objects of a context, as far as the context shows, and follows the schema's delete rules.
struct ObjectDeletion {
    private let context: Context

    init(_ context: Context) { self.context = context }

    /// Deletes an object and everything that its delete cascades to.
    func delete(_ object: ManagedObject) {
        // A list rather than recursion: cascades may be as deep as there are records.
        var open = [object]
        let wasDeleting = context.activity.isDeleting
        context.activity.isDeleting = true
        defer { context.activity.isDeleting = wasDeleting }
        while let next = open.popLast() { open += deleteAlone(next, cascades: true).reversed() }
    }

    /// Takes back a new object as if it had not been made: nothing goes with it.
    func discard(_ object: ManagedObject) {
        guard object.recordState == .inserted else { return }
        let wasDeleting = context.activity.isDeleting
        context.activity.isDeleting = true
        defer { context.activity.isDeleting = wasDeleting }
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
        context.recorders.current?.willDelete(object)
        noteOrders(of: object)
        object.recordState = .deleted
        context.unsaved.didChange()
        if wasInserted {
            records.unregister(object)
            // The stored record whose place it had is still about to be deleted, and not to be found.
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
            let rule = leave(object, relationship, records, members, cascades: cascades)
            if rule == .cascade { cascading += members.filter { !context.family.isMovedByChild($0) } }
        }
        // A deleted record shows no members, and a long chain of records must not be released link by link.
        object.dropLinks()
        return cascading
    }

    /// An unsaved order goes with what was loaded of its owner.
    private func noteOrders(of object: ManagedObject) {
        guard let recorder = context.recorders.current else { return }
        for relationship in object.plan.relationships.indices { recorder.willReorder(object, relationship) }
    }

    /// A delete whose reach cannot be read is not saved: it would leave records that should go with it.
    private func reachedOrRefused(from object: ManagedObject, _ relationship: Int) -> [ManagedObject] {
        do { return try reached(from: object, relationship) } catch {
            context.errors.refuse(RefusedChange(error: error))
            return []
        }
    }

    /// Whether a new object has the key of another record that stays: what is linked to that key belongs to that.
    private func isShadowed(_ object: ManagedObject, _ records: RecordMap) -> Bool {
        if records.isRegisteredElsewhere(object) { return true }
        let key = object.recordKey
        guard records.deletedObjects[key] == nil else { return false }
        if let above = context.above { return context.remembering { try above.record(of: records, key) } != nil }
        let sql = "SELECT 1 FROM \(SQLName.quoted(records.plan.table)) WHERE \(records.plan.keyCondition)"
        return context.remembering { try context.connection.integer(sql, key.values) } != nil
    }

    /// The records that a delete of `object` could touch through a relationship.
    func reached(from object: ManagedObject, _ relationship: Int) throws -> [ManagedObject] {
        let description = object.plan.relationships[relationship]
        switch description.kind {
        case .toOneInverse, .toMany:
            return description.onDelete == .none ? [] : try context.loadedLinks(of: object, relationship).members
        case .manyToMany:
            return try context.loadedLinks(of: object, relationship).members
        case .toOne:
            guard description.onDelete == .cascade || description.onDelete == .deny,
                let key = object.foreignKey(relationship), let destination = object.records?.destination(relationship)
            else { return [] }
            return try destination.record(key).map { [$0] } ?? []
        }
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
                records.linkIndex(relationship).loadedLinks(owner, epoch: context.linkEpoch)?.remove(object)
            }
        case .toOneInverse, .toMany:
            guard rule == .nullify, let inverse else { break }
            // From the end, where the loaded members are looked for first.
            for member in members.reversed() { member.setForeignKey(inverse, to: nil) }
        case .manyToMany(let description):
            for member in members {
                context.unsaved.noteLink(object, member, description, isAdded: false)
                guard let inverse, let links = member.linksIfLoaded(inverse) else { continue }
                context.recorders.current?.willReorder(member, inverse)
                links.remove(object)
            }
        }
        return rule
    }
}
