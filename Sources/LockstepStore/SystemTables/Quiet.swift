package import GRDB

extension Database {
    /// From here to ``endQuiet()`` the outbox notes no change, whoever makes it: what is written is the server's.
    ///
    /// Both belong into one transaction. One that fails between them is rolled back, and this with it.
    package func beginQuiet() throws {
        try cachedStatement(sql: "INSERT INTO \(OutboxTables.quiet) (id) VALUES (NULL)").execute()
    }

    /// Ends what ``beginQuiet()`` has begun; where that was called several times, as often.
    package func endQuiet() throws {
        try cachedStatement(
            sql: "DELETE FROM \(OutboxTables.quiet) WHERE id = (SELECT MAX(id) FROM \(OutboxTables.quiet))"
        ).execute()
    }
}
