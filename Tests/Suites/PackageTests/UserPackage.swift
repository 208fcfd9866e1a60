import Foundation
import TestSupport
import Testing

/// A user's package, outside of this repository: it depends on Lockstep by a version, as users' packages do.
///
///     Notes App/                     the path has a space
///       Package.swift
///       Schemas/Recipes.yaml
///       Sources/Models/lockstep.yaml           schemas: ../../Schemas, access: public
///       Sources/App/Journal.lockstep.yaml
///       Sources/App/main.swift
struct UserPackage: FolderOfFiles, Sendable {
    /// The package's folder.
    let folder: URL
    /// The location of Lockstep.
    let library: String

    /// The package shared by the tests of the suite, so that its dependencies are built once.
    @TaskLocal static var shared: UserPackage?

    init(in parent: URL) throws {
        folder = parent.appendingPathComponent("Notes App")
        let library = parent.appendingPathComponent("lockstep")
        self.library = library.path
        try Self.publish(to: library)
        try resetManifest()
        try reset()
    }

    /// Restores the initial sources of the package. Unchanged files are not touched.
    func reset() throws {
        let wanted = Sample.sources
        for path in try paths(below: "Sources", "Schemas") where wanted[path] == nil {
            try remove(path)
        }
        for (path, text) in wanted where (try? read(path)) != text { try write(text, to: path) }
        if exists("Generated") { try remove("Generated") }
        try planAnew()
    }

    /// Declares one more target, until ``resetManifest()``.
    func add(target: String) throws {
        try replace(".executableTarget(", with: target + ",\n.executableTarget(", in: "Package.swift")
    }

    func resetManifest() throws { try write(Sample.manifest(library: library), to: "Package.swift") }

    // MARK: - SwiftPM

    /// `swift build` with these arguments.
    @discardableResult
    func build(_ arguments: String...) throws -> ProcessResult { try swift(["build"] + arguments) }

    /// `swift package` with these arguments.
    func package(_ arguments: [String]) throws -> ProcessResult { try swift(["package"] + arguments) }

    /// Runs the built program.
    func run(_ configuration: String = "debug") throws -> ProcessResult {
        try runProcess(folder.appendingPathComponent(".build/\(configuration)/App"), [], in: folder)
    }

    /// `swift` with these arguments.
    func swift(_ arguments: [String]) throws -> ProcessResult {
        var environment = ProcessInfo.processInfo.environment
        // A user's shell has no settings of this repository.
        environment["LOCKSTEP_STRICT"] = nil
        return try runProcess(
            URL(fileURLWithPath: "/usr/bin/env"), ["swift"] + arguments, environment: environment, in: folder)
    }

    // MARK: - Files

    /// Replaces a text that must exist.
    func replace(_ old: String, with new: String, in path: String) throws {
        let text = try read(path)
        try #require(text.contains(old), "\(path) has no '\(old)'")
        try write(text.replacing(old, with: new), to: path)
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(at: folder.appendingPathComponent(path))
    }

    /// The path as in the compiler's messages.
    func path(_ path: String) -> String { folder.appendingPathComponent(path).path }

    /// The files below some folders, by their paths relative to the package; none of a folder that does not exist.
    func paths(below folders: String...) throws -> [String] {
        try folders.filter(exists).flatMap { folder in try files(below: folder).map { folder + "/" + $0 } }
    }

    /// `touch Package.swift`.
    func planAnew() throws {
        let touch = try runProcess(URL(fileURLWithPath: "/usr/bin/env"), ["touch", "Package.swift"], in: folder)
        try #require(touch.status == 0, "\(touch.text)")
    }

    // MARK: - Build results

    /// The generated Swift of a target, by file name.
    func generated(for target: String) throws -> [String: String] {
        let paths = try paths(below: ".build/plugins/outputs").filter {
            $0.contains("/\(target)/") && $0.hasSuffix(".swift")
        }
        return Dictionary(
            uniqueKeysWithValues: try paths.map { (URL(fileURLWithPath: $0).lastPathComponent, try read($0)) })
    }

    /// When the generated files and the compiled ones of the user's targets were last written.
    func dates() throws -> [String: Date] {
        let generated = try paths(below: ".build/plugins/outputs").filter { $0.hasSuffix(".swift") }
        let objects = try paths(below: ".build/debug/App.build", ".build/debug/Models.build").filter {
            $0.hasSuffix(".o")
        }
        return Dictionary(
            uniqueKeysWithValues: try (generated + objects).map { ($0, try modificationDate(of: $0)) })
    }

    // MARK: - Lockstep as users get it

    /// Creates a version of Lockstep in which a text of a source file is replaced, as in an update.
    func publish(version: String, replacing old: String, with new: String, in path: String) throws {
        let file = URL(fileURLWithPath: library).appendingPathComponent(path)
        let text = try String(contentsOf: file, encoding: .utf8)
        try #require(text.contains(old))
        try Data(text.replacing(old, with: new).utf8).write(to: file)
        try Self.commit(version: version, in: URL(fileURLWithPath: library))
    }

    /// Copies the repository in its current state, and makes version 1.0.0 of it.
    private static func publish(to library: URL) throws {
        let root = Documentation.root
        let listing = try git(["ls-files", "--cached", "--others", "--exclude-standard", "-z"], in: root)
        let paths = listing.output.split(separator: "\0").map(String.init)
        try #require(!paths.isEmpty, "The tests of packages need a clone of the repository: \(listing.text)")
        for path in paths {
            let source = root.appendingPathComponent(path)
            // A file may be removed without the removal being committed.
            guard FileManager.default.fileExists(atPath: source.path) else { continue }
            let copy = library.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: source, to: copy)
        }
        try #require(try git(["init", "-q"], in: library).status == 0)
        try commit(version: "1.0.0", in: library)
    }

    private static func commit(version: String, in library: URL) throws {
        let author = ["-c", "user.name=Lockstep", "-c", "user.email=lockstep@example.com"]
        for arguments in [["add", "--all", "--force"], author + ["commit", "-q", "-m", version], ["tag", version]] {
            let result = try git(arguments, in: library)
            try #require(result.status == 0, "git \(arguments): \(result.text)")
        }
    }

    private static func git(_ arguments: [String], in folder: URL) throws -> ProcessResult {
        try runProcess(URL(fileURLWithPath: "/usr/bin/env"), ["git"] + arguments, in: folder)
    }
}

/// Creates the package before the suite, and removes it afterwards.
struct SharedUserPackage: SuiteTrait, TestScoping {
    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { test.isSuite ? self : nil }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            try await UserPackage.$shared.withValue(UserPackage(in: folder)) { try await function() }
        }
    }
}
