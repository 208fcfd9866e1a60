/// The folder that generated files go to.
///
/// A run reads it once, decides by an `OutputPlan`, and writes it once:
///
///     let folder = OutputFolder("Generated")
///     let snapshot = try folder.read(for: files)
///     try folder.apply(OutputPlan(files, over: snapshot))
public struct OutputFolder: Sendable {
    /// The path as the user gave it.
    public let path: String

    public init(_ path: String) {
        self.path = path.isEmpty ? "." : path
    }

    /// Reads the manifests of earlier runs, and every file that is wanted or that an earlier run wrote.
    ///
    /// - Parameters:
    ///   - files: the files that are wanted.
    ///   - removesUnlistedSchemas: whether a schema's folder that none of `files` goes to is looked at too, so that
    ///     what an earlier run wrote there is removed. For runs over all schemas.
    /// - Throws: `OutputError` where something cannot be read, or a folder is where a file should go.
    public func read(
        for files: [GeneratedFile], removesUnlistedSchemas: Bool = false
    ) throws(OutputError) -> OutputSnapshot {
        var reader = OutputReader(root: path)
        for file in files {
            guard OutputPath.isSafe(file.path) else { throw .badPath(file.path) }
            try reader.readManifest(ofFolder: OutputPath.split(file.path).folder)
        }
        if removesUnlistedSchemas { try reader.readAllManifests() }
        for file in files { try reader.readWanted(file) }
        try reader.readWritten()
        return reader.snapshot
    }

    /// Whether an earlier run left a manifest in one of the folders.
    ///
    /// - Throws: `OutputError` where the folder, or a manifest, cannot be read.
    public func hasEarlierOutput() throws(OutputError) -> Bool {
        var reader = OutputReader(root: path)
        try reader.readAllManifests()
        return reader.snapshot.manifests.values.contains { !$0.isForeign }
    }

    /// The number of files there, if all of them are what an earlier run made of these inputs and nothing was touched
    /// since; `nil` otherwise, and where anything cannot be read.
    ///
    /// - Parameters:
    ///   - inputs: what the run is about.
    ///   - removesUnlistedSchemas: whether output of other schemas counts as a difference.
    public func unchangedCount(for inputs: [InputFingerprint], removesUnlistedSchemas: Bool = false) -> Int? {
        var reader = OutputReader(root: path)
        do {
            try reader.readAllManifests()
        } catch {
            return nil
        }
        let manifests = reader.snapshot.manifests.compactMapValues { $0 }
        let wanted = Set(inputs.map(\.hash))
        let current = manifests.filter { $0.value.input.map(wanted.contains) ?? false }
        guard current.count == inputs.count, wanted.count == inputs.count else { return nil }
        if removesUnlistedSchemas, current.count != manifests.count { return nil }
        var count = 0
        var buffer: [UInt8] = []
        for (folder, manifest) in current {
            for (file, hashes) in manifest.hashes {
                let file = path + "/" + OutputPath.join(folder, file)
                guard hashes.count == 1, let contents = try? FileSystem.contents(of: file, buffer: &buffer),
                    ContentHash(contents) == hashes[0]
                else { return nil }
                count += 1
            }
        }
        return count
    }

    /// Carries out a plan: all of it, or nothing.
    ///
    /// - Throws: `OutputError` where the plan has conflicts, or something could not be written; everything is then as
    ///   it was.
    public func apply(_ plan: OutputPlan) throws(OutputError) {
        if !plan.conflicts.isEmpty { throw .conflicts(plan.conflicts) }
        if plan.writes.isEmpty && plan.removals.isEmpty { return }
        var transaction = OutputTransaction(root: path)
        try transaction.carryOut(plan)
    }
}
