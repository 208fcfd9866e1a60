import GRDB

extension ManagedObjectContext {
    /// Returns the identities of the records that a request selects, in its order. Only the key's columns are read, and
    /// no objects are created.
    ///
    /// As `fetch(_:)`, it queries the store, and records that are about to be deleted are left out.
    ///
    /// ```swift
    /// let identifiers = try context.ids(Entry.filter { $0.mood == Mood.happy })
    /// ```
    ///
    /// - Throws: As `fetch(_:)`.
    public func ids<Object: Model>(_ request: some ModelRequest<Object>) throws -> [Object.Identity] {
        try beginReading()
        let records = records(Object.self)
        let sql: SQL = "SELECT \(records.plan.keySelection) FROM \(Self.rows(of: request.request))"
        var identities: [Object.Identity] = []
        // SQLite keeps the order of the only query that it selects from.
        try scan(sql, of: records.plan) { row in
            let identity = Object.identity(in: row)
            let isLeftOut = !records.deletedObjects.isEmpty && records.deletedObjects[identity.recordKey] != nil
            if !isLeftOut { identities.append(identity) }
            return true
        }
        return identities
    }

    /// Returns whether there is a record with this identity, including unsaved ones. No object is created.
    ///
    /// - Throws: As `fetch(_:)`.
    public func exists<Object: Model>(_ type: Object.Type, _ identity: Object.Identity) throws -> Bool {
        try beginReading()
        let records = records(type)
        switch records.registered(identity)?.state {
        case .deleted: return false
        case .inserted, .changed: return true
        default: break
        }
        let sql = "SELECT 1 FROM \(SQLName.quoted(records.plan.table)) WHERE \(records.plan.keyCondition)"
        return try connection.integer(sql, with: identity.keyValues) != nil
    }
}

extension EntityPlan {
    /// The key's columns of ``ManagedObjectContext/rows(of:)`` at their indexes, and NULL for the others, to read an
    /// identity from.
    var keySelection: SQL {
        columns.indices.prefix(through: keyColumns.max() ?? 0)
            .map { keyColumns.contains($0) ? ManagedObjectContext.column($0, of: self) : "NULL" }.joined(
                separator: ", ")
    }
}
