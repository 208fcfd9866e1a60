extension Model {
    /// The record with this identity, unsaved ones included; `nil` where there is none, or it was deleted.
    ///
    /// - Throws: `StoreError` where the store cannot be read.
    public static func find(_ identity: Identity, in context: Context) throws -> Self? {
        try context.beginReading()
        return try context.records(Self.self).find(identity)
    }

    /// The record that has this identity on the server; `nil` where there is none, or it was deleted.
    ///
    /// - Throws: `StoreError` where the store cannot be read.
    public static func find(wireIdentity: WireIdentity, in context: Context) throws -> Self? {
        try context.beginReading()
        return try context.records(Self.self).find(wireIdentity: wireIdentity)
    }

    /// The record with this identity, or what `make` makes where there is none.
    ///
    /// Where it throws, what `make` inserted is taken back.
    ///
    /// - Throws: `StoreError` where the store cannot be read or `make` made a record of another identity or in another
    ///   context; what `make` throws.
    public static func findOrInsert(
        _ identity: Identity, in context: Context, make: (Context) throws -> Self
    ) throws -> Self {
        if let found = try find(identity, in: context) { return found }
        return try context.making(record: identity.recordText, make) { made in
            guard made.identity != identity else { return }
            throw StoreError(
                .wrongIdentity, doing: "making a record that was not found", entity: entity.name,
                record: identity.recordText, reason: "a record of another identity was made",
                remedy: "Give the new record the identity that was looked for.")
        }
    }
}
