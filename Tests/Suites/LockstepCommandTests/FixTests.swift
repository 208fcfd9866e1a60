import Foundation
@testable import lockstep
import TestSupport
import Testing

@Suite("The remedy of --check works")
struct FixTests {
    @Test("The remedy is quoted for a shell, and the diff names files relative to the working directory")
    func quoted() throws {
        let tool = try CommandLineTool()
        try tool.write(Sample.journal, to: "My Schemas/it's.yaml")
        let result = try tool.run("generate", "--check", "My Schemas/it's.yaml", "--output", "./My Models/")
        #expect(result.status == 1)
        #expect(
            result.output.hasSuffix(
                #"run: lockstep generate 'My Schemas/it'\''s.yaml' --output './My Models/'"# + "\n"),
            "\(result.output.suffix(200))")
        #expect(result.output.contains("--- /dev/null\n+++ b/My Models/Journal/Entry.swift\n"))
    }

    @Test("The remedy keeps the options of the run")
    func options() throws {
        let tool = try CommandLineTool()
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
        let options = ["--access", "public", "--sql", "sqlite,postgresql", "--shards", "2"]
        let result = try tool.run(["generate", "--check", "--diagnostics", "text"] + options)
        #expect(result.output.hasSuffix("run: lockstep generate \(options.joined(separator: " "))\n"))
        #expect(try tool.run(["generate"] + options).status == 0)
        #expect(try tool.run(["generate", "--check"] + options).status == 0)
    }

    @Test("--diagnostics github annotates stale files, with the remedy")
    func annotations() throws {
        let tool = try staleTool()
        let result = try tool.run("generate", "--check", "--access", "public", "--diagnostics", "github")
        #expect(result.status == 1)
        let annotations = result.output.split(separator: "\n").filter { $0.hasPrefix("::") }
        #expect(annotations.count == 5, "\(result.output)")
        #expect(
            annotations.contains(
                "::error file=Generated/Journal/Entry.swift,line=1,col=1,title=stale-output::"
                    + "This file is not what the schemas generate: stale%0ARun: lockstep generate --access public"))
        #expect(result.output.contains("stale: Generated/Journal/Entry.swift\n"))
        #expect(result.output.contains("missing: Generated/Journal/Mood.swift\n"))
        #expect(try tool.run("explain", "stale-output").status == 0)
    }

    @Test("--diagnostics json is one array, also for stale files")
    func json() throws {
        let tool = try staleTool()
        let result = try tool.run("generate", "--check", "--diagnostics", "json")
        #expect(result.status == 1)
        let findings = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
        #expect(findings.contains { $0["path"] as? String == "Generated/Journal/Mood.swift" })
        #expect(findings.allSatisfy { $0["code"] as? String == "stale-output" })
        #expect(try tool.run("generate", "--force").status == 0)
        #expect(try tool.run("generate", "--check", "--diagnostics", "json").output == "[]\n")
    }

    @Test("diff --diagnostics json is one array, and the changes are on standard error")
    func jsonOfDiff() throws {
        let tool = try CommandLineTool()
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
        try tool.write(Sample.journal.replacing("title: string", with: "name: string"), to: "New.yaml")
        let result = try tool.run("diff", "Schemas/Journal.yaml", "--against", "New.yaml", "--diagnostics", "json")
        #expect((try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [Any])?.isEmpty == false)
        #expect(result.errors.contains("Journal, since New.yaml"))
    }

    /// One file is missing, and the schema has changed since the others were generated.
    private func staleTool() throws -> CommandLineTool {
        let tool = try CommandLineTool()
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
        try tool.run("generate", "--access", "public")
        try FileManager.default.removeItem(at: tool.folder.appendingPathComponent("Generated/Journal/Mood.swift"))
        try tool.write(Sample.journal.replacing("title: string", with: "title: string?"), to: "Schemas/Journal.yaml")
        return tool
    }

    @Test("Only arguments that a shell would split are quoted")
    func quoting() {
        #expect(shellQuoted("Schemas/Journal-2.yaml") == "Schemas/Journal-2.yaml")
        #expect(shellQuoted("") == "''")
        #expect(shellQuoted("$HOME;`ls`") == "'$HOME;`ls`'")
        #expect(shellQuoted("it's") == #"'it'\''s'"#)
    }

    @Test("Files that another build of lockstep generated from this very schema are fixed by --force")
    func staleByAnotherBuild() throws {
        let (tool, other) = (try CommandLineTool(), try CommandLineTool())
        for tool in [tool, other] { try tool.write(Sample.journal, to: "Schemas/Journal.yaml") }
        try tool.run("generate")
        try other.run("generate", "--access", "package")
        let (file, manifest) = ("Generated/Journal/Entry.swift", "Generated/Journal/.lockstep-manifest")
        func line(_ tool: CommandLineTool) throws -> String {
            let lines = try tool.read(manifest).components(separatedBy: "\n")
            return try #require(lines.first { $0.hasSuffix("  Entry.swift") })
        }
        try tool.write(try tool.read(manifest).replacing(line(tool), with: line(other)), to: manifest)
        try tool.write(try other.read(file), to: file)
        let result = try tool.run("generate", "--check")
        #expect(result.output.contains("stale: \(file)"))
        #expect(result.output.hasSuffix("run: lockstep generate --force\n"), "\(result.output.suffix(200))")
        #expect(try tool.run("generate", "--force").status == 0)
        #expect(try tool.run("generate", "--check").status == 0)
    }

    @Test("Files that are stale because the schema changed need no --force")
    func staleBySchema() throws {
        let tool = try CommandLineTool()
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
        try tool.run("generate")
        try tool.write(Sample.journal.replacing("title: string", with: "title: string?"), to: "Schemas/Journal.yaml")
        #expect(try tool.run("generate", "--check").output.hasSuffix("run: lockstep generate\n"))
    }

    @Test("An edited file is kept if the manifest was lost or is invalid", arguments: [true, false])
    func lostManifest(_ isLost: Bool) throws {
        let tool = try CommandLineTool()
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
        try tool.run("generate")
        let (path, manifest) = ("Generated/Journal/Entry.swift", "Generated/Journal/.lockstep-manifest")
        let edited = try tool.read(path) + "// by hand\n"
        try tool.write(edited, to: path)
        if isLost {
            try FileManager.default.removeItem(at: tool.folder.appendingPathComponent(manifest))
        } else {
            try tool.write("garbage\n", to: manifest)
        }
        let result = try tool.run("generate")
        #expect(result.status == 1)
        #expect(result.errors.contains("If you did not edit it, run with --force"))
        #expect(result.errors.contains("is not a manifest of lockstep") == !isLost)
        #expect(try tool.read(path) == edited)
    }
}

