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
        let source = SchemaSource(path: path, bytes: Array(text.utf8))
        if let finding = readSchemas([source]).diagnostics.first {
            throw UsageFailure(
                message: "'\(name)' is not a valid name of a schema: \(finding.message). \(finding.remedy)")
        }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(source.bytes).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
        } catch CocoaError.fileWriteFileExists {
            throw UsageFailure(
                message: "'\(path)' exists already. Nothing was written. Choose another name, or remove the file.")
        } catch {
            throw UsageFailure(message: "'\(path)' cannot be written: \(error.localizedDescription)")
        }
        let next = target == nil ? "run 'lockstep generate'" : "build the target"
        Console.report("Wrote \(path). Edit it, then \(next).")
    }

    static func template(_ name: String) -> String {
        """
        # What the app keeps. The language: lockstep grammar --format markdown
        lockstep: 1
        schema: \(name)

        enums:
          Mood: [sad, neutral, happy]

        entities:
          Entry:
            doc: One page of the journal.
            attributes:
              id: uuid
              title: string
              bodyText: string?
              mood: { type: Mood, default: neutral }
              timestamp: { type: date, default: now }

        """
    }
}
