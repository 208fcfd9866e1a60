import GRDB
import LockstepEvolution

/// One save: writes a context's changes through one connection, in its transaction. It changes nothing in the context,
/// so that a failed save leaves that unchanged.
///
/// The order in ``save(_:)`` ensures that no trigger of a delete rule follows a link that the context has already
/// changed, and that a unique value is released before another record takes it.
final class SaveRun {
    struct Outcome {
        /// Changed objects whose rows were deleted, and whose changes the policy drops.
        var gone: [ManagedObject] = []
        /// Whether records that were deleted elsewhere were inserted again.
        var hasRestored = false
    }

    let context: ManagedObjectContext
    let tracker: ChangeTracker
    var outcome = Outcome()
    /// The tables that were written.
    var tables: Set<String> = []
    /// The statement that inserts the records of the last used entity: mostly, many of one entity are consecutive.
    var insertion: (plan: EntityPlan, statement: Statement)?
    var latestWrite: RowWrite?
    /// The foreign keys that were written already, by object.
    var movedColumns: [ObjectIdentifier: [Int]] = [:]
    /// The keys of the new records.
    private lazy var insertedKeys: Set<InsertedKey> = Set(
        context.unsaved.inserted.lazy.filter { $0.state == .inserted }.compactMap { object in
            object.records.map { InsertedKey(records: ObjectIdentifier($0), key: object.recordKey) }
        })

    init(_ context: ManagedObjectContext) {
        self.context = context
        tracker = context.base.tracker
    }

    func save(_ database: Database) throws -> Outcome {
        tracker.beginSave(of: context.commits.inbox.owner)
        let pages = try enlargedPageCache(database)
        defer { try? pages.restore() }
        let changed = context.unsaved.changed.filter { $0.state == .changed }
        let deleted = context.unsaved.deleted.reversed()
        let moves = changed.compactMap { LinkMove($0, isReplaced: isReplaced) }

        // 1. Foreign keys that are cleared, or point at a new record with the key of a deleted one.
        for move in moves { try clear(move, in: database) }
        // 2. Deletes that no rule follows.
        let denied = try deleteIfAllowed(deleted.filter { !Self.isFollowedByRules($0) }, in: database).denied
        // 3. Foreign keys that are set.
        for move in moves { try set(move, in: database) }
        // 4. The other deletes, in reverse order of being reached.
        try delete(denied + deleted.filter(Self.isFollowedByRules), in: database)
        // 5. All other changes.
        try update(changed, in: database)
        // 6. New records, in the order in which they were created.
        try insertNew(database)
        // 7. Many-to-many links, and their order.
        try JoinWriter(context, run: self).write(database)

        try notifyObservers(database)
        return outcome
    }

    /// The indexes of the table, its links and the outbox: a new record uses a page of each.
    private func enlargedPageCache(_ database: Database) throws -> PageCache {
        let pages = PageCache(database)
        let unsaved = context.unsaved
        try pages.enlarge(for: unsaved.inserted.count + unsaved.changed.count + unsaved.deleted.count)
        return pages
    }

    /// Notifies GRDB's observers of writes by statements that GRDB does not run.
    private func notifyObservers(_ database: Database) throws {
        try tracker.notifying {
            for table in tables { try database.notifyChanges(in: Table(SQLName.forGRDB(table))) }
            if !tables.isEmpty { try OutboxTable.notifyChanges(database) }
        }
    }

    /// Whether a key belongs to a deleted record and to a new one in its place.
    private func isReplaced(_ records: RecordMap, key: RecordKey) -> Bool {
        guard records.deletedObjects[key] != nil else { return false }
        return insertedKeys.contains(InsertedKey(records: ObjectIdentifier(records), key: key))
    }

    /// Whether deleting it can fire a trigger, or a foreign key's action, on other records.
    private static func isFollowedByRules(_ object: ManagedObject) -> Bool {
        object.plan.relationships.contains { description in
            if case .toOne = description.kind { return description.onDelete == .cascade }
            return description.onDelete != .none
        }
    }
}

/// The key of a new record of some entity.
private struct InsertedKey: Hashable {
    let records: ObjectIdentifier
    let key: RecordKey
}
