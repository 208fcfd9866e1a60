package import Foundation
package import GRDB

// For files that are made or read as a whole, whatever their version.
extension OutboxTable {
    /// A row as it is stored.
    package struct StoredRow: Sendable {
        package let entity: String
        package let record: DatabaseValue
        package let change: DatabaseValue
        package let sentBody: Data?
        package let idempotencyKey: String?
        package let isParked: Bool
    }

    /// All rows, in order.
    package static func storedRows(_ database: Database) throws -> [StoredRow] {
        try database.valueRows(
            """
            SELECT entity, record, change, sent_body, idempotency_key, parked_status IS NOT NULL \
            FROM \(OutboxTables.outbox) ORDER BY id
            """
        ).map { row in
            StoredRow(
                entity: String.fromDatabaseValue(row[0]) ?? "", record: row[1], change: row[2],
                sentBody: Data.fromDatabaseValue(row[3]), idempotencyKey: String.fromDatabaseValue(row[4]),
                isParked: Bool.fromDatabaseValue(row[5]) ?? false)
        }
    }

    /// Inserts a row for a change that was made elsewhere.
    package static func insert(
        _ entity: String, for record: DatabaseValue, change: DatabaseValue, in database: Database
    ) throws {
        try database.change(
            "INSERT INTO \(OutboxTables.outbox) (entity, record, change, version, changed_at) VALUES (?, ?, ?, 1, 0)",
            with: [entity.databaseValue, record, change])
    }

    /// Runs `body` without recording what it changes.
    package static func suppressed(_ database: Database, body: () throws -> Void) throws {
        try database.execute(sql: "INSERT INTO \(OutboxTables.quiet) (id) VALUES (1)")
        try body()
        try database.execute(sql: "DELETE FROM \(OutboxTables.quiet)")
    }

    /// Parks a change as rejected by the server.
    package static func park(_ change: PendingChange, status: Int, in database: Database) throws {
        try database.change(
            """
            UPDATE \(OutboxTables.outbox) SET parked_status = ?, parked_body = X'7B7D', error = 'refused' WHERE id = ?
            """,
            with: [status.databaseValue, change.id.databaseValue])
    }
}
