package import GRDB

/// Records the changes of statements that GRDB does not run, so that contexts and observers see them.
///
/// It belongs to one transaction and its connection.
package final class RawChanges {
    private let tracker: ChangeTracker
    private var tables: Set<String> = []
    private var latest: (table: String, event: RowWrite.Event)?
    private var suppressesOutbox: Bool
    private var hasSuppressedOutbox = false

    package init(_ tracker: ChangeTracker, suppressesOutbox: Bool) {
        self.tracker = tracker
        self.suppressesOutbox = suppressesOutbox
    }

    /// Makes the outbox ignore everything that is written from here on, if the transaction is quiet.
    ///
    /// It writes, so call it directly before the first write: a merge that changes nothing writes nothing.
    /// ``note(_:in:database:)`` calls it too.
    package func suppressOutbox(_ database: Database) throws {
        guard suppressesOutbox, !hasSuppressedOutbox else { return }
        try database.suppressOutbox()
        hasSuppressedOutbox = true
    }

    /// Whether the triggers of the outbox ignore what is written now.
    package var isQuiet: Bool { hasSuppressedOutbox }

    /// Lets the outbox record what `body` writes, as for local changes.
    package func recordingChanges(_ database: Database, body: () throws -> Void) throws {
        let wasQuiet = suppressesOutbox
        if hasSuppressedOutbox { try database.resumeOutbox() }
        (suppressesOutbox, hasSuppressedOutbox) = (false, false)
        try body()
        // The next write must be noted, whatever it is: only that makes the outbox ignore it again.
        (suppressesOutbox, latest) = (wasQuiet, nil)
    }

    package func resumeOutbox(_ database: Database) throws {
        if hasSuppressedOutbox { try database.resumeOutbox() }
    }

    /// Records that rows of a table are written, and what that triggers. Updated and deleted rows are tracked
    /// individually without it.
    package func note(_ event: RowWrite.Event, in table: String, database: Database) throws {
        if let latest, latest.event == event, latest.table == table { return }
        try suppressOutbox(database)
        latest = (table, event)
        tables.insert(table)
        if event == .insert || tracker.isJoinTable(table) { tracker.noteInsertions(into: table) }
        try tracker.noteTriggers(of: RowWrite(table: table, event: event), in: database)
    }

    /// Notifies GRDB's observers, also of what triggers and foreign keys have written.
    package func notify(_ database: Database) throws {
        let tables = tables.union(tracker.changedTables)
        try tracker.notifying {
            for table in tables { try database.notifyChanges(in: Table(SQLName.forGRDB(table))) }
            // Triggers write this table, and so do the internal statements that confirm changes.
            try OutboxTable.notifyChanges(database)
        }
    }
}
