import ArgumentParser
import LockstepGenerator
import LockstepSchema

#if Document
    import LockstepPages
#endif

struct DiagramCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diagram",
        abstract: "Draws a schema: its entities, keys and relationships.",
        discussion: """
            An SVG file is self-contained. Mermaid is for Markdown pages, and dot for Graphviz.

            EXAMPLE
              lockstep diagram Schemas/Journal.yaml --output Journal.svg
              lockstep diagram Schemas/Journal.yaml --format mermaid --keys-only
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case mermaid, dot, svg
    }

    @OptionGroup var input: SchemaArgument

    @Option(help: "The format of the diagram: mermaid, dot (Graphviz) or svg.")
    var format: Format = .svg

    @Flag(help: "Leave out attributes that are not keys.")
    var keysOnly = false

    @OptionGroup var destination: TextOutput

    func run() throws {
        #if Document
            let source = try SchemaFiles.versionedSource(at: try input.path())
            let schema = try input.read(source).schema
            try destination.write(
                text(of: Diagram(schema, hasOnlyKeys: keysOnly)),
                command: destination.command("diagram", of: input, options: options), of: source)
        #else
            throw UsageFailure.missing("diagrams", trait: "Document", command: "diagram")
        #endif
    }

    #if Document
        private func text(of diagram: Diagram) -> String {
            switch format {
            case .mermaid: diagram.mermaid
            case .dot: diagram.graphviz
            case .svg: diagram.svg
            }
        }

        /// The options that make this diagram.
        private var options: [String] {
            (format == .svg ? [] : ["--format", format.rawValue]) + (keysOnly ? ["--keys-only"] : [])
        }
    #endif
}
