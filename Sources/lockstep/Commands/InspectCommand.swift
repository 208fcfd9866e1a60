import ArgumentParser
import Foundation
import LockstepGenerator

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Prints the contents of a store's file: what looks wrong, records, pending changes, …",
        discussion: """
            The file is only read, and an app may have it open. Copy a file with its -wal: it contains what is not in \
            the file yet. Values of records and texts of servers are left out unless you ask for them. If a finding is an \
            error, the command exits with 1.

            EXAMPLE
              lockstep inspect journal.sqlite
              lockstep inspect journal.sqlite --html --values --output journal.html
            """
    )

    @Argument(help: "The file of a store.", completion: .file())
    var file: String

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Print a page for a browser, with all pending records.")
    var html = false

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write the page to this file.", valueName: "file"), completion: .file())
    var output: String?

    @Flag(help: "Include values of records, textual identities, and what a server says.")
    var values = false

    @Option(help: "List only the records of this entity. What looks wrong is still that of the whole store.")
    var entity: String?

    func validate() throws {
        if json && html { throw ValidationError("--json and --html exclude each other.") }
        if output != nil && !html { throw ValidationError("--output is for --html.") }
    }

    func run() throws {
        if let output { try TextFile(output).checkIsNotPart(ofStore: file) }
        #if Inspect
            let inspection = try Inspection(path: file, entity: entity, includesValues: values, at: Date())
            if json {
                Console.print(TerminalText(json: String(decoding: try inspection.json(), as: UTF8.self)))
            } else if html {
                try TextFile.write(inspection.page, to: output)
            } else {
                Console.print(TerminalText(document: inspection.text))
            }
            if inspection.isWrong { throw Exit.findings }
        #else
            throw UsageFailure.missing("inspector", trait: "Inspect", command: "inspect")
        #endif
    }
}
