/// The schema of a store: the tables of a generated schema, and what distinguishes them from another's.
package struct SchemaDescription: Sendable {
    package let name: String
    /// The version of the data model, 1 or more.
    package let version: Int
    package let plan: SchemaPlan
    /// Identifies what is stored and sent.
    package let fingerprint: String
    /// The structure, as JSON.
    package let structure: String
    /// The recorded versions, as JSON; empty if there are none.
    package let history: String
    /// Whether the schema differs from its last recorded version.
    package let isDraft: Bool
    /// The conversions of rows that the app writes in Swift.
    package var conversions: [RowConversion]

    package init(
        name: String, version: Int, plan: SchemaPlan, fingerprint: String, structure: String, history: String,
        isDraft: Bool = false, conversions: [RowConversion] = []
    ) {
        self.name = name
        self.version = version
        self.plan = plan
        self.fingerprint = fingerprint
        self.structure = structure
        self.history = history
        self.isDraft = isDraft
        self.conversions = conversions
    }

    /// The SQL that creates the tables, in order.
    package var statements: [String] { plan.statements }

    /// The fingerprint as version 0.1 of the library wrote it: a hash of the statements.
    var statementsFingerprint: String { Fingerprint.text(of: [name, String(version)] + statements) }
}
