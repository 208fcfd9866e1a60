import GRDB

extension ManagedObjectContext {
    /// The records that a request selects, as ``savedRows(of:)`` returns them, if the context knows most of them.
    ///
    /// The store is only asked for their keys. What the context knows of a record is what the store has, so only the
    /// others are read. This is faster by far: SQLite drops the pages that a connection has in memory after each commit
    /// of another one, and the keys are on few pages.
    ///
    /// - Returns: `nil` if all columns must be read: the request groups its rows, the context has not picked up all
    ///   commits, or it does not know too many of the records.
    func knownRows<Object: Model>(of request: QueryInterfaceRequest<Object>) throws -> [ManagedObject]? {
        // A parent has records that the store does not have.
        guard parent == nil else { return nil }
        let records = records(Object.self)
        let plan = records.plan
        let keys = request.select(plan.keyColumns.map { Column(plan.columns[$0].name) })
        var rows: [ManagedObject?] = []
        var unknown: [(position: Int, key: RecordKey)] = []
        var canReturnTwice = false
        let isComplete = try read { database in
            // It cannot be prepared if the request orders by something that it selects itself.
            guard let statement = try? keys.makePreparedRequest(database, forSingleResult: false).statement,
                !Self.combiningWords.contains(where: statement.sql.contains)
            else { return false }
            canReturnTwice = statement.sql.contains("JOIN")
            var isComplete = true
            try connection.step(through: statement, in: database, of: plan) { _ in
                let key = RawRow(statement.sqliteStatement).key(plan.keyColumns.count)
                var object = records.registeredObject(of: key)
                // A new object is not that of a row with its key, until it is saved.
                if object.map({ $0.state == .inserted || commits.isUnread($0) }) ?? true {
                    object = nil
                    unknown.append((rows.count, key))
                }
                rows.append(object)
                isComplete = !commits.mayBeBehind && unknown.count <= Self.unknownLimit
                return isComplete
            }
            return isComplete
        }
        guard isComplete else { return nil }
        for (position, key) in unknown {
            rows[position] = try records.objects(sql: plan.findSQL, arguments: key.values).first
        }
        // Another connection may have deleted one in between. Its commit is picked up later.
        let found = rows.compactMap(\.self)
        return canReturnTwice ? found.uniqued() : found
    }

    /// How many records are read by their keys before it is faster to read all columns of all of them.
    private static let unknownLimit = 64

    /// Words of SQL by which the rows of a request are not those of the table.
    private static let combiningWords = ["DISTINCT", "GROUP BY", "UNION", "INTERSECT", "EXCEPT"]
}
