/// What a run will do to the output folder, decided before anything is written.
public struct OutputPlan: Sendable {
    /// A file to be written.
    public struct Write: Hashable, Sendable {
        /// The path inside the output folder.
        public var path: String
        public var contents: [UInt8]
        /// Whether there is something at the path already.
        public var isReplacement: Bool
        /// Whether it is a manifest, which users need not hear of.
        public var isManifest: Bool
    }

    /// Files that are new or differ, the manifests last.
    public private(set) var writes: [Write] = []
    /// Paths of files that an earlier run wrote and this one does not.
    public private(set) var removals: [String] = []
    /// The number of files that are as they should be.
    public private(set) var unchangedCount = 0
    /// What stops the plan from being carried out; empty where it is forced.
    public private(set) var conflicts: [OutputConflict] = []
    /// How the folder differs from what it should be, sorted by path: what `--check` reports.
    public private(set) var findings: [OutputFinding] = []

    /// The folder as it was when the plan was made.
    private let snapshot: OutputSnapshot

    /// Whether the folder is as it should be.
    public var isUpToDate: Bool { findings.isEmpty }

    /// Decides; reads and writes nothing.
    ///
    /// - Parameters:
    ///   - files: the files that are wanted.
    ///   - snapshot: the folder as it is.
    ///   - force: whether a file that a person edited, or that is in the way, is overwritten.
    ///   - inputs: what each schema's folder is the output of, by folder; remembered in the manifest.
    public init(
        _ files: [GeneratedFile], over snapshot: OutputSnapshot, force: Bool = false,
        inputs: [String: InputFingerprint] = [:]
    ) {
        self.snapshot = snapshot
        var planner = OutputPlanner(snapshot: snapshot, force: force, inputs: inputs)
        planner.plan(files)
        writes = planner.writes + planner.manifestWrites
        removals = planner.removals
        unchangedCount = planner.unchangedCount
        conflicts = planner.conflicts
        findings = planner.findings.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// What was at a path when the plan was made.
    func before(_ path: String) -> OutputJournal.Before { snapshot.before(path) }
}

/// A file that a run will not touch unless it is forced.
public struct OutputConflict: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        /// A person changed a generated file.
        case edited
        /// The file says that it is generated, but no manifest tells whether a person changed it since.
        case unrecorded
        /// What is called as a manifest is none.
        case badManifest
        /// The file is not one of lockstep's.
        case notGenerated
        /// Two of the wanted files have this path, in upper or lower case. No force helps.
        case wantedTwice
    }

    public var kind: Kind
    /// The path inside the output folder.
    public var path: String

    public init(kind: Kind, path: String) {
        self.kind = kind
        self.path = path
    }

    /// What is wrong, a clause.
    public var problem: String {
        switch kind {
        case .edited: "was edited by hand since lockstep wrote it"
        case .unrecorded: "differs from what lockstep would write, and no manifest tells whether it was edited by hand"
        case .badManifest: "is not a manifest of lockstep, so that nothing tells which files were edited by hand"
        case .notGenerated: "is in the way and was not written by lockstep"
        case .wantedTwice: "would be written twice in one run"
        }
    }

    /// What to do about it, a sentence.
    public var remedy: String {
        switch kind {
        case .edited: "Move the edit into the schema or an extension, then run with --force to overwrite the file."
        case .unrecorded:
            "If you did not edit it, run with --force; else move the edit into the schema or an extension before."
        case .badManifest: "Restore it from version control, or run with --force to write it anew."
        case .notGenerated: "Move the file, or run with --force to overwrite it."
        case .wantedTwice: "Rename one of the entities or schemas; many disks take upper and lower case for the same."
        }
    }
}
