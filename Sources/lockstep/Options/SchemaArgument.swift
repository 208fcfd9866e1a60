import ArgumentParser
import LockstepGenerator
import LockstepSchema

/// The one schema that a command reads.
struct SchemaArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The schema file.", discussion: "The default is the only one in Schemas/.", valueName: "schema"),
        completion: .file(extensions: ["yaml", "yml"]))
    var schema: String?

    /// Throws ``UsageFailure`` if there is not one.
    func path() throws -> String {
        if let schema { return schema }
        let paths = try SchemaFiles.sources(at: []).map(\.schema.path)
        guard paths.count == 1 else {
            throw UsageFailure(
                message: "There are several schemas. Name the one: \(paths.joined(separator: ", ")).")
        }
        return paths[0]
    }

    /// Reads the schema and its history, and reports every finding. Throws `ExitCode` 1 if there is an error.
    func read(_ source: VersionedSource) throws -> VersionedSchema {
        let reading = readVersions([source], checking: .history)
        DiagnosticFormat.text.report(reading.diagnostics, of: source.all)
        guard let schema = reading.schemas.first, !reading.diagnostics.contains(where: { $0.severity == .error }) else {
            throw Exit.findings
        }
        return schema
    }
}
