/// A generated schema: what a store is made for.
public protocol StoreSchema: Sendable {
    /// The schema's name.
    static var name: String { get }
    /// The version of the data model, 1 or more.
    static var version: Int { get }
    /// Every concrete entity.
    static var entities: [any Model.Type] { get }
    /// The SQL that makes the tables, in order.
    static var statements: [String] { get }
}

extension StoreSchema {
    /// Tells tables apart that have the same name and version: a hash of the statements that make them.
    public static var fingerprint: String {
        SchemaDescription.fingerprint(of: name, version, statements)
    }

    /// The schema without its models' types.
    static var description: SchemaDescription {
        SchemaDescription(name: name, version: version, entities: plans, statements: statements)
    }

    /// The entities by their plans.
    static var plans: [EntityPlan] { entities.map { $0.entity.plan } }
}
