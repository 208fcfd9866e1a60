import Foundation
import LockstepSchema
import TestSupport
import Testing

@Suite("Files that are not schemas are reported at once")
struct SchemaFileTests {
    private let tool: CommandLineTool

    init() throws {
        tool = try CommandLineTool()
        try tool.write(Sample.journal, to: "Schemas/Journal.yaml")
    }

    private func path(_ name: String) -> String { tool.folder.appendingPathComponent(name).path }

    private static let commands = [
        ["check"], ["describe"], ["generate"], ["generate", "--check"],
        ["emit", "--output", "build", "--file", "Journal.swift"],
    ]

    @Test("A pipe is not a schema, and the run does not wait for a writer", arguments: commands)
    func pipe(command: [String]) throws {
        try #require(mkfifo(path("pipe.yaml"), 0o600) == 0)
        let result = try tool.run(command + ["pipe.yaml"])
        #expect(result.status == 2)
        #expect(
            result.errors
                == "error: 'pipe.yaml' is a pipe; a schema must be a file. Write the schema to a file, and pass that file.\n"
        )
        #expect(!tool.exists("Generated") && !tool.exists("build"))
    }

    @Test("A pipe in a folder of schemas, or as the build plugin's configuration, is rejected too")
    func pipesInFolders() throws {
        try #require(mkfifo(path("Schemas/Pipe.yaml"), 0o600) == 0)
        #expect(try tool.run("check").errors.hasPrefix("error: 'Schemas/Pipe.yaml' is a pipe"))
        let emitted = try tool.run(
            "emit", "Schemas/Journal.yaml", "--output", "build", "--file", "A.swift", "--planned-file",
            "Schemas/Pipe.yaml", "--planned-text", "")
        #expect(emitted.status == 2 && emitted.errors.contains("is a pipe"), "\(emitted.text)")
    }

    @Test("A device and a folder among schemas are reported as such")
    func others() throws {
        #expect(try tool.run("check", "/dev/zero").errors.hasPrefix("error: '/dev/zero' is a device; a schema"))
        try tool.write("", to: "Schemas/Folder.yaml/file")
        let folder = try tool.run("check")
        #expect(folder.errors.hasPrefix("error: 'Schemas/Folder.yaml' is a folder; a schema"))
        #expect(folder.status == 2)
    }

    @Test("A file that is too large for a schema is reported, and not read", arguments: commands)
    func tooLarge(command: [String]) throws {
        try tool.write("", to: "large.yaml")
        // A sparse file: nothing of the terabyte is on disk, and it would not fit into memory.
        try #require(truncate(path("large.yaml"), 1 << 40) == 0)
        let result = try tool.run(command + ["large.yaml"])
        #expect(result.status == 1)
        #expect(
            result.errors == """
                large.yaml:1:1: error: The file has 1099511627776 bytes; the maximum is 16777216 [file-too-large]
                help: Split the schema into several.

                1 error

                """)
    }

    @Test("A file that reports a size of zero and is not empty is read to its end")
    func withoutSize() throws {
        guard FileManager.default.fileExists(atPath: "/proc/self/status") else { return }
        let source = try SchemaSource(readingFileAt: "/proc/self/status")
        #expect(String(decoding: source.bytes, as: UTF8.self).hasPrefix("Name:"))
    }

    @Test("A manifest that is a pipe, or too large, is reported")
    func manifests() throws {
        try tool.run("generate")
        let manifest = "Generated/Journal/.lockstep-manifest"
        try FileManager.default.removeItem(atPath: path(manifest))
        try #require(mkfifo(path(manifest), 0o600) == 0)
        let pipe = try tool.run("generate", "Schemas/Journal.yaml")
        #expect(pipe.status == 2)
        #expect(
            pipe.errors
                == "error: \(manifest) cannot be read: it is a link, a pipe or a device. Restore it from version control, or remove it.\n"
        )
        try FileManager.default.removeItem(atPath: path(manifest))
        try tool.write("", to: manifest)
        try #require(truncate(path(manifest), 1 << 40) == 0)
        let large = try tool.run("generate")
        #expect(large.status == 2)
        #expect(large.errors.contains("\(manifest) cannot be read: it is larger than any file"), "\(large.text)")
    }
}
