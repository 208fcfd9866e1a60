package import GRDB

extension Store {
    /// Returns the records that a request selects as values, read off the main actor.
    ///
    /// It uses one of the store's readers and does not wait for `perform`. All values are from the same state of the
    /// store.
    ///
    /// ```swift
    /// let values = try await store.representations(Entry.filter { $0.mood == .happy }.limit(20))
    /// ```
    ///
    /// - Parameter request: Creates the request. It is called on the reader, because requests are not sendable; what it
    ///   captures must be.
    /// - Throws: `StoreError` if the store cannot be read, or the request selects columns other than the entity's;
    ///   `CancellationError` if the task was cancelled.
    public func representations<Request: ModelRequest>(
        _ request: @autoclosure @escaping @Sendable () -> Request
    ) async throws -> [Request.Object.Representation] {
        do {
            return try await base.writer.read { [base] database in
                let reader = ManagedObjectContext(base)
                defer { reader.close() }
                return try reader.connection.use(database) { try reader.storedRepresentations(request().request) }
            }
        } catch let error as DatabaseError {
            throw StoreError(error, doing: "reading the store")
        }
    }
}

extension Store {
    /// Returns the record with a key as a value, read with an existing connection; `nil` if there is none.
    package func representation<Object: Model>(
        of type: Object.Type, key: RecordKey, in database: Database
    ) throws -> Object.Representation? {
        let reader = ManagedObjectContext(base)
        defer { reader.close() }
        return try reader.connection.use(database) {
            try reader.storedRepresentations(Object.request(of: key)).first
        }
    }

    /// Returns the model of an entity; `nil` if the schema has none with this name.
    package func model(named name: String) -> (any Model.Type)? {
        schema.entities.first { $0.entity.name == name }
    }
}
