import Foundation
import LockstepSchema
import TestSupport
import Testing

@Suite("The pages say what is true")
struct DocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func page(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private static func blocks(_ language: String, in text: String) -> [String] {
        text.components(separatedBy: "\n```\(language)\n").dropFirst().compactMap { part in
            part.components(separatedBy: "\n```").first.map { $0 + "\n" }
        }
    }

    @Test(
        "Every whole schema in the README and the reference is valid",
        arguments: ["README.md", "Documentation/SchemaLanguage.md"])
    func schemas(_ path: String) throws {
        let schemas = Self.blocks("yaml", in: try Self.page(path)).filter { $0.hasPrefix("lockstep: 1") }
        #expect(!schemas.isEmpty)
        for schema in schemas {
            let reading = readSchemas([SchemaSource(path: path, bytes: Array(schema.utf8))])
            #expect(reading.diagnostics.isEmpty)
        }
    }

    @Test("The finding in the README is what the tool prints")
    func finding() throws {
        let readme = try Self.page("README.md")
        let schema = try #require(Self.blocks("yaml", in: readme).first)
        let tool = try CommandLineTool()
        try tool.write(schema.replacing("title: string", with: "title: strng"), to: "Schemas/Journal.yaml")
        let printed = try tool.run("check").errors
        let shown = try #require(Self.blocks("", in: readme).first { $0.contains("[unknown-type]") })
        #expect(printed.hasPrefix(shown), "\(printed)")
    }

    @Test("The commands in the command line's page run")
    func commands() throws {
        let lines = Self.blocks("", in: try Self.page("Documentation/CommandLine.md"))
            .flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("lockstep ") }
        #expect(lines.count >= 5)
        for line in lines {
            let tool = try CommandLineTool()
            try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
            try tool.run("generate")
            let command = line.split(whereSeparator: { $0 == "|" || $0 == ">" || $0 == "#" })[0]
            let result = try tool.run(command.split(separator: " ").dropFirst().map(String.init))
            #expect(result.status == 0, "\(line): \(result.errors)")
        }
    }

    @Test("Every option and command of the tool has its place on the page")
    func options() throws {
        let page = try Self.page("Documentation/CommandLine.md")
        let tool = try CommandLineTool()
        for command in ["generate", "check", "describe", "init", "grammar", "explain"] {
            #expect(page.contains("## `lockstep \(command)"))
            let help = try tool.run(command, "--help").output
            for option in help.matches(of: /--[a-z-]+/).map({ String($0.output) })
            where option != "--help" && option != "--version" {
                #expect(page.contains("`\(option)"), "\(command) \(option)")
            }
        }
    }
}
