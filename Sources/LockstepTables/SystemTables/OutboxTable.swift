package import Foundation
package import GRDB

/// Queries and statements for rows of the outbox that do not concern a single record. ``OutboxWriter`` has those of a
/// record.
package enum OutboxTable {
    /// Whether the store has an outbox. A read-only store of an earlier version has none.
    package static func exists(_ database: Database) throws -> Bool { try database.hasTable(OutboxTables.outbox) }

    /// Whether there are no pending changes of records or links.
    package static func isEmpty(_ database: Database) throws -> Bool {
        guard try exists(database) else { return true }
        let sql = """
            SELECT EXISTS (SELECT 1 FROM \(OutboxTables.outbox)) OR EXISTS (SELECT 1 FROM \(OutboxTables.links))
            """
        return try RawStatement(kept: sql, in: database).firstValue([]) != 1.databaseValue
    }

    /// Whether there is a pending change of a record of the entity.
    package static func hasRows(of plan: EntityPlan, in database: Database) throws -> Bool {
        let sql = "SELECT 1 FROM \(OutboxTables.outbox) WHERE entity = ? LIMIT 1"
        return try RawStatement(kept: sql, in: database).firstValue([plan.name.databaseValue]) != nil
    }

    /// Whether values were sent without a response so far.
    package static func hasUnconfirmed(_ database: Database) throws -> Bool {
        try database.hasRows(OutboxTables.unconfirmed)
    }

    /// Notifies GRDB's observers that the outbox was written. Triggers write it, and so do statements that GRDB does
    /// not run.
    package static func notifyChanges(_ database: Database) throws {
        try database.notifyChanges(in: Table(OutboxTables.outbox))
    }

    /// The region that an observation of the outbox tracks.
    package static var region: some DatabaseRegionConvertible { Table(OutboxTables.outbox) }

    /// The number of pending records, of those that the server rejects, and of those that fail repeatedly, and when the
    /// oldest was changed.
    package static func counts(
        _ database: Database, plans: SchemaPlan
    ) throws -> (count: Int, parkedCount: Int, failingCount: Int, oldest: Date?) {
        guard try exists(database) else { return (0, 0, 0, nil) }
        let table = OutboxTables.outbox
        // A record inside another one is counted with that one.
        let inside = plans.filter(\.travelsInside).map { OutboxSQL.literal($0.name) }
        let isCounted = inside.isEmpty ? "1" : "entity NOT IN (\(inside.joined(separator: ", ")))"
        let row = try database.valueRows(
            """
            SELECT (SELECT COUNT(*) FROM \(table) WHERE \(isCounted)), \
            (SELECT COUNT(*) FROM \(table) WHERE parked_status IS NOT NULL AND \(isCounted)), \
            (SELECT COUNT(*) FROM \(table) WHERE \(isFailing) AND \(isCounted)), \
            (SELECT changed_at FROM \(table) WHERE \(isCounted) ORDER BY id LIMIT 1)
            """)[0]
        return (row.integer(0) ?? 0, row.integer(1) ?? 0, row.integer(2) ?? 0, Date(stored: row.real(3)))
    }

    /// The number of attempts after which a change that is retried counts as failing.
    package static let failingAttempts = 5

    /// A change that waits for all others has no time of its own.
    private static let isFailing = """
        attempts >= \(failingAttempts) AND retry_at IS NOT NULL AND parked_status IS NULL
        """

    // MARK: Retrying

    /// Makes a change due now, even if the server has rejected it; all changes if `change` is `nil`.
    package static func retry(_ change: PendingChange?, in database: Database) throws {
        let condition = change == nil ? "retry_at IS NOT NULL OR parked_status IS NOT NULL" : "id = ? AND entity = ?"
        try database.change(
            """
            UPDATE \(OutboxTables.outbox) SET attempts = 0, retry_at = NULL, parked_status = NULL, \
            parked_body = NULL WHERE \(condition)
            """, with: change.map { [$0.id.databaseValue, $0.entity.databaseValue] } ?? [])
    }

    /// Makes each change due now that waits to be retried. It keeps its number of attempts: if it fails again, it waits
    /// as long as it would have.
    package static func makeDue(_ database: Database) throws {
        try database.change(
            "UPDATE \(OutboxTables.outbox) SET retry_at = NULL WHERE retry_at IS NOT NULL AND parked_status IS NULL")
    }

    /// Whether a change is parked without a status, for a reason that begins with these words.
    package static func hasParked(because reason: String, in database: Database) throws -> Bool {
        try !database.valueRows(
            "SELECT 1 FROM \(OutboxTables.outbox) WHERE \(isParkedForReason) LIMIT 1", with: arguments(reason)
        ).isEmpty
    }

    /// Makes those changes due now.
    package static func releaseParked(because reason: String, in database: Database) throws {
        try database.change(
            """
            UPDATE \(OutboxTables.outbox) SET attempts = 0, error = NULL, parked_status = NULL, parked_body = NULL \
            WHERE \(isParkedForReason)
            """, with: arguments(reason))
    }

    private static let isParkedForReason = "parked_status = 0 AND substr(error, 1, ?1) = ?2"

    private static func arguments(_ reason: String) -> [DatabaseValue] {
        [reason.count.databaseValue, reason.databaseValue]
    }

    // MARK: Creating

    /// Records each record without a pending change as created locally.
    static func insertCreations(of plan: EntityPlan, at time: Double, in database: Database) throws {
        let table = SQLName.quoted(plan.table)
        let record = plan.outboxRecordSQL(table)
        try database.execute(
            sql: """
                INSERT INTO \(OutboxTables.outbox) (entity, record, change, version, changed_at) \
                SELECT \(OutboxSQL.literal(plan.name)), \(record), \(OutboxChange.create.rawValue), \
                \(OutboxSQL.firstVersion), ? FROM \(table) WHERE NOT \(OutboxSQL.hasRow(of: plan, for: record))
                """, arguments: [time])
    }

    // MARK: Deleting

    /// Deletes the rows of a change that no entity claims.
    package static func deleteUnclaimed(_ change: PendingChange, in database: Database) throws {
        let isSource = "entity = ?1 AND source = (SELECT record FROM \(OutboxTables.outbox) WHERE id = ?2)"
        let id = change.id.databaseValue
        try database.change(
            "DELETE FROM \(OutboxTables.links) WHERE \(isSource)", with: [change.entity.databaseValue, id])
        for statement in OutboxSQL.deleteRows("id = ?") { try database.change(statement, with: [id]) }
    }

    /// Gives the row of a record another key.
    package static func rekey(_ plan: EntityPlan, from old: RecordKey, to new: RecordKey, in database: Database) throws
    {
        let (from, to) = (
            OutboxRecord.parameterSQL(plan), OutboxRecord.parameterSQL(plan, first: old.values.count + 1)
        )
        try database.change(
            """
            UPDATE \(OutboxTables.outbox) SET record = \(to) \
            WHERE entity = \(OutboxSQL.literal(plan.name)) AND record = \(from)
            """, with: old.values + new.values)
    }
}
