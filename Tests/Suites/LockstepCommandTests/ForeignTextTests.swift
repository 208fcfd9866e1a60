import Foundation
import GRDB
import Journal
import LockstepSchema
import LockstepStore
import TestSupport
import Testing

/// What comes from schemas, stores and databases is printed in every form; a terminal and a log must not obey it.
@Suite("Nothing that is not our own commands a terminal or looks like a line of its own")
struct ForeignTextTests {
    private let tool: CommandLineTool

    /// Sets the title of a terminal, clears it, and is an annotation in a log of GitHub Actions.
    private static let text = "a\u{1B}]0;title\u{7}\u{1B}[2J\u{9B}31m\r\n::error file=x::forged\u{2028}\u{202E}b\u{0}"
    /// The same for names and paths, which have no NUL.
    private static let name = text.replacing("\u{0}", with: "")

    private static var scalar: String { YAMLText.scalar(text) }

    init() throws { tool = try CommandLineTool() }

    /// Runs the command, and checks what it prints.
    @discardableResult
    private func check(_ arguments: [String], status: Int32 = 0) throws -> ProcessResult {
        let result = try tool.run(arguments)
        #expect(result.status == status, "\(arguments): \(result.errors)")
        for text in [result.output, result.errors] {
            let hidden = text.unicodeScalars.filter { scalar in
                scalar != "\n" && scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
                    || scalar == "\u{2028}"
            }
            #expect(hidden.isEmpty, "\(arguments): \(hidden.map { String($0.value, radix: 16) })")
            // Actions ignore what is before a command in its line if it is blank.
            let forged = text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0).drop { $0 == " " } }
                .filter { $0.hasPrefix("::error file=x") }
            #expect(forged.isEmpty, "\(arguments): \(forged)")
        }
        return result
    }

    @Test("inspect", arguments: [[], ["--values"], ["--json", "--values"], ["--html", "--values"]])
    func inspect(_ options: [String]) async throws {
        let url = tool.folder.appendingPathComponent("journal.sqlite")
        let store = try Store(JournalSchema.self, at: .file(url))
        try await store.perform { context in
            Entry(title: Self.name, context: context)
            try context.save()
        }
        try store.close()
        let database = try DatabaseQueue(path: url.path)
        try await database.write { database in
            try database.execute(
                sql: "UPDATE lockstep_metadata SET value = ? WHERE key = 'made_by'", arguments: [Self.name])
            try database.execute(sql: "CREATE TABLE \(Self.name.quotedDatabaseIdentifier) (id INTEGER)")
            try database.execute(
                sql: "UPDATE lockstep_outbox SET parked_status = 422, parked_body = ?",
                arguments: [Data(Self.name.utf8)])
        }
        try database.close()
        let result = try check(["inspect", "journal.sqlite"] + options, status: 1)
        #expect(result.output.contains("file=x"))
        #expect(try check(["export", "journal.sqlite"]).output.contains("file=x"))
    }

    @Test("import", arguments: ["sqlite", "json"])
    func importing(_ kind: String) throws {
        let file = "Diary.\(kind)"
        if kind == "sqlite" {
            let database = try DatabaseQueue(path: tool.folder.appendingPathComponent(file).path)
            let (name, value) = (Self.name.quotedDatabaseIdentifier, "'\(Self.name)'")
            try database.write {
                try $0.execute(
                    sql: """
                        CREATE TABLE \(name) (id INTEGER PRIMARY KEY, \(name) TEXT DEFAULT \(value) COLLATE NOCASE);
                        CREATE TABLE other (id INTEGER PRIMARY KEY, a TEXT CHECK (a <> \(value)), b INT AS (id + 1));
                        CREATE VIEW \(("v" + Self.name).quotedDatabaseIdentifier) AS SELECT 1;
                        CREATE INDEX \(("i" + Self.name).quotedDatabaseIdentifier) ON other (a) WHERE a <> \(value);
                        """)
            }
            try database.close()
        } else {
            let data = try JSONSerialization.data(withJSONObject: ["items": [["id": 1, Self.name: Self.name]]])
            try data.write(to: tool.folder.appendingPathComponent(file))
        }
        try check(["import", file])
        try check(["check"])
        try check(["generate"])
        for (path, data) in try tool.contents(of: ".") where path.hasSuffix(".swift") || path.hasSuffix(".yaml") {
            let text = String(decoding: data, as: UTF8.self)
            let controls = text.unicodeScalars.filter { $0 != "\n" && $0.properties.generalCategory == .control }
            #expect(controls.isEmpty, "\(path)")
            #expect(!text.contains("\n::error"), "\(path)")
        }
    }

    @Test("Documentation, defaults and raw values in diagrams and data dictionaries")
    func pictures() throws {
        try tool.write(
            """
            lockstep: 1
            schema: Journal
            doc: \(Self.scalar)
            enums:
              Mood: { doc: \(Self.scalar), cases: { sad: \(Self.scalar), happy: { value: h, doc: \(Self.scalar) } } }
            entities:
              Entry:
                doc: \(YAMLText.scalar("::error file=x::forged\n\n" + Self.text))
                attributes:
                  id: int
                  mood: { type: Mood, doc: \(Self.scalar), default: sad }
                  title: { type: string, default: \(Self.scalar), doc: \(YAMLText.scalar("::error file=x::y")) }
                  old: { type: string?, deprecated: \(Self.scalar) }

            """, to: "Schemas/Journal.yaml")
        for format in ["svg", "mermaid", "dot"] { try check(["diagram", "--format", format]) }
        for format in ["html", "markdown"] { try check(["document", "--format", format]) }
        for command in ["check", "describe", "generate", "grammar"] { try check([command]) }
        try check(["grammar", "--format", "json-schema"])
    }

    @Test("Findings, in every format, of names that are no names")
    func findings() throws {
        try tool.write(
            """
            lockstep: 1
            schema: Journal
            \(Self.scalar): 1
            enums:
              Mood: [\(Self.scalar)]
            entities:
              \(Self.scalar): { attributes: { id: \(Self.scalar) } }
              Entry:
                identity: \(Self.scalar)
                table: \(Self.scalar)
                extends: \(Self.scalar)
                attributes: { id: int, \(Self.scalar): int, a: { type: int, default: \(Self.scalar), b: 1 } }
                relationships: { c: { to: \(Self.scalar), inverse: \(Self.scalar), onDelete: \(Self.scalar) } }
            # \("::error file=x::forged")

            """, to: "Schemas/Journal.yaml")
        for format in ["text", "json", "github"] {
            try check(["check", "--diagnostics", format], status: 1)
        }
    }

    @Test("The paths of schemas, and files that were edited by hand")
    func paths() throws {
        let path = "Schemas/\(Self.name.replacing("/", with: "")).yaml"
        try tool.write(Sample.journal, to: path)
        try check(["generate"])
        try tool.write("// \(Self.text)\n", to: "Generated/Journal/Entry.swift")
        try check(["generate"], status: 1)
        for format in ["text", "json", "github"] {
            try check(["generate", "--check", "--diagnostics", format], status: 1)
        }
        try check(["check", path + "x"], status: 2)
        try tool.write("lockstep: 1\nschema: journal\n", to: path)
        for format in ["text", "json", "github"] { try check(["check", "--diagnostics", format], status: 1) }
        try check(["explain", Self.name], status: 2)
        try check(["inspect", Self.name], status: 2)
        try check([Self.name], status: 2)
        try check(["check", "--diagnostics=" + Self.name], status: 2)
        try check(["generate", "-" + Self.name], status: 2)
    }

    @Test("What the build plugin passes on")
    func emit() throws {
        try tool.write(Sample.journal, to: "Journal.lockstep.yaml")
        let arguments = ["Journal.lockstep.yaml", "--output", "Out", "--file", "Journal.1.swift"]
        try check(["emit"] + arguments + ["--failing", Self.name], status: 2)
        try check(["emit"] + arguments + ["--planned-file", Self.name, "--planned-text", "x"], status: 2)
    }

    @Test("Histories: what is said about changes, and the names of versions, which are errors at their places")
    func history() throws {
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
        try check(["migrate"], status: 1)
        try check(["migrate", "--from", Self.name], status: 2)
        try check(["migrate", "--store", Self.name], status: 2)
        try check(["migrate", "--from", "Schemas/Journal.yaml"])
        try tool.write(
            Sample.journal.replacing("      title: string\n", with: ""), to: "Schemas/Journal.yaml")
        try check(["migrate", "--name", Self.name, "--remove", "Entry.title"], status: 2)
        try check(["migrate", "--name", "two", "--remove", "Entry.title", "--because", Self.name])
        for format in ["text", "markdown"] { try check(["history", "--format", format]) }
        try check(["diff", "--sql", "sqlite,postgresql"])
        let path = "Schemas/Journal.history.yaml"
        let text = try tool.read(path)
        try tool.write(text.replacing("name: two", with: "name: \(YAMLText.scalar(Self.name))"), to: path)
        let result = try check(["check"], status: 1)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(lines.firstIndex { $0.contains("name: two") })
        #expect(result.errors.contains("\(path):\(line + 1):"))
        #expect(result.errors.contains("the name of a version is one line without control characters"))
    }
}
