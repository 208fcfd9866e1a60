package import GRDB

/// Creates representations of rows that are in no table, such as a record's former state or its state on the server.
package struct RepresentationMaker: Sendable {
    private let base: StoreBase

    fileprivate init(_ base: StoreBase) { self.base = base }

    /// Returns the representation of a row. Its parts from other records have their values in the store.
    ///
    /// - Parameter values: The values of all columns, in the order of the entity's description.
    /// - Throws: `StoreError` if a value cannot be read.
    package func make<Object: Model>(
        _ type: Object.Type, of values: [DatabaseValue], in database: Database
    ) throws -> Object.Representation? {
        let context = ManagedObjectContext(base)
        defer { context.close() }
        return try context.connection.use(database) { try context.object(type, of: values)?.representation }
    }
}

extension Store {
    /// Creates representations of rows that are in no table.
    package var representationMaker: RepresentationMaker { RepresentationMaker(base) }
}

extension ManagedObjectContext {
    /// An object with these values, in a context that was created for it.
    fileprivate func object<Object: Model>(_ type: Object.Type, of values: [DatabaseValue]) throws -> Object? {
        let records = records(type)
        var object: Object?
        try read { database in
            let columns = records.plan.columns.map { "? AS \(SQLName.quoted($0.name))" }
            let statement = try database.cachedStatement(sql: "SELECT \(columns.joined(separator: ", "))")
            RowWriter.bind(values, to: statement.sqliteStatement)
            try scan(statement, in: database, of: records.plan) { row in
                object = records.typedObject(at: row)
                return false
            }
        }
        return object
    }
}
