import ArgumentParser
import LockstepEvolution
import LockstepGenerator
import LockstepReview
import LockstepSchema

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks schemas and reports every finding; writes nothing.",
        discussion: """
            With --compatible-with, each schema is compared with the other side of a release: whether the files of \
            earlier versions open, and whether apps and servers of both versions understand each other.

            EXAMPLE
              lockstep check Schemas/Journal.yaml --diagnostics github
              lockstep check --compatible-with origin/main --oldest 2
            """
    )

    @OptionGroup var input: SchemaArguments
    @OptionGroup var compatibility: CompatibilityOptions

    func run() throws {
        let sources = try SchemaFiles.sources(at: input.schemas)
        try compatibility.refuseFile(for: sources.count)
        let reading = readVersions(sources, checking: .release)
        var diagnostics = reading.diagnostics
        var summaries: [TerminalText] = []
        for schema in reading.schemas {
            guard let (label, side) = try compatibility.side(of: schema, format: input.diagnostics) else { continue }
            let compared = try compare(schema, with: side, called: label)
            diagnostics += schema.diagnostics(of: compared)
            if let result = compared.result { summaries.append(summary(of: result, in: schema)) }
        }
        input.diagnostics.report(diagnostics, of: sources.flatMap(\.all))
        if input.diagnostics == .text { report(summaries, schemas: reading.schemas, hasFindings: !diagnostics.isEmpty) }
        if diagnostics.contains(where: { $0.severity == .error }) { throw Exit.findings }
    }

    private func compare(
        _ schema: VersionedSchema, with side: CompatibleSide, called label: String
    ) throws -> VersionedSchema.Compatibility {
        do {
            return try schema.compatibility(
                with: side, called: label, oldest: compatibility.oldest, checking: compatibility.only.categories)
        } catch {
            throw UsageFailure(message: "'\(schema.schema.name)' cannot be compared with '\(label)': \(error)")
        }
    }

    // MARK: Texts

    private func summary(of result: SchemaCompatibility, in schema: VersionedSchema) -> TerminalText {
        let categories = compatibility.only.categories
        let line: TerminalText = "\(schema.schema.name) \(schema.schema.version): \(result.summary(of: categories))"
        return categories.contains(.wire) ? "\(line)\n\(result.advice.text)" : line
    }

    private func report(_ summaries: [TerminalText], schemas: [VersionedSchema], hasFindings: Bool) {
        guard summaries.isEmpty else { return Console.report(summaries.joined(separator: "\n")) }
        guard !hasFindings else { return }
        let entities = schemas.reduce(0) { $0 + $1.schema.entities.count }
        let schemaCount = Self.count(schemas.count, one: "schema", many: "schemas")
        Console.report("\(schemaCount) with \(Self.count(entities, one: "entity", many: "entities")): no findings.")
    }

    private static func count(_ count: Int, one: String, many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }
}
