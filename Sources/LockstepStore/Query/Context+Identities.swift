import GRDB

extension Context {
    /// The identities of the records that a request selects, in its order. Only the key's columns are read, and no
    /// objects are made.
    ///
    /// As for ``fetch(_:)``, the store is asked, and records that are about to be deleted are left out.
    ///
    /// ```swift
    /// let identifiers = try context.ids(Entry.filter { $0.mood == Mood.happy })
    /// ```
    ///
    /// - Throws: As ``fetch(_:)``.
    public func ids<Object: Model>(_ request: some ModelRequest<Object>) throws -> [Object.Identity] {
        try beginReading()
        let records = records(Object.self)
        let keys = request.request.select(records.plan.keySelection)
        return try read { database in
            let statement = try keys.makePreparedRequest(database, forSingleResult: false).statement
            var identities: [Object.Identity] = []
            try scan(statement, database, records.plan) { row in
                let identity = Object.identity(in: row)
                let isLeftOut = !records.deletedObjects.isEmpty && records.deletedObjects[identity.recordKey] != nil
                if !isLeftOut { identities.append(identity) }
                return true
            }
            return identities
        }
    }

    /// Whether there is a record with this identity, unsaved ones included. No object is made.
    ///
    /// - Throws: As ``fetch(_:)``.
    public func exists<Object: Model>(_ type: Object.Type, _ identity: Object.Identity) throws -> Bool {
        try beginReading()
        let records = records(type)
        switch records.registered(identity)?.recordState {
        case .deleted: return false
        case .inserted, .changed: return true
        default: break
        }
        let sql = "SELECT 1 FROM \(SQLName.quoted(records.plan.table)) WHERE \(records.plan.keyCondition)"
        return try integer(sql, identity.keyValues) != nil
    }
}

extension EntityPlan {
    /// The key's columns in their places, and NULL in the others': what an identity is read from.
    var keySelection: [any SQLSelectable] {
        columns.indices.prefix(through: keyColumns.max() ?? 0).map { place -> any SQLSelectable in
            if keyColumns.contains(place) { return Column(SQLName.forGRDB(columns[place].name)) }
            return DatabaseValue.null
        }
    }
}
