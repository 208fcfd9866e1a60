import TestSupport

/// Random damage to a text, of the kinds caused by people and disks.
struct Mutation {
    /// Pieces of YAML and of the language that cause trouble somewhere.
    private static let tokens = [
        "[", "]", "{", "}", ": ", ":", "- ", ", ", "\n", "\n\n", "  ", "\t", "#", "? ", "'", "\"", "&a ", "*a",
        "<<: *a", "!x ", "!!str ",
        "|\n", ">\n", "%", "@", "---\n", "...\n", "~", "null", "true", "1", "-1", "1e999", "99999999999999999999", "é",
        "🎂", "\u{2028}",
        "\u{FEFF}", "\r\n", "\r", "\u{0}", "string?", "[string]", "\"[x]?\"", "type: ", "to: ", "default: ", "none",
        "identity: ",
        "{ local: a, remote: b }", "extends: ", "abstract: true", "inverse: ", "cases: ", "key: ", "wire: ",
        "ordered: true", "??",
    ]

    /// `text` with one to three mutations.
    static func mutated(_ text: [UInt8], _ generator: inout SeededRandom) -> [UInt8] {
        var bytes = text
        for _ in 0..<Int.random(in: 1...3, using: &generator) { mutate(&bytes, &generator) }
        return bytes
    }

    /// Damaged bytes mostly result in invalid YAML; half of all mutations change words, which keeps the YAML valid.
    private static func mutate(_ bytes: inout [UInt8], _ generator: inout SeededRandom) {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: mutateBytes(&bytes, &generator)
        case 1: insertToken(into: &bytes, &generator)
        case 2...4: mutateLines(&bytes, &generator)
        default: replaceWord(in: &bytes, &generator)
        }
    }

    private static func mutateBytes(_ bytes: inout [UInt8], _ generator: inout SeededRandom) {
        guard let index = bytes.indices.randomElement(using: &generator) else { return }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
        case 1: bytes[index] = UInt8.random(in: 0x20...0x7E, using: &generator)
        case 2: bytes.remove(at: index)
        default: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...40, using: &generator)))
        }
    }

    private static func insertToken(into bytes: inout [UInt8], _ generator: inout SeededRandom) {
        let token = tokens.randomElement(using: &generator) ?? ""
        bytes.insert(contentsOf: token.utf8, at: Int.random(in: 0...bytes.count, using: &generator))
    }

    private static func mutateLines(_ bytes: inout [UInt8], _ generator: inout SeededRandom) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let one = Int.random(in: lines.indices, using: &generator)
        let other = Int.random(in: lines.indices, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: lines.remove(at: one)
        case 1: lines.insert(lines[one], at: other)
        default: lines.swapAt(one, other)
        }
        bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }

    /// Replaces a word by another word of the text, or a token.
    private static func replaceWord(in bytes: inout [UInt8], _ generator: inout SeededRandom) {
        let words = bytes.split { !isWord($0) }
        guard let word = words.randomElement(using: &generator), let other = words.randomElement(using: &generator)
        else {
            return
        }
        let token = tokens.randomElement(using: &generator) ?? ""
        let replacement = Bool.random(using: &generator) ? Array(other) : Array(token.utf8)
        bytes.replaceSubrange(word.startIndex..<word.endIndex, with: replacement)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "?"):
            true
        default: false
        }
    }
}
