package import GRDB

extension Store {
    /// The records that a request selects, as values, read off the main actor.
    ///
    /// It reads with one of the store's readers and waits for no `perform`; what it gives is of one moment.
    ///
    /// ```swift
    /// let values = try await store.representations(Entry.filter { $0.mood == .happy }.limit(20))
    /// ```
    ///
    /// - Parameter request: It is made where it is read, since requests are not sendable; what it is made of must be.
    /// - Throws: `StoreError` where the store cannot be read, or the request selects other columns than the entity's;
    ///   `CancellationError` where the task was cancelled.
    public func representations<Request: ModelRequest>(
        _ request: @autoclosure @escaping @Sendable () -> Request
    ) async throws -> [Request.Object.Representation] {
        do {
            return try await base.writer.read { [base] database in
                let reader = Context(base)
                defer { reader.close() }
                return try reader.connection.use(database) { try reader.storedRepresentations(request().request) }
            }
        } catch let error as DatabaseError {
            throw StoreError(error, doing: "reading the store")
        }
    }
}

extension Store {
    /// The record with a key as a value, read with a connection that is at hand; `nil` where there is none.
    package func representation<Object: Model>(
        of type: Object.Type, key: RecordKey, in database: Database
    ) throws -> Object.Representation? {
        let reader = Context(base)
        defer { reader.close() }
        let plan = Object.entity.plan
        return try reader.connection.use(database) {
            let request = Object.filter(sql: plan.keyCondition, arguments: StatementArguments(key.values))
            return try reader.storedRepresentations(request).first
        }
    }

    /// The model of an entity; `nil` where the schema has none of this name.
    package func model(named name: String) -> (any Model.Type)? {
        schema.entities.first { $0.entity.name == name }
    }
}
