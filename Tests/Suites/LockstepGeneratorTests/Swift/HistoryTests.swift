import LockstepEvolution
import LockstepGenerator
import LockstepSchema
import Testing

@Suite("What is stored and sent, and its versions, are compiled in")
struct HistoryTests {
    private static let text = """
        lockstep: 1
        schema: Journal
        entities:
          Entry:
            attributes: { id: uuid, title: { type: string, default: "\\"#\\"\\"\\"## \\x7F" } }

        """

    private static func schema(_ text: String = text) throws -> Schema {
        let reading = readSchemas([SchemaSource(path: "Schemas/Journal.yaml", bytes: Array(text.utf8))])
        try #require(reading.diagnostics.isEmpty)
        return try #require(reading.schemas.first)
    }

    private static func output(_ schema: Schema, history: SchemaHistory?) throws -> String {
        let files = generate(schema, options: GenerationOptions(), history: history)
        let file = try #require(files.first { $0.path == "Journal/JournalSchema.swift" })
        return String(decoding: file.contents, as: UTF8.self)
    }

    @Test("The fingerprint and the structure, in a literal that nothing in it ends")
    func structure() throws {
        let schema = try Self.schema()
        let text = try Self.output(schema, history: nil)
        #expect(text.contains("static let fingerprint = \"\(StructureHash(schema.structure).text)\""))
        #expect(text.contains("static let structure = #\"\"\"\n"))
        #expect(text.contains("## \\u007f"))
        #expect(!text.contains("static let history") && !text.contains("isDraft") && !text.contains("#error"))
    }

    @Test("A history has one line for each version")
    func history() throws {
        let schema = try Self.schema()
        let history = SchemaHistory(beginningWith: SchemaTree(schema.structure), version: 4)
        let text = try Self.output(schema, history: history)
        #expect(text.contains("\"schema\":\"Journal\",\"versions\":[\n        {\"entities\":"))
        #expect(text.contains("\"version\":4}]}\n"))
        #expect(!text.contains("isDraft") && !text.contains("#error"))
    }

    @Test("A schema that differs from the last version is a draft, which release builds refuse")
    func draft() throws {
        let history = SchemaHistory(beginningWith: SchemaTree(try Self.schema().structure), version: 1)
        let changed = try Self.schema(Self.text.replacing("id: uuid", with: "id: uuid, place: string?"))
        let text = try Self.output(changed, history: history)
        #expect(text.contains("static let isDraft = true\n\n"))
        #expect(
            text.hasSuffix(
                """
                #if !DEBUG
                    #error("Journal.yaml has changes that no version records. Run: swift run lockstep migrate --name NAME")
                #endif

                """))
    }

    @Test("A changed history is another input")
    func fingerprint() {
        func fingerprint(_ history: [UInt8]?) -> InputFingerprint {
            InputFingerprint(schema: [1], source: "Journal.yaml", options: GenerationOptions(), history: history)
        }
        #expect(Set([fingerprint(nil), fingerprint([]), fingerprint([1])]).count == 3)
    }
}
