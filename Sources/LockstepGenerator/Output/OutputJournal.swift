import LockstepEvolution

/// The changes of the output folder that a run has committed to. It is written next to the staged files before the
/// first of them is moved to its place. If the run ends after that for any reason, the next one completes it.
///
/// There is a line for each file, in the order of processing, and a last line that marks it as complete:
///
///     lockstep journal 1
///     remove 8f0b6d2c51e9a374 Journal/Mood.swift
///     put 1 4c1d09e5b7a2f638 Journal/Entry.swift
///     put 2 nothing Journal/Note.swift
///     end
struct OutputJournal {
    /// The name of the journal in the root's staging folder.
    static let fileName = "journal"
    private static let opening = "lockstep journal "
    private static let version = 1
    private static let end = "end"

    /// What was at a path when the run was committed. If something else is there later, a person has changed it.
    enum Before: Hashable {
        case nothing
        case contents(ContentHash)
        /// A link or a pipe, which the run was forced to replace.
        case special

        var word: String {
            switch self {
            case .nothing: "nothing"
            case .contents(let hash): hash.digits
            case .special: "special"
            }
        }

        init?(word: Substring) {
            switch word {
            case "nothing": self = .nothing
            case "special": self = .special
            default:
                guard let hash = ContentHash(digits: word) else { return nil }
                self = .contents(hash)
            }
        }
    }

    /// The change of one path.
    struct Entry {
        var path: String
        var before: Before
        /// The number of the new file in the staging folder; `nil` if the path's file is removed.
        var stagedNumber: Int?
    }

    var entries: [Entry] = []

    var text: [UInt8] {
        var text = Array("\(Self.opening)\(Self.version)\n".utf8)
        for entry in entries {
            let doing = entry.stagedNumber.map { "put \($0)" } ?? "remove"
            text.append(contentsOf: "\(doing) \(entry.before.word) \(entry.path)\n".utf8)
        }
        return text + Array("\(Self.end)\n".utf8)
    }

    init() {}

    /// Parses a journal, which is not trusted, like a manifest.
    ///
    /// - Returns: `nil` for another text, or one that is truncated. Its contents are ignored.
    init?(_ text: [UInt8]) throws(Manifest.NewerVersion) {
        var lines = text.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }[...]
        guard let first = lines.popFirst(), first.hasPrefix(Self.opening),
            let version = Int(first.dropFirst(Self.opening.count))
        else { return nil }
        if version > Self.version { throw Manifest.NewerVersion(version: version) }
        guard lines.popLast() == Self.end else { return nil }
        for line in lines {
            guard let entry = Self.entry(line) else { return nil }
            entries.append(entry)
        }
    }

    private static func entry(_ line: String) -> Entry? {
        var number: Int?
        var rest: Substring
        if line.hasPrefix("put ") {
            let words = line.dropFirst(4).split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2, let staged = Int(words[0]), staged > 0 else { return nil }
            (number, rest) = (staged, words[1])
        } else {
            guard line.hasPrefix("remove ") else { return nil }
            rest = line.dropFirst(7)
        }
        let words = rest.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2, let before = Before(word: words[0]) else { return nil }
        let path = String(words[1])
        return OutputPath.isSafe(path) ? Entry(path: path, before: before, stagedNumber: number) : nil
    }
}
