import ArgumentParser
import Foundation
import LockstepEvolution
import LockstepGenerator
import LockstepReview
import LockstepSchema

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Prints what has changed in schemas, what it costs, and what must be said about it.",
        discussion: """
            Schemas are compared with the last version of their histories, with a file, or with a revision of Git. \
            Changes are written to standard output, findings to standard error; with --diagnostics json the other way \
            round.

            EXAMPLE
              lockstep diff
              lockstep diff Schemas/Journal.yaml --against origin/main
              lockstep diff --sql sqlite,postgresql
            """
    )

    @OptionGroup var input: SchemaArguments

    @Option(
        help: ArgumentHelp("A schema, a history, or a revision of Git.", valueName: "file|revision"),
        completion: .file())
    var against: String?

    @Option(help: "Also print the SQL of the changes: sqlite, postgresql, separated by commas.")
    var sql = DialectList(dialects: [])

    func run() throws {
        let sources = try SchemaFiles.sources(at: input.schemas)
        var (schemas, diagnostics) = try input.readWithoutErrors(sources, checking: .history)
        for schema in schemas {
            guard let former = try former(of: schema) else {
                Console.report("\(schema.schema.name): there is no history. Begin it: lockstep migrate")
                continue
            }
            diagnostics += try compare(schema, with: former)
        }
        input.diagnostics.report(diagnostics, of: sources.flatMap(\.all))
    }

    /// Prints the changes of a schema.
    ///
    /// - Returns: What must be said about them.
    private func compare(
        _ schema: VersionedSchema, with former: (label: String, tree: SchemaTree)
    ) throws -> [Diagnostic] {
        var tree = former.tree
        // The name of a schema is not part of its tables.
        tree.name = schema.schema.name
        let review: ChangeReview
        do {
            review = try schema.review(from: tree, hints: ReviewHints())
        } catch {
            throw UsageFailure(message: "The schema cannot be compared: \(error)")
        }
        show("\(schema.schema.name), since \(former.label)")
        show(review.changes.isEmpty ? "  no changes" : VersionReport(schema: schema, review: review).changes)
        if !review.changes.isEmpty {
            let number = schema.history.map { $0.head.number + 1 } ?? schema.schema.version + 1
            let migration = try MigrationSQL(schema, from: tree, by: review.changes, version: number, name: nil)
            for dialect in sql.dialects { show("\n" + TerminalText(document: migration.text(dialect))) }
        }
        return schema.diagnostics(of: review.findings, command: "lockstep migrate --name NAME")
    }

    /// Standard output has nothing but JSON if findings are written to it as JSON.
    private func show(_ text: TerminalText) {
        if input.diagnostics == .json { Console.report(text) } else { Console.print(text) }
    }

    // MARK: The former structure

    private func former(of schema: VersionedSchema) throws -> (label: String, tree: SchemaTree)? {
        guard let against else {
            guard let history = schema.history, let tree = schema.recorded else { return nil }
            return ("version \(history.head.number)", tree)
        }
        if FileManager.default.fileExists(atPath: against) {
            return (against, try tree(of: try SchemaFiles.source(at: against)))
        }
        guard let source = try GitFile.read(schema.schema.source, at: against) else {
            throw UsageFailure(
                message: """
                    There is no file '\(against)', and no revision of that name that has '\(schema.schema.source)'. \
                    Check the path, or fetch the branch.
                    """)
        }
        return (against, try tree(of: source))
    }

    private func tree(of source: SchemaSource) throws -> SchemaTree {
        var diagnostics: [Diagnostic] = []
        var tree: SchemaTree?
        if HistoryFile.isHistory(source.path) {
            tree = try readHistory(source, diagnostics: &diagnostics)?.verified()
        } else {
            let reading = readSchemas([source])
            diagnostics = reading.diagnostics.filter { $0.severity == .error }
            tree = reading.schemas.first.map { SchemaTree($0.structure) }
        }
        guard let tree else {
            input.diagnostics.report(diagnostics, of: [source])
            throw Exit.findings
        }
        return tree
    }
}
