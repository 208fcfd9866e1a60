import TestSupport
import Testing

/// Carries out the tasks of the skill. Its Swift is compiled like that of the other pages.
@Suite("The tasks of the skill for assistants")
struct SkillTests {
    private static let path = "Schemas/Journal.yaml"
    private static let page = (try? Documentation.text(of: "skills/lockstep/SKILL.md")) ?? ""
    private static let tasks = PageSection.all(of: page).filter { $0.heading.first?.isNumber == true }

    @Test(
        "print what the page shows, and leave schemas without errors",
        arguments: tasks.filter(\.hasCommands).map(\.heading))
    func commands(heading: String) throws {
        let task = try #require(Self.tasks.first { $0.heading == heading })
        let schema = try #require(Self.tasks.lazy.flatMap(\.blocks).first { $0.language == "yaml" }?.text)
        let tool = try CommandLineTool()
        if task.blocks.contains(where: { $0.language == "diff" }) {
            try tool.write(schema, to: Self.path)
            try tool.commit()
        }
        for block in task.blocks {
            switch block.language {
            case "yaml": try tool.write(block.text, to: Self.path)
            case "json": try tool.write(block.text, to: "entries.json")
            case "diff": try tool.edit(Self.path, by: block.text)
            case "": try tool.runAsShown(block.text)
            default: break
            }
        }
        let check = try tool.run("check")
        #expect(check.status == 0, "\(check.errors)")
    }

    @Test("are ten")
    func ten() {
        #expect(Self.tasks.map { $0.heading.prefix { $0 != "." } } == (1...10).map { "\($0)" })
        #expect(Self.tasks.count(where: \.hasCommands) == 6)
    }

    @Test("need no command or option that the tool does not have")
    func options() throws {
        let tool = try CommandLineTool()
        for line in Self.page.matches(of: /`lockstep ([a-z]+)((?: --[a-z-]+)*)[^`]*`/) {
            let help = try tool.run(String(line.1), "--help")
            #expect(help.status == 0, "\(line.0)")
            for option in line.2.split(separator: " ") { #expect(help.output.contains(option), "\(line.0)") }
        }
        let migrate = try tool.run("migrate", "--help").output
        let named = Self.page.matches(of: /`(--[a-z]+)`/).map { String($0.1) }
        #expect(!named.isEmpty)
        for option in named { #expect(migrate.contains(option), "\(option)") }
    }
}
