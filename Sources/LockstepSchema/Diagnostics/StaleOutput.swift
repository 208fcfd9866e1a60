extension DiagnosticCode {
    /// A file in the output folder that is not what the schemas generate.
    package static let staleOutput = DiagnosticCode(rawValue: "stale-output")
}

extension Diagnostic {
    /// A difference between the output folder and the schemas, for machine-readable reports of `generate --check`.
    ///
    /// - Parameters:
    ///   - path: The path of the file, relative to the working directory.
    ///   - state: What it is: "stale", "missing".
    ///   - remedy: The command that updates it.
    package static func staleOutput(_ path: String, state: String, remedy: String) -> Diagnostic {
        Diagnostic(
            .staleOutput, at: SourceRange(startOf: path),
            message: "This file is not what the schemas generate: \(state)",
            remedy: remedy)
    }

    private static let example = """
        lockstep: 1
        schema: Journal
        entities:
          Entry:
            attributes: { id: uuid, title: string }
        """

    static let staleOutputCatalogue = CatalogueEntry(
        code: .staleOutput,
        title: "Stale output",
        explanation: """
            A file in the output folder is stale, missing, edited, or orphaned. `lockstep generate --check \
            --diagnostics github` and `--diagnostics json` report each such file with this code. The text form lists \
            them with their differences.
            """,
        wrong: example,
        right: example,
        trigger: .command("lockstep generate --check"))
}
