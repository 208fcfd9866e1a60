import Foundation
import TestSupport
import Testing

extension BuildPluginTests {
    @Test("generate-models writes Generated/; --check fails until it matches the schemas")
    func generateModels() throws {
        let refused = try package.package(["generate-models"])
        #expect(refused.status != 0)
        #expect(refused.text.contains("--allow-writing-to-package-directory"), "\(refused.text)")
        #expect(!package.exists("Generated"))

        let missing = try generate("--check")
        #expect(missing.status == 1, "\(missing.text)")
        #expect(missing.output.contains("missing: Generated/Recipes/Recipe.swift"), "\(missing.text)")
        #expect(!package.exists("Generated"))

        let written = try generate()
        #expect(written.status == 0, "\(written.text)")
        #expect(try package.read("Generated/Recipes/Recipe.swift").contains("final class Recipe:"))
        #expect(package.exists("Generated/Recipes/Recipes.sqlite.sql"))
        #expect(try generate("--check").status == 0)

        try package.replace("title: string", with: "name: string", in: "Schemas/Recipes.yaml")
        let stale = try generate("--check")
        #expect(stale.status == 1)
        #expect(stale.output.contains("stale: Generated/Recipes/Recipe.swift"), "\(stale.text)")
        #expect(stale.output.contains("swift package generate-models"), "\(stale.text)")
    }

    @Test("generate-models passes its arguments on, and reports the position of an error in a schema")
    func arguments() throws {
        let written = try generate(Sample.journalPath, "--output", "Models/Generated code", "--sql", "none")
        #expect(written.status == 0, "\(written.text)")
        defer { try? package.remove("Models") }
        #expect(package.exists("Models/Generated code/Journal/Entry.swift"))
        #expect(!package.exists("Models/Generated code/Journal/Journal.sqlite.sql"))

        try package.replace("title: string", with: "title: strng", in: Sample.journalPath)
        let broken = try generate(Sample.journalPath)
        #expect(broken.status == 1)
        #expect(broken.text.contains("\(Sample.journalPath):9:14: error: There is no type 'strng'"), "\(broken.text)")
    }

    @Test("A target for Generated/ is refused before the folder exists, and can be generated and built when it does")
    func generatedTarget() throws {
        try package.add(
            target: """
                .target(
                    name: "Recipes", dependencies: [.product(name: "LockstepStore", package: "lockstep")],
                    path: "Generated/Recipes", exclude: ["Recipes.sqlite.sql"])
                """)
        defer { try? package.resetManifest() }
        let refused = try generate()
        #expect(refused.status != 0)
        #expect(refused.text.contains("invalid custom path 'Generated/Recipes'"), "\(refused.text)")

        try FileManager.default.createDirectory(
            atPath: package.path("Generated/Recipes"), withIntermediateDirectories: true)
        let written = try generate()
        #expect(written.status == 0, "\(written.text)")
        let result = try package.build("--target", "Recipes")
        #expect(result.status == 0, "\(result.text)")
        #expect(try generate("--check").status == 0)
    }

    private func generate(_ arguments: String...) throws -> ProcessResult {
        try package.package(["--allow-writing-to-package-directory", "generate-models"] + arguments)
    }
}
