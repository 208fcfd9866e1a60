import Foundation
import TestSupport
import Testing

@Suite("Editors and shells are set up as their page says")
struct EditorTests {
    private let page: String

    init() throws { page = try Documentation.page("EditorsAndShells") }

    private var commands: [[String]] {
        Documentation.files("", in: page).flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("lockstep ") }
            .map { line in line.split(separator: ">")[0].split(separator: " ").dropFirst().map(String.init) }
    }

    @Test("The commands on the page run")
    func run() throws {
        #expect(commands.count >= 5)
        for command in commands {
            let tool = try CommandLineTool()
            try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
            let result = try tool.run(command)
            #expect(result.status == 0, "\(command): \(result.errors)")
            #expect(!result.output.isEmpty)
        }
    }

    @Test("Each shell has completions, of every command", arguments: ["bash", "zsh", "fish"])
    func completions(_ shell: String) throws {
        #expect(commands.contains(["--generate-completion-script", shell]))
        let tool = try CommandLineTool()
        let script = try tool.run("--generate-completion-script", shell)
        #expect(script.status == 0)
        for word in ["generate", "diagram", "document", "explain", "keys-only", "yaml"] {
            #expect(script.output.contains(word), "\(word)")
        }
        guard let path = Self.program(shell) else { return }
        try tool.write(script.output, to: "script")
        #expect(try runProcess(path, ["-n", "script"], in: tool.folder).status == 0)
    }

    private static func program(_ name: String) -> URL? {
        ["/bin/", "/usr/bin/", "/opt/homebrew/bin/"].map { URL(fileURLWithPath: $0 + name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    @Test("The settings of Visual Studio Code name files that the page's commands write, and match every schema")
    func settings() throws {
        let text = try #require(Documentation.files("json", in: page).first { $0.contains("yaml.schemas") })
        let settings = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let schemas = try #require(settings["yaml.schemas"] as? [String: [String]])
        #expect(schemas.count == 2)
        for file in schemas.keys {
            #expect(file.hasPrefix("./.vscode/"))
            #expect(page.contains("> " + file.dropFirst(2) + "\n"), "\(file)")
        }
        let general = try #require(schemas["./.vscode/lockstep.schema.json"])
        func matches(_ path: String) -> Bool {
            let positive = general.filter { !$0.hasPrefix("!") }.contains { fnmatch($0, path, 0) == 0 }
            let negative = general.filter { $0.hasPrefix("!") }.contains {
                fnmatch(String($0.dropFirst()), path, 0) == 0
            }
            return positive && !negative
        }
        #expect(matches("Schemas/Shop.yaml"))
        #expect(matches("Sources/App/Shop.lockstep.yaml"))
        #expect(!matches("Schemas/Shop.history.yaml"))
        #expect(!matches("Sources/App/lockstep.yaml"))
        // Of the schema with a file of its own, editors use that only.
        let own = try #require(schemas["./.vscode/Journal.schema.json"])
        #expect(own == ["Schemas/Journal.yaml"])
        #expect(!matches("Schemas/Journal.yaml"))
    }

    @Test("A JSON Schema is for a schema or for all; without --format it is refused")
    func grammar() throws {
        let tool = try CommandLineTool()
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
        let text = try tool.run("grammar", "Schemas/Journal.yaml", "--format", "json-schema").output
        #expect(text.contains("\"Mood?\""))
        #expect(try !tool.run("grammar", "--format", "json-schema").output.contains("\"Mood?\""))
        #expect(try tool.run("grammar", "Schemas/Journal.yaml").status == 2)
        #expect(try tool.run("grammar", "Missing.yaml", "--format", "json-schema").status == 2)
        try tool.write("lockstep: 1\nentities: 7\n", to: "Broken.yaml")
        let broken = try tool.run("grammar", "Broken.yaml", "--format", "json-schema")
        #expect(broken.status == 1)
        #expect(broken.output.isEmpty)
        #expect(broken.errors.contains("Broken.yaml:2:11: error:"))
    }
}
