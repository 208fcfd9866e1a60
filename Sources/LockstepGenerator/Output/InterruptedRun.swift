/// A run that was killed, as its staging folders tell: one that had decided, which is finished from its journal, or one
/// that had not, of which nothing but staging folders is there.
struct InterruptedRun {
    private let staging: StagingFolders
    private let journal: OutputJournal?

    /// What is left to be done for a path of the journal.
    enum Pending: Hashable {
        /// The file that is to be there waits at this path.
        case put(String)
        case remove
    }

    /// The path of the root's staging folder inside the output folder.
    var name: String { staging.name }

    /// Those that are in an output folder.
    ///
    /// - Parameter isLocked: whether no other run can be at work there; where that is not known, processes are looked
    ///   for.
    /// - Throws: `OutputError` where one cannot be read, is of a newer lockstep, or is at work still.
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

    // MARK: What is left to be done

    /// What is left to be done, by path. A path where something is that the run had not found was edited since by a
    /// person, and is left as it is.
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
        // The run moves what was there aside before it moves the new file in.
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

    // MARK: Doing it

    /// Does what is left to be done, and removes the staging folders.
    ///
    /// Where that fails, or is killed, the next run goes on with it.
    ///
    /// - Returns: Whether the run had decided, so that its output is what is there now.
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
            // One that cannot be removed, a mounted one say, is no reason to stop every run that comes.
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
