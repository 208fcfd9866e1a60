/// The changes that a run will make to the output folder, determined before anything is written.
package struct OutputPlan: Sendable {
    /// A file to be written.
    package struct Write: Hashable, Sendable {
        /// The path in the output folder.
        package var path: String
        package var contents: [UInt8]
        /// Whether there is something at the path already.
        package var isReplacement: Bool
        /// Whether it is a manifest, which is not reported to users.
        package var isManifest: Bool
    }

    /// Files that are new or have changed, manifests last.
    package private(set) var writes: [Write] = []
    /// Paths of files that an earlier run wrote and that are not part of the output any more.
    package private(set) var removals: [String] = []
    /// The number of files that are up to date.
    package private(set) var unchangedCount = 0
    /// The conflicts that prevent the plan from being applied; empty if it is forced.
    package private(set) var conflicts: [OutputConflict] = []
    /// The differences between the folder and the expected output, sorted by path, as reported by `--check`.
    package private(set) var findings: [OutputFinding] = []

    /// Manifests that accept both the old and the new contents of what is about to be written.
    private(set) var transitions: [Write] = []

    /// Whether the folder is up to date.
    package var isUpToDate: Bool { findings.isEmpty }

    /// Creates a plan, without reading or writing anything.
    ///
    /// - Parameters:
    ///   - files: The expected files.
    ///   - snapshot: The current folder.
    ///   - force: Whether to overwrite files that a person edited, or that are in the way.
    ///   - inputs: The fingerprint of each schema folder's input, by folder, to be stored in the manifest.
    package init(
        _ files: [GeneratedFile], over snapshot: OutputSnapshot, force: Bool = false,
        inputs: [String: InputFingerprint] = [:]
    ) {
        var planner = OutputPlanner(snapshot: snapshot, force: force, inputs: inputs)
        planner.plan(files)
        writes = planner.writes + planner.manifestWrites
        removals = planner.removals
        transitions = planner.transitions
        unchangedCount = planner.unchangedCount
        conflicts = planner.conflicts
        findings = planner.findings.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }
}

/// A file that a run does not change unless it is forced.
package struct OutputConflict: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// A person changed a generated file.
        case edited
        /// The file contains that it is generated, but no manifest records whether a person changed it since.
        case unrecorded
        /// The file with the name of a manifest is not one.
        case badManifest
        /// The file was not written by lockstep.
        case notGenerated
        /// Two of the expected files have this path, apart from case. Forcing does not help.
        case wantedTwice
    }

    package var kind: Kind
    /// The path in the output folder.
    package var path: String

    package init(kind: Kind, path: String) {
        self.kind = kind
        self.path = path
    }

    /// The problem, as a clause.
    package var problem: String {
        switch kind {
        case .edited: "was edited by hand since lockstep wrote it"
        case .unrecorded: "differs from the current output, and no manifest records whether it was edited by hand"
        case .badManifest: "is not a manifest of lockstep, so nothing records which files were edited by hand"
        case .notGenerated: "is in the way and was not written by lockstep"
        case .wantedTwice: "would be written twice in one run"
        }
    }

    /// The remedy, as a sentence.
    package var remedy: String {
        switch kind {
        case .edited: "Move the edit into the schema or an extension, then run with --force to overwrite the file."
        case .unrecorded:
            "If you did not edit it, run with --force. Otherwise, move the edit into the schema or an extension first."
        case .badManifest: "Restore it from version control, or run with --force to write it again."
        case .notGenerated: "Move the file, or run with --force to overwrite it."
        case .wantedTwice: "Rename one of the entities or schemas; many file systems ignore case."
        }
    }
}
