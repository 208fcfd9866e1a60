package import GRDB

/// What statements that GRDB does not run have to tell, so that contexts and observers see what they have written.
///
/// It belongs to one transaction, and to the connection that this is on.
package final class RawChanges {
    private let tracker: ChangeTracker
    private var tables: Set<String> = []
    private var latest: (table: String, event: RowWrite.Event)?
    private var isQuiet: Bool
    private var hasBegunQuiet = false

    init(_ tracker: ChangeTracker, isQuiet: Bool) {
        self.tracker = tracker
        self.isQuiet = isQuiet
    }

    /// Sees to it that the outbox notes nothing of what is written from here on, where the transaction is to be quiet.
    ///
    /// It writes, so it comes before the first write and not sooner: a merge that changes nothing writes nothing.
    /// ``note(_:in:_:)`` does it too.
    package func beginQuiet(_ database: Database) throws {
        guard isQuiet, !hasBegunQuiet else { return }
        try database.beginQuiet()
        hasBegunQuiet = true
    }

    /// Lets the outbox note what `body` writes, as if it was done by hand.
    package func noticed(_ database: Database, _ body: () throws -> Void) throws {
        let wasQuiet = isQuiet
        if hasBegunQuiet { try database.endQuiet() }
        (isQuiet, hasBegunQuiet) = (false, false)
        try body()
        isQuiet = wasQuiet
    }

    func endQuiet(_ database: Database) throws {
        if hasBegunQuiet { try database.endQuiet() }
    }

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
        try beginQuiet(database)
        latest = (table, event)
        tables.insert(table)
        if event == .insert || tracker.isJoinTable(table) { tracker.noteInsertions(into: table) }
        try tracker.noteTriggers(of: RowWrite(table: table, event: event), in: database)
    }

    /// Tells GRDB's observers, of what triggers and foreign keys have written too.
    func tell(_ database: Database) throws {
        let tables = tables.union(tracker.changedTables)
        try tracker.telling {
            for table in tables { try database.notifyChanges(in: Table(SQLName.forGRDB(table))) }
            // Triggers write it, and so does what settles changes by statements of its own.
            try OutboxTable.notifyChanges(database)
        }
    }
}
