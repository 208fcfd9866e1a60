import Foundation
import TestSupport
import Testing

@Suite("diagram and document write to standard output or to a file")
struct PictureCommandTests {
    private let tool: CommandLineTool

    init() throws {
        tool = try CommandLineTool()
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
    }

    @Test(
        "Each format is data on standard output",
        arguments: [
            (["diagram"], "<?xml"), (["diagram", "--format", "svg"], "<?xml"),
            (["diagram", "--format", "mermaid"], "erDiagram\n"),
            (["diagram", "--format", "dot", "--keys-only"], "digraph \"Journal\""), (["document"], "<!doctype html>"),
            (["document", "--format", "markdown"], "# Journal\n"),
        ])
    func formats(_ arguments: [String], _ beginning: String) throws {
        let result = try tool.run(arguments)
        #expect(result.status == 0)
        #expect(result.output.hasPrefix(beginning))
        #expect(result.errors.isEmpty)
    }

    @Test("Without attributes that are not keys, --keys-only")
    func keys() throws {
        #expect(try tool.run("diagram", "--format", "mermaid").output.contains("string title"))
        #expect(try !tool.run("diagram", "--format", "mermaid", "--keys-only").output.contains("string title"))
    }

    @Test("A file is written, compared and left alone", arguments: [["diagram", "--format", "mermaid"], ["document"]])
    func files(_ arguments: [String]) throws {
        let output = arguments + ["--output", "a b.txt"]
        let missing = try tool.run(output + ["--check"])
        #expect(missing.status == 1)
        #expect(
            missing.errors == "a b.txt is stale or missing. To update it, run: "
                + "lockstep \(arguments.joined(separator: " ")) --output 'a b.txt'\n")
        #expect(!tool.exists("a b.txt"))

        #expect(try tool.run(output).errors == "Wrote a b.txt.\n")
        #expect(try tool.read("a b.txt") == tool.run(arguments).output)
        let date = try tool.modificationDate(of: "a b.txt")
        #expect(try tool.run(output).errors == "a b.txt: unchanged.\n")
        #expect(try tool.modificationDate(of: "a b.txt") == date)
        #expect(try tool.run(output + ["--check"]).errors == "a b.txt is up to date.\n")

        try tool.write(Sample.journal.replacing("title: string", with: "title: string?"), to: "Schemas/Journal.yaml")
        #expect(try tool.run(output + ["--check"]).status == 1)
    }

    @Test("Wrong use exits 2, a schema with errors 1; nothing is written", arguments: ["diagram", "document"])
    func errors(_ command: String) throws {
        #expect(try tool.run(command, "Missing.yaml").status == 2)
        #expect(try tool.run(command, "--check").errors.contains("--check needs --output."))
        #expect(try tool.run(command, "--format", "png").status == 2)
        let unwritable = try tool.run(command, "--output", "none/file")
        #expect(unwritable.status == 2)
        #expect(unwritable.errors == "error: There is no folder 'none'. Create it first.\n")
        let folder = try tool.run(command, "-o", "Schemas")
        #expect(folder.status == 2)
        #expect(folder.errors == "error: 'Schemas' is a folder. Name a file, for example one in it.\n")
        let nameless = try tool.run(command, "--output", "")
        #expect(nameless.status == 2 && nameless.errors == "error: The name of the output file is empty.\n")
        let below = try tool.run(command, "-o", "Schemas/Journal.yaml/file")
        #expect(below.errors == "error: 'Schemas/Journal.yaml' is a file, not a folder. Choose another folder.\n")

        let source = try tool.run(command, "--output", "Schemas/../Schemas/Journal.yaml")
        #expect(source.status == 2)
        #expect(source.errors.hasSuffix("Journal.yaml' is a file of the schema. Choose another name.\n"))

        try tool.write(Sample.journal.replacing("string", with: "strng"), to: "Schemas/Broken.yaml")
        let several = try tool.run(command)
        #expect(several.status == 2)
        #expect(several.errors.contains("There are several schemas."))
        let broken = try tool.run(command, "Schemas/Broken.yaml", "--output", "out")
        #expect(broken.status == 1)
        #expect(broken.errors.contains("[unknown-type]"))
        #expect(!tool.exists("out"))
    }

    @Test("A link stays a link; the file that it leads to is written", arguments: ["diagram", "document"])
    func links(_ command: String) throws {
        try FileManager.default.createDirectory(
            at: tool.folder.appendingPathComponent("pages"), withIntermediateDirectories: false)
        let link = tool.folder.appendingPathComponent("link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "pages/page")
        #expect(try tool.run(command, "-o", "link").errors == "Wrote link.\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "pages/page")
        #expect(try tool.read("pages/page") == tool.run(command).output)
        #expect(try tool.run(command, "-o", "link", "--check").status == 0)
    }

    @Test(
        "Output that cannot be written is an error; a reader that has read enough is not one",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func fullDisk() throws {
        let path = try builtProduct("lockstep").path
        func run(_ rest: String) throws -> ProcessResult {
            try runProcess(URL(fileURLWithPath: "/bin/bash"), ["-c", "'\(path)' diagram \(rest)"], in: tool.folder)
        }
        let full = try run("> /dev/full")
        #expect(full.status == 2)
        #expect(full.errors == "error: The output cannot be written: No space left on device.\n")
        #expect(try run("| head -c 1").text == "<")
        #expect(try run("2> /dev/full").status == 0)
    }

    @Test("A dictionary has the versions of the history")
    func versions() throws {
        let journal = try VersionedJournal()
        let text = try journal.tool.run("document", "--format", "markdown").output
        #expect(text.contains("### <a id=\"version-1\"></a>Version 1\n"))
    }
}
