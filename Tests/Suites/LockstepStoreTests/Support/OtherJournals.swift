import LockstepEvolution
import LockstepStore
import RuntimeTestSupport
import StoreSamples

// The generator writes neither an outdated version of a schema nor a broken one.

/// A later version of the journal, with the same tables.
enum NewerJournal: StoreSchema {
    static let name = JournalSchema.name
    static let version = 2
    static let entities = JournalSchema.entities
    static let fingerprint = JournalSchema.fingerprint
    static let structure = JournalSchema.structure
    static let compiled = JournalSchema.compiled
}

/// The same version of the journal, in which titles are optional.
enum OtherTablesJournal: StructuredSchema {
    static let entities = JournalSchema.entities
    static let compiled = CompiledSchema(SchemaPlan(tables))
    static let tables: SchemaStructure = {
        var tables = JournalSchema.plan.structure
        let title = tables.entities[0].attributes.firstIndex { $0.name == "title" }!
        tables.entities[0].attributes[title].isOptional = true
        return tables
    }()
}

/// Two entities with the same table.
enum BrokenSchema: StructuredSchema {
    static let entities: [any Model.Type] = []
    static let compiled = CompiledSchema(SchemaPlan(tables))
    static let tables = SchemaStructure(
        name: "Broken",
        entities: ["One", "Other"].map { EntityStructure(name: $0, table: "one", identity: .none, attributes: []) })
}
