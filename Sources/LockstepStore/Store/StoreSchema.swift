/// A generated schema, which a store is created for.
public protocol StoreSchema: Sendable {
    /// The schema's name.
    static var name: String { get }
    /// The version of the data model, 1 or more.
    static var version: Int { get }
    /// Every concrete entity, in the order of ``structure``.
    static var entities: [any Model.Type] { get }
    /// Identifies what is stored and sent: two schemas with the same fingerprint can open each other's stores.
    static var fingerprint: String { get }
    /// The structure that is stored and sent, as JSON. The order of members is that of the columns and of the keys in
    /// bodies.
    static var structure: String { get }
    /// The recorded versions, as JSON; empty if there are none.
    static var history: String { get }
    /// Whether the schema differs from its last recorded version. Such a schema cannot be built for release.
    static var isDraft: Bool { get }
    /// The conversions of rows that the app writes in Swift.
    static var conversions: [RowConversion] { get }
    /// The compiled form of ``structure``.
    static var compiled: CompiledSchema { get }
}

extension StoreSchema {
    public static var history: String { "" }

    public static var isDraft: Bool { false }

    public static var conversions: [RowConversion] { [] }

    @available(*, unavailable, message: "This code is of an earlier version of lockstep: run 'lockstep generate' again")
    public static var compiled: CompiledSchema { preconditionFailure() }
}

extension StoreSchema {
    package static var plan: SchemaPlan { compiled.plan }

    /// The SQL that creates the tables, indexes and triggers, in the order of execution.
    package static var statements: [String] { plan.statements }

    /// The schema without its models' types.
    static var description: SchemaDescription { SchemaDescription(Self.self) }
}

extension SchemaDescription {
    package init<Schema: StoreSchema>(_ schema: Schema.Type) {
        self.init(
            name: schema.name, version: schema.version, plan: schema.plan, fingerprint: schema.fingerprint,
            structure: schema.structure, history: schema.history, isDraft: schema.isDraft,
            conversions: schema.conversions)
    }
}
