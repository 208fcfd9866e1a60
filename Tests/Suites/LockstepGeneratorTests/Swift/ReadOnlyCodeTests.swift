import LockstepGenerator
import LockstepSchema
import Testing

@Suite("Attributes that only the server sets, in generated code")
struct ReadOnlyCodeTests {
    @Test("They are marked in the description")
    func printed() throws {
        let text = """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes:
                  id: int
                  title: { type: string, readOnly: false }
                  createdAt: { type: date, wire: secondsSince1970, readOnly: true }
                  count: { type: int?, readOnly: true }

            """
        let schema = try #require(
            readSchemas([SchemaSource(path: "Schemas/Journal.yaml", bytes: Array(text.utf8))]).schemas.first)
        let code = generate(schema, options: GenerationOptions()).map { String(decoding: $0.contents, as: UTF8.self) }
            .joined()
        #expect(
            code.contains(
                #""createdAt":{"column":"created_at","readOnly":true,"type":"date","wire":"secondsSince1970"}"#))
        #expect(code.contains(#""count":{"readOnly":true,"type":"int?"}"#))
        #expect(code.contains(#""title":{"type":"string"}"#))
    }

    @Test("They are the last parameters of the initializer: a new record rarely has them")
    func initializer() throws {
        let text = """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: int, createdAt: { type: date, readOnly: true }, title: string }
                relationships: { tags: [Tag] }
              Tag:
                attributes: { id: int }

            """
        let schema = try #require(
            readSchemas([SchemaSource(path: "Schemas/Journal.yaml", bytes: Array(text.utf8))]).schemas.first)
        let files = generate(schema, options: GenerationOptions())
        let code = String(
            decoding: try #require(files.first { $0.path == "Journal/Entry.swift" }).contents, as: UTF8.self)
        #expect(
            code.contains(
                """
                    init(
                        id: Int,
                        title: String,
                        tags: [Tag] = [],
                        createdAt: Date,
                        context: ManagedObjectContext
                    ) {
                """))
    }
}
