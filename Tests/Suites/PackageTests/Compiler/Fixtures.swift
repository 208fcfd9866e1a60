import Foundation
import TestSupport
import Testing

/// Files of apps, which these tests compile with settings that the package's own targets do not have.
enum Fixtures {
    private static let folder = Documentation.root.appendingPathComponent("Tests/Suites/PackageTests/Fixtures")

    static func file(_ path: String) -> URL { folder.appendingPathComponent(path) }

    /// The Swift that `lockstep` makes of a schema.
    static func generate(_ schema: String, _ arguments: [String], in folder: URL) throws -> [URL] {
        let result = try runProcess(
            builtProduct("lockstep"), ["generate", file(schema).path, "--sql", "none"] + arguments, in: folder)
        try #require(result.status == 0, "\(result.text)")
        return try swiftFiles(in: folder.appendingPathComponent("Generated"))
    }

    /// The Swift that the build plugin makes of a schema.
    static func emit(_ schema: URL, in folder: URL) throws -> [URL] {
        let names = ["Models.1.swift", "Models.2.swift"]
        let result = try runProcess(
            builtProduct("lockstep-emit"),
            [schema.path, "--output", folder.path] + names.flatMap { ["--file", $0] }, in: folder)
        try #require(result.status == 0, "\(result.text)")
        return names.map(folder.appendingPathComponent)
    }

    private static func swiftFiles(in folder: URL) throws -> [URL] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }.sorted()
            .map(folder.appendingPathComponent)
    }
}
