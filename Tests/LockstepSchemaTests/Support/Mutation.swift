/// Random damage to a text, of the kinds that people and disks do.
struct Mutation {
    /// Pieces of YAML and of the language that bite somewhere.
    private static let tokens = [
        "[", "]", "{", "}", ": ", ":", "- ", ", ", "\n", "\n\n", "  ", "\t", "#", "? ", "'", "\"", "&a ", "*a", "<<: *a", "!x ", "!!str ",
        "|\n", ">\n", "%", "@", "---\n", "...\n", "~", "null", "true", "1", "-1", "1e999", "99999999999999999999", "é", "🎂", "\u{2028}",
        "\u{FEFF}", "\r\n", "\r", "\u{0}", "string?", "[string]", "\"[x]?\"", "type: ", "to: ", "default: ", "none", "identity: ",
        "{ local: a, remote: b }", "extends: ", "abstract: true", "inverse: ", "cases: ", "key: ", "wire: ", "ordered: true", "??",
    ]

    /// `text` with one to four damages.
    static func mutated(_ text: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = text
        for _ in 0..<Int.random(in: 1...4, using: &generator) { mutate(&bytes, &generator) }
        return bytes
    }

    private static func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let kind = Int.random(in: 0..<8, using: &generator)
        if kind < 4 { mutateBytes(&bytes, kind, &generator) } else { mutateLinesAndTokens(&bytes, kind, &generator) }
    }

    private static func mutateBytes(_ bytes: inout [UInt8], _ kind: Int, _ generator: inout SeededGenerator) {
        guard let index = bytes.indices.randomElement(using: &generator) else { return }
        switch kind {
        case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
        case 1: bytes[index] = UInt8.random(in: 0x20...0x7E, using: &generator)
        case 2: bytes.remove(at: index)
        default: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...40, using: &generator)))
        }
    }

    private static func mutateLinesAndTokens(_ bytes: inout [UInt8], _ kind: Int, _ generator: inout SeededGenerator) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let one = Int.random(in: lines.indices, using: &generator)
        let other = Int.random(in: lines.indices, using: &generator)
        switch kind {
        case 4: lines.remove(at: one)
        case 5: lines.insert(lines[one], at: other)
        case 6: lines.swapAt(one, other)
        default:
            let token = tokens.randomElement(using: &generator) ?? ""
            bytes.insert(contentsOf: token.utf8, at: Int.random(in: 0...bytes.count, using: &generator))
            return
        }
        bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }
}
