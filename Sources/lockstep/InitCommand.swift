import ArgumentParser
import Foundation
import LockstepSchema

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes a first schema to edit; never overwrites one.",
        discussion: """
            EXAMPLE
              lockstep init Journal        # writes Schemas/Journal.yaml
            """
    )

    @Argument(help: "The schema's name, UpperCamelCase.")
    var name: String

    @Option(help: "The folder to write it to.")
    var folder: String = SchemaFiles.defaultFolder

    func run() throws {
        let path = (folder as NSString).appendingPathComponent(name + ".yaml")
        let text = Self.template(name)
        let source = SchemaSource(path: path, bytes: Array(text.utf8))
        if let finding = readSchemas([source]).diagnostics.first {
            throw UsageFailure(message: "'\(name)' cannot name a schema: \(finding.message). \(finding.remedy)")
        }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(source.bytes).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
        } catch CocoaError.fileWriteFileExists {
            throw UsageFailure(
                message: "'\(path)' is there already; it was not touched. Choose another name or remove it.")
        } catch {
            throw UsageFailure(message: "'\(path)' cannot be written: \(error.localizedDescription)")
        }
        Console.report("Wrote \(path). Edit it, then run 'lockstep generate'.")
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
