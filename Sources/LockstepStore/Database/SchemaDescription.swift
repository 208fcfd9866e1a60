/// What a store is made for: the tables of a generated schema and what tells them from those of another.
struct SchemaDescription {
    let name: String
    /// The version of the data model, 1 or more.
    let version: Int
    /// The entities by their plans, in the order of the schema.
    let entities: [EntityPlan]
    /// The SQL that makes the tables, in order.
    let statements: [String]

    /// Tells tables apart that have the same name and version: a hash of the statements that make them.
    var fingerprint: String { Self.fingerprint(of: name, version, statements) }

    static func fingerprint(of name: String, _ version: Int, _ statements: [String]) -> String {
        Fingerprint.text(of: [name, String(version)] + statements)
    }
}
