import Foundation
import TestSupport
import Testing

@Suite("Importing sample JSON")
struct SampleImportCommandTests {
    private let tool: CommandLineTool

    init() throws { tool = try CommandLineTool() }

    /// The blocks of a language on the page.
    private static func blocks(_ language: String) throws -> [String] {
        Documentation.files(language, in: try Documentation.page("SampleJSON"))
    }

    @Test("The example on the page is what the command prints and writes, and it generates")
    func page() throws {
        let samples = try Self.blocks("json")
        try #require(samples.count == 2)
        try tool.write(samples[0], to: "entries.json")
        try tool.write(samples[1], to: "authors.json")
        let console = try #require(try Self.blocks("").first { $0.hasPrefix("$ lockstep import") })
        let result = try tool.run("import", "entries.json", "authors.json", "--name", "Diary")
        #expect(result.status == 0)
        #expect("$ lockstep import entries.json authors.json --name Diary\n" + result.errors == console)
        #expect(try tool.read("Schemas/Diary.yaml") == Self.blocks("yaml").first)
        #expect(try tool.run("check").status == 0)
        #expect(try tool.run("generate").status == 0)
    }

    @Test("With --strict, samples that do not come back equal are findings")
    func strict() throws {
        for sample in try Self.blocks("json").enumerated() {
            try tool.write(sample.element, to: "\(sample.offset).json")
        }
        #expect(try tool.run("import", "0.json", "--name", "Diary", "--strict").status == 1)
        #expect(try tool.run("import", "1.json", "--name", "People", "--strict").status == 0)
    }

    @Test("A page of a proxy is no sample, and nothing is written")
    func page200() throws {
        try tool.write("<!DOCTYPE html>\n<html><body>Sign in</body></html>\n", to: "entries.json")
        let result = try tool.run("import", "entries.json")
        #expect(result.status == 2)
        #expect(result.errors.contains("entries.json") && result.errors.contains("Nothing was written."))
        #expect(!FileManager.default.fileExists(atPath: tool.folder.appendingPathComponent("Schemas").path))
    }
}
