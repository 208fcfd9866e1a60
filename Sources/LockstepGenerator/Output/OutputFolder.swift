import LockstepEvolution

/// The folder of generated files.
///
/// A run reads it once, creates an `OutputPlan`, and writes it once, while no other run does so:
///
///     let folder = OutputFolder("Generated")
///     try folder.writing {
///         let snapshot = try folder.read(for: files)
///         try folder.apply(OutputPlan(files, over: snapshot))
///     }
package struct OutputFolder: Sendable {
    /// The path as the user specified it.
    package let path: String

    package init(_ path: String) {
        self.path = path.isEmpty ? "." : path
    }

    /// Runs `body` while no other run writes to the folder; waits if necessary. If the folder does not exist, there is
    /// nothing to wait for.
    ///
    /// - Parameters:
    ///   - notify: Called with what happens before `body` runs.
    ///   - body: Reads the folder.
    /// - Throws: `OutputError` if the folder cannot be read, and errors of `body`.
    package func reading<Value>(notify: (OutputNotice) -> Void = { _ in }, _ body: () throws -> Value) throws -> Value {
        guard let lock = try lock(.shared, notify: notify) else { return try body() }
        defer { lock.release() }
        return try body()
    }

    /// Runs `body` while no other run reads or writes the folder; waits if necessary.
    ///
    /// - Parameters:
    ///   - notify: Called with what happens before `body` runs.
    ///   - body: Reads and writes the folder.
    /// - Throws: `OutputError` if the folder cannot be read or created, and errors of `body`.
    package func writing<Value>(notify: (OutputNotice) -> Void = { _ in }, _ body: () throws -> Value) throws -> Value {
        var created: [String] = []
        var lock: OutputLock?
        defer {
            // Folders that stayed empty, because nothing was written.
            for folder in created.reversed() { try? FileSystem.removeFolder(folder) }
            lock?.release()
        }
        while lock == nil {
            do {
                try FileSystem.createFolder(withThoseAbove: path, created: &created)
            } catch {
                throw OutputError.system(.cannotWrite, at: path, failure: error)
            }
            lock = try self.lock(.exclusive, notify: notify)
            // Otherwise, a failed run has just removed it, and it is created again.
            if lock == nil, (try? FileSystem.kind(of: path)) == .link { throw OutputError.linkToNothing(path) }
        }
        if lock?.isHeld == true { try removeParts() }
        return try body()
    }

    private func removeParts() throws(OutputError) {
        do {
            try OutputWriter.removeParts(in: path)
        } catch {
            throw .system(.cannotRemove, at: path, failure: error)
        }
    }

    private func lock(_ kind: OutputLock.Kind, notify: (OutputNotice) -> Void) throws(OutputError) -> OutputLock? {
        do {
            return try OutputLock(path, kind: kind) { notify(.waiting) }
        } catch {
            throw .system(.cannotRead, at: path, failure: error)
        }
    }

    /// Reads the manifests of earlier runs, and every file that is expected or was written by an earlier run.
    ///
    /// - Parameters:
    ///   - files: The expected files.
    ///   - removesUnlistedSchemas: Whether to read schema folders without a file in `files` too, in order to remove
    ///     what an earlier run wrote there. For runs for all schemas.
    /// - Throws: `OutputError` if something cannot be read, or a folder exists where a file should be.
    package func read(
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
    /// - Throws: `OutputError` if the folder, or a manifest, cannot be read.
    package func hasEarlierOutput() throws(OutputError) -> Bool {
        var reader = OutputReader(root: path)
        try reader.readAllManifests()
        return reader.snapshot.manifests.values.contains { !$0.isForeign }
    }

    /// The number of files, if all of them are the output of an earlier run for these inputs and were not modified
    /// since; otherwise, or if anything cannot be read, `nil`.
    ///
    /// - Parameters:
    ///   - inputs: The fingerprints of the run's inputs.
    ///   - removesUnlistedSchemas: Whether output of other schemas counts as a difference.
    package func unchangedCount(for inputs: [InputFingerprint], removesUnlistedSchemas: Bool = false) -> Int? {
        var reader = OutputReader(root: path)
        do {
            try reader.readAllManifests()
        } catch {
            return nil
        }
        let manifests = reader.snapshot.manifests.compactMapValues { $0 }
        let wanted = Set(inputs.map(\.hash))
        let current = manifests.filter { $0.value.input.map(wanted.contains) ?? false }
        guard current.count == inputs.count, Set(current.values.compactMap(\.input)) == wanted else { return nil }
        if removesUnlistedSchemas, current.count != manifests.count { return nil }
        var count = 0
        var buffer: [UInt8] = []
        for (folder, manifest) in current {
            for (file, hashes) in manifest.hashes {
                let file = path + "/" + OutputPath.join(folder, rest: file)
                guard hashes.count == 1, let contents = try? FileSystem.contents(of: file, buffer: &buffer),
                    ContentHash(contents) == hashes[0]
                else { return nil }
                count += 1
            }
        }
        return count
    }

    /// Applies a plan. Call it in ``writing(notify:_:)``, in which the plan must have been made.
    ///
    /// At any time, each file is the old or the new one, whole, and the manifest accepts either. If the process is
    /// killed or something cannot be written, the next run writes the rest.
    ///
    /// - Throws: `OutputError` if the plan has conflicts, before anything is changed, or if something could not be
    ///   written or removed.
    package func apply(_ plan: OutputPlan) throws(OutputError) {
        if !plan.conflicts.isEmpty { throw .conflicts(plan.conflicts) }
        if plan.writes.isEmpty && plan.removals.isEmpty { return }
        var writer = OutputWriter(root: path)
        try writer.apply(plan)
    }
}

/// A notice that a run reports before it reads or writes an output folder.
package enum OutputNotice: Hashable, Sendable {
    /// Another run uses the folder; this one waits for its end.
    case waiting
}
