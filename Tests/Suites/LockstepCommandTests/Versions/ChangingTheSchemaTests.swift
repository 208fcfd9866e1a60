import LockstepSchema
import TestSupport
import Testing

/// Carries out “Changing the schema”: each section with commands begins with the page's schema and one version of it,
/// makes the changes that it shows, and runs its commands.
@Suite("The commands of “Changing the schema”")
struct ChangingTheSchemaTests {
    private static let path = "Schemas/Journal.yaml"
    private static let sections = PageSection.all(of: (try? Documentation.page("ChangingTheSchema")) ?? "")

    @Test("print what the page shows", arguments: sections.filter(\.hasCommands).map(\.heading))
    func commands(heading: String) throws {
        _ = try carryOut(heading)
    }

    @Test(
        "leave a file with three unsent edits whole",
        arguments: [
            "1": "1 added; ", "2": "1 added; ", "3": "2 added; ", "4": "1 renamed; ", "5": "1 renamed; ",
            "6": "1 removed; ", "7": "1 removed; ", "8": "2 changed; ", "9": "1 changed; ", "10": "2 changed; ",
        ])
    func file(number: String, counts: String) throws {
        // The first change is shown where recording is explained.
        let heading = number == "1" ? "Record a change" : "\(number). "
        let section = try #require(Self.sections.first { $0.heading.hasPrefix(heading) })
        let tool = try carryOut(section.heading)
        var diagnostics: [Diagnostic] = []
        let text = Array(try tool.read("Schemas/Journal.history.yaml").utf8)
        let history = try #require(
            readHistory(SchemaSource(path: "Journal.history.yaml", bytes: text), diagnostics: &diagnostics))
        try MigratedJournal(history).check(counts)
    }

    /// Makes the changes that a section shows, and runs its commands.
    private func carryOut(_ heading: String) throws -> CommandLineTool {
        let section = try #require(Self.sections.first { $0.heading == heading })
        let schema = try #require(Self.sections.lazy.flatMap(\.blocks).first { $0.language == "yaml" }?.text)
        let tool = try CommandLineTool()
        try tool.write(schema, to: Self.path)
        try tool.commit()
        if !section.blocks.contains(where: { $0.text.hasPrefix("$ lockstep migrate --name first\n") }) {
            try #require(try tool.run("migrate", "--name", "first").status == 0)
        }
        for block in section.blocks {
            if block.language == "diff" { try edit(block.text, tool) }
            if block.text.hasPrefix("$ lockstep ") { try run(block.text, tool) }
        }
        return tool
    }

    @Test("are those of ten changes, of entities that begin to be synced, and of the first versions")
    func everyChange() {
        let headings = Self.sections.map(\.heading)
        for number in 1...10 { #expect(headings.contains { $0.hasPrefix("\(number). ") }) }
        #expect(Self.sections.count(where: \.hasCommands) == 11)
    }

    /// Replaces the lines of the schema that a difference shows.
    private func edit(_ difference: String, _ tool: CommandLineTool) throws {
        let lines = difference.split(separator: "\n")
        let former = lines.filter { !$0.hasPrefix("+") }.map { $0.dropFirst() + "\n" }.joined()
        let new = lines.filter { !$0.hasPrefix("-") }.map { $0.dropFirst() + "\n" }.joined()
        let schema = try tool.read(Self.path)
        try #require(schema.ranges(of: former).count == 1, "\(former)")
        try tool.write(schema.replacing(former, with: new), to: Self.path)
    }

    /// Runs the command in the first line, and compares what it prints with the other lines.
    private func run(_ block: String, _ tool: CommandLineTool) throws {
        let end = try #require(block.firstIndex(of: "\n"))
        let shown = String(block[block.index(after: end)...])
        let result = try tool.run(Self.arguments(block[..<end].dropFirst("$ lockstep ".count)))
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
private struct PageSection {
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
