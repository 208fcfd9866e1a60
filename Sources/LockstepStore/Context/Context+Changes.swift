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
        inserted.append(object)
        records(Object.self).insert(object)
    }

    /// Whether the object's record is deleted, by the next save or already.
    public func isDeleted(_ object: ManagedObject) -> Bool { object.recordState == .deleted }

    /// Deletes a record with the next save, and at once as far as the context shows: what cascades goes with it, links
    /// to it are cleared, each as the schema's delete rules say. Where a rule denies the delete, the save throws.
    public func delete(_ object: ManagedObject) {
        guard object.context === self, let records = object.records else { return }
        let wasInserted = object.recordState == .inserted
        guard wasInserted || object.recordState == .stored || object.recordState == .changed else { return }
        // What the rules reach is read while the object still counts as there, and followed when it does not any more,
        // so that cycles end.
        let reached = records.plan.relationships.indices.map { relationship in
            remembering { try self.reached(from: object, relationship) } ?? []
        }
        object.recordState = .deleted
        if wasInserted { records.unregister(object) } else { deleted.append(object) }
        for (relationship, members) in reached.enumerated() {
            leave(object, relationship, records, members)
        }
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
    private func record(of records: RecordMap, _ key: RecordKey) throws -> ManagedObject? {
        if let stored = try objects(records, sql: records.plan.findSQL, key.values).first { return stored }
        return inserted.last { $0.recordState == .inserted && $0.records === records && $0.recordKey == key }
    }

    /// Follows the delete rule of one relationship of a deleted object.
    private func leave(
        _ object: ManagedObject, _ relationship: Int, _ records: RecordMap, _ members: [ManagedObject]
    ) {
        let description = records.plan.relationships[relationship]
        let inverse = records.inverse(relationship)
        switch description.kind {
        case .toOne:
            if let owner = object.foreignKey(relationship) {
                records.linkIndex(relationship).loadedLinks(owner, epoch: linkEpoch)?.remove(object)
            }
        case .toOneInverse, .toMany:
            guard description.onDelete == .nullify, let inverse else { break }
            for member in members { member.setForeignKey(inverse, to: nil) }
        case .manyToMany(let description):
            for member in members {
                join(description).note(object, member, description, isAdded: false)
                if let inverse { member.linksIfLoaded(inverse)?.remove(object) }
            }
        }
        if description.onDelete == .cascade { members.forEach(delete) }
    }
}
