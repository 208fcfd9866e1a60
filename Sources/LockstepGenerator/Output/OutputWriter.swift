/// Applies a plan. At any time, each file is the old or the new one, whole.
///
/// First, the manifests accept the old and the new contents of each file. Then files that are not part of the output
/// any more are removed, and each other file is written beside its place and moved there. At last, the manifests accept
/// the new contents only. Removals come before writes, because they can be of the same file: many file systems ignore
/// case. If the process ends in between, the next run recognizes every file as written by lockstep,
/// and writes what it needs. An empty folder may stay.
struct OutputWriter {
    /// The name, in a schema's folder, of a file that is not complete. A killed run may leave one.
    static let partName = ".lockstep-part"

    let root: String
    private var createdFolders: [String] = []
    /// The folder of the file that was written last. Most files are in the same one.
    private var lastFolder: String?

    init(root: String) { self.root = root }

    mutating func apply(_ plan: OutputPlan) throws(OutputError) {
        do {
            try createRoot()
            for manifest in plan.transitions { try write(manifest) }
            try remove(plan.removals.filter { !Manifest.isManifest($0) })
            for file in plan.writes where !file.isManifest { try write(file) }
            try remove(plan.removals.filter(Manifest.isManifest))
            for manifest in plan.writes where manifest.isManifest { try write(manifest) }
        } catch {
            for folder in createdFolders.reversed() { try? FileSystem.removeFolder(folder) }
            throw error
        }
    }

    /// Removes the incomplete files that killed runs have left in the root and in schemas' folders.
    static func removeParts(in root: String) throws(SystemFailure) {
        for folder in [""] + (try FileSystem.names(in: root)) {
            let part = root + "/" + OutputPath.join(folder, rest: partName)
            guard (try? FileSystem.kind(of: part)) == .file else { continue }
            // Another folder may be that of other runs, which lock it themselves.
            let names = (try? FileSystem.names(in: root + "/" + folder)) ?? []
            guard folder.isEmpty || names == [partName] || names.contains(Manifest.fileName) else { continue }
            try FileSystem.removeFile(part)
        }
    }

    private mutating func createRoot() throws(OutputError) {
        do {
            try FileSystem.createFolder(withThoseAbove: root, created: &createdFolders)
        } catch {
            throw .system(.cannotWrite, at: root, failure: error)
        }
    }

    private mutating func write(_ file: OutputPlan.Write) throws(OutputError) {
        let path = absolute(file.path)
        let part = absolute(OutputPath.join(OutputPath.split(file.path).folder, rest: Self.partName))
        let kind: FileSystem.Kind?
        do throws(SystemFailure) {
            try createFolders(above: file.path)
            kind = try FileSystem.kind(of: path)
        } catch {
            throw .system(.cannotWrite, at: path, failure: error)
        }
        if kind == .folder { throw .folderInTheWay(path) }
        if kind != nil, !file.isReplacement, !file.isManifest { throw .appeared(path) }
        do throws(SystemFailure) {
            try FileSystem.create(part, contents: file.contents)
        } catch {
            guard error.isExisting else { throw .system(.cannotWrite, at: path, failure: error) }
            // Where there are no locks, it may be another run's.
            throw (try? FileSystem.kind(of: part)) == .file ? .busy(part) : .partInTheWay(part)
        }
        do throws(SystemFailure) {
            try FileSystem.move(part, to: path)
        } catch {
            try? FileSystem.removeFile(part)
            throw .system(.cannotWrite, at: path, failure: error)
        }
    }

    private mutating func createFolders(above path: String) throws(SystemFailure) {
        let folder = OutputPath.parent(of: path)
        if folder == lastFolder { return }
        try FileSystem.createFolders(above: path, in: root, created: &createdFolders)
        lastFolder = folder
    }

    private func remove(_ paths: [String]) throws(OutputError) {
        for path in paths.map(absolute) {
            do throws(SystemFailure) {
                try FileSystem.removeFile(path)
            } catch {
                if !error.isMissing { throw .system(.cannotRemove, at: path, failure: error) }
            }
        }
        // If this fails, the output is complete anyway.
        try? FileSystem.removeEmptyFolders(above: paths, in: root)
    }

    private func absolute(_ path: String) -> String { root + "/" + path }
}
