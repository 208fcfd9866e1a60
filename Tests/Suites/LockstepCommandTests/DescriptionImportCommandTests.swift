import Foundation
import TestSupport
import Testing

@Suite("Importing OpenAPI descriptions, JSON Schemas and Rails schemas")
struct DescriptionImportCommandTests {
    private let tool: CommandLineTool

    init() throws { tool = try CommandLineTool() }

    /// The blocks of a language on a page.
    private func blocks(_ language: String, on page: String) throws -> [String] {
        Documentation.files(language, in: try Documentation.page(page))
    }

    /// Imports the file of a page, and expects its console and its schema.
    private func expectExample(_ source: String, as file: String, becomes schema: String, on page: String) throws {
        let name = "Schemas/\(try #require(schema.firstMatch(of: /\nschema: (\w+)\n/)).1).yaml"
        try tool.write(source, to: file)
        let result = try tool.run("import", file)
        #expect(result.status == 0)
        #expect(result.output.isEmpty)
        let console = try blocks("", on: page).first { $0.hasPrefix("$ lockstep import \(file)\n") }
        #expect("$ lockstep import \(file)\n" + result.errors == console)
        #expect(try tool.read(name) == schema)
        #expect(try tool.run("generate").status == 0)
        #expect(try tool.run("check").status == 0)
    }

    @Test("The description on the page is imported as the page shows, and generates")
    func description() throws {
        let page = "OpenAPIDescriptions"
        let yaml = try blocks("yaml", on: page)
        try #require(yaml.count == 3)
        try expectExample(yaml[0], as: "Diary.openapi.yaml", becomes: yaml[1], on: page)
    }

    @Test("The JSON Schema on the page is imported as the page shows, and generates")
    func jsonSchema() throws {
        let page = "OpenAPIDescriptions"
        let yaml = try blocks("yaml", on: page)
        try #require(yaml.count == 3)
        let source = try #require(try blocks("json", on: page).first)
        try expectExample(source, as: "Shelf.schema.json", becomes: yaml[2], on: page)
    }

    @Test("The Rails schema on the page is imported as the page shows, and generates")
    func rails() throws {
        let page = "RailsSchemas"
        let source = try #require(try blocks("ruby", on: page).first)
        let schema = try #require(try blocks("yaml", on: page).first)
        try expectExample(source, as: "diary/db/schema.rb", becomes: schema, on: page)
    }

    @Test("--strict exits with 1 if something was left out, and writes the schema nevertheless")
    func strict() throws {
        let source = try #require(try blocks("ruby", on: "RailsSchemas").first)
        try tool.write(source, to: "schema.rb")
        #expect(try tool.run("import", "schema.rb", "--strict", "--name", "Shop").status == 1)
        #expect(try tool.read("Schemas/Shop.yaml").contains("\nschema: Shop\n"))
    }

    @Test("A schema that refers to itself is reported, and the rest is imported")
    func selfReference() throws {
        let source = """
            openapi: 3.0.0
            components:
              schemas:
                Item: { properties: { id: { type: string } } }
                Loop: { $ref: "#/components/schemas/Loop" }

            """
        try tool.write(source, to: "api.yaml")
        let result = try tool.run("import", "api.yaml")
        #expect(result.status == 0)
        #expect(result.errors.contains("Not imported:\n  api.yaml:5: Loop is not in the schema: it refers to itself\n"))
        #expect(try tool.run("check").status == 0)
    }

    @Test(
        "A file that breaks off names the line, and writes nothing",
        arguments: [
            ("api.json", "{ \"openapi\": \"3.1.0\",\n  \"components\": {\n", "error: api.json:"),
            ("schema.rb", "ActiveRecord::Schema[8.0].define(version: 1) do\n", "error: schema.rb:1: "),
        ])
    func damaged(file: String, source: String, message: String) throws {
        try tool.write(source, to: file)
        let result = try tool.run("import", file)
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix(message), "\(result.errors)")
        #expect(result.errors.contains("Nothing was written."))
        #expect(!FileManager.default.fileExists(atPath: tool.folder.appendingPathComponent("Schemas").path))
    }
}
