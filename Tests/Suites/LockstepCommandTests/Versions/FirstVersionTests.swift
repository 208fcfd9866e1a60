import Foundation
import GRDB
import Journal
import LockstepEvolution
import LockstepSchema
import LockstepStore
import LockstepTesting
import TestSupport
import Testing

/// A history begins with what was released. If it began with what has been edited since, the app could not open its
/// users' files.
@Suite("The first version of a history")
struct FirstVersionTests {
    private static let path = "Schemas/Journal.yaml"
    private static let released = """
        lockstep: 1
        schema: Journal
        entities:
          Entry:
            attributes: { id: int, title: string, bodyText: string? }

        """
    private static let edited = released.replacing("bodyText: string?", with: "text: string?, place: string?")

    private let tool: CommandLineTool

    init() throws {
        tool = try CommandLineTool()
        try tool.write(Self.released, to: Self.path)
    }

    private func edit() throws { try tool.write(Self.edited, to: Self.path) }

    private func history() throws -> SchemaHistory {
        var diagnostics: [Diagnostic] = []
        let text = Array(try tool.read("Schemas/Journal.history.yaml").utf8)
        return try #require(
            readHistory(SchemaSource(path: "Journal.history.yaml", bytes: text), diagnostics: &diagnostics))
    }

    private func expectRefusal(
        _ arguments: String..., reason: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let result = try tool.run(["migrate"] + arguments)
        #expect(result.status == 1, "\(result.errors)", sourceLocation: sourceLocation)
        #expect(
            result.errors.contains("error: No version of 'Journal' is recorded, and \(reason)"), "\(result.errors)",
            sourceLocation: sourceLocation)
        #expect(result.errors.contains(" [never-recorded]\n"), sourceLocation: sourceLocation)
        #expect(
            result.errors.contains(" --from Schemas/Journal.yaml\n"), "\(result.errors)", sourceLocation: sourceLocation
        )
        #expect(result.errors.hasSuffix("Nothing was written.\n"), sourceLocation: sourceLocation)
        #expect(!tool.exists("Schemas/Journal.history.yaml"), sourceLocation: sourceLocation)
    }

    // MARK: Git

    @Test("An edited schema is not recorded as the first version if Git has another one")
    func editedSinceCommit() throws {
        try tool.commit()
        try edit()
        try expectRefusal("--name", "text", reason: "in Git it was another schema, last in commit")
        // The same if the edit was committed.
        try tool.commit()
        try expectRefusal("--name", "text", reason: "in Git it was another schema, last in commit")
    }

    @Test("Without Git, nothing says what was released, and nothing is recorded")
    func withoutGit() throws {
        try expectRefusal(reason: "it is not in Git")
        try tool.git("init", "-q")
        try expectRefusal("--name", "first", reason: "it is not in Git")
        let hidden = try runProcess(
            try builtProduct("lockstep"), ["migrate"], environment: ["PATH": "/nowhere"], in: tool.folder)
        #expect(hidden.status == 1, "\(hidden.errors)")
        #expect(hidden.errors.contains("and Git is not installed [never-recorded]"), "\(hidden.errors)")
    }

    @Test("A schema that Git has in no other form begins the history, whatever its comments were")
    func unchangedInGit() throws {
        try tool.commit()
        try tool.write("# What I write down.\n" + Self.released, to: Self.path)
        try tool.commit()
        let result = try tool.run("migrate", "--name", "first")
        #expect(result.errors == "Journal 1, the first version\nWritten: Schemas/Journal.history.yaml\n")
        #expect(try history().versions.count == 1)
    }

    @Test("A history that is in Git is restored, not begun again")
    func lostHistory() throws {
        try tool.commit()
        #expect(try tool.run("migrate").status == 0)
        try tool.commit()
        try FileManager.default.removeItem(at: tool.folder.appendingPathComponent("Schemas/Journal.history.yaml"))
        let result = try tool.run("migrate")
        #expect(result.status == 2)
        #expect(result.errors.contains("Git has 'Schemas/Journal.history.yaml'. Restore it"), "\(result.errors)")
    }

    @Test("A clone without the earlier commits says nothing about what was released")
    func shallow() throws {
        try tool.commit()
        try edit()
        try tool.commit()
        let clone = try CommandLineTool()
        let result = try runProcess(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["git", "clone", "-q", "--depth", "1", "file://\(tool.folder.path)", "."], in: clone.folder)
        try #require(result.status == 0, "\(result.errors)")
        let refused = try clone.run("migrate")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("and this clone has only a part of Git's history"), "\(refused.errors)")
    }

    @Test("A revision is never an option of Git")
    func revisionThatIsAnOption() throws {
        try tool.commit()
        for command in [["diff", "--against=--output=x"], ["check", "--compatible-with=--output=x"]] {
            let result = try tool.run(command)
            #expect(result.status == 2, "\(result.text)")
        }
        #expect(try tool.run("migrate", "--from=--output=x", "--name", "x").status == 2)
        #expect(!tool.exists("x:.") && !tool.exists("x:./Journal.yaml") && !tool.exists("Schemas/x:."))
    }

    // MARK: --from and --store

    @Test("--from names what was released: it is the first version, and the changes since are the second")
    func from() throws {
        try tool.write(Self.released, to: "Released.yaml")
        try edit()
        let open = try tool.run("migrate", "--from", "Released.yaml", "--name", "text")
        #expect(open.status == 1)
        #expect(
            open.errors.contains(
                "lockstep migrate --from Released.yaml --name text --rename Entry.bodyText=text"), "\(open.errors)")
        #expect(!tool.exists("Schemas/Journal.history.yaml"))
        let result = try tool.run(
            "migrate", "--from", "Released.yaml", "--name", "text", "--rename", "Entry.bodyText=text")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("Journal 1 → 2 (text)"))
        #expect(result.errors.contains("Journal 1, the first version, is that of 'Released.yaml'."))
        let history = try history()
        #expect(history.versions.map(\.number) == [1, 2] && history.first.isReleased)
        #expect(try tool.run("check", "--compatible-with", "Released.yaml").status == 0)
    }

    @Test("--from takes a revision of Git, and the schema itself if nothing else was released")
    func fromOthers() throws {
        try tool.commit()
        try tool.git("tag", "1.0")
        try edit()
        let result = try tool.run("migrate", "--from", "1.0", "--name", "text", "--rename", "Entry.bodyText=text")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try history().versions.map(\.number) == [1, 2])
        let other = try CommandLineTool()
        try other.write(Self.released, to: Self.path)
        #expect(
            try other.run("migrate", "--from", Self.path).errors
                == "Journal 1, the first version\nWritten: Schemas/Journal.history.yaml\n")
    }

    @Test("--store takes what the file of a released app records")
    func store() throws {
        let file = tool.folder.appendingPathComponent("customer.sqlite")
        try Store(JournalSchema.self, at: .file(file)).close()
        let schema = try Documentation.text(of: "Schemas/Journal.yaml")
        try tool.write(schema, to: Self.path)
        let same = try tool.run("migrate", "--store", "customer.sqlite")
        #expect(same.errors.hasPrefix("Journal 1, the first version\n"), "\(same.errors)")
        try FileManager.default.removeItem(at: tool.folder.appendingPathComponent("Schemas/Journal.history.yaml"))
        let line = "      title: string\n"
        try #require(schema.contains(line))
        try tool.write(schema.replacing(line, with: line + "      place: string?\n"), to: Self.path)
        let result = try tool.run("migrate", "--store", "customer.sqlite", "--name", "place")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try history().first.hash.text == JournalSchema.fingerprint)
        #expect(try history().head.changes.map(\.text) == ["+ Entry.place: string?"])
    }

    @Test("What cannot have been released is refused")
    func wrongUse() throws {
        try tool.write(Self.released.replacing("Journal", with: "Other"), to: "Other.yaml")
        let other = try tool.run("migrate", "--from", "Other.yaml")
        #expect(other.status == 2 && other.errors.contains("Another name is another store"), "\(other.errors)")
        #expect(try tool.run("migrate", "--from", "nowhere").status == 2)
        #expect(try tool.run("migrate", "--store", "nowhere.sqlite").status == 2)
        #expect(try tool.run("migrate", "--from", Self.path, "--store", "x").status == 2)
        #expect(try tool.run("migrate", "--from", Self.path, "--amend").status == 2)
        #expect(try tool.run("migrate", "--from", Self.path).status == 0)
        #expect(try tool.run("migrate", "--from", Self.path, "--name", "x").status == 2, "there is a history")
    }

    @Test("A release of a higher version with the same schema raises the version, so that its files open")
    func higherVersion() throws {
        try tool.write(Self.released.replacing("schema: Journal", with: "schema: Journal\nversion: 3"), to: "Old.yaml")
        #expect(try tool.run("migrate", "--from", "Old.yaml").status == 0)
        #expect(try history().versions.map(\.number) == [3])
        #expect(try tool.read(Self.path).contains("version: 3\n"))
        #expect(try tool.run("check", "--compatible-with", "Old.yaml").status == 0)
    }

    // MARK: Check

    @Test("check warns of a schema of which no version is recorded")
    func neverRecorded() throws {
        let result = try tool.run("check")
        #expect(result.status == 0)
        #expect(result.errors.contains("warning: No version of 'Journal' is recorded [never-recorded]"))
        #expect(try tool.run("generate").errors.contains("never-recorded") == false)
        #expect(try tool.run("migrate", "--from", Self.path).status == 0)
        #expect(try tool.run("check").errors == "1 schema with 1 entity: no findings.\n")
    }

    /// What was released, what the history begins with, and whether the app of the edited schema opens the files.
    @Test(
        "V1 check says of files what opening them does",
        arguments: [(nil, false), (edited, false), (released, true)] as [(String?, Bool)])
    func checkAndOpening(base: String?, opens: Bool) throws {
        let file = tool.folder.appendingPathComponent("journal.sqlite")
        try open(file, try Self.schema(Self.released), nil).close()
        try tool.write(Self.released, to: "Released.yaml")
        if let base {
            try tool.write(base, to: "Base.yaml")
            try edit()
            let hints = base == Self.edited ? [] : ["--rename", "Entry.bodyText=text"]
            let result = try tool.run(["migrate", "--from", "Base.yaml", "--name", "text"] + hints)
            #expect(result.status == 0, "\(result.errors)")
        } else {
            try edit()
        }
        let check = try tool.run("check", "--compatible-with", "Released.yaml", "--only", "store")
        #expect((check.status == 0) == opens, "\(check.errors)")
        #expect(check.errors.contains("store ok") == opens, "\(check.errors)")
        #expect(check.errors.contains("[cannot-open]") == !opens, "\(check.errors)")
        let edited = try Self.schema(try tool.read(Self.path))
        let history = base == nil ? nil : try history()
        let opening = Result { try open(file, edited, history).close() }
        #expect(((try? opening.get()) != nil) == opens, "\(opening)")
    }

    private static func schema(_ text: String) throws -> Schema {
        try #require(readSchemas([SchemaSource(path: "Journal.yaml", bytes: Array(text.utf8))]).schemas.first)
    }

    private func open(_ file: URL, _ schema: Schema, _ history: SchemaHistory?) throws -> any DatabaseWriter {
        let recorded =
            history
            ?? SchemaHistory(
                beginningWith: SchemaTree(schema.structure), version: schema.version)
        var description = try RecordedSchemas(recorded).schema(at: recorded.head.number).description
        if history == nil {
            description = SchemaDescription(
                name: description.name, version: description.version, plan: description.plan,
                fingerprint: description.fingerprint, structure: description.structure, history: "")
        }
        return try StoreOpening(
            schema: description, location: .file(file), configuration: Configuration(), options: MigrationOptions()
        ).open().writer
    }

    // MARK: The way back

    @Test("V1 After a release that began with the edited schema, the next one opens the files of both")
    func wayBack() throws {
        let old = tool.folder.appendingPathComponent("old.sqlite")
        let new = tool.folder.appendingPathComponent("new.sqlite")
        try open(old, try Self.schema(Self.released), nil).close()
        try tool.write(Self.released, to: "Released.yaml")
        try edit()
        try #require(try tool.run("migrate", "--from", Self.path).status == 0)
        try open(new, try Self.schema(Self.edited), try history()).close()
        #expect(throws: StoreError.self) { try open(old, try Self.schema(Self.edited), try history()) }

        try FileManager.default.removeItem(at: tool.folder.appendingPathComponent("Schemas/Journal.history.yaml"))
        let result = try tool.run(
            "migrate", "--from", "Released.yaml", "--name", "text", "--rename", "Entry.bodyText=text")
        #expect(result.status == 0, "\(result.errors)")
        for file in [old, new] {
            try open(file, try Self.schema(try tool.read(Self.path)), try history()).close()
        }
    }
}
