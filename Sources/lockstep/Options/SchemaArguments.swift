import ArgumentParser
import Foundation
import LockstepGenerator
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
    /// Throws `FindingsReported` if there was an error in one of them, ``UsageFailure`` if a file cannot be read.
    func read(checking checks: VersionChecks) throws -> [VersionedSchema] {
        try read(try SchemaFiles.sources(at: schemas), checking: checks)
    }

    /// The same for files that were read already.
    func read(_ sources: [VersionedSource], checking checks: VersionChecks) throws -> [VersionedSchema] {
        try diagnostics.read(sources, checking: checks)
    }

    /// The same, without reporting the diagnostics if none of them is an error. They are reported later, together with
    /// other findings.
    func readWithoutErrors(
        _ sources: [VersionedSource], checking checks: VersionChecks
    ) throws -> (schemas: [VersionedSchema], diagnostics: [Diagnostic]) {
        try diagnostics.readWithoutErrors(sources, checking: checks)
    }
}

extension DiagnosticFormat: ExpressibleByArgument {}
