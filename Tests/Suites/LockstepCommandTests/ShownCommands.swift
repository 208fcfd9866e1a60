import TestSupport
import Testing

// What a page shows is carried out: changes of a schema as differences, and commands with what they print.

extension CommandLineTool {
    /// Replaces the lines of a file that a difference shows.
    func edit(_ path: String, by difference: String) throws {
        let lines = difference.split(separator: "\n")
        let former = lines.filter { !$0.hasPrefix("+") }.map { $0.dropFirst() + "\n" }.joined()
        let new = lines.filter { !$0.hasPrefix("-") }.map { $0.dropFirst() + "\n" }.joined()
        let schema = try read(path)
        try #require(schema.ranges(of: former).count == 1, "\(former)")
        try write(schema.replacing(former, with: new), to: path)
    }

    /// Runs the command in the first line, and compares what it prints with the other lines.
    func runAsShown(_ block: String) throws {
        let end = try #require(block.firstIndex(of: "\n"))
        let shown = String(block[block.index(after: end)...])
        let result = try run(Self.arguments(block[..<end].dropFirst("$ lockstep ".count)))
        let printed = result.output + result.errors
        #expect(Self.isShown(printed, by: shown), "\(block[..<end])\n\(printed)")
    }

    /// The words of a command. Double quotes keep words together.
    private static func arguments(_ command: Substring) -> [String] {
        var arguments: [String] = []
        for (index, part) in command.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            var words = part.split(separator: " ").map(String.init)
            if index % 2 == 1 {
                words = [String(part)]
                if command[..<part.startIndex].dropLast().last != " " { words[0] = arguments.removeLast() + words[0] }
            }
            arguments += words
        }
        return arguments
    }

    /// A line `…` stands for any lines.
    private static func isShown(_ text: String, by shown: String) -> Bool {
        let parts = shown.split(separator: "…\n", omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, parts.count > 1 else { return text == shown }
        guard text.hasPrefix(first), text.hasSuffix(last) else { return false }
        var rest = text[...]
        for part in parts where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }
}

/// A section of a page, with its blocks of code.
struct PageSection {
    let heading: String
    private(set) var blocks: [(language: String, text: String)] = []

    var hasCommands: Bool { blocks.contains { $0.text.hasPrefix("$ lockstep ") } }

    static func all(of page: String) -> [PageSection] {
        var sections = [PageSection(heading: "")]
        var block: (language: String, text: String)?
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if let open = block {
                block = line == "```" ? nil : (open.language, open.text + line + "\n")
                if line == "```" { sections[sections.count - 1].blocks.append(open) }
            } else if line.hasPrefix("```") {
                block = (String(line.dropFirst(3)), "")
            } else if line.hasPrefix("#") {
                sections.append(PageSection(heading: line.drop { $0 == "#" || $0 == " " }.description))
            }
        }
        return sections
    }
}
