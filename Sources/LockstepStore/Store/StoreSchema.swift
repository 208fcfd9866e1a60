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
}

extension StoreSchema {
    /// Distinguishes tables with the same name and version: a hash of the statements that create them.
    public static var fingerprint: String {
        SchemaDescription.fingerprint(of: name, version, statements)
    }

    /// The schema without its models' types.
    static var description: SchemaDescription {
        SchemaDescription(name: name, version: version, entities: plans, statements: statements)
    }

    /// The plans of the entities.
    static var plans: [EntityPlan] { entities.map { $0.entity.plan } }
}
