import GRDB

extension ManagedObjectContext {
    /// The records that a request selects, including those that this context is about to delete, which are in the store
    /// until that is saved. A record that the request selects several times is included once, where it came first.
    func savedRows<Object: Model>(of request: QueryInterfaceRequest<Object>) throws -> [ManagedObject] {
        let records = records(Object.self)
        return try read { database in
            let statement = try request.makePreparedRequest(database, forSingleResult: false).statement
            try records.plan.checkColumns(of: statement)
            var rows: [ManagedObject] = []
            try connection.forEachRow(of: statement, in: database, plan: records.plan) {
                rows.append(records.typedObject(at: $0))
            }
            // Only a join can return a record twice.
            return statement.sql.contains("JOIN") ? rows.uniqued() : rows
        }
    }

    /// An object with the stored values: the object itself if it has no unsaved changes, otherwise a separate,
    /// unregistered one.
    func asSaved(_ object: ManagedObject) throws -> ManagedObject {
        guard !object.originalValues.isEmpty, let records = object.records else { return object }
        let plan = object.plan
        let key = plan.keyColumns.map { column in
            object.originalValues.first { $0.column == column }?.value ?? object.storedValue(column)
        }
        return try read { database in
            var saved = object
            let statement = try database.cachedStatement(sql: plan.findSQL)
            RowWriter.bind(key, to: statement.sqliteStatement)
            try connection.forEachRow(of: statement, in: database, plan: plan) {
                saved = records.unregisteredObject(at: $0)
            }
            return saved
        }
    }

    /// Picks up what others have saved, as a fetch does, and leaves errors of accessors to the app's next save or
    /// fetch.
    func takeOverChanges() throws {
        do { try errors.throwReadError() } catch {
            defer { errors.remember(error) }
            return try beginReading()
        }
        try beginReading()
    }
}

extension [ManagedObject] {
    /// The objects without duplicates.
    func uniqued() -> [ManagedObject] {
        var known: Set<ObjectIdentifier> = []
        return filter { known.insert(ObjectIdentifier($0)).inserted }
    }
}
