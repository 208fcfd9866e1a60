import LockstepEvolution

/// The files that an earlier run wrote into one schema's folder, according to its manifest: a line with a hash and a
/// path for each, sorted by path.
/// It is not trusted. Paths that lead out of the folder and unreadable lines are ignored. If there are two
/// hashes for a file, either is accepted: a run was killed, or two branches were merged.
struct Manifest {
    /// The name of the manifest in the schema's folder.
    static let fileName = ".lockstep-manifest"
    /// More than any schema's manifest needs, and small enough to be read at once.
    static let byteCount = 64 * 1024 * 1024
    private static let opening = "lockstep manifest "
    private static let inputOpening = "input "
    private static let version = 1

    /// The hashes of each file as it was written, by its path in the schema's folder.
    private(set) var hashes: [String: [ContentHash]] = [:]

    /// The fingerprint of the files' input; `nil` if the manifest does not contain it.
    private(set) var input: ContentHash?

    /// Whether the text was not written by a run, because the first line is missing. Then its contents are ignored.
    private(set) var isForeign = false

    /// A manifest of a newer version of lockstep, whose lines may have another meaning.
    struct NewerVersion: Error {
        var version: Int
    }

    /// Nothing was written yet.
    init() {}

    /// Parses a manifest.
    init(_ text: [UInt8]) throws(NewerVersion) {
        var isOurs = false
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let line = String(decoding: line, as: UTF8.self)
            if line.hasPrefix(Self.opening), let version = Int(line.dropFirst(Self.opening.count)) {
                if version > Self.version { throw NewerVersion(version: version) }
                isOurs = true
            } else if line.hasPrefix(Self.inputOpening) {
                // A merge of two branches leaves two such lines, neither of which is valid.
                input = input == nil ? ContentHash(digits: line.dropFirst(Self.inputOpening.count)) : nil
            } else if let (hash, path) = Self.entry(line) {
                hashes[path, default: []].append(hash)
            }
        }
        guard !isOurs else { return }
        (hashes, input, isForeign) = ([:], nil, true)
    }

    /// Sixteen digits, two spaces, the path.
    private static func entry(_ line: String) -> (ContentHash, String)? {
        guard line.utf8.count > 18, let hash = ContentHash(digits: line.prefix(16)),
            line.dropFirst(16).hasPrefix("  ")
        else { return nil }
        let path = String(line.dropFirst(18))
        return OutputPath.isSafe(path) && path != fileName ? (hash, path) : nil
    }

    private static func isBefore(_ file: (path: String, hash: ContentHash), _ other: (path: String, hash: ContentHash))
        -> Bool
    {
        if file.path == other.path { return file.hash.digits < other.hash.digits }
        return file.path.utf8.lexicographicallyPrecedes(other.path.utf8)
    }

    /// Whether a path in the output folder is that of a manifest.
    static func isManifest(_ path: String) -> Bool { OutputPath.split(path).rest == fileName }

    /// The text of a manifest for these files.
    static func text(of files: [(path: String, hash: ContentHash)], input: ContentHash? = nil) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(64 * (files.count + 1))
        text.append(contentsOf: "\(opening)\(version)\n".utf8)
        if let input { text.append(contentsOf: "\(inputOpening)\(input.digits)\n".utf8) }
        for file in files.sorted(by: isBefore) {
            text.append(contentsOf: file.hash.digits.utf8)
            text.append(contentsOf: "  ".utf8)
            text.append(contentsOf: file.path.utf8)
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }
}
