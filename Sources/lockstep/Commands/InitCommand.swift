import ArgumentParser
import Foundation
import LockstepGenerator

#if Import
    import LockstepImport
#endif

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes a first schema to edit; never overwrites one.",
        discussion: """
            EXAMPLE
              lockstep init Journal
              lockstep init Journal --target Sources/App   # for the build plugin
              lockstep init Shop --from Shop.xcdatamodeld  # as 'lockstep import'
            """
    )

    @Argument(help: "The schema's name, UpperCamelCase.")
    var name: String

    @Option(help: "The folder to write it to. The default is Schemas.", completion: .directory)
    var folder: String?

    @Option(
        help: "The folder of a target with LockstepBuildPlugin, which determines the name of the file.",
        completion: .directory)
    var target: String?

    @Option(
        parsing: .upToNextOption,
        help: "What to create the schema from, as 'lockstep import' does, or - for standard input.",
        completion: .file())
    var from: [String] = []

    func validate() throws {
        if folder != nil && target != nil { throw ValidationError("--folder cannot be combined with --target.") }
    }

    func run() throws {
        let folder = target ?? folder ?? SchemaFiles.defaultFolder
        let suffix = target == nil ? ".yaml" : ".lockstep.yaml"
        let path = (folder as NSString).appendingPathComponent(name + suffix)
        try SchemaName.check(name)
        if !from.isEmpty { return try importSchema(folder, suffix: suffix) }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(Self.template(name).utf8).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
        } catch CocoaError.fileWriteFileExists {
            throw UsageFailure(
                message: "'\(path)' already exists. Nothing was written. Choose another name, or remove the file.")
        } catch {
            throw UsageFailure(message: "'\(path)' cannot be written: \(error.localizedDescription)")
        }
        let swift = try addSwift(folder)
        Console.report("Wrote \(path)\(swift.map { " and \($0)" } ?? ""). Edit the schema, then \(next).")
    }

    private var next: String { target == nil ? "run 'lockstep generate'" : "build the target" }

    private func importSchema(_ folder: String, suffix: String) throws {
        #if Import
            let schema = SchemaImport(
                files: from, options: ImportOptions(name: name), folder: folder, suffix: suffix)
            let (path, imported, _) = try schema.run()
            let swift = try addSwift(folder)
            Console.report(TerminalText(document: imported.report.text(path)) + "\n")
            Console.report("Wrote \(path)\(swift.map { " and \($0)" } ?? ""). Edit the schema, then \(next).")
        #else
            throw UsageFailure.missing("importers", trait: "Import", command: "import")
        #endif
    }

    /// Adds a Swift file to a target that has none.
    ///
    /// - Returns: Its path; `nil` if nothing is added.
    private func addSwift(_ folder: String) throws -> String? {
        guard target != nil, !Self.hasSwift(in: folder) else { return nil }
        let swift = (folder as NSString).appendingPathComponent(name + ".swift")
        do {
            try Data(Self.firstSwift.utf8).write(to: URL(fileURLWithPath: swift), options: .withoutOverwriting)
        } catch {
            throw UsageFailure(message: "'\(swift)' cannot be written: \(error.localizedDescription)")
        }
        Self.planAnew(above: folder)
        return swift
    }

    /// Lets SwiftPM plan the next build anew, as `touch Package.swift` does: it keeps the plan that it made while the
    /// target had no source, and would leave the target out.
    private static func planAnew(above folder: String) {
        var folder = URL(fileURLWithPath: folder).standardizedFileURL
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let manifest = folder.appendingPathComponent("Package.swift").path
            guard FileManager.default.fileExists(atPath: manifest) else { continue }
            try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: manifest)
            return
        }
    }

    private static func hasSwift(in folder: String) -> Bool {
        let files = FileManager.default.enumerator(atPath: folder)
        return files?.contains { ($0 as? String)?.hasSuffix(".swift") ?? false } ?? false
    }

    private static let firstSwift = """
        // Extensions of the models can be here. SwiftPM ignores a target that has no Swift file.

        """

    /// The schema of the page “Getting started”.
    static func template(_ name: String) -> String {
        """
        # The language: lockstep grammar --format markdown
        lockstep: 1
        schema: \(name)
        enums:
          Mood: [sad, neutral, happy]
        entities:
          Entry:
            identity: identifier
            attributes:
              identifier: uuid
              title: string
              bodyText: string?
              mood: { type: Mood, default: neutral }
              timestamp: { type: date, default: now }
            remote:
              path: /entries

        """
    }
}
