import Foundation
import TestSupport
import Testing

extension BuildPluginTests {
    @Test(
        "A command that users' packages do not build says which trait adds it",
        arguments: [
            (["diagram", Sample.journalPath], "Document"), (["document", Sample.journalPath], "Document"),
            (["import", "Shop.xcdatamodeld"], "Import"), (["init", "Shop", "--from", "Shop.sqlite"], "Import"),
            (["inspect", "journal.sqlite"], "Inspect"),
            (["conformance", "https://example.com", Sample.journalPath], "Inspect"),
        ])
    func missingTrait(command: [String], trait: String) throws {
        let result = try package.swift(["run", "lockstep"] + command)
        #expect(result.status == 2, "\(result.text)")
        #expect(result.output == "")
        #expect(result.errors.contains("error: This build of lockstep has no "), "\(result.text)")
        #expect(result.errors.contains(#"traits: ["\#(trait)"]"#), "\(result.text)")
    }

    @Test("With the trait Document, a user's package draws its schema")
    func document() throws {
        try package.replace("from: \"1.0.0\"", with: "from: \"1.0.0\", traits: [\"Document\"]", in: "Package.swift")
        defer { try? package.resetManifest() }
        let result = try package.swift(["run", "lockstep", "diagram", Sample.journalPath, "--format", "mermaid"])
        #expect(result.status == 0, "\(result.text)")
        #expect(result.output.hasPrefix("erDiagram\n"), "\(result.text)")
    }
}
