import ArgumentParser
import LockstepGenerator

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes all records of a store's file as JSON, by the names of the schema.",
        discussion: """
            The file is only read, and an app may have it open. Copy a file with its -wal: it contains what is not in \
            the file yet. Edits that the server does not have yet are included, and deleted records are not.

            EXAMPLE
              lockstep export journal.sqlite --output journal.json
            """
    )

    @Argument(help: "The file of a store.", completion: .file())
    var file: String

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write to this file.", valueName: "file"), completion: .file())
    var output: String?

    @Option(help: "Write only the records of this entity.")
    var entity: String?

    func run() throws {
        #if Inspect
            let text: String
            do { text = try Inspection.export(ofFile: file, entity: entity) } catch {
                throw UsageFailure(message: "\(error.message)")
            }
            try TextFile.write(text, to: output)
        #else
            throw UsageFailure.missing("inspector", trait: "Inspect", command: "export")
        #endif
    }
}
