import GRDB

extension ManagedObjectContext {
    /// Saves a child: its changes become unsaved changes of the parent, as one step of the parent's undo history. If it
    /// fails, both are unchanged.
    func save(to parent: ManagedObjectContext) throws {
        try takingBackOnError {
            try validateBeforeSave()
            try handOver(to: parent)
        }
        finishSave()
        // The parent's rules may have affected more than the child knew. The save is complete, so the next one throws
        // an error.
        remembering { try followParent() }
    }

    private func handOver(to parent: ManagedObjectContext) throws {
        try settleBeforeSave()
        let save = ChildSave(from: self, to: parent)
        try save.check()
        parent.beginChange()
        defer { parent.endChange() }
        save.run()
    }
}

/// One save of a child context, which repeats its changes in the parent.
///
/// Everything that can fail is checked before anything is changed. The changes depend only on the resulting state of
/// the records, not on the order of the child's steps. See ``run()``.
final class ChildSave {
    let child: ManagedObjectContext
    let parent: ManagedObjectContext
    let inserted: [ManagedObject]
    let changed: [ManagedObject]
    /// Changed records that were deleted in the parent, to be inserted again according to the merge policy.
    private var restored: [ManagedObject] = []
    /// The parent's objects, by the child's.
    private(set) var counterparts: [ObjectIdentifier: ManagedObject] = [:]

    init(from child: ManagedObjectContext, to parent: ManagedObjectContext) {
        self.child = child
        self.parent = parent
        inserted = child.unsaved.inserted.filter { $0.state == .inserted }
        changed = child.unsaved.changed.filter { $0.state == .changed }
    }

    func counterpart(_ object: ManagedObject) -> ManagedObject? { counterparts[ObjectIdentifier(object)] }

    // MARK: Checking

    func check() throws {
        for object in inserted {
            try checkIdentity(object)
        }
        for object in changed {
            // With `storeWins`, it counts as deleted already.
            if try find(object) { continue }
            guard child.mergePolicy == .contextWins else { throw Self.gone(object, operation: "changing") }
            restored.append(object)
        }
        for object in child.unsaved.deleted { try find(object) }
        for link in child.unsaved.joins.values.flatMap(\.changesInOrder) {
            for object in [link.left, link.right] where object.state != .inserted {
                if try !find(object), !restored.contains(where: { $0 === object }), link.isAdded, object.isThere {
                    throw Self.gone(object, operation: "linking")
                }
            }
        }
        for (link, owner) in child.unsaved.reordered where owner.isThere {
            if owner.state != .inserted { try find(owner) }
            // An order is kept longer than loaded links, which cannot be loaded while the parent is being changed.
            _ = try child.loadedLinks(of: owner, for: link.relationship)
        }
    }

    /// - Returns: Whether the parent has the record.
    @discardableResult
    private func find(_ object: ManagedObject) throws -> Bool {
        if counterpart(object) != nil { return true }
        guard let other = try object.records?.objectAbove(object) else { return false }
        counterparts[ObjectIdentifier(object)] = other
        return true
    }

    private func checkIdentity(_ object: ManagedObject) throws {
        guard let records = object.records else { return }
        let isTwice = records.isRegisteredElsewhere(object)
        let isReplacement = records.deletedObjects[object.recordKey] != nil
        guard try isTwice || !isReplacement && records.objectAbove(object) != nil else { return }
        throw StoreError(
            .duplicateIdentity, doing: "inserting", entity: object.plan.name, record: object.recordKey.text,
            reason: isTwice ? "another record has this identity" : "a record of the parent context has this identity",
            remedy: "Find that record and change it (`findOrInsert`), or give the new one another identity.")
    }

    private static func gone(_ object: ManagedObject, operation: String) -> StoreError {
        StoreError(
            .recordGone, doing: operation, entity: object.plan.name, record: object.recordKey.text,
            reason: "it was deleted or discarded in the parent context meanwhile",
            remedy: "Delete it in this context too, or roll back.")
    }

    // MARK: Applying

    func run() {
        let moved = changed.filter { !$0.changedLinks.isEmpty }
        parent.family.movedByChild = Set(moved.compactMap { counterpart($0).map { ObjectIdentifier($0) } })
        // 1. Removed many-to-many links.
        unlink()
        // 2. Links by which the parent's delete rules would reach other records than the child's.
        detach(moved)
        // 3. Deletes.
        for object in child.unsaved.deleted { counterpart(object).map(parent.delete) }
        // 4. Changed columns.
        changed.forEach(change)
        // 5. New records.
        (restored + inserted).forEach(insert)
        // 6. Added many-to-many links.
        link()
        // 7. Orders.
        for (link, owner) in child.unsaved.reordered { order(owner, for: link.relationship) }
        parent.family.movedByChild = []
        parent.orders.unloadLinksKeepingOrders()
    }

    private func change(_ object: ManagedObject) {
        guard let other = counterpart(object), other.isThere else { return }
        let row = ValueRow(of: object).reader
        // A position is set together with the link: setting the link alone puts the record at the end, or nowhere.
        let links = object.changedLinks
        let positions = links.compactMap(\.position)
        for column in links.flatMap(\.columns) { other.load(column, from: row) }
        for column in object.plan.columns.indices
        where object.hasChanged(column) && !positions.contains(column) {
            other.load(column, from: row)
        }
        for column in positions { other.load(column, from: row) }
    }

    private func insert(_ object: ManagedObject) {
        guard let records = object.records?.recordsAbove else { return }
        let copy = records.insertCopy(of: object)
        counterparts[ObjectIdentifier(object)] = copy
        let row = ValueRow(of: object).reader
        for column in copy.plan.positionColumns { copy.load(column, from: row) }
    }
}
