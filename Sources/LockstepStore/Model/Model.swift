public import GRDB

/// A generated class whose instances are records of one entity. Every model lives in one ``Context``.
public protocol Model: ManagedObject, TableRecord, EncodableRecord, Encodable, Identifiable {
    /// What tells records apart: the type of the table's key.
    associatedtype Identity: IdentityValue
    /// What tells records apart on the server: the remote half of `{ local, remote }`, else the same as `Identity`.
    associatedtype WireIdentity: IdentityValue = Identity
    /// The model as a value.
    associatedtype Representation: LockstepStore.Representation where Representation.Object == Self
    /// A handle for each relationship, for `prefetch`; entities without relationships have none.
    associatedtype Relationships = NoRelationships

    /// What the store knows of the entity.
    static var entity: EntityDescription { get }

    /// What makes this record the same record everywhere.
    var identity: Identity { get }

    /// The record's identity on the server; `nil` where the server has not given one yet, and where the entity has
    /// none.
    var wireIdentity: WireIdentity? { get }

    /// Reads the identity from a row of all columns in order.
    static func identity(in row: RowReader) -> Identity

    /// Makes the object of a row. The context calls it.
    init(row: RowReader, context: Context)

    /// Makes a new record from a representation; `nil` if that breaks one of the schema's limits.
    init?(representation: Representation, context: Context)

    /// The record as a value: what goes over the wire.
    var representation: Representation { get }

    /// Takes over every value of `representation`; writes nothing that is equal already, and does not save.
    func update(from representation: Representation)

    /// Whether every value is that of `representation`.
    func matches(_ representation: Representation) -> Bool
}

extension Model {
    public static var databaseTableName: String { SQLName.forGRDB(entity.table) }

    /// Every column, in the order of the description: rows are read by place.
    public static var databaseSelection: [any SQLSelectable] { entity.columns.map { Column(SQLName.forGRDB($0.name)) } }

    public var id: Identity { identity }

    // What GRDB asks for keys by: `Entry.filter(id: uuid)`, `Entry.deleteOne(database, key: uuid)`.

    /// A UUID is kept as text.
    public static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
        .lowercaseString
    }

    /// A date is kept as seconds.
    public static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .timeIntervalSince1970
    }

    /// Writes every column as the store keeps it, for GRDB's associations.
    public func encode(to container: inout PersistenceContainer) throws {
        for (place, column) in Self.entity.columns.enumerated() { container[column.name] = storedValue(place) }
    }

    /// Writes the record as its representation is written.
    public func encode(to encoder: any Encoder) throws { try representation.encode(to: encoder) }

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

    /// Whether a representation, and those embedded in it, keep to the schema's limits.
    public static func isValid(_ representation: Representation) -> Bool {
        LimitsChecker.violation(in: representation) == nil
    }
}

extension Model where WireIdentity == Identity {
    public var wireIdentity: Identity? {
        if case .none = Self.entity.identity { return nil }
        return identity
    }
}
