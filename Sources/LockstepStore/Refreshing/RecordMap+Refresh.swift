import GRDB

extension RecordMap {
    /// Refreshes the changed records that the context has.
    func refresh(_ change: TableChange) throws {
        let targets = objects(in: change).filter { $0.state == .stored || $0.state == .changed }
        try readAgain(targets.map { ($0.recordKey, $0) }, policy: context.mergePolicy)
    }

    /// The context's objects of the changed records. Those that nobody uses are not worth reading again.
    func objects(in change: TableChange) -> [ManagedObject] {
        if isEmpty { return [] }
        if change.isUnbounded {
            removeUnused(keepsObserved: true)
            return objectsInMap
        }
        var objects = change.keys.compactMap(usedObject(of:))
        // A deleted one may exist again.
        if change.hasInserts, !context.commits.unreadObjects.isEmpty {
            objects += objectsInMap.filter(context.commits.isUnread)
        }
        return objects
    }

    /// Reads the rows of records again, and marks those whose rows were deleted.
    func readAgain(_ targets: [(key: RecordKey, object: ManagedObject)], policy: MergePolicy) throws {
        if recordsAbove != nil { return try readParentAgain(targets.map(\.object), policy: policy) }
        var gone: [ManagedObject] = []
        var failure: (any Error)?
        let size = plan.keyColumns.count == 1 ? Self.batchSize : 1
        for start in stride(from: 0, to: targets.count, by: size) {
            let batch = targets[start..<min(start + size, targets.count)]
            let objects = batch.lazy.map { ObjectIdentifier($0.object) }
            do {
                gone += try readBatch(batch, policy: policy)
                if !context.commits.unreadObjects.isEmpty { context.commits.unreadObjects.subtract(objects) }
            } catch let error as StoreError {
                guard error.code == .unreadableValue else { throw error }
                failure = failure ?? error
                context.commits.unreadObjects.formUnion(objects)
            }
        }
        context.markGoneElsewhere(gone)
        if let failure { throw failure }
    }

    /// The number of rows that are read at once, large enough to make the cost of a query small for each.
    private static let batchSize = 64

    /// - Returns: Those whose rows do not exist.
    private func readBatch(
        _ targets: ArraySlice<(key: RecordKey, object: ManagedObject)>, policy: MergePolicy
    ) throws -> [ManagedObject] {
        var keys = targets.flatMap(\.key.values)
        var sql = plan.findSQL
        if targets.count > 1 {
            // Always the same number of parameters, so that the statement is prepared once.
            keys += Array(repeating: keys[0], count: Self.batchSize - targets.count)
            let key = SQLName.quoted(plan.columns[plan.keyColumns[0]].name)
            let placeholders = Array(repeating: "?", count: Self.batchSize).joined(separator: ", ")
            sql = "\(plan.selectSQL) WHERE \(SQLName.quoted(plan.table)).\(key) IN (\(placeholders))"
        }
        var found: Set<ObjectIdentifier> = []
        func goneObjects() -> [ManagedObject] {
            targets.lazy.map(\.object).filter { !found.contains(ObjectIdentifier($0)) }
        }
        try context.read { database in
            let statement = try database.cachedStatement(sql: sql)
            RowWriter.bind(keys, to: statement.sqliteStatement)
            try context.connection.forEachRow(of: statement, in: database, plan: plan) { row in
                guard let object = registeredObject(at: row) else { return }
                found.insert(ObjectIdentifier(object))
                merge(row, into: object, policy: policy)
            }
        }
        return goneObjects()
    }
}
