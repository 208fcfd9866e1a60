import ArgumentParser
import Foundation
import LockstepGenerator
import LockstepSchema

struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Writes Swift and SQL for each schema.",
        discussion: """
            Files are written only when they differ, and none if a schema has errors or a file conflicts. A generated \
            file that was edited by hand is reported and kept. Files of entities that are gone are removed.

            EXAMPLE
              lockstep generate          # Schemas/ becomes Generated/
              lockstep generate Schemas/Journal.yaml --access package
              lockstep generate --check  # in CI: exits 1 if anything is stale
              lockstep generate --watch  # again after each change of a schema
            """
    )

    @OptionGroup var input: SchemaArguments
    @OptionGroup var options: OutputOptions

    @Flag(
        help:
            "Change nothing; list stale, missing, edited and orphaned files, with a diff, and exit 1 if there are any.")
    var check = false

    @Flag(help: "Change nothing; list what would be written and removed.")
    var dryRun = false

    @Flag(help: "Overwrite generated files that were edited by hand.")
    var force = false

    @Flag(help: "Run until Control-C: generate again whenever a schema, its history or the output changes.")
    var watch = false

    @Option(help: .hidden)
    var invokedAs = "lockstep generate"

    func validate() throws {
        if check && (dryRun || force) { throw ValidationError("--check cannot be combined with --dry-run or --force.") }
        if watch && (check || dryRun) { throw ValidationError("--watch cannot be combined with --check or --dry-run.") }
    }

    func run() throws {
        if watch { return try generateAgainAndAgain() }
        let folder = OutputFolder(options.output)
        do { try generate(try sources(for: folder), in: folder) } catch is ConflictingFiles {
            Console.report("Nothing was written.")
            throw Exit.findings
        }
    }

    private func generateAgainAndAgain() throws {
        let folder = OutputFolder(options.output)
        // What is wrong from the start is not waited for.
        _ = try sources(for: folder)
        Interruption.observe()
        // Of the output, what other processes write, and what prevents a run from writing.
        var conflicts: [String] = []
        let watch = FileWatch(
            state: { FileStates(of: SchemaFiles.watchedPaths(at: input.schemas)) },
            output: { FileStates(of: FileStates.manifests(in: options.output) + conflicts) },
            pause: { Interruption.pause(milliseconds: 200) })
        try watch.run {
            // Somebody may undo an edit as soon as it is reported, before the run has ended.
            let before = FileStates(ofFilesIn: options.output)
            conflicts = try generateAgain(in: folder)
            return before.only(conflicts, and: FileStates(of: FileStates.manifests(in: options.output)))
        }
    }

    /// A run of `--watch`, which the next one may fix.
    ///
    /// - Returns: The files because of which nothing was written.
    private func generateAgain(in folder: OutputFolder) throws -> [String] {
        do {
            let sources = try sources(for: folder)
            if sources.isEmpty {
                // An editor or a version control system may be replacing the files.
                Console.report("There is no schema any more. The generated files stay; waiting for a change.")
            } else {
                try generate(sources, in: folder)
            }
        } catch let conflicting as ConflictingFiles {
            reportWaiting()
            return conflicting.paths
        } catch is FindingsReported {
            reportWaiting()
        } catch let failure as UsageFailure {
            Console.report("error: \(failure.message) Waiting for a change.")
        } catch let failure as OutputError {
            Console.report("error: \(failure.description) Waiting for a change.")
        }
        return []
    }

    private func reportWaiting() {
        Console.report("\(options.output): nothing was written; waiting for a change.")
    }

    private func generate(_ sources: [VersionedSource], in folder: OutputFolder) throws {
        if !check, !dryRun, !force, options.adopt == nil,
            let count = try folder.reading({ unchangedCount(of: sources, in: folder) })
        {
            return Console.report("\(options.output): 0 written, 0 removed, \(count) unchanged.")
        }
        let reading = try input.readWithoutErrors(sources, checking: .build)
        if !check { input.diagnostics.report(reading.diagnostics, of: sources.flatMap(\.all)) }
        let output = RequestedOutput(
            folder: folder, sources: sources, diagnostics: reading.diagnostics,
            files: try options.files(for: reading.schemas, isDryRun: dryRun),
            inputs: inputs(of: reading.schemas, sources: sources))
        if check || dryRun {
            try folder.reading(notify: Console.notify(in: options.output)) { try look(at: output) }
        } else {
            try folder.writing(notify: Console.notify(in: options.output)) { try write(output) }
        }
    }

    /// The run's parameters, after its schemas were read.
    private struct RequestedOutput {
        var folder: OutputFolder
        var sources: [VersionedSource]
        /// The warnings about the schemas.
        var diagnostics: [Diagnostic]
        var files: [GeneratedFile]
        var inputs: [String: InputFingerprint]
    }

    private func look(at output: RequestedOutput) throws {
        let plan = try plan(output)
        let report = OutputReport(plan: plan, folder: options.output)
        if check {
            let isHidden = !plan.isUpToDate && isRecordedAsUnchanged(output.sources, in: output.folder)
            let command = fixCommand(needsForce: isHidden)
            let format = input.diagnostics
            let differences = format == .text ? [] : report.diagnostics(fix: command)
            format.report(output.diagnostics + differences, of: output.sources.flatMap(\.all))
            // JSON is complete already, and nothing else may be in the output.
            return try report.check(fix: command, isListing: format != .json)
        }
        try report.refuseConflicts()
        report.dryRun()
    }

    private func write(_ output: RequestedOutput) throws {
        let plan = try plan(output)
        let report = OutputReport(plan: plan, folder: options.output)
        try report.refuseConflicts()
        try output.folder.apply(plan)
        report.summary()
    }

    private func plan(_ output: RequestedOutput) throws -> OutputPlan {
        let snapshot = try output.folder.read(for: output.files, removesUnlistedSchemas: input.schemas.isEmpty)
        return OutputPlan(output.files, over: snapshot, force: force, inputs: output.inputs)
    }

    /// The schemas to read. `Schemas/` may be empty if an earlier run's output is to be removed.
    private func sources(for folder: OutputFolder) throws -> [VersionedSource] {
        if input.schemas.isEmpty, SchemaFiles.isDefaultFolderWithoutSchemas, try folder.hasEarlierOutput() { return [] }
        return try SchemaFiles.sources(at: input.schemas)
    }

    /// The number of files if nothing has changed since an earlier run, in which case they need not be generated.
    ///
    /// `--check` and `--force` do not use the record. Neither does a debug build, whose templates may be changing.
    private func unchangedCount(of sources: [VersionedSource], in folder: OutputFolder) -> Int? {
        #if DEBUG
            return nil
        #else
            return recordedCount(of: sources, in: folder)
        #endif
    }

    private func recordedCount(of sources: [VersionedSource], in folder: OutputFolder) -> Int? {
        folder.unchangedCount(for: sources.map(options.fingerprint), removesUnlistedSchemas: input.schemas.isEmpty)
    }

    /// Whether a run without `--force` would use the record and write nothing.
    private func isRecordedAsUnchanged(_ sources: [VersionedSource], in folder: OutputFolder) -> Bool {
        recordedCount(of: sources, in: folder) != nil
    }

    /// A draft has none, so that its warning is repeated.
    private func inputs(of schemas: [VersionedSchema], sources: [VersionedSource]) -> [String: InputFingerprint] {
        let fingerprints = Dictionary(
            sources.map { ($0.schema.path, options.fingerprint($0)) }, uniquingKeysWith: { first, _ in first })
        return Dictionary(
            schemas.filter { !$0.isDraft }.map(\.schema)
                .compactMap { schema in fingerprints[schema.source].map { (schema.name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The command that makes `--check` pass, to be copied. It is written as it was started, possibly by a plugin.
    private func fixCommand(needsForce: Bool) -> String {
        let arguments = input.schemas + options.arguments + (needsForce ? ["--force"] : [])
        return ([invokedAs] + arguments.map(shellQuoted)).joined(separator: " ")
    }
}
