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
            if block.language == "diff" { try tool.edit(Self.path, by: block.text) }
            if block.text.hasPrefix("$ lockstep ") { try tool.runAsShown(block.text) }
        }
        return tool
    }

    @Test("are those of ten changes, of entities that begin to be synced, and of the first versions")
    func everyChange() {
        let headings = Self.sections.map(\.heading)
        for number in 1...10 { #expect(headings.contains { $0.hasPrefix("\(number). ") }) }
        #expect(Self.sections.count(where: \.hasCommands) == 11)
    }
}
