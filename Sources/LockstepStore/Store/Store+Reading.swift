package import GRDB

extension Store {
    /// Runs `body` with one of the store's readers: all that it reads is of one moment.
    ///
    /// - Throws: `StoreError` for errors of SQLite, and what `body` throws.
    package func reading<Value: Sendable>(
        _ operation: String, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            return try await base.writer.read(body)
        } catch let error as DatabaseError {
            throw StoreError(error, doing: operation)
        }
    }
}
