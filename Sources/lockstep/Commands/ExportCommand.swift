import ArgumentParser
import Foundation
import LockstepGenerator

#if Inspect
    import LockstepInspection
#endif

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes all records of a store's file as JSON, by the names of the schema.",
        discussion: """
            The file is only read, and an app may have it open. Copy a file with its -wal: it contains what is not in \
            the file yet. Edits that the server does not have yet are included, and deleted records are not. If the file \
            is damaged or does not describe its schema, the command says so and exits with 1.

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
        if let output { try TextFile(output).checkIsNotPart(ofStore: file) }
        #if Inspect
            let export = try Inspection.export(ofFile: file, entity: entity)
            // Others may not read it, as they may not read a store.
            umask(0o077)
            try TextFile.write(export.document, to: output)
            for warning in export.warnings { Console.report("warning: \(warning)") }
            if !export.warnings.isEmpty { throw Exit.findings }
        #else
            throw UsageFailure.missing("inspector", trait: "Inspect", command: "export")
        #endif
    }
}
