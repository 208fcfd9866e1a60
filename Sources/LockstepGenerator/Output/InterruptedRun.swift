import LockstepEvolution

/// A run that was killed, as found by its staging folders. If it was committed, it is completed from its journal;
/// otherwise only its staging folders are left.
struct InterruptedRun {
    private let staging: StagingFolders
    private let journal: OutputJournal?

    /// The remaining change of a path in the journal.
    enum Pending: Hashable {
        /// The new file is staged at this path.
        case put(String)
        case remove
    }

    /// The path of the root's staging folder in the output folder.
    var name: String { staging.name }

    /// Finds the interrupted runs of an output folder.
    ///
    /// - Parameter isLocked: Whether no other run can be active there. If that is not known, processes are checked.
    /// - Throws: `OutputError` if a run cannot be read, is from a newer version of lockstep, or is still active.
    static func all(in root: String, isLocked: Bool) throws(OutputError) -> [InterruptedRun] {
        let names: [String]
        do {
            names = try FileSystem.names(in: root)
        } catch {
            throw .system(.cannotRead, root, error)
        }
        var runs: [InterruptedRun] = []
        for name in names {
            guard let process = StagingFolders.process(of: name) else { continue }
            if !isLocked, process != FileSystem.processNumber, FileSystem.isRunning(process) {
                throw .busy(root, process: process)
            }
            do {
                guard try StagingFolders.isOurs(root + "/" + name) else { continue }
            } catch {
                throw .system(.cannotRead, root + "/" + name, error)
            }
            runs.append(try InterruptedRun(root: root, name: name))
        }
        return runs
    }

    private init(root: String, name: String) throws(OutputError) {
        let path = root + "/" + name + "/" + OutputJournal.fileName
        let text: [UInt8]?
        do {
            staging = try StagingFolders(root: root, name: name)
            text = try FileSystem.contentsIfThere(of: path)
        } catch {
            throw .system(.cannotRead, path, error)
        }
        do {
            journal = try text.flatMap { text throws(Manifest.NewerVersion) in try OutputJournal(text) }
        } catch {
            throw .newerManifest(path, version: error.version, of: "journals")
        }
    }

    // MARK: Remaining changes

    /// The remaining changes, by path. If something is at a path that the run had not found there, a person has edited
    /// it since, and it is left as it is.
    func pending() throws(OutputError) -> [String: Pending] {
        var pending: [String: Pending] = [:]
        for entry in journal?.entries ?? [] {
            do {
                pending[entry.path] = try self.pending(entry)
            } catch {
                throw .system(.cannotRead, absolute(entry.path), error)
            }
        }
        return pending
    }

    private func pending(_ entry: OutputJournal.Entry) throws(SystemFailure) -> Pending? {
        let staged = entry.stagedNumber.map { staging.place(of: entry.path, number: $0) }
        if let staged, try FileSystem.kind(of: staged) != .file { return nil }
        let kind = try FileSystem.kind(of: absolute(entry.path))
        guard try isAsFound(entry, kind), try !isBelowLink(entry.path) else { return nil }
        if let staged { return .put(staged) }
        return kind == nil ? nil : .remove
    }

    private func isAsFound(_ entry: OutputJournal.Entry, _ kind: FileSystem.Kind?) throws(SystemFailure) -> Bool {
        switch kind {
        // The run moves the existing file aside before it moves in the new one.
        case nil: true
        case .file: try before(at: absolute(entry.path)) == entry.before
        case .link, .other: entry.before == .special
        case .folder: false
        }
    }

    private func before(at path: String) throws(SystemFailure) -> OutputJournal.Before? {
        var buffer: [UInt8] = []
        return try FileSystem.contents(of: path, buffer: &buffer).map { .contents(ContentHash($0)) }
    }

    /// Whether a folder between the schema's folder and the file is a link, which may lead anywhere.
    private func isBelowLink(_ path: String) throws(SystemFailure) -> Bool {
        var folder = OutputPath.parent(of: path)
        while folder.contains("/") {
            if try FileSystem.kind(of: absolute(folder)) == .link { return true }
            folder = OutputPath.parent(of: folder)
        }
        return false
    }

    // MARK: Completing

    /// Makes the remaining changes, and removes the staging folders.
    ///
    /// If this fails, or is killed, the next run continues.
    ///
    /// - Returns: Whether the run was committed, so that its output exists now.
    func finish() throws(OutputError) -> Bool {
        let pending = try pending()
        let entries = journal?.entries ?? []
        var created: [String] = []
        for entry in entries {
            let path = absolute(entry.path)
            do {
                switch pending[entry.path] {
                case .put(let staged):
                    try FileSystem.createFolders(above: entry.path, in: staging.root, created: &created)
                    try FileSystem.move(staged, to: path)
                case .remove: try FileSystem.removeFile(path)
                case nil: continue
                }
            } catch {
                throw .system(.cannotWrite, path, error)
            }
        }
        do {
            try staging.removeFromSchemas()
            // If a folder cannot be removed, for example a mounted one, later runs must still be possible.
            let removals = entries.filter { $0.stagedNumber == nil }.map(\.path)
            try? FileSystem.removeEmptyFolders(above: removals, in: staging.root)
            try staging.removeFromRoot()
        } catch {
            throw .system(.cannotRemove, staging.path, error)
        }
        return journal != nil
    }

    private func absolute(_ path: String) -> String { staging.root + "/" + path }
}
