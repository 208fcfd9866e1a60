package import GRDB

extension Model {
    /// Returns the record with this identity, including unsaved ones; `nil` if there is none, or it was deleted.
    ///
    /// - Throws: `StoreError` if the store cannot be read.
    public static func find(_ identity: Identity, in context: ManagedObjectContext) throws -> Self? {
        try context.beginReading()
        return try context.records(Self.self).find(identity)
    }

    /// Returns the record that has this identity on the server; `nil` if there is none, or it was deleted.
    ///
    /// - Throws: `StoreError` if the store cannot be read.
    public static func find(wireIdentity: WireIdentity, in context: ManagedObjectContext) throws -> Self? {
        try context.beginReading()
        return try context.records(Self.self).find(wireIdentity: wireIdentity)
    }

    /// Returns the record with this identity or, if there is none, the one returned by `make`.
    ///
    /// If it throws, the records that `make` inserted are discarded.
    ///
    /// - Throws: `StoreError` if the store cannot be read, or `make` created a record with another identity or in
    ///   another context; errors of `make`.
    public static func findOrInsert(
        _ identity: Identity, in context: ManagedObjectContext, make: (ManagedObjectContext) throws -> Self
    ) throws -> Self {
        if let found = try find(identity, in: context) { return found }
        return try context.making(record: identity.recordText, make) { made in
            guard made.identity != identity else { return }
            throw StoreError(
                .wrongIdentity, doing: "creating a record that was not found", entity: entity.name,
                record: identity.recordText, reason: "a record with another identity was created",
                remedy: "Give the new record the requested identity.")
        }
    }

    /// The request that selects the record with a key.
    package static func request(of key: RecordKey) -> QueryInterfaceRequest<Self> {
        let plan = entity.plan
        let parts = zip(plan.keyColumns, key.values).map { column, value -> SQL in
            "\(sql: SQLName.quoted(plan.columns[column].name)) = \(value.wholeExpression)"
        }
        return filter(literal: parts.joined(separator: " AND "))
    }

    /// The record with this identity if the context has it already, including unsaved ones.
    ///
    /// Code that is tracked is notified when a record is inserted, also if that is redone. The state of the returned
    /// record is its own.
    @MainActor
    package static func known(_ identity: Identity, in context: ManagedObjectContext) -> Self? {
        context.observation?.didReadInserted(of: context)
        return context.records(Self.self).live(identity)
    }
}
