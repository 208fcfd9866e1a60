import Foundation
import TestSupport

/// The compiler, with the modules that the build of these tests has made.
struct SwiftCompiler {
    /// `swiftc` needs no linker and no package for these tests, so each call takes a few seconds.
    private static let compiler = ["swiftc", "-parse-as-library", "-package-name", "diary"]

    /// Where the package is built.
    private let buildFolder: URL

    init() throws { buildFolder = try builtProduct("lockstep").resolvingSymlinksInPath().deletingLastPathComponent() }

    /// Reports the errors and warnings of files that are one module, and makes nothing.
    func check(_ files: [URL], _ arguments: [String], in folder: URL) throws -> ProcessResult {
        try run(["-typecheck"] + arguments + files.map(\.path), in: folder)
    }

    /// Makes a module, which other files in the folder can import.
    func makeModule(_ name: String, of files: [URL], _ arguments: [String], in folder: URL) throws -> ProcessResult {
        let output = ["-emit-module", "-module-name", name, "-emit-module-path", "\(name).swiftmodule"]
        return try run(output + arguments + files.map(\.path), in: folder)
    }

    private func run(_ arguments: [String], in folder: URL) throws -> ProcessResult {
        let search = ["-I", buildFolder.appendingPathComponent("Modules").path, "-I", folder.path]
        let modules = moduleMaps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
        return try runProcess(
            URL(fileURLWithPath: "/usr/bin/env"), Self.compiler + search + modules + arguments, in: folder)
    }

    /// The modules of C that Lockstep's modules import.
    private var moduleMaps: [URL] {
        let checkouts = buildFolder.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("checkouts")
        return [
            Documentation.root.appendingPathComponent("Sources/CSQLiteConfiguration/module.modulemap"),
            checkouts.appendingPathComponent("GRDB.swift/Sources/GRDBSQLite/module.modulemap"),
            checkouts.appendingPathComponent("FlyingFox/CSystemLinux/include/module.modulemap"),
        ]
    }

    /// The features that the compiler can be asked for before a language mode has them.
    static func upcomingFeatures() throws -> [UpcomingFeature] {
        let result = try runProcess(
            URL(fileURLWithPath: "/usr/bin/env"), ["swiftc", "-print-supported-features"],
            in: FileManager.default.temporaryDirectory)
        return try JSONDecoder().decode(SupportedFeatures.self, from: Data(result.output.utf8)).features.upcoming
    }
}

/// What `swiftc -print-supported-features` prints.
private struct SupportedFeatures: Decodable {
    struct Features: Decodable { var upcoming: [UpcomingFeature] }

    var features: Features
}

/// A feature of a later language mode.
struct UpcomingFeature: Decodable {
    var name: String
    /// The language mode that has it.
    var languageMode: String

    enum CodingKeys: String, CodingKey {
        case name
        case languageMode = "enabled_in"
    }
}
