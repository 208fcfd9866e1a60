import Foundation
import TestSupport
import Testing

@Suite("The other commands, their exit codes and their streams")
struct OtherCommandsTests {
    private static let broken = """
        lockstep: 1
        schema: Journal
        entities:
          Entry:
            attributes:
              id: int
              title: strng
              colour: { type: string, colour: red }

        """

    @Test("check reports all diagnostics of all files, on standard error, and exits 1")
    func check() throws {
        let tool = try CommandLineTool()
        try tool.write(Self.broken, to: "a.yaml")
        try tool.write(Self.broken.replacing("Journal", with: "Other"), to: "b.yaml")
        let result = try tool.run("check", "a.yaml", "b.yaml")
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        for place in ["a.yaml:7:14: error:", "a.yaml:8:31: error:", "b.yaml:7:14: error:", "b.yaml:8:31: error:"] {
            #expect(result.errors.contains(place), "\(place) in \(result.errors)")
        }
        #expect(result.errors.contains("'string'"))
        #expect(!result.errors.contains("\u{1B}["), "colour is for terminals")
    }

    @Test("--diagnostics json is an array on standard output")
    func json() throws {
        let tool = try CommandLineTool()
        try tool.write(Self.broken, to: "a.yaml")
        let result = try tool.run("check", "a.yaml", "--diagnostics", "json")
        #expect(result.status == 1)
        let findings = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
        #expect(findings.count == 2)
        #expect(findings.first?["line"] as? Int == 7)
        #expect(findings.first?["code"] as? String == "unknown-type")
        try tool.write(Sample.journal, to: "fine.yaml")
        #expect(try tool.run("migrate", "fine.yaml", "--from", "fine.yaml").status == 0)
        #expect(try tool.run("check", "fine.yaml", "--diagnostics", "json").output == "[]\n")
    }

    @Test("--diagnostics github prints annotations")
    func github() throws {
        let tool = try CommandLineTool()
        try tool.write(Self.broken, to: "a.yaml")
        let result = try tool.run("check", "a.yaml", "--diagnostics", "github")
        #expect(result.status == 1)
        #expect(result.output.hasPrefix("::error file=a.yaml,line=7,col=14"))
    }

    @Test("describe prints the resolved schema as JSON")
    func describe() throws {
        let tool = try CommandLineTool()
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
        let result = try tool.run("describe")
        #expect(result.status == 0)
        let schemas = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
        #expect(schemas.first?["name"] as? String == "Journal")
        let entities = try #require(schemas.first?["entities"] as? [[String: Any]])
        #expect(entities.map { $0["tableName"] as? String } == ["entry", "tag"])
    }

