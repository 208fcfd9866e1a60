/// Applies a plan completely, or not at all. If the process is killed in between, the next run completes it.
///
/// First, the new files are written to staging folders next to those that they replace, on the same disk. Then the
/// journal is moved to its place, which commits the run. Before that, nothing has changed. After that, each file is
/// moved to its place in turn, which needs no disk space, and the existing files are moved aside, so that a failure can
/// be rolled back. Finally, the staging folders are removed.
struct OutputTransaction {
    let root: String
    private var staging: StagingFolders
    private var createdFolders: [String] = []
    private var moves: [(from: String, to: String)] = []
    private var lastNumber = 0
    /// The folder of the file that was put in its place last. Most files are in the same one.
    private var lastFolder: String?

    init(root: String) {
        self.root = root
        staging = StagingFolders(root: root)
    }

    /// Applies the whole plan, or throws without changing anything.
    mutating func carryOut(_ plan: OutputPlan) throws(OutputError) {
        do {
            let journal = try stage(plan)
            try decide(journal)
            try putInPlace(journal, plan)
        } catch {
            throw takeBack(after: error)
        }
        // Everything is in its place. What cannot be removed is removed by the next run.
        try? clear(plan.removals)
    }

    private func clear(_ removals: [String]) throws(SystemFailure) {
        try staging.removeFromSchemas()
        try FileSystem.removeEmptyFolders(above: removals, in: root)
        try staging.removeFromRoot()
    }

    // MARK: Before the commit

    /// Writes every file to its staging folder.
    private mutating func stage(_ plan: OutputPlan) throws(OutputError) -> OutputJournal {
        try createRoot()
        let folders = Set((plan.writes.map(\.path) + plan.removals).map { OutputPath.split($0).folder })
        try staging.create(for: folders.sorted())
        var journal = OutputJournal()
        for path in plan.removals {
            journal.entries.append(OutputJournal.Entry(path: path, before: plan.before(path)))
        }
        for write in plan.writes {
            lastNumber += 1
            do {
                try FileSystem.create(staging.place(of: write.path, number: lastNumber), write.contents)
            } catch {
                throw .system(.cannotWrite, absolute(write.path), error)
            }
            journal.entries.append(
                OutputJournal.Entry(path: write.path, before: plan.before(write.path), stagedNumber: lastNumber))
        }
        return journal
    }

    private mutating func createRoot() throws(OutputError) {
        do {
            try FileSystem.createFolder(withThoseAbove: root, created: &createdFolders)
        } catch {
            throw .system(.cannotWrite, root, error)
        }
    }

    /// Commits the run: if it does not end, the next run completes it.
    private func decide(_ journal: OutputJournal) throws(OutputError) {
        let unfinished = staging.path + "/" + StagingFolders.unfinishedJournalName
        do {
            try FileSystem.create(unfinished, journal.text)
            try FileSystem.move(unfinished, to: staging.journalPath)
        } catch {
            throw .system(.cannotWrite, staging.path, error)
        }
    }

    // MARK: After the commit

    private mutating func putInPlace(_ journal: OutputJournal, _ plan: OutputPlan) throws(OutputError) {
        for entry in journal.entries {
            if entry.before == .nothing {
                guard (try? FileSystem.kind(of: absolute(entry.path))) == .some(nil) else {
                    throw .appeared(absolute(entry.path))
                }
            } else {
                try setAside(entry.path, entry.stagedNumber == nil ? .cannotRemove : .cannotWrite)
            }
            guard let number = entry.stagedNumber else { continue }
            try createFolders(above: entry.path)
            try move(staging.place(of: entry.path, number: number), to: absolute(entry.path), .cannotWrite)
        }
    }

    private mutating func createFolders(above path: String) throws(OutputError) {
        let folder = OutputPath.parent(of: path)
        if folder == lastFolder { return }
        do {
            try FileSystem.createFolders(above: path, in: root, created: &createdFolders)
        } catch {
            throw .system(.cannotWrite, absolute(path), error)
        }
        lastFolder = folder
    }

    /// Moves a file aside. It may be missing already if the file system ignores case: the orphan `entry.swift` was
    /// `Entry.swift` too.
    private mutating func setAside(_ path: String, _ code: OutputError.Code) throws(OutputError) {
        guard let kind = try? FileSystem.kind(of: absolute(path)) else { return }
        if kind == .folder { throw .folderInTheWay(absolute(path)) }
        lastNumber += 1
        try move(absolute(path), to: staging.place(of: path, number: lastNumber), code)
    }

    private mutating func move(_ path: String, to newPath: String, _ code: OutputError.Code) throws(OutputError) {
        do {
            try FileSystem.move(path, to: newPath)
        } catch {
            throw .system(code, code == .cannotWrite ? newPath : path, error)
        }
        moves.append((path, newPath))
    }

    // MARK: Rolling back

    /// Rolls back all steps, the last one first. What cannot be restored stays where it is, with the journal.
    ///
    /// - Returns: The error, including what could not be restored.
    private func takeBack(after error: OutputError) -> OutputError {
        var left: [String] = []
        for (path, newPath) in moves.reversed() {
            do {
                try FileSystem.move(newPath, to: path)
            } catch let failure {
                left.append("\(path) is now \(newPath): \(failure.message)")
            }
        }
        var error = error
        if left.isEmpty {
            try? clearUndone()
            for folder in createdFolders.reversed() { try? FileSystem.removeFolder(folder) }
        } else {
            error.problem += "; and this could not be restored: " + left.joined(separator: "; ")
        }
        return error
    }

    /// Removes the journal first: staged files must not be moved to their places any more.
    private func clearUndone() throws(SystemFailure) {
        try staging.removeJournal()
        try staging.removeFromSchemas()
        try staging.removeFromRoot()
    }

    private func absolute(_ path: String) -> String { root + "/" + path }
}
