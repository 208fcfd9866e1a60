/// Reads what a plan needs from the disk.
struct OutputReader {
    let root: String
    private(set) var snapshot = OutputSnapshot()
    /// Whether each folder in a schema's folder is a real one, not a link.
    private var realFolders: [String: Bool] = [:]
    private var buffer: [UInt8] = []

    init(root: String) {
        self.root = root
    }

    /// Reads a schema folder's manifest, once.
    mutating func readManifest(ofFolder folder: String) throws(OutputError) {
        guard snapshot.manifestTexts[folder] == nil else { return }
        let path = absolute(OutputPath.join(folder, rest: Manifest.fileName))
        let text = try contents(of: path, limit: Manifest.byteCount)
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
            throw .system(.cannotRead, at: root, failure: error)
        }
        for name in names where snapshot.manifestTexts[name] == nil && OutputPath.isSafe(name) {
            let manifest = absolute(OutputPath.join(name, rest: Manifest.fileName))
            guard let kind = try? FileSystem.kind(of: manifest), kind == .file else { continue }
            try readManifest(ofFolder: name)
        }
    }

    /// Reads what exists at the path of a file.
    mutating func readWanted(_ file: GeneratedFile) throws(OutputError) {
        let path = file.path
        guard snapshot.files[path] == nil else { return }
        if let link = linkAbove(path) { throw .linkInTheWay(absolute(link)) }
        let contents: [UInt8]?
        do {
            contents = try FileSystem.contents(of: absolute(path), expected: file.contents, buffer: &buffer)
        } catch {
            if error.isMissing { return }
            guard isSpecial(path) else { throw .system(.cannotRead, at: absolute(path), failure: error) }
            snapshot.files[path] = .other
            return
        }
        guard let contents else { throw .folderInTheWay(absolute(path)) }
        snapshot.files[path] = .contents(contents)
    }

    /// Reads the files of earlier runs according to the manifests. What is not a file any more, or is reached through a
    /// link, does not belong to lockstep and is ignored.
    mutating func readWritten() throws(OutputError) {
        for (folder, manifest) in snapshot.manifests.sorted(by: { $0.key < $1.key }) {
            for rest in manifest.hashes.keys.sorted() {
                let path = OutputPath.join(folder, rest: rest)
                guard snapshot.files[path] == nil, linkAbove(path) == nil, !isSpecial(path) else { continue }
                guard let contents = try contents(of: absolute(path)) else { continue }
                snapshot.files[path] = .contents(contents)
            }
        }
    }

    /// - Returns: `nil` if nothing or a folder exists there.
    private mutating func contents(of path: String, limit: Int = .max) throws(OutputError) -> [UInt8]? {
        do {
            return try FileSystem.contents(of: path, buffer: &buffer, limit: limit)
        } catch {
            if error.isMissing { return nil }
            throw .system(.cannotRead, at: path, failure: error)
        }
    }

    private func isSpecial(_ path: String) -> Bool {
        guard let kind = try? FileSystem.kind(of: absolute(path)) else { return false }
        return kind == .link || kind == .other
    }

    /// The folder between the schema's folder and the file that is a link, if there is one. The schema's folder and its
    /// parents may be links, because the user chose that location.
    private mutating func linkAbove(_ path: String) -> String? {
        guard path.utf8.count(where: { $0 == UInt8(ascii: "/") }) > 1 else { return nil }
        var parts = path.split(separator: "/")
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
