import Foundation
import TestSupport
import Testing

@Suite("A user's package with LockstepBuildPlugin", .serialized, SharedUserPackage())
struct BuildPluginTests {
    let package: UserPackage

    init() throws {
        package = try #require(UserPackage.shared)
        try package.reset()
    }

    @Test("A fresh package builds and runs, resolves only the packages that it uses, and writes no other files")
    func fresh() throws {
        #expect(!package.exists(".build"), "This test comes first, and nothing is built yet")
        let before = try package.sources()
        let result = try package.build()
        #expect(result.status == 0, "\(result.text)")
        #expect(!result.text.contains("warning:"), "\(result.text)")
        #expect(try package.run().output == "Hello happy Recipe: Soup\n")
        let resolved = ["grdb.swift", "lockstep", "swift-argument-parser", "swift-http-types"]
        #expect(try package.resolvedPackages().sorted() == resolved)
        // Packages that were fetched and turned out to be unused would be listed here.
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: package.path(".build/checkouts")).map {
                $0.lowercased()
            }
            .sorted() == resolved)
        #expect(try package.sources() == before)
        // The plugin's tool has no other command, and no library for command lines.
        let toolModules = try FileManager.default.contentsOfDirectory(atPath: package.path(".build/debug/Modules-tool"))
            .filter { $0.hasSuffix(".swiftmodule") }.map { String($0.dropLast(12)) }
        #expect(
            toolModules.sorted() == [
                "LockstepEvolution", "LockstepGenerator", "LockstepJSON", "LockstepReview", "LockstepSchema",
                "lockstep_emit",
            ])
    }

    @Test("If nothing changed, nothing is generated or compiled again")
    func unchanged() throws {
        try package.buildWell()
        let dates = try package.dates()
        #expect(dates.count > 8)
        let result = try package.build()
        #expect(result.status == 0, "\(result.text)")
        #expect(try package.dates() == dates)
        #expect(!result.text.contains("Compiling App") && !result.text.contains("Compiling Models"), "\(result.text)")
    }

    @Test("A changed schema is part of the next build; unrelated files are not written")
    func changedSchema() throws {
        try package.buildWell()
        let dates = try package.dates()
        try package.replace("name: string", with: "name: string, colour: string?", in: Sample.journalPath)
        try package.replace(
            "print(",
            with: "print(Tag(id: 1, name: \"a\", colour: \"red\", context: store.mainContext).colour ?? \"\", ",
            in: Sample.mainPath)
        try package.buildWell()
        #expect(try package.run().output == "red Hello happy Recipe: Soup\n")
        let rewritten = Set(try package.dates().filter { $0.key.hasSuffix(".swift") && dates[$0.key] != $0.value }.keys)
        let concerned = try package.generated(for: "App").filter { file in
            ["class Tag:", "struct TagRepresentation", "enum JournalSchema", "struct JournalSchema"].contains {
                file.value.contains($0)
            }
        }
        #expect(Set(rewritten.map { URL(fileURLWithPath: $0).lastPathComponent }) == Set(concerned.keys))
        #expect(concerned.count < 4)
    }

    @Test("A removed entity is not in the next build")
    func removedEntity() throws {
        try package.buildWell()
        #expect(try package.generated(for: "App").values.contains { $0.contains("class Tag:") })
        try package.replace("  Tag:\n    attributes: { id: int, name: string }\n", with: "", in: Sample.journalPath)
        try package.buildWell()
        #expect(try !package.generated(for: "App").values.contains { $0.contains("Tag") })
        try package.write("extension Tag {}\n", to: "Sources/App/Tag.swift")
        let result = try package.build()
        #expect(result.status != 0)
        #expect(result.text.contains("cannot find type 'Tag' in scope"), "\(result.text)")
    }

    @Test("A removed schema file removes its code")
    func removedSchema() throws {
        try package.write(Sample.recipes.replacing("Recipe", with: "Meal"), to: "Sources/App/Meals.lockstep.yaml")
        try package.buildWell()
        #expect(try package.generated(for: "App").keys.contains { $0.hasPrefix("Meals.") })
        try package.remove("Sources/App/Meals.lockstep.yaml")
        try package.buildWell()
        #expect(try !package.generated(for: "App").keys.contains { $0.hasPrefix("Meals.") })
    }

    @Test("A broken schema stops the build at the error, and keeps the generated files; once fixed, it builds")
    func brokenSchema() throws {
        try package.buildWell()
        let generated = try package.generated(for: "App")
        try package.replace("title: string", with: "title: strng", in: Sample.journalPath)
        let result = try package.build()
        #expect(result.status != 0)
        #expect(
            result.text.contains(
                "\(package.path(Sample.journalPath)):9:14: error: There is no type 'strng' [unknown-type]"),
            "\(result.text)")
        #expect(result.text.contains("Did you mean 'string'?"))
        #expect(try package.generated(for: "App") == generated)
        try package.replace("strng", with: "string", in: Sample.journalPath)
        try package.buildWell()
        #expect(try package.run().output == "Hello happy Recipe: Soup\n")
    }

    @Test("Two schemas of one name in a target are distinguished by their paths, whatever their file names")
    func twoOfOneName() throws {
        try package.write(Sample.journal, to: "Sources/App/More/Journal.lockstep.yaml")
        let result = try package.build()
        #expect(result.status != 0)
        #expect(
            result.text.contains("Journal.lockstep.yaml:2:9: error: There is already a schema 'Journal'"),
            "\(result.text)")
        #expect(result.text.contains(package.path("Sources/App/More/Journal.lockstep.yaml")))
        #expect(result.text.contains(package.path(Sample.journalPath)))
        try package.replace("schema: Journal", with: "schema: Diary", in: "Sources/App/More/Journal.lockstep.yaml")
        try package.replace("Mood", with: "Feeling", in: "Sources/App/More/Journal.lockstep.yaml")
        try package.replace("Entry", with: "Page", in: "Sources/App/More/Journal.lockstep.yaml")
        try package.replace("Tag", with: "Label", in: "Sources/App/More/Journal.lockstep.yaml")
        try package.buildWell()
        #expect(try package.generated(for: "App").count == 8)
    }

    @Test("A target without Swift is reported")
    func otherLanguage() throws {
        try package.add(
            target: #".target(name: "Old", plugins: [.plugin(name: "LockstepBuildPlugin", package: "lockstep")])"#)
        defer { try? package.resetManifest() }
        try package.write("void old(void);\n", to: "Sources/Old/include/old.h")
        try package.write("#include \"old.h\"\nvoid old(void) {}\n", to: "Sources/Old/old.c")
        let result = try package.build()
        #expect(result.status != 0)
        #expect(result.text.contains("'Old' is not a target of Swift"), "\(result.text)")
    }

    @Test("A release build generates and runs the same code")
    func release() throws {
        let result = try package.build("--configuration", "release")
        #expect(result.status == 0, "\(result.text)")
        #expect(try package.run("release").output == "Hello happy Recipe: Soup\n")
    }

    @Test("The fake servers' sockets report the trait that they require")
    func servers() throws {
        try package.add(
            target: #".target(name: "Probe", dependencies: [.product(name: "LockstepTesting", package: "lockstep")])"#)
        defer { try? package.resetManifest() }
        try package.write(
            """
            import LockstepTesting
            func story() async throws {
                let server = FakeRails()
                print(server.client)
                try await server.listen()
            }

            """, to: "Sources/Probe/Probe.swift")
        let result = try package.build("--target", "Probe")
        #expect(result.status != 0)
        #expect(result.text.contains("Probe.swift:5:22: error: 'listen(port:)' is unavailable"), "\(result.text)")
        #expect(result.text.contains(#"traits: ["Servers"]"#), "\(result.text)")
    }

    @Test("Another version of the tool generates again, without a change in the schema")
    func changedTool() throws {
        try package.buildWell()
        try package.publish(
            version: "1.0.1", replacing: "Edit the schema instead.", with: "Do not edit.",
            in: "Sources/LockstepGenerator/Swift/SwiftFile.swift")
        let update = try package.package(["update"])
        try #require(update.status == 0, "\(update.text)")
        try package.buildWell()
        let texts = try package.generated(for: "App").values
        #expect(texts.count == 4 && texts.allSatisfy { $0.contains("Do not edit.") })
    }
}

extension UserPackage {
    /// Builds, and fails if the build fails.
    func buildWell() throws {
        let result = try build()
        try #require(result.status == 0, "\(result.text)")
    }

    /// Builds until SwiftPM keeps its plan: after resolving packages it plans once more, whatever has changed.
    func buildUntilPlanned() throws {
        for _ in 0..<4 {
            let result = try build()
            try #require(result.status == 0, "\(result.text)")
            if !result.text.contains("Planning build") { return }
        }
        Issue.record("SwiftPM plans in every build")
    }

    /// The packages resolved by SwiftPM, by identity.
    func resolvedPackages() throws -> [String] {
        struct Resolution: Decodable {
            struct Pin: Decodable { var identity: String }
            var pins: [Pin]
        }
        return try JSONDecoder().decode(Resolution.self, from: Data(try read("Package.resolved").utf8)).pins.map(
            \.identity)
    }

    /// The package without SwiftPM's files.
    func sources() throws -> [String: String] {
        var paths = try paths(below: "Sources", "Schemas")
        paths += try FileManager.default.contentsOfDirectory(atPath: path(".")).filter {
            ![".build", "Package.resolved", "Sources", "Schemas", ".swiftpm"].contains($0)
        }
        return Dictionary(uniqueKeysWithValues: try paths.map { ($0, try read($0)) })
    }
}
