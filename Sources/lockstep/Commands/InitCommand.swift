import ArgumentParser
import Foundation
import LockstepSchema

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes a first schema to edit; never overwrites one.",
        discussion: """
            EXAMPLE
              lockstep init Journal                        # writes Schemas/Journal.yaml
              lockstep init Journal --target Sources/App   # writes Sources/App/Journal.lockstep.yaml, for the build plugin
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

    func validate() throws {
        if folder != nil && target != nil { throw ValidationError("--folder cannot be combined with --target.") }
    }

    func run() throws {
        let folder = target ?? folder ?? SchemaFiles.defaultFolder
        let path = (folder as NSString).appendingPathComponent(name + (target == nil ? ".yaml" : ".lockstep.yaml"))
        let text = Self.template(name)
        try refuseName(path)
        var written = path
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
            if target != nil, !Self.hasSwift(in: folder) {
                let swift = (folder as NSString).appendingPathComponent(name + ".swift")
                try Data(Self.firstSwift.utf8).write(to: URL(fileURLWithPath: swift), options: .withoutOverwriting)
                written += " and \(swift)"
                Self.planAnew(above: folder)
            }
        } catch CocoaError.fileWriteFileExists {
            throw UsageFailure(
                message: "'\(path)' exists already. Nothing was written. Choose another name, or remove the file.")
        } catch {
            throw UsageFailure(message: "'\(path)' cannot be written: \(error.localizedDescription)")
        }
        let next = target == nil ? "run 'lockstep generate'" : "build the target"
        Console.report("Wrote \(written). Edit the schema, then \(next).")
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

    /// Reports a name that no schema can have. It is read in quotes, so that it cannot be anything but a name.
    private func refuseName(_ path: String) throws {
        let text = Self.template("'" + name.replacing("'", with: "''") + "'")
        guard let finding = readSchemas([SchemaSource(path: path, bytes: Array(text.utf8))]).diagnostics.first else {
            return
        }
        throw UsageFailure(message: "\(finding.message). \(finding.remedy)")
    }

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
