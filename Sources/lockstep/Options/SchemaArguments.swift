import ArgumentParser
import Foundation
import LockstepSchema

/// The schemas of a command, and the format of its findings.
struct SchemaArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Schema files, or folders of them.",
            discussion: "The default is the .yaml and .yml files in Schemas/.",
            valueName: "schema"),
        completion: .file(extensions: ["yaml", "yml"]))
    var schemas: [String] = []

    @Option(help: "The format of findings: text, json, or github (annotations).")
    var diagnostics: DiagnosticFormat = .text

    /// Reads and checks the schemas with their histories, and reports every finding.
    ///
    /// Throws `ExitCode` 1 if there was an error in one of them, ``UsageFailure`` if a file cannot be read.
    func read(checking checks: VersionChecks) throws -> [VersionedSchema] {
        try read(try SchemaFiles.sources(at: schemas), checking: checks)
    }

    /// The same for files that were read already.
    func read(_ sources: [VersionedSource], checking checks: VersionChecks) throws -> [VersionedSchema] {
        let reading = try readWithoutErrors(sources, checking: checks)
        diagnostics.report(reading.diagnostics, of: sources.flatMap(\.all))
        return reading.schemas
    }

    /// The same, without reporting the diagnostics if none of them is an error. They are reported later, together with
    /// other findings.
    func readWithoutErrors(
        _ sources: [VersionedSource], checking checks: VersionChecks
    ) throws -> (schemas: [VersionedSchema], diagnostics: [Diagnostic]) {
        let reading = readVersions(sources, checking: checks)
        guard !reading.diagnostics.contains(where: { $0.severity == .error }) else {
            diagnostics.report(reading.diagnostics, of: sources.flatMap(\.all))
            throw Exit.findings
        }
        return reading
    }
}

/// `--diagnostics`: the format of findings.
enum DiagnosticFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, github

    /// Text is written to standard error; machine-readable formats are data and are written to standard output.
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
