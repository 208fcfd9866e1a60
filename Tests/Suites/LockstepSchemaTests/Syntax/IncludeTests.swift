import LockstepEvolution
import Testing

@testable import LockstepSchema

@Suite("A schema of several files")
struct IncludeTests {
    private static let shared = """
        lockstep: 1
        enums:
          Mood: [sad, happy]
        entities:
          Stamped:
            abstract: true
            attributes: { createdAt: { type: date, default: now } }
        """

    /// A schema, with files beside it.
    private func source(_ text: String, beside files: [String: String] = ["Shared.yaml": shared]) -> SchemaSource {
        var source = SchemaSource(path: "Schemas/Journal.yaml", bytes: Array(text.utf8))
        source.include { name in
            files[name].map { SchemaSource(path: "Schemas/\(name)", bytes: Array($0.utf8)) }
        }
        return source
    }

    private func schema(including files: String = "[Shared.yaml]", entry: String) -> String {
        """
        lockstep: 1
        schema: Journal
        include: \(files)
        entities:
          Entry:
            \(entry)
        """
    }

    @Test("is the same as one file with all declarations")
    func same() throws {
        let text = schema(entry: "{ extends: Stamped, attributes: { id: uuid, mood: { type: Mood, default: sad } } }")
        let parts = Self.shared.split(separator: "entities:\n")
        let whole =
            text.replacing("include: [Shared.yaml]\n", with: parts[0].dropFirst("lockstep: 1\n".count))
            + "\n\(parts[1])"
        let (split, joined) = (readSchemas([source(text)]), readSchemas([source(whole, beside: [:])]))
        #expect(split.diagnostics.isEmpty && joined.diagnostics.isEmpty)
        let structures = (split.schemas + joined.schemas).map { StructureHash($0.structure) }
        #expect(structures.count == 2 && structures[0] == structures[1])
    }

    @Test("can have all of its entities in included files")
    func onlyIncludes() {
        let text = "lockstep: 1\nschema: Journal\ninclude: [A.yaml, B.yaml]\nentities: {}\n"
        let files = [
            "A.yaml": "lockstep: 1\nentities: { Entry: { attributes: { id: uuid }, relationships: { tag: Tag? } } }",
            "B.yaml": "lockstep: 1\nentities: { Tag: { attributes: { id: int } } }",
        ]
        let reading = readSchemas([source(text, beside: files)])
        #expect(reading.diagnostics.isEmpty)
        #expect(reading.schemas.first?.entities.map(\.name) == ["Entry", "Tag"])
    }

    @Test("has its findings in the file where they are")
    func locations() throws {
        let text = schema(entry: "{ extends: Stamped, attributes: { id: uuid, mood: Mood, size: Length } }")
        let source = source(text, beside: ["Shared.yaml": Self.shared.replacing("type: date", with: "type: dat")])
        let findings = readSchemas([source]).diagnostics
        #expect(
            findings.map {
                "\($0.location.path):\($0.location.start.line):\($0.location.start.column) \($0.code.rawValue)"
            }
                == ["Schemas/Journal.yaml:6:67 unknown-type", "Schemas/Shared.yaml:7:38 unknown-type"])
        let shown = DiagnosticRenderer(sources: [source]).text(findings)
        #expect(shown.contains(" 7 |     attributes: { createdAt: { type: dat, default: now } }\n"))
    }

    @Test("notes the first of two declarations in its own file")
    func twice() throws {
        let text = "lockstep: 1\nschema: Journal\ninclude: [Shared.yaml, Again.yaml]\nentities: {}\n"
        let again = "lockstep: 1\nenums: { Mood: [good] }\nentities: { Entry: { attributes: { id: uuid } } }"
        let findings = readSchemas([source(text, beside: ["Shared.yaml": Self.shared, "Again.yaml": again])])
            .diagnostics
        let finding = try #require(findings.first)
        #expect(findings.count == 1 && finding.code == .declaredTwice)
        #expect(finding.location.path == "Schemas/Again.yaml" && finding.location.start.line == 2)
        #expect(finding.notes.map(\.location.path) == ["Schemas/Shared.yaml"])
        #expect(finding.notes.map(\.location.start.line) == [3])
    }

    @Test(
        "names files of its folder, and no paths",
        arguments: [
            "../Shared.yaml", "/etc/Shared.yaml", "sub/Shared.yaml", "..yaml", ".hidden.yaml", "Shared",
            "sub\\Shared.yaml", "a:b.yaml", "C:Shared.yaml", "lockstep.yaml", "Journal.history.yaml",
        ])
    func paths(_ name: String) throws {
        var asked: [String] = []
        var source = SchemaSource(
            path: "Schemas/Journal.yaml",
            bytes: Array(schema(including: "['\(name)']", entry: "{ attributes: { id: uuid } }").utf8))
        source.include {
            asked.append($0)
            return nil
        }
        #expect(asked.isEmpty)
        #expect(readSchemas([source]).diagnostics.map(\.code) == [.includeNotFound])
    }

    @Test(
        "names no file that is not there, and includes only files without a schema of their own",
        arguments: [
            "None.yaml": "There is no file 'None.yaml' in the folder of this schema",
            "Journal.yaml": "Unknown key 'schema' in an included file",
            "Nested.yaml": "Unknown key 'include' in an included file",
            "List.yaml": "An included file must be a mapping, not a list",
            "New.yaml": "This schema uses version 2 of the language, but this tool reads version 1",
        ])
    func notThere(_ name: String, _ message: String) {
        let text = schema(including: "[\(name)]", entry: "{ attributes: { id: uuid } }")
        let files = [
            "Journal.yaml": "lockstep: 1\nschema: Journal", "Nested.yaml": "lockstep: 1\ninclude: [Shared.yaml]",
            "List.yaml": "[a]", "New.yaml": "lockstep: 2",
        ]
        let reading = readSchemas([source(text, beside: files)])
        #expect(reading.schemas.isEmpty)
        #expect(reading.diagnostics.map(\.message) == [message])
    }

    @Test("includes 127 files at most, and each once")
    func limits() {
        let names = (1...128).map { "S\($0).yaml" }
        let text = schema(including: "[\(names.joined(separator: ", "))]", entry: "{ attributes: { id: uuid } }")
        let files = Dictionary(uniqueKeysWithValues: names.map { ($0, "lockstep: 1") })
        let reading = readSchemas([source(text, beside: files)])
        #expect(reading.schemas.isEmpty)
        #expect(reading.diagnostics.map(\.message) == ["A schema can include 127 files at most"])
        let twice = schema(including: "[S1.yaml, S1.yaml]", entry: "{ attributes: { id: uuid } }")
        #expect(readSchemas([source(twice, beside: files)]).diagnostics.map(\.code) == [.declaredTwice])
    }

    @Test("has positions up to column 33,554,431 in each of 127 files")
    func positions() {
        for file in [0, 1, SourcePosition.greatestFile] {
            for column in [1, 80, 1 << 25 - 1] {
                var position = SourcePosition(line: 7, column: column)
                position.file = file
                #expect(position.file == file && position.column == column && position.line == 7)
                position.column = 2
                #expect(position.file == file && position.column == 2)
            }
        }
        #expect(SourcePosition(line: 1, column: .max).column == 1 << 25 - 1)
    }
}
