public import GRDB

/// A generated class whose instances are records of one entity. Every model belongs to one ``ManagedObjectContext``.
public protocol Model: ManagedObject, EntityType, TableRecord, EncodableRecord, Encodable, Identifiable {
    /// The type of the table's key, which identifies records.
    associatedtype Identity: IdentityValue
    /// The type that identifies records on the server: the remote part of `{ local, remote }`, otherwise `Identity`.
    associatedtype WireIdentity: IdentityValue = Identity
    /// The model as a value.
    associatedtype Representation: LockstepStore.Representation where Representation.Object == Self
    /// A handle for each relationship, for `prefetch`. Entities without relationships have none.
    associatedtype Relationships = NoRelationships

    /// The value that identifies this record on every device.
    var identity: Identity { get }

    /// The record's identity on the server; `nil` if the server has not assigned one yet, or if the entity has none.
    var wireIdentity: WireIdentity? { get }

    /// Reads the identity from a row of all columns in order.
    @_spi(Generated) static func identity(in row: RowReader) -> Identity

    /// Creates the object of a row. The context calls it.
    @_spi(Generated) init(row: RowReader, context: ManagedObjectContext)

    /// Creates a new record from what a server sent; `nil` if it violates one of the schema's limits.
    init?(representation: Representation, context: ManagedObjectContext)

    /// The record as a value, as it is sent and received.
    var representation: Representation { get }

    /// Sets every value that was present in the JSON of `representation`. Equal values are not written, and nothing is
    /// saved.
    ///
    /// The representation of another record changes nothing. The next save then throws `StoreError` (`wrongIdentity`).
    func update(from representation: Representation)

    /// Whether updating from `representation` would change nothing; `==` calls it.
    func matches(_ representation: Representation) -> Bool
}

extension Identifiable where Self: Model {
    /// The identity, also if an attribute `id` of another type is not the key: code that requires `Identifiable`, such
    /// as `ForEach`, then does not use the attribute.
    public typealias ID = Identity
}

extension Model {
    public static var databaseTableName: String { SQLName.forGRDB(entity.table) }

    /// Every column in the order of the description, because rows are read by index.
    public static var databaseSelection: [any SQLSelectable] { entity.columns.map { Column(SQLName.forGRDB($0.name)) } }

    /// The identity, for code that requires `Identifiable`. In a model with an attribute `id`, this is the attribute;
    /// code that requires `Identifiable` uses it only if it has the type of the identity.
    public var id: Identity { identity }

    // What GRDB uses for keys: `Entry.filter(id: uuid)`, `Entry.deleteOne(database, key: uuid)`.

    /// UUIDs are stored as text.
    public static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
        .lowercaseString
    }

    /// Dates are stored as seconds.
    public static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .timeIntervalSince1970
    }

    /// Encodes every column as the store does, for GRDB's associations.
    @_spi(Generated) public func encode(to container: inout PersistenceContainer) throws {
        for (index, column) in Self.entity.columns.enumerated() { container[column.name] = storedValue(index) }
    }

    /// Encodes the record in the same way as its representation.
    @_spi(Generated) public func encode(to encoder: any Encoder) throws { try representation.encode(to: encoder) }

    /// Whether a representation, and those embedded in it, satisfy the schema's limits.
    public static func isValid(_ representation: Representation) -> Bool {
        LimitsChecker.violation(in: representation) == nil
    }
}

extension Model where WireIdentity == Identity {
    public var wireIdentity: Identity? {
        if !Self.entity.plan.hasIdentity { return nil }
        return identity
    }
}

extension Model {
    /// Whether a representation describes this record, so that its values may be used.
    ///
    /// The representation of another record would give this record that one's values under its own identity. The error
    /// is remembered, and the next save throws it as `StoreError` (`wrongIdentity`).
    @_spi(Generated) public func accepts(_ representation: Representation) -> Bool {
        guard let own = wireIdentity, let other = representation.wireIdentity, own != other else { return true }
        context.errors.remember(
            StoreError(
                .wrongIdentity, doing: "updating from a representation", entity: Self.entity.name, record: "\(own)",
                reason: "the representation describes the record “\(other)”",
                remedy: "Find the record with the representation's identity and update that."))
        return false
    }
}

/// The `Relationships` of a model without relationships.
public enum NoRelationships {}

// A requirement that only generated code sees must have a default. These two are unavailable, so that a model that does
// not implement them does not compile.
extension Model {
    @available(*, unavailable, message: "Generate the models again")
    @_spi(Generated) public static func identity(in row: RowReader) -> Identity { fatalError() }

    @available(*, unavailable, message: "Generate the models again")
    @_spi(Generated) public init(row: RowReader, context: ManagedObjectContext) { fatalError() }
}
