/// A generated schema, which a store is created for.
public protocol StoreSchema: Sendable {
    /// The schema's name.
    static var name: String { get }
    /// The version of the data model, 1 or more.
    static var version: Int { get }
    /// Every concrete entity.
    static var entities: [any Model.Type] { get }
    /// The SQL that creates the tables, in order.
    static var statements: [String] { get }
    /// Identifies what is stored and sent: two schemas with the same fingerprint can open each other's stores.
    static var fingerprint: String { get }
    /// What is stored and sent, as JSON; empty for a schema without it, whose stores cannot be migrated.
    static var structure: String { get }
    /// The recorded versions, as JSON; empty if there are none.
    static var history: String { get }
    /// Whether the schema differs from its last recorded version. Such a schema cannot be built for release.
    static var isDraft: Bool { get }
    /// The conversions of rows that the app writes in Swift.
    static var conversions: [RowConversion] { get }
}

extension StoreSchema {
    /// For schemas without a structure: a hash of the statements that create the tables.
    public static var fingerprint: String {
        SchemaDescription.fingerprint(of: name, version: version, statements: statements)
    }

    public static var structure: String { "" }

    public static var history: String { "" }

    public static var isDraft: Bool { false }

    public static var conversions: [RowConversion] { [] }

    /// The schema without its models' types.
    static var description: SchemaDescription { SchemaDescription(Self.self) }

    /// The plans of the entities.
    static var plans: SchemaPlan { entities.map { $0.entity.plan } }
}

extension SchemaDescription {
    package init<Schema: StoreSchema>(_ schema: Schema.Type) {
        self.init(
            name: schema.name, version: schema.version, entities: schema.plans, statements: schema.statements,
            fingerprint: schema.fingerprint, structure: schema.structure, history: schema.history,
            isDraft: schema.isDraft, conversions: schema.conversions)
    }
}
