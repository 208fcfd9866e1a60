import ArgumentParser
import Foundation
import LockstepEvolution
import LockstepGenerator
import LockstepReview
import LockstepSchema

/// The schemas that `lockstep check` compares with.
struct CompatibilityOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The other side: a schema, a history, or a revision of Git.",
            discussion: "With a history, every released version is compared.", valueName: "file|revision"),
        completion: .file())
    var compatibleWith: String?

    @Option(help: ArgumentHelp("The oldest version that is supported.", valueName: "version"))
    var oldest: Int?

    @Option(help: "What is compared, separated by commas: store, wire.")
    var only: CategoryList = CategoryList(categories: Set(SchemaCompatibility.Category.allCases))

    func validate() throws {
        if let oldest, oldest < 1 { throw ValidationError("The oldest version is at least 1.") }
    }

    /// A file is the other side of one schema. Throws ``UsageFailure`` if there are several.
    func refuseFile(for count: Int) throws {
        guard count > 1, let compatibleWith, isFile(compatibleWith) else { return }
        throw UsageFailure(
            message: "'\(compatibleWith)' is the other side of one schema. Name that schema: lockstep check SCHEMA …")
    }

    private func isFile(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// The other side of a schema; `nil` if it is not compared with anything.
    ///
    /// Throws ``UsageFailure`` if there is no such file or revision, `ExitCode` 1 if it has errors.
    func side(of schema: VersionedSchema, format: DiagnosticFormat) throws -> (label: String, side: CompatibleSide)? {
        guard let compatibleWith else {
            guard schema.schema.compatibility == .full, let history = schema.history else { return nil }
            return ("the history", .history(history))
        }
        let path = schema.schema.source
        let isFile = isFile(compatibleWith)
        let source: SchemaSource? =
            isFile
            ? try SchemaFiles.source(at: compatibleWith) : try GitFile.read(path, at: compatibleWith)
        guard let source else {
            throw UsageFailure(
                message: """
                    There is no file '\(compatibleWith)', and no revision of that name that has '\(path)'. \
                    Check the path, or fetch the branch.
                    """)
        }
        guard !HistoryFile.isHistory(source.path) else {
            return (compatibleWith, .history(try history(source, format: format)))
        }
        let history = HistoryFile.path(besideSchema: isFile ? compatibleWith : path)
        if let source = isFile
            ? self.isFile(history) ? try SchemaFiles.source(at: history) : nil
            : try GitFile.read(history, at: compatibleWith)
        {
            return (compatibleWith, .history(try self.history(source, format: format)))
        }
        let reading = readSchemas([source])
        guard let other = reading.schemas.first else {
            throw refused(reading.diagnostics, from: source, format: format)
        }
        return (compatibleWith, .structure(SchemaTree(other.structure), version: other.version))
    }

    private func history(_ source: SchemaSource, format: DiagnosticFormat) throws -> SchemaHistory {
        var diagnostics: [Diagnostic] = []
        guard let history = readHistory(source, diagnostics: &diagnostics) else {
            throw refused(diagnostics, from: source, format: format)
        }
        return history
    }

    private func refused(_ diagnostics: [Diagnostic], from source: SchemaSource, format: DiagnosticFormat) -> ExitCode {
        format.report(diagnostics.filter { $0.severity == .error }, of: [source])
        return Exit.findings
    }
}

/// `--only`: categories separated by commas.
struct CategoryList: ExpressibleByArgument {
    var categories: Set<SchemaCompatibility.Category>

    init(categories: Set<SchemaCompatibility.Category>) { self.categories = categories }

    init?(argument: String) {
        let names = argument.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        categories = Set(names.compactMap(SchemaCompatibility.Category.init))
        guard !names.isEmpty, categories.count == Set(names).count else { return nil }
    }

    var defaultValueDescription: String { categories.map(\.rawValue).sorted().joined(separator: ",") }
}
