package import GRDB

/// What statements that GRDB does not run have to tell, so that contexts and observers see what they have written.
///
/// It belongs to one transaction, and to the connection that this is on.
package final class RawChanges {
    private let tracker: ChangeTracker
    private var tables: Set<String> = []
    private var latest: (table: String, event: RowWrite.Event)?
    /// Called before the first statement that writes.
    package var beforeFirstWrite: (() throws -> Void)?

    fileprivate init(_ tracker: ChangeTracker) { self.tracker = tracker }

    /// What a statement does to the rows of a table.
    package enum Event: Sendable { case insert, update, delete }

    /// Notes that rows of a table are written, with what that sets off. Updated and deleted rows are seen one by one
    /// without it.
    package func note(_ event: Event, in table: String, _ database: Database) throws {
        let event: RowWrite.Event =
            switch event {
            case .insert: .insert
            case .update: .update
            case .delete: .delete
            }
        if let latest, latest.event == event, latest.table == table { return }
        if latest == nil { try beforeFirstWrite?() }
        latest = (table, event)
        tables.insert(table)
        if event == .insert || tracker.isJoinTable(table) { tracker.noteInsertions(into: table) }
        try tracker.noteTriggers(of: RowWrite(table: table, event: event), in: database)
    }

    /// Tells GRDB's observers, of what triggers and foreign keys have written too.
    fileprivate func tell(_ database: Database) throws {
        let tables = tables.union(tracker.changedTables)
        try tracker.telling {
            for table in tables { try database.notifyChanges(in: Table(SQLName.forGRDB(table))) }
        }
    }
}

extension Store {
    /// The schema's entities by their plans, in the order of the schema.
    package var plans: [EntityPlan] { base.tracker.entities }

    /// Runs `body` in one write transaction, off the caller's actor; one after another, as all that writes.
    ///
    /// Cancelling the task rolls back.
    ///
    /// - Throws: `StoreError` for errors of SQLite, `CancellationError`, and what `body` throws.
    package func writeRaw<Value: Sendable>(
        _ operation: String, _ body: @escaping @Sendable (Database, RawChanges) throws -> Value
    ) async throws -> Value {
        do {
            return try await base.writer.write { [tracker = base.tracker] database in
                let changes = RawChanges(tracker)
                let value = try body(database, changes)
                try changes.tell(database)
                return value
            }
        } catch let error as DatabaseError {
            throw StoreError(error, doing: operation)
        }
    }
}
