import GRDB

extension RecordMap {
    /// The record with a key, unsaved ones included.
    func record(_ key: RecordKey) throws -> ManagedObject? {
        if let above = context.above {
            if let record = try above.record(of: self, key: key) { return record }
        } else if let stored = try objects(sql: plan.findSQL, arguments: key.values).first {
            return stored
        }
        return context.unsaved.inserted.last {
            $0.state == .inserted && $0.records === self && $0.recordKey == key
        }
    }

    /// The objects of the rows of internal SQL. Records that are about to be deleted are left out.
    func objects(sql: String, arguments: [DatabaseValue]) throws -> [ManagedObject] {
        try context.read { database in
            let statement = try database.cachedStatement(sql: sql)
            RowWriter.bind(arguments, to: statement.sqliteStatement)
            var objects: [ManagedObject] = []
            try context.connection.forEachRow(of: statement, in: database, plan: plan) { row in
                let object = object(at: row)
                if object.state != .deleted { objects.append(object) }
            }
            return objects
        }
    }
}
