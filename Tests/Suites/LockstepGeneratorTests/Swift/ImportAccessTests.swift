import LockstepGenerator
import LockstepSchema
import Testing

@Suite("Access levels of imports in generated code")
struct ImportAccessTests {
    private static let schema = """
        lockstep: 1
        schema: Journal
        access: ACCESS
        enums:
          Mood: [sad, happy]
          Level: { type: int, closed: true, cases: { low: 0 } }
        entities:
          Entry:
            attributes: { id: int, mood: Mood }

        """

    /// The compiler does not count a conformance as a use of a `package` import, and warns of an import that is not
    /// used.
    @Test(
        "A file that only conforms to protocols of the runtime imports it with `package` access nowhere",
        arguments: [("package", "internal import"), ("public", "public import"), ("internal", "import")])
    func enumerations(access: String, expected: String) throws {
        let text = Self.schema.replacing("ACCESS", with: access)
        let schema = try #require(
            readSchemas([SchemaSource(path: "Schemas/Journal.yaml", bytes: Array(text.utf8))]).schemas.first)
        let files = generate(schema, options: GenerationOptions())
        func importLines(of name: String) throws -> [String] {
            let file = try #require(files.first { $0.path.hasSuffix(name) })
            return String(decoding: file.contents, as: UTF8.self).split(separator: "\n").map(String.init).filter {
                $0.contains("import LockstepStore")
            }
        }
        for name in ["Mood.swift", "Level.swift"] {
            #expect(try importLines(of: name) == ["\(expected) LockstepStore"])
        }
        let model = access == "internal" ? "import" : "\(access) import"
        #expect(try importLines(of: "Entry.swift") == ["@_spi(Generated) \(model) LockstepStore"])
    }
}
