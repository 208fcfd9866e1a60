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
