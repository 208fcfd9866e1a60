package import GRDB

extension Database {
    /// From here to ``endQuiet()`` the outbox notes no change, whoever makes it: what is written is the server's.
    ///
    /// Both belong into one transaction. One that fails between them is rolled back, and this with it.
    package func beginQuiet() throws {
        try execute(sql: "INSERT INTO \(OutboxTables.quiet) (id) VALUES (NULL)")
    }

    /// Ends what ``beginQuiet()`` has begun; where that was called several times, as often.
    package func endQuiet() throws {
        try execute(
            sql: "DELETE FROM \(OutboxTables.quiet) WHERE id = (SELECT MAX(id) FROM \(OutboxTables.quiet))")
    }
}

extension Store {
    /// As ``writeRaw(_:_:)``, and the outbox notes nothing of it: what is written is the server's, or undoes a change.
    package func writeQuietly<Value: Sendable>(
        _ operation: String, _ body: @escaping @Sendable (Database, RawChanges) throws -> Value
    ) async throws -> Value {
        try await writeRaw(operation) { database, changes in
            try database.beginQuiet()
            let value = try body(database, changes)
            try database.endQuiet()
            return value
        }
    }
}
