import ArgumentParser
import LockstepGenerator
import LockstepSchema

struct GrammarCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grammar",
        abstract: "Prints the grammar of the schema language, for editors or for reading.",
        discussion: """
            With a schema, the JSON Schema is for this file: editors complete the names that it declares, and report others.

            EXAMPLE
              lockstep grammar --format json-schema > lockstep.schema.json
              lockstep grammar Schemas/Journal.yaml --format json-schema > Journal.json
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case jsonSchema = "json-schema"
        case markdown
    }

    @Argument(
        help: "The schema whose names the JSON Schema has. Without one, it is valid for every schema.",
        completion: .file(extensions: ["yaml", "yml"]))
    var schema: String?

    @Option(help: "json-schema for editors, markdown for the reference page.")
    var format: Format = .markdown

    func validate() throws {
        if schema != nil && format != .jsonSchema { throw ValidationError("A schema needs --format json-schema.") }
    }

    func run() throws {
        switch format {
        case .jsonSchema: Console.print(TerminalText(json: try jsonSchema()))
        case .markdown: Console.print(TerminalText(document: Grammar.markdown()))
        }
    }

    private func jsonSchema() throws -> String {
        guard let schema else { return Grammar.jsonSchema() }
        let source = try SchemaFiles.source(at: schema)
        let reading = Grammar.jsonSchema(for: source)
        guard let text = reading.text else {
            DiagnosticFormat.text.report(reading.diagnostics, of: [source])
            throw Exit.findings
        }
        return text
    }
}
