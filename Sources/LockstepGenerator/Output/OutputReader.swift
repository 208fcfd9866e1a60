/// Reads what a plan has to know of the disk.
struct OutputReader {
    let root: String
    private(set) var snapshot = OutputSnapshot()
    /// Whether each folder below a schema's folder is a real one, not a link to somewhere else.
    private var realFolders: [String: Bool] = [:]
    private var buffer: [UInt8] = []
    /// What a run that was killed has still to do, which the next one does before all else: what is read is the folder
    /// as it is then.
    private var pending: [String: InterruptedRun.Pending] = [:]

    init(root: String) {
        self.root = root
    }

    /// Looks for what runs have left that were killed. To be called before anything else is read.
    mutating func readInterruptedRuns() throws(OutputError) {
        for run in try InterruptedRun.all(in: root, isLocked: true) {
            snapshot.interruptedRuns.append(run.name)
            pending.merge(try run.pending()) { _, last in last }
        }
    }

    /// Reads a schema folder's manifest, once.
    mutating func readManifest(ofFolder folder: String) throws(OutputError) {
        guard snapshot.manifestTexts[folder] == nil else { return }
        let manifest = OutputPath.join(folder, Manifest.fileName)
        let path = absolute(manifest)
        let text = try place(of: manifest).flatMap { place throws(OutputError) in
            try contents(of: place, limit: Manifest.byteCount)
        }
        do {
            snapshot.manifests[folder] = try text.map { text throws(Manifest.NewerVersion) in try Manifest(text) }
            snapshot.manifestTexts[folder] = .some(text)
        } catch {
            throw .newerManifest(path, version: error.version)
        }
    }

    /// Reads the manifests of all folders that have one.
    mutating func readAllManifests() throws(OutputError) {
        let names: [String]
        do {
            names = try FileSystem.names(in: root)
        } catch {
            throw .system(.cannotRead, root, error)
        }
        for name in names where snapshot.manifestTexts[name] == nil && OutputPath.isSafe(name) {
            guard let path = place(of: OutputPath.join(name, Manifest.fileName)),
                let kind = try? FileSystem.kind(of: path), kind == .file
            else { continue }
            try readManifest(ofFolder: name)
        }
    }

    /// Reads what is where a file should go.
    mutating func readWanted(_ file: GeneratedFile) throws(OutputError) {
        let path = file.path
        guard snapshot.files[path] == nil else { return }
        if let link = linkAbove(path) { throw .linkInTheWay(absolute(link)) }
        guard let place = place(of: path) else { return }
        let contents: [UInt8]?
        do {
            contents = try FileSystem.contents(of: place, expected: file.contents, buffer: &buffer)
        } catch {
            if error.isMissing { return }
            guard isSpecial(path) else { throw .system(.cannotRead, absolute(path), error) }
            snapshot.files[path] = .other
            return
        }
        guard let contents else { throw .folderInTheWay(absolute(path)) }
        snapshot.files[path] = .contents(contents)
    }

    /// Reads what earlier runs wrote, as the manifests have it. What is no file any more, or is reached by a link, is
    /// not lockstep's and is left alone.
    mutating func readWritten() throws(OutputError) {
        for (folder, manifest) in snapshot.manifests.sorted(by: { $0.key < $1.key }) {
            for rest in manifest.hashes.keys.sorted() {
                let path = OutputPath.join(folder, rest)
                guard snapshot.files[path] == nil, linkAbove(path) == nil, !isSpecial(path) else { continue }
                guard let place = place(of: path), let contents = try contents(of: place) else { continue }
                snapshot.files[path] = .contents(contents)
            }
        }
    }

    /// - Returns: `nil` where there is nothing, or a folder.
    private mutating func contents(of path: String, limit: Int = .max) throws(OutputError) -> [UInt8]? {
        do {
            return try FileSystem.contents(of: path, buffer: &buffer, limit: limit)
        } catch {
            if error.isMissing { return nil }
            throw .system(.cannotRead, path, error)
        }
    }

    private func isSpecial(_ path: String) -> Bool {
        guard let kind = try? FileSystem.kind(of: absolute(path)) else { return false }
        return kind == .link || kind == .other
    }

    /// The folder between the schema's folder and the file that is a link, if one is. The schema's folder itself, and
    /// what is above it, may be links: they are the user's choice of where things go.
    private mutating func linkAbove(_ path: String) -> String? {
        var parts = path.split(separator: "/")
        guard parts.count > 2 else { return nil }
        parts.removeLast()
        var folder = String(parts[0])
        for part in parts.dropFirst() {
            folder += "/" + part
            if !isReal(folder) { return folder }
        }
        return nil
    }

    private mutating func isReal(_ folder: String) -> Bool {
        if let known = realFolders[folder] { return known }
        let kind = try? FileSystem.kind(of: absolute(folder))
        realFolders[folder] = kind != .link
        return kind != .link
    }

    /// Where the file of a path is read: there, or where it waits; `nil` where it is about to be removed.
    private func place(of path: String) -> String? {
        switch pending[path] {
        case nil: absolute(path)
        case .put(let staged): staged
        case .remove: nil
        }
    }

    private func absolute(_ path: String) -> String { root + "/" + path }
}
