/// The schema of a store: the tables of a generated schema, and what distinguishes them from another's.
struct SchemaDescription {
    let name: String
    /// The version of the data model, 1 or more.
    let version: Int
    /// The entities by their plans, in the order of the schema.
    let entities: [EntityPlan]
    /// The SQL that creates the tables, in order.
    let statements: [String]

    /// Distinguishes tables with the same name and version: a hash of the statements that create them.
    var fingerprint: String { Self.fingerprint(of: name, version, statements) }

    static func fingerprint(of name: String, _ version: Int, _ statements: [String]) -> String {
        Fingerprint.text(of: [name, String(version)] + statements)
    }
}
