public import GRDB

/// A generated class whose instances are records of one entity. Every model lives in one ``Context``.
public protocol Model: ManagedObject, EntityType, TableRecord, EncodableRecord, Encodable, Identifiable {
    /// What tells records apart: the type of the table's key.
    associatedtype Identity: IdentityValue
    /// What tells records apart on the server: the remote half of `{ local, remote }`, else the same as `Identity`.
    associatedtype WireIdentity: IdentityValue = Identity
    /// The model as a value.
    associatedtype Representation: LockstepStore.Representation where Representation.Object == Self
    /// A handle for each relationship, for `prefetch`; entities without relationships have none.
    associatedtype Relationships = NoRelationships

    /// What makes this record the same record everywhere.
    var identity: Identity { get }

    /// The record's identity on the server; `nil` if the server has not given one yet, or if the entity has
    /// none.
    var wireIdentity: WireIdentity? { get }

    /// Reads the identity from a row of all columns in order.
    @_spi(Generated) static func identity(in row: RowReader) -> Identity

    /// Makes the object of a row. The context calls it.
    @_spi(Generated) init(row: RowReader, context: Context)

    /// Makes a new record from what a server sent; `nil` if it breaks one of the schema's limits.
    init?(representation: Representation, context: Context)

    /// The record as a value: what goes over the wire.
    var representation: Representation { get }

    /// Sets every value that the JSON of `representation` had. Values that are equal already are not written, and
    /// nothing is saved.
    ///
    /// The representation of another record changes nothing; the next save then throws `StoreError` (`wrongIdentity`).
    func update(from representation: Representation)

    /// Whether `representation` has nothing that would change the record; `==` asks this.
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

extension Model {
    /// Whether a representation is one of this record, so that its values may be taken over.
    ///
    /// One of another record would give this one that record's values under its own identity. The mistake is
    /// remembered, and the next save throws it as `StoreError` (`wrongIdentity`).
    @_spi(Generated) public func accepts(_ representation: Representation) -> Bool {
        guard let own = wireIdentity, let other = representation.wireIdentity, own != other else { return true }
        context.errors.remember(
            StoreError(
                .wrongIdentity, doing: "updating from a representation", entity: Self.entity.name, record: "\(own)",
                reason: "the representation is of the record “\(other)”",
                remedy: "Find the record with the representation's identity and update that."))
        return false
    }
}

/// The `Relationships` of a model that has none.
public enum NoRelationships {}

// A requirement that only generated code sees must have an implementation. These two are unavailable, so that a model
// without its own does not compile.
extension Model {
    @available(*, unavailable, message: "Generate the models again")
    @_spi(Generated) public static func identity(in row: RowReader) -> Identity { fatalError() }

    @available(*, unavailable, message: "Generate the models again")
    @_spi(Generated) public init(row: RowReader, context: Context) { fatalError() }
}
