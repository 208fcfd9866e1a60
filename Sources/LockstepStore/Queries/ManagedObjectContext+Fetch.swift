import GRDB
internal import GRDBSQLite

extension ManagedObjectContext {
    /// Fetches the records that a request of GRDB's query interface selects, in its order.
    ///
    /// It queries the store, so new records and changes are found after they were saved. The context's state is kept:
    /// there is one object for each record, with its unsaved changes. Records that are about to be deleted are left
    /// out.
    ///
    /// ```swift
    /// let happy = try context.fetch(Entry.filter { $0.mood == .happy }.order(\.timestamp.desc).limit(10))
    /// ```
    ///
    /// - Throws: `StoreError` if the store cannot be read, the request selects columns other than the entity's, or an
    ///   earlier accessor could not read what it needed.
    public func fetch<Object: Model>(_ request: some ModelRequest<Object>) throws -> [Object] {
        try beginReading()
        let objects = try rows(of: request.request)
        try prefetch(request.prefetches, of: objects)
        return objects
    }

    /// Returns the first record that a request selects; `nil` if it selects none.
    ///
    /// - Throws: As `fetch(_:)`.
    public func first<Object: Model>(_ request: some ModelRequest<Object>) throws -> Object? {
        try beginReading()
        guard let object = try firstRow(of: request.request) else { return nil }
        try prefetch(request.prefetches, of: [object])
        return object
    }

    /// Returns the number of records that a request selects, in the store as it was last saved.
    ///
    /// - Throws: As `fetch(_:)`.
    public func count<Object: Model>(_ request: some ModelRequest<Object>) throws -> Int {
        try beginReading()
        return try read { try request.request.fetchCount($0) }
    }

    /// Returns whether a request selects any record, in the store as it was last saved.
    ///
    /// - Throws: As `fetch(_:)`.
    public func exists<Object: Model>(_ request: some ModelRequest<Object>) throws -> Bool {
        try beginReading()
        return try read { try !request.request.isEmpty($0) }
    }

    /// Returns the record with this identity, including unsaved ones; `nil` if there is none, or it was deleted.
    ///
    /// - Throws: As `fetch(_:)`.
    public func find<Object: Model>(_ type: Object.Type, _ identity: Object.Identity) throws -> Object? {
        try type.find(identity, in: self)
    }

    /// Returns the record that has this identity on the server; `nil` if there is none, or it was deleted.
    ///
    /// - Throws: As `fetch(_:)`.
    public func find<Object: Model>(_ type: Object.Type, wireIdentity: Object.WireIdentity) throws -> Object? {
        try type.find(wireIdentity: wireIdentity, in: self)
    }

    private func firstRow<Object: Model>(of request: QueryInterfaceRequest<Object>) throws -> Object? {
        let records = records(Object.self)
        return try read { database in
            try connection.refreshSchema(database)
            var found: Object?
            // SQLite needs to look for one row only, if the request has no limit of its own. If that row is about to be
            // deleted, the next ones are read.
            for isSingle in [true, false] where found == nil {
                var isLeftOut = false
                let statement = try request.makePreparedRequest(database, forSingleResult: isSingle).statement
                try records.plan.checkColumns(of: statement)
                try connection.step(through: statement, in: database, of: records.plan) { row in
                    let object = records.typedObject(at: row)
                    isLeftOut = object.state == .deleted
                    if !isLeftOut { found = object }
                    return isLeftOut
                }
                if !isLeftOut { break }
            }
            return found
        }
    }

    private func rows<Object: Model>(of request: QueryInterfaceRequest<Object>) throws -> [Object] {
        let records = records(Object.self)
        return try read { database in
            try connection.refreshSchema(database)
            let statement = try request.makePreparedRequest(database, forSingleResult: false).statement
            try records.plan.checkColumns(of: statement)
            var objects: [Object] = []
            try connection.step(through: statement, in: database, of: records.plan) { row in
                let object = records.typedObject(at: row)
                if object.state != .deleted { objects.append(object) }
                return true
            }
            return objects
        }
    }
}
