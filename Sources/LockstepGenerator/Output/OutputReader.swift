/// Reads what a plan has to know of the disk.
struct OutputReader {
    let root: String
    private(set) var snapshot = OutputSnapshot()
    /// Whether each folder below a schema's folder is a real one, not a link to somewhere else.
    private var realFolders: [String: Bool] = [:]
    private var buffer: [UInt8] = []

    init(root: String) {
        self.root = root
    }

    /// Reads a schema folder's manifest, once.
    mutating func readManifest(ofFolder folder: String) throws(OutputError) {
        guard snapshot.manifestTexts[folder] == nil else { return }
        let path = absolute(OutputPath.join(folder, Manifest.fileName))
        let text = try contents(of: path)
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
            let path = absolute(OutputPath.join(name, Manifest.fileName))
            guard let kind = try? FileSystem.kind(of: path), kind == .file else { continue }
            try readManifest(ofFolder: name)
        }
    }

    /// Reads what is where a file should go.
    mutating func readWanted(_ file: GeneratedFile) throws(OutputError) {
        let path = file.path
        guard snapshot.files[path] == nil else { return }
        if let link = linkAbove(path) { throw .linkInTheWay(absolute(link)) }
        let contents: [UInt8]?
        do {
            contents = try FileSystem.contents(of: absolute(path), expected: file.contents, buffer: &buffer)
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
                guard let contents = try contents(of: absolute(path)) else { continue }
                snapshot.files[path] = .contents(contents)
            }
        }
    }

    /// - Returns: `nil` where there is nothing, or a folder.
    private mutating func contents(of path: String) throws(OutputError) -> [UInt8]? {
        do {
            return try FileSystem.contents(of: path, buffer: &buffer)
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

    private func absolute(_ path: String) -> String { root + "/" + path }
}
