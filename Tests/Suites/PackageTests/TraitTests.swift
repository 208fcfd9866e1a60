import Foundation
import TestSupport
import Testing

extension BuildPluginTests {
    @Test(
        "A command that users' packages do not build says which trait adds it",
        arguments: [
            (["diagram", Sample.journalPath], "Document"), (["document", Sample.journalPath], "Document"),
            (["import", "Shop.xcdatamodeld"], "Import"), (["init", "Shop", "--from", "Shop.sqlite"], "Import"),
            (["inspect", "journal.sqlite"], "Inspect"), (["export", "journal.sqlite"], "Inspect"),
            (["conformance", "https://example.com", Sample.journalPath], "Inspect"),
        ])
    func missingTrait(command: [String], trait: String) throws {
        let result = try package.swift(["run", "lockstep"] + command)
        #expect(result.status == 2, "\(result.text)")
        #expect(result.output == "")
        #expect(result.errors.contains("error: This build of lockstep has no "), "\(result.text)")
        #expect(result.errors.contains(#"traits: ["\#(trait)"]"#), "\(result.text)")
    }

    @Test("With the trait Import, a user's package does not read Swift, and says which trait does")
    func swiftSources() throws {
        try package.replace("from: \"1.0.0\"", with: "from: \"1.0.0\", traits: [\"Import\"]", in: "Package.swift")
        defer { try? package.resetManifest() }
        try package.write("@Model class Trip { var id: Int }", to: "Trip.swift")
        let result = try package.swift(["run", "lockstep", "import", "Trip.swift"])
        #expect(result.status == 2, "\(result.text)")
        #expect(result.errors.contains(#"traits: ["SwiftSources"]"#), "\(result.text)")
        #expect(!result.text.contains("swift-syntax"), "\(result.text)")
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