@Suite("The schemas included in a run")
struct SchemaSelectionTests {
    @Test("When the last schema is deleted, so is its output; a missing Schemas/ is a usage error")
    func lastSchemaGone() throws {
        let tool = try CommandLineTool()
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
        try tool.run("generate")
        try tool.write("// mine\n", to: "Generated/Mine.swift")
        try FileManager.default.removeItem(at: tool.folder.appendingPathComponent("Schemas/Journal.yaml"))
        let check = try tool.run("generate", "--check")
        #expect(check.status == 1)
        #expect(check.output.contains("orphaned: Generated/Journal/Entry.swift"))
        #expect(try tool.run("generate").status == 0)
        #expect(try tool.contents(of: "Generated").keys.sorted() == ["Mine.swift"])
        #expect(try tool.run("generate").status == 2, "there is nothing to do with an empty folder")
        try FileManager.default.removeItem(at: tool.folder.appendingPathComponent("Schemas"))
        #expect(try tool.run("generate").status == 2)
    }

    @Test("Without a folder Schemas/, nothing is removed")
    func noSchemas() throws {
        let tool = try CommandLineTool()
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
        try tool.run("generate")
        try FileManager.default.removeItem(at: tool.folder.appendingPathComponent("Schemas"))
        #expect(try tool.run("generate").status == 2)
        #expect(tool.exists("Generated/Journal/Entry.swift"))
    }

    @Test("A file named twice, in two spellings, is read once; counts use singular and plural")
    func namedTwice() throws {
        let tool = try CommandLineTool()
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
        #expect(try tool.run("migrate", "--from", "Schemas/Journal.yaml").status == 0)
        let result = try tool.run("check", "Schemas/Journal.yaml", "./Schemas/../Schemas/Journal.yaml", "Schemas")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors == "1 schema with 2 entities: no findings.\n")
    }
}