    @Test("init writes for the build plugin into a target's folder")
    func initialiseForPlugin() throws {
        let tool = try CommandLineTool()
        let result = try tool.run("init", "Diary", "--target", "Sources/App")
        #expect(result.status == 0)
        #expect(
            result.errors == "Wrote Sources/App/Diary.lockstep.yaml and Sources/App/Diary.swift. "
                + "Edit the schema, then build the target.\n")
        #expect(try tool.read("Sources/App/Diary.swift").hasPrefix("// "))
        #expect(try tool.run("check", "Sources/App/Diary.lockstep.yaml").status == 0)
        #expect(try tool.run("init", "Diary", "--target", "Sources/App", "--folder", "Schemas").status == 2)
    }

    @Test("init adds a Swift file only to a target that has none, which SwiftPM would ignore")
    func targetWithSwift() throws {
        let tool = try CommandLineTool()
        try tool.write("print()\n", to: "Sources/App/Code/main.swift")
        let result = try tool.run("init", "Diary", "--target", "Sources/App")
        #expect(
            result.errors == "Wrote Sources/App/Diary.lockstep.yaml. Edit the schema, then build the target.\n")
        #expect(!tool.exists("Sources/App/Diary.swift"))
        #expect(try tool.run("init", "Diary").status == 0)
        #expect(!tool.exists("Schemas/Diary.swift"))
    }

    @Test("init makes the schema of what there is, where it writes a schema")
    func initialiseFrom() throws {
        let tool = try CommandLineTool()
        try tool.write(ImportCommandTests.model, to: "Shop.xcdatamodeld/Shop.xcdatamodel/contents")
        let result = try tool.run("init", "Store", "--from", "Shop.xcdatamodeld", "--target", "Sources/App")
        #expect(result.status == 0)
        #expect(result.errors.hasPrefix("Sources/App/Store.lockstep.yaml: "))
        #expect(
            result.errors.hasSuffix(
                "Wrote Sources/App/Store.lockstep.yaml and Sources/App/Store.swift. "
                    + "Edit the schema, then build the target.\n"))
        #expect(try tool.read("Sources/App/Store.lockstep.yaml").contains("\nschema: Store\n"))
        #expect(try tool.run("check", "Sources/App/Store.lockstep.yaml").status == 0)
        let again = try tool.run("init", "Store", "--from", "Shop.xcdatamodeld", "--target", "Sources/App")
        #expect(again.status == 2)
        #expect(again.errors.contains("'Sources/App/Store.lockstep.yaml' already exists. Nothing was written."))
        #expect(try tool.run("init", "Other", "--from", "Missing.sqlite").status == 2)
        #expect(!tool.exists("Schemas"))
    }

    @Test("A folder's hidden files and its lockstep.yaml are not schemas")
    func otherFiles() throws {
        let tool = try CommandLineTool()
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
        try tool.write("rules: {}\n", to: "Schemas/.yamllint.yml")
        try tool.write("schemas: .\n", to: "Schemas/lockstep.yaml")
        #expect(try tool.run("check").status == 0)
        let emitted = try tool.run(
            "emit", "Schemas/Journal.yaml", "--output", "build", "--file", "Journal.swift", "--planned-folder",
            "Schemas")
        #expect(emitted.status == 0, "\(emitted.text)")
    }

    @Test("init writes a schema that can be generated, and never overwrites one")
    func initialise() throws {
        let tool = try CommandLineTool()
        #expect(try tool.run("init", "Diary").status == 0)
        let text = try tool.read("Schemas/Diary.yaml")
        #expect(text.contains("schema: Diary"))
        #expect(try tool.run("generate").status == 0)
        #expect(tool.exists("Generated/Diary/Entry.swift"))
        try tool.write("mine", to: "Schemas/Diary.yaml")
        let again = try tool.run("init", "Diary")
        #expect(again.status == 2)
        #expect(again.errors.contains("Schemas/Diary.yaml"))
        #expect(try tool.read("Schemas/Diary.yaml") == "mine")
        #expect(try tool.run("init", "not a name").status == 2)
        #expect(!tool.exists("Schemas/not a name.yaml"))
    }

    @Test(
        "init proposes a name that it accepts",
        arguments: [("my app", "MyApp"), ("my_app", "MyApp"), ("diary", "Diary"), ("it's: [mine", "ItSMine")])
    func names(written: String, proposed: String) throws {
        let tool = try CommandLineTool()
        let refused = try tool.run("init", written)
        #expect(refused.status == 2)
        #expect(refused.errors.hasSuffix(" Rename it to '\(proposed)'.\n"), "\(refused.errors)")
        #expect(!tool.exists("Schemas"))
        #expect(try tool.run("init", proposed).status == 0)
        #expect(try tool.run("check").status == 0)
    }

    @Test("check does not report warnings and no findings at once")
    func warnings() throws {
        let tool = try CommandLineTool()
        try tool.write(
            """
            lockstep: 1
            schema: Shop
            entities:
              Product: { attributes: { id: int }, relationships: { reviews: [Review] } }
              Review: { attributes: { id: int }, relationships: { product: Product? } }

            """, to: "Schemas/Shop.yaml")
        #expect(try tool.run("migrate", "--from", "Schemas/Shop.yaml").status == 0)
        let result = try tool.run("check")
        #expect(result.status == 0)
        #expect(result.errors.hasSuffix("\n1 warning\n"), "\(result.errors)")
        #expect(!result.errors.contains("no findings"))
    }

    @Test("grammar prints a JSON Schema and the reference page")
    func grammar() throws {
        let tool = try CommandLineTool()
        let schema = try tool.run("grammar", "--format", "json-schema")
        #expect(try JSONSerialization.jsonObject(with: Data(schema.output.utf8)) is [String: Any])
        #expect(try tool.run("grammar", "--format", "markdown").output.contains("renamedFrom"))
    }

    @Test("explain shows one code, all of them, or reports that there is none")
    func explain() throws {
        let tool = try CommandLineTool()
        #expect(try tool.run("explain", "unknown-type").output.contains("unknown-type"))
        #expect(try tool.run("explain").output.contains("unknown-key"))
        #expect(try tool.run("explain", "nonsense").status == 2)
    }

    @Test(
        "Usage errors and unreadable input exit 2, with a remedy",
        arguments: [
            ["generate", "--shards", "many"], ["generate", "--shards", "0"], ["generate", "--sql", "oracle"],
            ["generate", "nowhere.yaml"], ["generate"], ["frobnicate"], ["grammar", "--format", "pdf"], ["init"],
        ])
    func wrongUse(_ arguments: [String]) throws {
        let tool = try CommandLineTool()
        let result = try tool.run(arguments)
        #expect(result.status == 2, "\(result.errors)")
        #expect(!result.errors.isEmpty)
        #expect(result.output.isEmpty)
    }

    @Test(
        "Help is written to standard output, exits 0 and has an example",
        arguments: [
            "", "generate", "check", "migrate", "diff", "history", "describe", "diagram", "document", "init", "grammar",
            "explain", "conformance",
        ])
    func help(_ command: String) throws {
        let tool = try CommandLineTool()
        let result = try tool.run(command.isEmpty ? ["--help"] : [command, "--help"])
        #expect(result.status == 0)
        #expect(result.output.contains("EXAMPLE"))
        #expect(result.output.contains("lockstep \(command)".trimmingCharacters(in: .whitespaces)))
    }

    private static let commands = [
        "", "generate", "check", "migrate", "diff", "history", "describe", "diagram", "document", "init", "import",
        "grammar", "explain", "emit", "conformance",
    ]

    @Test("Help has no line that is broken before its end", arguments: commands)
    func helpLines(_ command: String) throws {
        let width = 80
        let tool = try CommandLineTool()
        let result = try tool.run(command.isEmpty ? ["--help"] : [command, "--help"])
        let lines = result.output.prefix(upTo: result.output.range(of: "USAGE")?.lowerBound ?? result.output.endIndex)
            .components(separatedBy: "\n")
        #expect(lines.count > 3)
        for (line, next) in zip(lines, lines.dropFirst()) where !line.isEmpty && !next.isEmpty {
            if line.hasPrefix(" ") || line == line.uppercased() {
                // Examples and lists have a line for each.
                #expect(next.hasPrefix("  "), "\(line)\n\(next)")
            } else {
                let word = next.prefix { $0 != " " }
                #expect(line.count + 1 + word.count > width - 1, "\(line)\n\(next)")
            }
        }
    }

    @Test("A file in place of the output folder is an error that says so, and is kept")
    func fileInTheWay() throws {
        let tool = try CommandLineTool()
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
        try tool.write("precious", to: "Generated")
        let result = try tool.run("generate")
        #expect(result.status == 2)
        #expect(result.errors.contains("Generated"))
        #expect(try tool.read("Generated") == "precious")
    }
}
