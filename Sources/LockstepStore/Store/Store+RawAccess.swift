package import GRDB

extension Store {
    /// The schema's entities by their plans, in the order of the schema.
    package var plans: [EntityPlan] { base.entities }

    /// Runs `body` in one write transaction, off the caller's actor; one after another, as all that writes.
    ///
    /// Cancelling the task rolls back.
    ///
    /// - Parameter isQuiet: Whether the outbox notes nothing of it: what is written is the server's, or undoes a
    ///   change. Then `body` tells of each write before it: ``RawChanges/beginQuiet(_:)``.
    /// - Throws: `StoreError` for errors of SQLite, `CancellationError`, and what `body` throws; but if that is
    ///   ``BeginAgain``, `body` is called again.
    package func writeRaw<Value: Sendable>(
        _ operation: String, isQuiet: Bool = false,
        _ body: @escaping @Sendable (Database, RawChanges) throws -> Value
    ) async throws -> Value {
        try await base.writeRaw(operation, isQuiet: isQuiet, body)
    }

    /// Runs `body` with one of the store's readers: all that it reads is of one moment.
    ///
    /// - Throws: `StoreError` for errors of SQLite, `CancellationError`, and what `body` throws.
    package func reading<Value: Sendable>(
        _ operation: String, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            return try await base.writer.read(body)
        } catch let error as DatabaseError {
            throw StoreError.thrown(for: error, doing: operation)
        }
    }
}
