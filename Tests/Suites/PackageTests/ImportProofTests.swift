import Foundation
import TestSupport
import Testing

/// What `lockstep import --prove` builds and runs, with the package of this repository.
@Suite("A proof of an import", .serialized)
struct ImportProofTests {
    private static let fixtures = Documentation.root.appendingPathComponent("Tests/Suites/LockstepImportTests/Fixtures")

    /// In the folder of a package, one proof after the other uses the products of the first.
    @Test("It says what came back of samples and rows, and what did not")
    func proofs() async throws {
        try await withTemporaryFolder { folder in
            try Data("// swift-tools-version: 6.2\n".utf8).write(to: folder.appendingPathComponent("Package.swift"))
            let samples = try Self.prove(
                ["sightings", "observers"].map { Self.fixtures.appendingPathComponent("JSON/\($0).json").path },
                ["--name", "Birds"], in: folder)
            #expect(samples.status == 0, "\(samples.text)")
            let birds = try #require(samples.errors.components(separatedBy: "\nProof:\n").dropFirst().first)
            #expect(birds.hasPrefix("  The generated Swift compiles, and a store with this schema opens\n"), "\(birds)")
            #expect(birds.contains("  Sighting: ") && birds.contains(" records came back equal"), "\(birds)")

            // They say different things of their owner.
            let file = folder.appendingPathComponent("boats.json")
            try Data(
                """
                [{"id": 1, "owner": {"id": 3, "name": "B", "apiToken": "abc"}},
                 {"id": 2, "owner": {"id": 3, "name": "D", "apiToken": "def"}}]
                """.utf8
            ).write(to: file)
            let boats = try Self.prove([file.path], ["--strict"], in: folder)
            #expect(boats.status == 1, "\(boats.text)")
            let proof = """

                Proof:
                  The generated Swift compiles, and a store with this schema opens
                  Boat: 1 of 2 records came back equal
                    Boat 1: 'owner.apiToken' came back with another value
                    Boat 1: 'owner.name' is "B", and came back as "D"

                """
            #expect(boats.errors.hasSuffix(proof), "\(boats.text)")

            let database = folder.appendingPathComponent("Clinic.sqlite")
            let script = Self.fixtures.appendingPathComponent("SQLite/Clinic.sql").path
            let made = try runProcess(
                URL(fileURLWithPath: "/usr/bin/env"), ["sqlite3", "-bail", database.path, ".read '\(script)'"],
                in: folder)
            try #require(made.status == 0, "\(made.text)")
            let clinic = try Self.prove([database.path], ["--rows"], in: folder)
            #expect(clinic.status == 0, "\(clinic.text)")
            #expect(clinic.errors.contains("  Ward: "), "\(clinic.text)")
            #expect(clinic.errors.contains(" rows came back equal"), "\(clinic.text)")

            let model = Self.fixtures.appendingPathComponent("Circles.xcdatamodeld")
            let circles = try Self.prove([model.path], ["--rows"], in: folder)
            #expect(circles.status == 0, "\(circles.text)")
            #expect(circles.errors.contains("The generated Swift compiles"), "\(circles.text)")
        }
    }

    @Test("Without Lockstep's package, it says what to specify, and the schema stays")
    func missingPackage() async throws {
        try await withTemporaryFolder { folder in
            let result = try Self.prove(
                [Self.fixtures.appendingPathComponent("JSON/sightings.json").path], ["--lockstep", "."], in: folder)
            #expect(result.status == 2, "\(result.text)")
            #expect(result.errors.contains("'.' does not contain Lockstep's package"), "\(result.text)")
            let schema = folder.appendingPathComponent("Schemas/Sightings.yaml")
            #expect(FileManager.default.fileExists(atPath: schema.path))
        }
    }

    @Test("A folder that SwiftPM cannot build in is refused", arguments: ["a\"b", "a\\b", "a\nb"])
    func unusablePath(name: String) async throws {
        try await withTemporaryFolder { folder in
            let lockstep = folder.appendingPathComponent(name)
            for module in ["LockstepStore", "LockstepMerge"] {
                try FileManager.default.createDirectory(
                    at: lockstep.appendingPathComponent("Sources/\(module)"), withIntermediateDirectories: true)
            }
            try Data().write(to: lockstep.appendingPathComponent("Package.swift"))
            let samples = Self.fixtures.appendingPathComponent("JSON/sightings.json").path
            let result = try Self.prove([samples], ["--lockstep", lockstep.path], in: folder)
            #expect(result.status == 2, "\(result.text)")
            #expect(result.errors.contains("Swift cannot build in '"), "\(result.text)")
        }
    }

    private static func prove(_ files: [String], _ options: [String], in folder: URL) throws -> ProcessResult {
        try runProcess(try builtProduct("lockstep"), ["import"] + files + options + ["--prove"], in: folder)
    }
}
