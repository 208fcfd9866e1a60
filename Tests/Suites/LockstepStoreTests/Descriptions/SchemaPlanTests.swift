import LockstepEvolution
import LockstepStore
import StoreSamples
import Testing

@Suite("Plans of schemas")
struct SchemaPlanTests {
    @Test("The plan of a recorded structure is freed, with the entities that refer to each other")
    func release() throws {
        weak var plan: SchemaPlan?
        weak var book: EntityPlan?
        func make() throws {
            let structure = try SchemaStructure(recorded: SchemaTree(LibrarySchema.plan.structure))
            let made = SchemaPlan(structure)
            plan = made
            book = made["Book"]
            let author = try #require(made["Book"]?.relationships.first { $0.name == "author" })
            #expect(author.destination === made["Author"])
        }
        try make()
        #expect(plan == nil)
        #expect(book == nil)
    }
}
