import Testing

@testable import LockstepSchema

@Suite("Reading the schema files of a run")
struct SchemaReaderTests {
    private func schema(_ name: String, attribute: String = "id: int") -> String {
        "lockstep: 1\nschema: \(name)\nentities:\n  Entry:\n    attributes: { \(attribute) }\n"
    }

    @Test("All problems of all files are reported in one run, by file and position")
    func allFiles() {
        let reading = readSchemas([
            SchemaSource(schema("Shop", attribute: "id: { type: int, a: b, c: d }"), path: "b.yaml"),
            SchemaSource("", path: "a.yaml"),
        ])
        #expect(reading.diagnostics.map(\.location.path) == ["a.yaml", "b.yaml", "b.yaml"])
        #expect(reading.diagnostics.map(\.code) == [.emptyFile, .unknownKey, .unknownKey])
        #expect(reading.schemas.isEmpty && reading.hasErrors)
    }

    @Test("Schemas are in the order of their files, only those without an error")
    func schemas() {
        let reading = readSchemas([
            SchemaSource(schema("Shop"), path: "b.yaml"),
            SchemaSource(schema("Broken", attribute: "id: strng"), path: "c.yaml"),
            SchemaSource(schema("Journal"), path: "a.yaml"),
        ])
        #expect(reading.schemas.map(\.name) == ["Shop", "Journal"])
        #expect(reading.schemas.map(\.source) == ["b.yaml", "a.yaml"])
        #expect(reading.diagnostics.map(\.location.path) == ["c.yaml"])
    }

    @Test("A misspelled key does not prevent the diagnostics of the rules")
    func grammarAndRules() {
        expectDiagnostics(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes:
                  id: int
                  name: { type: strng, uniqe: true }
                  #             ^ unknown-type
                  #                    ^ unknown-key
            """)
    }

    @Test("Two schemas with one name point at both files")
    func duplicateSchema() throws {
        let reading = readSchemas([
            SchemaSource(schema("Shop"), path: "a.yaml"), SchemaSource(schema("Shop"), path: "b.yaml"),
        ])
        let finding = try #require(reading.diagnostics.first)
        #expect(finding.code == .duplicateSchema)
        #expect(finding.location.path == "b.yaml" && finding.location.short == "2:9-2:13")
        #expect(finding.notes.map(\.location.path) == ["a.yaml"])
    }
}
