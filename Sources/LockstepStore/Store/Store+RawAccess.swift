package import GRDB

extension Store {
    /// The plans of the schema's entities, in the order of the schema.
    package var plans: SchemaPlan { base.plans }

    /// Runs `body` in one write transaction, off the caller's actor. Writes are serialized.
    ///
    /// Cancelling the task rolls back.
    ///
    /// - Parameter suppressesOutbox: Whether the outbox ignores the writes, because they come from the server or undo a
    ///   change. Then `body` must call ``RawChanges/suppressOutbox(_:)`` before each write.
    /// - Throws: `StoreError` for errors of SQLite, `CancellationError`, and errors of `body`. If the error is
    ///   ``BeginAgain``, `body` is called again instead.
    package func writeRaw<Value: Sendable>(
        _ operation: String, suppressesOutbox: Bool = false,
        body: @escaping @Sendable (Database, RawChanges) throws -> Value
    ) async throws -> Value {
        try await base.writeRaw(operation, suppressesOutbox: suppressesOutbox, body: body)
    }

    /// Throws GRDB's error if the app is about to be suspended. What runs statements without GRDB calls it regularly.
    package func checkSuspension() throws { try base.suspension?.check() }

    /// Runs `body` with one of the store's readers. All of its reads see the same state.
    ///
    /// - Throws: `StoreError` for errors of SQLite, `CancellationError`, and errors of `body`.
    package func reading<Value: Sendable>(
        _ operation: String, body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            return try await base.writer.read(body)
        } catch let error as DatabaseError {
            throw StoreError.thrown(for: error, doing: operation)
        }
    }
}
