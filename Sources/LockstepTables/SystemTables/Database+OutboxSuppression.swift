package import GRDB

extension Database {
    /// Makes the outbox ignore all changes until ``resumeOutbox()``, because they come from the server.
    ///
    /// Call both in one transaction. If it fails in between, it is rolled back, and this with it.
    package func suppressOutbox() throws {
        try cachedStatement(sql: "INSERT INTO \(OutboxTables.quiet) (id) VALUES (NULL)").execute()
    }

    /// Whether the outbox ignores changes now.
    package func isOutboxSuppressed() throws -> Bool { try hasRows(OutboxTables.quiet) }

    /// Ends what a file says of ``suppressOutbox()``. That lasts for a transaction, so nothing of ours commits it.
    package func clearOutboxSuppression() throws {
        if try isOutboxSuppressed() { try execute(sql: "DELETE FROM \(OutboxTables.quiet)") }
    }

    /// Ends what ``suppressOutbox()`` has begun. If that was called several times, call this as often.
    package func resumeOutbox() throws {
        try cachedStatement(
            sql: "DELETE FROM \(OutboxTables.quiet) WHERE id = (SELECT MAX(id) FROM \(OutboxTables.quiet))"
        ).execute()
    }
}
