import ArgumentParser
import Foundation
import LockstepSchema

/// The schemas a command is about, and how its findings are told.
struct SchemaArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Schema files, or folders of them.",
            discussion: "Without any: the .yaml and .yml files in Schemas/.",
            valueName: "schema"),
        completion: .file(extensions: ["yaml", "yml"]))
    var schemas: [String] = []

    @Option(help: "How findings are told: text for people, json, or github (annotations).")
    var diagnostics: DiagnosticFormat = .text

    /// Reads and checks the schemas and reports every finding.
    ///
    /// Throws `ExitCode` 1 if there was an error in one of them, ``UsageFailure`` if a file cannot be read.
    func read() throws -> [Schema] {
        try read(try SchemaFiles.sources(at: schemas))
    }

    /// The same for files that were read already.
    func read(_ sources: [SchemaSource]) throws -> [Schema] {
        let reading = readSchemas(sources)
        diagnostics.report(reading.diagnostics, of: sources)
        if reading.diagnostics.contains(where: { $0.severity == .error }) { throw Exit.findings }
        return reading.schemas
    }

}

/// `--diagnostics`: how findings are told.
enum DiagnosticFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, github

    /// Text goes to standard error; the forms for machines are data and go to standard output.
    func report(_ diagnostics: [Diagnostic], of sources: [SchemaSource]) {
        switch self {
        case .text:
            guard !diagnostics.isEmpty else { return }
            let renderer = DiagnosticRenderer(sources: sources, isColoured: Console.allowsColour)
            Console.report(renderer.text(diagnostics))
        case .json:
            Console.print(DiagnosticRenderer.json(diagnostics))
        case .github:
            guard !diagnostics.isEmpty else { return }
            Console.print(DiagnosticRenderer.github(diagnostics))
        }
    }
}
