import ArgumentParser
import LockstepSchema

struct GrammarCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grammar",
        abstract: "Prints the grammar of the schema language, for editors or for reading.",
        discussion: """
            EXAMPLE
              lockstep grammar --format json-schema > lockstep.schema.json
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case jsonSchema = "json-schema"
        case markdown
    }

    @Option(help: "json-schema for editors, markdown for the reference page.")
    var format: Format = .markdown

    func run() {
        switch format {
        case .jsonSchema: Console.print(Grammar.jsonSchema())
        case .markdown: Console.print(Grammar.markdown())
        }
    }
}
