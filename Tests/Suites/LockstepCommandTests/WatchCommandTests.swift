import Foundation
import TestSupport
import Testing

@Suite("generate --watch")
struct WatchCommandTests {
    @Test("It generates after each change, survives errors, and ends at Control-C")
    func watch() throws {
        let tool = try CommandLineTool()
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
        let process = try ChildProcess(
            of: builtProduct("lockstep"), ["generate", "--watch"], in: tool.folder, hasErrors: true)
        #expect(process.line()?.hasSuffix(" written, 0 removed, 0 unchanged.") == true)

        try tool.write(Sample.journal.replacing("One page", with: "A page"), to: "Schemas/Journal.yaml")
        #expect(process.line()?.hasPrefix("Generated: ") == true)
        #expect(try tool.read("Generated/Journal/Entry.swift").contains("A page of the journal."))

        try tool.write(Sample.journal.replacing("title: string", with: "title: strng"), to: "Schemas/Journal.yaml")
        var lines: [String] = []
        while let line = process.line() {
            lines.append(line)
            if line.hasSuffix("waiting for a change.") { break }
        }
        #expect(lines.first?.hasPrefix("Schemas/Journal.yaml:11:14: error:") == true)
        #expect(lines.last == "Generated: nothing was written; waiting for a change.")

        // A schema that is added is generated, too.
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
        #expect(process.line()?.hasPrefix("Generated: ") == true)
        try tool.write(Sample.journal.replacing("schema: Journal", with: "schema: Diary"), to: "Schemas/Diary.yaml")
        #expect(process.line()?.hasPrefix("Generated: ") == true)
        #expect(tool.exists("Generated/Diary/Entry.swift"))

        process.interrupt()
        #expect(process.finish())
        #expect(try tool.run("generate", "--check").status == 0)
    }

    @Test("A generated file that was edited is reported in one line, and generated again as soon as the edit is undone")
    func editedOutput() throws {
        let tool = try CommandLineTool()
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
        let process = try ChildProcess(
            of: builtProduct("lockstep"), ["generate", "--watch"], in: tool.folder, hasErrors: true)
        #expect(process.line()?.hasSuffix(" written, 0 removed, 0 unchanged.") == true)

        let generated = try tool.read("Generated/Journal/Entry.swift")
        try tool.write(generated + "// Mine.\n", to: "Generated/Journal/Entry.swift")
        try tool.write(Sample.journal.replacing("One page", with: "A page"), to: "Schemas/Journal.yaml")
        #expect(process.line()?.hasPrefix("error: Generated/Journal/Entry.swift ") == true)
        #expect(process.line() == "Generated: nothing was written; waiting for a change.")

        try tool.write(generated, to: "Generated/Journal/Entry.swift")
        #expect(process.line()?.hasPrefix("Generated: ") == true)
        #expect(try tool.read("Generated/Journal/Entry.swift").contains("A page of the journal."))
        process.interrupt()
        #expect(process.finish())
    }

    @Test("If the only schema is gone for a moment, the generated files stay")
    func missingSchema() throws {
        let tool = try CommandLineTool()
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
        let process = try ChildProcess(
            of: builtProduct("lockstep"), ["generate", "--watch"], in: tool.folder, hasErrors: true)
        #expect(process.line()?.hasSuffix(" written, 0 removed, 0 unchanged.") == true)

        try FileManager.default.removeItem(at: tool.folder.appendingPathComponent("Schemas/Journal.yaml"))
        #expect(
            process.line() == "There is no schema any more. The generated files stay; waiting for a change.")
        #expect(tool.exists("Generated/Journal/Entry.swift"))
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
        #expect(process.line()?.hasPrefix("Generated: 0 written, 0 removed, ") == true)
        process.interrupt()
        #expect(process.finish())
        // Without --watch, they are removed.
        try FileManager.default.removeItem(at: tool.folder.appendingPathComponent("Schemas/Journal.yaml"))
        #expect(try tool.run("generate").status == 0)
        #expect(!tool.exists("Generated/Journal/Entry.swift"))
    }

    @Test("What is wrong from the start is not waited for")
    func wrongUse() throws {
        let tool = try CommandLineTool()
        #expect(try tool.run("generate", "--watch").status == 2)
        #expect(try tool.run("generate", "Missing.yaml", "--watch").status == 2)
        for option in ["--check", "--dry-run"] {
            #expect(try tool.run("generate", "--watch", option).errors.contains("--watch cannot be combined"))
        }
    }
}
