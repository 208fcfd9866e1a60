import ArgumentParser
import LockstepGenerator
import LockstepSchema

/// Reports what a run found in the output folder, would change in it, or changed.
struct OutputReport {
    let plan: OutputPlan
    let folder: String

    /// The differences for machine-readable formats. `check` lists them as text, with their contents.
    func diagnostics(fix: String) -> [Diagnostic] {
        plan.findings.map { finding in
            .staleOutput(path(finding.path), state: finding.kind.label, remedy: "Run: \(fix)")
        }
    }

    /// Lists the differences and the command that fixes them, if `isListing`. Throws `ExitCode` 1 if there are any.
    func check(fix: String, isListing: Bool) throws {
        guard !plan.isUpToDate else { return Console.report("\(folder) is up to date.") }
        if isListing { listFindings(fix: fix) }
        throw Exit.findings
    }

    private func listFindings(fix: String) {
        for finding in plan.findings {
            Console.print("\(finding.kind.label): \(path(finding.path))")
        }
        for finding in plan.findings {
            Console.print("\n" + TerminalText(document: finding.diff(in: folder)))
        }
        let edited = plan.findings.contains { $0.kind == .edited || $0.kind == .notGenerated }
        let force = edited ? ", after moving what was edited by hand into the schema or an extension (or --force)" : ""
        Console.print("\nTo update it, run: \(fix)\(force)")
    }

    /// Reports files that the run will not change; throws ``ConflictingFiles`` if there are any.
    func refuseConflicts() throws {
        guard !plan.conflicts.isEmpty else { return }
        for conflict in plan.conflicts {
            Console.report("error: \(path(conflict.path)) \(conflict.problem). \(conflict.remedy)")
        }
        throw ConflictingFiles(paths: plan.conflicts.map { path($0.path) })
    }

    func dryRun() {
        for write in plan.writes where !write.isManifest {
            Console.print("\(write.isReplacement ? "would overwrite" : "would write"): \(path(write.path))")
        }
        for removal in plan.removals { Console.print("would remove: \(path(removal))") }
        Console.report("Nothing was written: this was a dry run.")
    }

    func summary() {
        let written = plan.writes.count(where: { !$0.isManifest })
        Console.report(
            "\(folder): \(written) written, \(plan.removals.count) removed, \(plan.unchangedCount) unchanged.")
    }

    private func path(_ path: String) -> String {
        folder.hasSuffix("/") ? folder + path : folder + "/" + path
    }
}

/// Files because of which nothing was written. They have been reported.
struct ConflictingFiles: Error {
    var paths: [String]
}

extension OutputFinding.Kind {
    fileprivate var label: String {
        switch self {
        case .stale, .missing, .edited, .orphaned: rawValue
        case .notGenerated: "not generated"
        }
    }
}
