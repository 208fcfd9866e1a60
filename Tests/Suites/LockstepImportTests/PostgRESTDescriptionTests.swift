import Foundation
import LockstepImport
import LockstepSchema
import Testing

/// What PostgREST, also that of Supabase, responds to `GET /` with.
@Suite("Descriptions of PostgREST become schemas")
struct PostgRESTDescriptionTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private static func file(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    private static let fixture = "Fixtures/Family.postgrest.json"

    @Test("A description becomes the expected schema and report")
    func everything() throws {
        let path = Self.folder.appendingPathComponent(Self.fixture).path
        let imported = try importSchema([ImportInput(path: path)], options: ImportOptions(name: "Family"))
        #expect(try imported.text == Self.file("Expected/Family.yaml"))
        #expect(try imported.report.text("Schemas/Family.yaml") == Self.file("Expected/Family.txt"))
        let reading = readSchemas([SchemaSource(path: "Family.yaml", bytes: Array(imported.text.utf8))])
        #expect(reading.diagnostics.isEmpty)
    }

    @Test("Signs that JSON does not escape are read as well")
    func plain() throws {
        let text = try Self.file(Self.fixture)
        let plain = text.replacing(#"\u003c"#, with: "<").replacing(#"\u003e"#, with: ">")
        #expect(try importing(plain, file: "Family.json").text == importing(text, file: "Family.json").text)
        let marked = try importing("\u{FEFF}" + text, file: "Family.json")
        #expect(try marked.text == importing(text, file: "Family.json").text)
    }

    @Test("Another description in Swagger 2.0 is none of PostgREST")
    func otherSwagger() throws {
        let text = #"{"swagger": "2.0", "definitions": {"A": {"properties": {"id": {"type": "string"}}}}}"#
        let failure = #expect(throws: ImportFailure.self) { try importing(text, file: "api.json") }
        #expect(failure?.reason.hasPrefix("It uses Swagger 2.0. Convert it to OpenAPI 3") == true)
    }

    @Test(
        "A description without tables, or that is cut off, is refused with what to do",
        arguments: [
            (#"{"swagger": "2.0", "x": "PostgREST Documentation"}"#, "It has no table. PostgREST describes what"),
            (#"{"swagger": "2.0", "x": "PostgREST Documentation", "definitions": []}"#, "It has no table."),
        ])
    func refusals(text: String, reason: String) throws {
        let failure = #expect(throws: ImportFailure.self) { try importing(text, file: "api.json") }
        #expect(failure?.reason.hasPrefix(reason) == true, "\(failure?.reason ?? "")")
    }

    @Test("A description in which any text is another one is imported, or refused")
    func mutations() throws {
        let text = try Self.file(Self.fixture)
        for (former, replacement) in [
            ("uuid", "((("), ("lists", "a'b"), ("integer", "x[]"), ("Primary", "<fk table='"), ("now()", ")"),
            ("\"id\"", "\"\""), ("tasks", "lists"), ("fk table", "fk table='lists' column='id'/><fk table"),
            ("public.color", "..."), ("numeric", "numeric(("), ("80", "-1"),
        ] {
            let mutated = text.replacing(former, with: replacement)
            #expect(mutated != text)
            do {
                let imported = try importing(mutated, file: "Family.json")
                let reading = readSchemas([SchemaSource(path: "Family.yaml", bytes: Array(imported.text.utf8))])
                #expect(!reading.schemas.isEmpty, "\(former)")
            } catch is ImportFailure {}
        }
    }
}
