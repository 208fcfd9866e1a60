/// What an earlier run wrote into one schema's folder, as its manifest tells: a hash and a path a line, sorted by path.
///
/// It is read with suspicion. A path that leads out of the folder is not believed, and neither is a line that cannot be
/// read; where a merge of two branches left two hashes for a file, either will do.
struct Manifest {
    /// The manifest's name in the schema's folder.
    static let fileName = ".lockstep-manifest"
    /// More than a manifest of any schema has, and little enough to be read at once.
    static let byteCount = 64 * 1024 * 1024
    private static let opening = "lockstep manifest "
    private static let inputOpening = "input "
    private static let version = 1

    /// The hashes of each file as it was written, by its path in the schema's folder.
    private(set) var hashes: [String: [ContentHash]] = [:]

    /// What the files are the output of; `nil` where the manifest does not say.
    private(set) var input: ContentHash?

    /// Whether the text is not one that a run wrote: it has no first line of ours. Then nothing in it is believed.
    private(set) var isForeign = false

    /// A manifest that a newer lockstep wrote, whose lines may mean something else.
    struct NewerVersion: Error {
        var version: Int
    }

    /// Nothing was written yet.
    init() {}

    /// Reads a manifest's text.
    init(_ text: [UInt8]) throws(NewerVersion) {
        var isOurs = false
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let line = String(decoding: line, as: UTF8.self)
            if line.hasPrefix(Self.opening), let version = Int(line.dropFirst(Self.opening.count)) {
                if version > Self.version { throw NewerVersion(version: version) }
                isOurs = true
            } else if line.hasPrefix(Self.inputOpening) {
                // Two such lines are left by a merge of two branches; then neither is true.
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

    /// The text of a manifest of these files.
    static func text(of files: [(path: String, hash: ContentHash)], input: ContentHash? = nil) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(64 * (files.count + 1))
        text.append(contentsOf: "\(opening)\(version)\n".utf8)
        if let input { text.append(contentsOf: "\(inputOpening)\(input.digits)\n".utf8) }
        for file in files.sorted(by: { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }) {
            text.append(contentsOf: file.hash.digits.utf8)
            text.append(contentsOf: "  ".utf8)
            text.append(contentsOf: file.path.utf8)
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }
}
