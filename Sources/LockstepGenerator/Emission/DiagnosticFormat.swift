package import LockstepSchema

/// `--diagnostics`: the format of findings.
package enum DiagnosticFormat: String, CaseIterable {
    case text, json, github

    /// Text is written to standard error; machine-readable formats are data and are written to standard output.
    package func report(_ diagnostics: [Diagnostic], of sources: [SchemaSource]) {
        switch self {
        case .text:
            guard !diagnostics.isEmpty else { return }
            let renderer = DiagnosticRenderer(sources: sources, isColoured: Console.allowsColour)
            Console.report(renderer.terminalText(diagnostics))
        case .json:
            Console.print(TerminalText(json: DiagnosticRenderer.json(diagnostics)))
        case .github:
            guard !diagnostics.isEmpty else { return }
            Console.print(TerminalText(document: DiagnosticRenderer.github(diagnostics)))
        }
    }

    /// Reads and checks schemas with their histories, and reports every finding.
    ///
    /// - Throws: ``FindingsReported`` if there was an error in one of them.
    package func read(_ sources: [VersionedSource], checking checks: VersionChecks) throws -> [VersionedSchema] {
        let reading = try readWithoutErrors(sources, checking: checks)
        report(reading.diagnostics, of: sources.flatMap(\.all))
        return reading.schemas
    }

    /// The same, without reporting the diagnostics if none of them is an error. They are reported later, together with
    /// other findings.
    package func readWithoutErrors(
        _ sources: [VersionedSource], checking checks: VersionChecks
    ) throws -> (schemas: [VersionedSchema], diagnostics: [Diagnostic]) {
        let reading = readVersions(sources, checking: checks)
        guard !reading.diagnostics.contains(where: { $0.severity == .error }) else {
            report(reading.diagnostics, of: sources.flatMap(\.all))
            throw FindingsReported()
        }
        return reading
    }
}
