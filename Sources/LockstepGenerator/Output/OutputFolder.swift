/// The folder that generated files go to.
///
/// A run reads it once, decides by an `OutputPlan`, and writes it once, while no other run does:
///
///     let folder = OutputFolder("Generated")
///     try folder.writing {
///         let snapshot = try folder.read(for: files)
///         try folder.apply(OutputPlan(files, over: snapshot))
///     }
public struct OutputFolder: Sendable {
    /// The path as the user gave it.
    public let path: String

    public init(_ path: String) {
        self.path = path.isEmpty ? "." : path
    }

    /// Runs `body` while no other run writes to the folder; waits until none does. Where the folder is not there, there
    /// is nothing to wait for.
    ///
    /// What a run that was killed has left is looked at as the next one will find it once it is finished.
    ///
    /// - Parameters:
    ///   - tell: Is called with what happens before `body` runs.
    ///   - body: Reads the folder.
    /// - Throws: `OutputError` where the folder cannot be read, and what `body` throws.
    public func reading<Value>(tell: (OutputNotice) -> Void = { _ in }, _ body: () throws -> Value) throws -> Value {
        guard let lock = try lock(.shared, tell) else { return try body() }
        defer { lock.release() }
        if !lock.isHeld { _ = try InterruptedRun.all(in: path, isLocked: false) }
        return try body()
    }

    /// Runs `body` while no other run reads or writes the folder; waits until none does. What a run that was killed has
    /// left is finished before.
    ///
    /// - Parameters:
    ///   - tell: Is called with what happens before `body` runs.
    ///   - body: Reads and writes the folder.
    /// - Throws: `OutputError` where the folder cannot be read or made, and what `body` throws.
    public func writing<Value>(tell: (OutputNotice) -> Void = { _ in }, _ body: () throws -> Value) throws -> Value {
        var created: [String] = []
        var lock: OutputLock?
        defer {
            // Those that stayed empty, since nothing was to be written.
            for folder in created.reversed() { try? FileSystem.removeFolder(folder) }
            lock?.release()
        }
        while lock == nil {
            do {
                try FileSystem.createFolder(withThoseAbove: path, created: &created)
            } catch {
                throw OutputError.system(.cannotWrite, path, error)
            }
            lock = try self.lock(.exclusive, tell)
            // Else a run that failed has just removed it, and it is made again.
            if lock == nil, (try? FileSystem.kind(of: path)) == .link { throw OutputError.linkToNothing(path) }
        }
        for run in try InterruptedRun.all(in: path, isLocked: lock?.isHeld ?? false) {
            tell(try run.finish() ? .finishedInterruptedRun : .clearedInterruptedRun)
        }
        return try body()
    }

    private func lock(
        _ kind: OutputLock.Kind, _ tell: (OutputNotice) -> Void
    ) throws(OutputError) -> OutputLock? {
        do {
            return try OutputLock(path, kind) { tell(.waiting) }
        } catch {
            throw .system(.cannotRead, path, error)
        }
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
        try reader.readInterruptedRuns()
        for file in files {
            guard OutputPath.isSafe(file.path) else { throw .badPath(file.path) }
            try reader.readManifest(ofFolder: OutputPath.split(file.path).folder)
        }
        if removesUnlistedSchemas { try reader.readAllManifests() }
        for file in files { try reader.readWanted(file) }
        try reader.readWritten()
        return reader.snapshot
    }

    /// Whether an earlier run left a manifest in one of the folders, or was interrupted.
    ///
    /// - Throws: `OutputError` where the folder, or a manifest, cannot be read.
    public func hasEarlierOutput() throws(OutputError) -> Bool {
        var reader = OutputReader(root: path)
        try reader.readInterruptedRuns()
        try reader.readAllManifests()
        return !reader.snapshot.interruptedRuns.isEmpty
            || reader.snapshot.manifests.values.contains { !$0.isForeign }
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
            try reader.readInterruptedRuns()
            try reader.readAllManifests()
        } catch {
            return nil
        }
        guard reader.snapshot.interruptedRuns.isEmpty else { return nil }
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

    /// Carries out a plan: all of it, or nothing. Call it in ``writing(tell:_:)``, where the plan was made too.
    ///
    /// Where the process is killed meanwhile, everything is as it was, or the next run finishes it before anything
    /// else.
    ///
    /// - Throws: `OutputError` where the plan has conflicts, or something could not be written; everything is then as
    ///   it was.
    public func apply(_ plan: OutputPlan) throws(OutputError) {
        if !plan.conflicts.isEmpty { throw .conflicts(plan.conflicts) }
        if plan.writes.isEmpty && plan.removals.isEmpty { return }
        if let left = try InterruptedRun.all(in: path, isLocked: true).first {
            throw .appeared(OutputPath.joined(path, left.name))
        }
        var transaction = OutputTransaction(root: path)
        try transaction.carryOut(plan)
    }
}

/// What a run tells of before it reads or writes an output folder.
public enum OutputNotice: Hashable, Sendable {
    /// Another run has the folder; this one waits for its end.
    case waiting
    /// A run was killed after it had decided what to write. It was finished: its output is there.
    case finishedInterruptedRun
    /// A run was killed before it had decided what to write. What it left was removed.
    case clearedInterruptedRun
}
