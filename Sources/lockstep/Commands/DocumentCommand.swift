import ArgumentParser
import LockstepGenerator
import LockstepSchema

#if Document
    import LockstepPages
#endif

struct DocumentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "document",
        abstract: "Writes a data dictionary of a schema, with its diagram.",
        discussion: """
            Every entity, attribute, limit, JSON key, column and index, and the recorded versions. The HTML page is one file \
            that can be searched and needs no network. Markdown is for code hosts.

            EXAMPLE
              lockstep document Schemas/Journal.yaml --output Journal.html
              lockstep document Schemas/Journal.yaml --format markdown --output Journal.md
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case html, markdown
    }

    @OptionGroup var input: SchemaArgument

    @Option(help: "The format of the page: html or markdown.")
    var format: Format = .html

    @OptionGroup var destination: TextOutput

    func run() throws {
        #if Document
            let source = try SchemaFiles.versionedSource(at: try input.path())
            let versioned = try input.read(source)
            let dictionary = DataDictionary(versioned.schema, history: versioned.history)
            let options = format == .html ? [] : ["--format", format.rawValue]
            try destination.write(
                format == .html ? dictionary.html : dictionary.markdown,
                command: destination.command("document", of: input, options: options), of: source)
        #else
            throw UsageFailure.missing("data dictionaries", trait: "Document", command: "document")
        #endif
    }
}
