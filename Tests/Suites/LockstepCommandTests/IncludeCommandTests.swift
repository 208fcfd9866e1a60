import Foundation
import TestSupport
import Testing

@Suite("A schema of several files, on the command line")
struct IncludeCommandTests {
    private static let main = """
        lockstep: 1
        schema: Journal
        include: [Shared.yaml]
        entities:
          Entry: { attributes: { id: uuid, mood: Mood } }

        """
    private static let shared = "lockstep: 1\nenums: { Mood: { closed: true, cases: [sad, happy] } }\n"

    private func tool() throws -> CommandLineTool {
        let tool = try CommandLineTool()
        try tool.write(Self.main, to: "Schemas/Journal.yaml")
        try tool.write(Self.shared, to: "Schemas/Shared.yaml")
        return tool
    }

    @Test("Shared.yaml is no schema of its own, and what is generated depends on it")
    func generate() throws {
        let tool = try tool()
        #expect(try tool.run("generate").errors == "Generated: 5 written, 0 removed, 0 unchanged.\n")
        #expect(try tool.run("generate", "--check").status == 0)
        try tool.write(Self.shared.replacing("happy", with: "glad"), to: "Schemas/Shared.yaml")
        #expect(try tool.run("generate", "--check").status == 1)
        #expect(try tool.run("generate", "Schemas/Journal.yaml").status == 0)
        #expect(try tool.read("Generated/Journal/Mood.swift").contains("case sad, glad\n"))
    }

    @Test("A finding is shown in its file, wherever the command is started")
    func finding() throws {
        let tool = try tool()
        try tool.write(Self.shared.replacing("sad", with: "1sad"), to: "Schemas/Shared.yaml")
        let result = try tool.run("check")
        #expect(result.status == 1 && result.errors.hasPrefix("Schemas/Shared.yaml:2:40: error: "), "\(result.errors)")
        let schema = tool.folder.appendingPathComponent("Schemas/Journal.yaml").path
        #expect(try tool.run("check", schema).errors.contains("/Schemas/Shared.yaml:2:40: error: "))
    }

    @Test("A file that no schema includes is reported")
    func alone() throws {
        let tool = try tool()
        try tool.write(
            Self.main.replacing("include: [Shared.yaml]", with: "enums: { Mood: [sad] }"), to: "Schemas/Journal.yaml")
        let result = try tool.run("check")
        #expect(result.status == 1 && result.errors.contains("Schemas/Shared.yaml:1:1: error: "), "\(result.errors)")
    }

    @Test("The history compares with the included file as Git has it")
    func history() throws {
        let tool = try tool()
        try tool.commit()
        #expect(try tool.run("migrate", "--name", "first").status == 0)
        try tool.commit()
        try tool.write(Self.shared.replacing("happy", with: "happy, calm"), to: "Schemas/Shared.yaml")
        #expect(try tool.run("diff", "--against", "HEAD").output.contains("~ Mood: + case calm"))
        #expect(try tool.run("migrate", "--name", "calm").errors.contains("Journal 1 → 2 (calm)"))
        #expect(try tool.read("Schemas/Journal.yaml").contains("version: 2\n"))
        #expect(try tool.run("check").status == 0)
    }

    @Test("The first version is in doubt if Git has another state of the included file")
    func doubt() throws {
        let tool = try tool()
        try tool.commit()
        try tool.write(Self.shared.replacing("happy", with: "happy, calm"), to: "Schemas/Shared.yaml")
        try tool.commit()
        let result = try tool.run("migrate", "--name", "first")
        #expect(result.status == 1 && result.errors.contains("in Git it was another schema"), "\(result.errors)")
    }

    @Test("A build system has the Swift of the schema, and files without declarations for the included one")
    func emit() throws {
        let tool = try tool()
        let files = ["J1.swift", "J2.swift", "S1.swift", "S2.swift"].flatMap { ["--file", $0] }
        let result = try tool.run(["emit", "Schemas/Journal.yaml", "Schemas/Shared.yaml", "--output", "build"] + files)
        #expect(result.status == 0, "\(result.errors)")
        let own = try tool.read("build/J1.swift") + tool.read("build/J2.swift")
        #expect(own.contains("enum Mood") && own.contains("class Entry"))
        #expect(try tool.read("build/S1.swift").hasPrefix("// "))
        #expect(try tool.read("build/S1.swift").split(separator: "\n").count == 1)
    }

    @Test("A schema that includes itself, or one that includes it, is an error, and nothing is removed")
    func cycles() throws {
        for text in [Self.main.replacing("Shared", with: "Journal"), Self.main] {
            let tool = try tool()
            try tool.run("generate")
            try tool.write(text, to: "Schemas/Journal.yaml")
            try tool.write(Self.main.replacing("Shared", with: "Journal"), to: "Schemas/Shared.yaml")
            #expect(try tool.run("check").status == 1)
            #expect(try tool.run("generate").status == 1)
            #expect(try tool.read("Generated/Journal/Mood.swift").contains("case sad, happy\n"))
            #expect(try tool.run("emit", "Schemas/Journal.yaml", "--output", "build", "--file", "J.swift").status == 1)
        }
    }

    @Test("The first version is in doubt if a file that was included once has changed")
    func formerInclude() throws {
        let tool = try tool()
        try tool.commit()
        try tool.write(Self.shared.replacing("happy", with: "happy, calm"), to: "Schemas/Shared.yaml")
        try tool.commit()
        let enums = Self.shared.dropFirst("lockstep: 1\n".count)
        try tool.write(Self.main.replacing("include: [Shared.yaml]\n", with: enums), to: "Schemas/Journal.yaml")
        try FileManager.default.removeItem(at: tool.folder.appendingPathComponent("Schemas/Shared.yaml"))
        try tool.commit()
        let result = try tool.run("migrate", "--name", "first")
        #expect(result.status == 1 && result.errors.contains("in Git it was another schema"), "\(result.errors)")
    }

    @Test("A pipe, a folder or a device is not read")
    func pipe() throws {
        let tool = try tool()
        try tool.write("", to: "Schemas/Folder.yaml/file")
        try tool.write(Self.main.replacing("Shared", with: "Folder"), to: "Schemas/Journal.yaml")
        let result = try tool.run("check", "Schemas/Journal.yaml")
        #expect(result.status == 2 && result.errors.contains("is a folder"), "\(result.errors)")
    }
}
