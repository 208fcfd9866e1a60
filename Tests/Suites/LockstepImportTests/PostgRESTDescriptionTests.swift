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
        #expect(try imported.text == ImportFixture.expected("Family.lockstep.yaml"))
        #expect(try imported.report.text("Schemas/Family.yaml") == Self.file("Expected/Family.txt"))
        let reading = readSchemas([SchemaSource(path: "Family.yaml", bytes: Array(imported.text.utf8))])
        #expect(reading.diagnostics.isEmpty)
    }

    @Test(
        "What psql prints around the result of the query is refused with the options that leave it out",
        arguments: [
            " json_build_object \n-------------------\n {\"lockstep\" : \"postgresql\"}\n(1 row)",
            "j\n{\"lockstep\" : 1}\n(1 row)",
        ],
        ["db.json", "db.txt"])
    func table(text: String, file: String) throws {
        let failure = #expect(throws: ImportFailure.self) { try importing(text, file: file) }
        #expect(failure?.reason.hasSuffix("Run psql with '-X -At', so that it prints nothing but the result.") == true)
    }

    @Test("Signs that JSON does not escape are read as well")
    func plain() throws {
        let text = try Self.file(Self.fixture)
        let plain = text.replacing(#"\u003c"#, with: "<").replacing(#"\u003e"#, with: ">")
        #expect(try importing(plain, file: "Family.json").text == importing(text, file: "Family.json").text)
        let marked = try importing("\u{FEFF}" + text, file: "Family.json")
        #expect(try marked.text == importing(text, file: "Family.json").text)
    }

    /// - Parameter columns: Those of `orders`, whose keys have their marks only: `<pk/>`.
    private func described(_ columns: String) throws -> ImportedSchema {
        let columns = columns.replacing("\"<", with: #""Note:\nThis is a key.<"#)
        return try importing(
            """
            {"swagger": "2.0", "x": "PostgREST Documentation", "definitions": {
              "people": {"required": ["id"], "properties": {
                "id": {"format": "uuid", "description": "Note:\\nThis is a Primary Key.<pk/>"}}},
              "orders": {"required": ["id"], "properties": {\(columns)}}}}
            """, file: "Db.json")
    }

    @Test(
        "A key that is a number without a default is probably one that PostgreSQL assigns",
        arguments: [
            (#""format": "bigint", "description": "<pk/>""#, true),
            (#""format": "integer", "description": "<pk/>""#, true),
            (#""format": "text", "description": "<pk/>""#, false),
            (#""format": "integer", "default": 7, "description": "<pk/>""#, false),
            (#""format": "integer", "description": "<pk/><fk table='people' column='id'/>""#, false),
        ])
    func numberedKeys(key: String, isNumbered: Bool) throws {
        let imported = try described("\"id\": {\(key)}")
        let notes = imported.notes(.decided).filter { $0.hasPrefix("PostgreSQL probably numbers the rows of Order;") }
        #expect(notes.count == (isNumbered ? 1 : 0))
    }

    @Test("A table that is not described has no dot before its name, and types of extensions can have a schema")
    func names() throws {
        let imported = try described(
            """
            "id": {"format": "uuid", "description": "<pk/>"}, "email": {"format": "extensions.citext"},
            "user_id": {"format": "uuid", "description": "<fk table='users' column='id'/>"}
            """)
        #expect(imported.notes(.decided).contains("orders.user_id is an attribute: users is not imported"))
        #expect(imported.lines.contains("email: string?"))
        #expect(!imported.notes(.decided).contains { $0.contains("citext") })
    }

    @Test(
        "What pg_dump writes is refused by its contents, with both ways to import the database",
        arguments: ["dump.sql", "dump.txt", "dump"])
    func dumps(file: String) throws {
        for text in ["--\n-- PostgreSQL database dump\n--\n", "--\n-- PostgreSQL database cluster dump\n--\n", "PGDMP"]
        {
            let failure = #expect(throws: ImportFailure.self) { try importing(text, file: file) }
            #expect(
                failure?.reason
                    == "It is a dump of PostgreSQL, whose SQL is not imported. Of the database, import the "
                    + "result of the query of 'lockstep import --postgresql-query', or PostgREST's response to GET /.")
        }
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
            ("\"id\"", "\"\""), ("errands", "lists"), ("fk table", "fk table='lists' column='id'/><fk table"),
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
