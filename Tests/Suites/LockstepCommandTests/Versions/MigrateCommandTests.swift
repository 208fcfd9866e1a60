import Foundation
import TestSupport
import Testing

@Suite("lockstep migrate")
struct MigrateCommandTests {
    private let journal: VersionedJournal

    init() throws { journal = try VersionedJournal() }

    private func addPlace() throws {
        try journal.edit("      title: string\n", "      title: string\n      place: string?\n")
    }

    @Test("Without a change, nothing is written")
    func unchanged() throws {
        try journal.edit("# What I write down.", "# What I write.")
        try journal.expectRefusal(
            ["--name", "x"], status: 0, "Journal 1: nothing has changed. Nothing was written.\n")
    }

    @Test("A version needs a name")
    func name() throws {
        try addPlace()
        try journal.expectRefusal(
            [], status: 2, "error: The version needs a name. Add --name, such as --name add-place.\n")
        #expect(try journal.migrate("--name", "").status == 2)
        #expect(try journal.migrate("--name", "x", "--release").status == 2)
        #expect(try journal.migrate("--amend", "--squash", "1").status == 2)
        #expect(try journal.migrate("--onto", "x").status == 2)
    }

    @Test("One of several schemas is named")
    func several() throws {
        try journal.tool.write(Sample.journal.replacing("Journal", with: "Other"), to: "Schemas/Other.yaml")
        try addPlace()
        let result = try journal.migrate("--name", "place")
        #expect(result.status == 2)
        #expect(
            result.errors
                == "error: There are several schemas. Name the one: Schemas/Journal.yaml, Schemas/Other.yaml.\n")
        #expect(try journal.migrate("Schemas/Journal.yaml", "--name", "place").status == 0)
        #expect(!journal.tool.exists("Schemas/Other.history.yaml"))
    }

    @Test("The version is raised in place, whatever its form is, and everything else stays")
    func version() throws {
        for (text, new) in [
            ("version: 1   # of the data\r\n", "version: 2   # of the data\r\n"),
            ("\"version\": 1\n", "\"version\": 2\n"),
        ] {
            let journal = try VersionedJournal()
            try journal.edit("schema: Journal\n", "schema: Journal\n\(text)")
            try journal.edit("      title: string\n", "      title: string\n      place: string?\n")
            let before = try journal.schema
            #expect(try journal.migrate("--name", "place").status == 0)
            #expect(try journal.schema == before.replacing(text, with: new))
        }
    }

    @Test("A schema in one line, and one with CR LF, get a version too")
    func added() throws {
        for text in [
            "{ lockstep: 1, schema: Journal, entities: { Entry: { attributes: { id: uuid } } } }\n",
            "schema: \"Journal\"\r\nlockstep: 1\r\nentities:\r\n  Entry:\r\n    attributes: { id: uuid }\r\n",
            "\u{FEFF}lockstep: 1\nentities: { Entry: { attributes: { id: uuid } } }\nschema: Journal",
        ] {
            let journal = try VersionedJournal(text)
            try journal.edit("id: uuid", "id: uuid, title: string?")
            let result = try journal.migrate("--name", "title")
            #expect(result.status == 0, "\(result.errors)")
            #expect(try journal.schema.contains("version: 2"))
            #expect(try journal.tool.run("check").status == 0)
        }
    }

    @Test("The history of a target's schema is beside it")
    func target() throws {
        try journal.tool.write(Sample.journal, to: "Sources/App/Journal.lockstep.yaml")
        let path = "Sources/App/Journal.lockstep.yaml"
        #expect(try journal.migrate(path, "--from", path).status == 0)
        #expect(journal.tool.exists("Sources/App/Journal.history.yaml"))
        let emit = try journal.tool.run(
            "emit", "Sources/App/Journal.lockstep.yaml", "--output", "build", "--file", "Journal.swift",
            "--planned-folder", "Schemas")
        #expect(emit.status == 1, "another folder was planned")
        #expect(
            try journal.tool.run(
                "emit", "Sources/App/Journal.lockstep.yaml", "--output", "build", "--file", "Journal.swift"
            ).status == 0)
        #expect(try journal.tool.read("build/Journal.swift").contains("static let history"))
    }

    // MARK: Drafts

    @Test("An unrecorded change is an error of check; generate and emit warn, and make a draft")
    func draft() throws {
        try addPlace()
        let finding = """
            The schema has 1 change that no version records: + Entry.place: string? [unrecorded-change]
             12 |       place: string?
                |       ^~~~~
            help: Run 'lockstep migrate --name NAME'. 'lockstep diff' shows what the changes need.

            """
        let check = try journal.tool.run("check")
        #expect(check.status == 1)
        #expect(check.errors == "Schemas/Journal.yaml:12:7: error: \(finding)\n1 error\n")
        for _ in 1...2 {
            let generate = try journal.tool.run("generate")
            #expect(generate.status == 0)
            #expect(generate.errors.hasPrefix("Schemas/Journal.yaml:12:7: warning: \(finding)\n1 warning\n"))
        }
        let emit = try journal.tool.run("emit", "Schemas/Journal.yaml", "--output", "build", "--file", "Journal.swift")
        #expect(emit.status == 0)
        #expect(emit.errors == "Schemas/Journal.yaml:12:7: warning: \(finding)\n1 warning\n")
        for file in ["Generated/Journal/JournalSchema.swift", "build/Journal.swift"] {
            #expect(try journal.tool.read(file).contains("#error(\"Journal.yaml has changes that no version records."))
        }
        #expect(try journal.migrate("--name", "place").status == 0)
        #expect(try journal.tool.run("generate").errors == "Generated: 1 written, 0 removed, 8 unchanged.\n")
        #expect(try !journal.tool.read("Generated/Journal/JournalSchema.swift").contains("#error"))
    }

    // MARK: Hints

    @Test(
        "A hint that names nothing says what there is, and one that no change needs is reported",
        arguments: [
            (
                ["--rename", "Entry.bodyTxt=text"],
                "--rename Entry.bodyTxt=text: There is no 'Entry.bodyTxt' in the recorded version, which has "
                    + "Entry.bodyText, Entry.identifier, Entry.mood, Entry.timestamp, Entry.title."
            ),
            (
                ["--rename", "Entri=Note"],
                "--rename Entri=Note: There is no 'Entri' in the recorded version, which has Draft, Entry, Product, Mood."
            ),
            (
                ["--remove", "Entry.body"],
                "--remove Entry.body: There is no 'Entry.body' in the recorded version, which has Entry.bodyText, "
                    + "Entry.identifier, Entry.mood, Entry.timestamp, Entry.title."
            ),
            (
                ["--fill", "Entry.plaice=x"],
                "--fill Entry.plaice=x: There is no 'Entry.plaice'; 'Entry' has bodyText, identifier, mood, place, "
                    + "timestamp, title."
            ),
            (["--convert", "Entry.title=text"], "--convert Entry.title=text: No change of 'Entry.title' needs it."),
            (
                ["--refetch", "Entri"],
                "--refetch Entri: There is no 'Entri' in the schema, which has Draft, Entry, Mood, "
                    + "Product."
            ),
            (["--refetch", "Draft"], "--refetch Draft: No change of 'Draft' needs it."),
            (
                ["--case", "Mood.merry=sad"],
                "--case Mood.merry=sad: There is no case 'Mood.merry'; 'Mood' has happy, neutral, sad."
            ),
            (
                ["--duplicates", "Entry.title=keepFirst"],
                "--duplicates Entry.title=keepFirst: No change of 'Entry.title' "
                    + "needs it."
            ),
        ])
    func unknownHint(hint: [String], message: String) throws {
        try addPlace()
        try journal.expectRefusal(
            ["--name", "x"] + hint, status: 2, "error: \(message)\nNothing was written.\n")
    }

    @Test("A hint that cannot be read")
    func unreadableHint() throws {
        try addPlace()
        try journal.expectRefusal(
            ["--name", "x", "--rename", "Entry.bodyText"], status: 2,
            "error: '--rename Entry.bodyText' has no '='. Write '--rename Entry.bodyText=text'.\n")
        try journal.expectRefusal(
            ["--name", "x", "--remove", "a.b.c"], status: 2,
            "error: '--remove a.b.c' does not begin with a name. Write '--remove Entry.mood'.\n")
    }

    // MARK: Released and amended versions

    @Test("--amend records the last version again, with the hints that it had")
    func amend() throws {
        try journal.edit("bodyText: string?", "text: string?")
        try journal.migrate("--name", "text", "--rename", "Entry.bodyText=text")
        try addPlace()
        #expect(try journal.migrate("--amend").status == 0)
        #expect(try journal.history.components(separatedBy: "  - version:").count == 3)
        #expect(
            try journal.lastChanges == """
                      - rename: Entry.bodyText
                        to: text
                      - add: Entry.place
                        as: { type: string? }
                      - change: Entry.text
                        from: { column: body_text }
                        to: {}

                """)
        try journal.edit("text: string?", "bodyText: string?")
        #expect(try journal.migrate("--amend", "--name", "place").status == 0)
        #expect(try journal.history.contains("name: place\n"))
        #expect(try journal.lastChanges == "      - add: Entry.place\n        as: { type: string? }\n")
    }

    @Test("--release: no version changes any more")
    func release() throws {
        try addPlace()
        let draft = try journal.migrate("--release")
        #expect(draft.status == 2 && draft.errors.contains("has changes that no version records"))
        try journal.migrate("--name", "place")
        #expect(try journal.migrate("--release").errors == "Journal 2: 2 released.\n")
        #expect(try journal.history.components(separatedBy: "    released: true\n").count == 3)
        try journal.edit("place: string?", "place: string")
        try journal.expectRefusal(
            ["--amend"], status: 2,
            "error: Version 2 is released, and never changes. Record another version: lockstep migrate --name NAME\n")
    }

    @Test("--squash forgets the versions before one")
    func squash() throws {
        try addPlace()
        try journal.migrate("--name", "place")
        try journal.migrate("--release")
        let unknown = try journal.migrate("--squash", "3")
        #expect(unknown.status == 2)
        #expect(unknown.errors.hasPrefix("error: There is no version 3 [too-old]. The history has 1 to 2. "))
        let result = try journal.migrate("--squash", "2")
        #expect(
            result.errors == """
                warning: Stores of the released versions 1 cannot be opened any more [too-old]
                Journal: the history begins with version 2.

                """)
        #expect(try journal.history.contains("versions:\n  - version: 2\n    name: place\n"))
        #expect(try journal.tool.run("check").status == 0)
    }

    // MARK: Bad input

    @Test("A history that was edited by hand is an error of every command, and nothing is written")
    func edited() throws {
        let history = try journal.history.replacing("title: { type: string }", with: "title: { type: string? }")
        try journal.tool.write(history, to: "Schemas/Journal.history.yaml")
        try addPlace()
        for command in [["check"], ["generate"], ["migrate", "--name", "x"], ["diff"], ["history"]] {
            let result = try journal.tool.run(command)
            #expect(result.status == 1, "\(command)")
            #expect(result.errors.contains("error: The history is not as it was written: version 1.is: "), "\(command)")
            #expect(result.errors.contains("[history-edited]"), "\(command)")
        }
        #expect(try journal.history == history)
        #expect(!journal.tool.exists("Generated"))
    }

    @Test("A history that is behind the schema, and one that is missing")
    func behind() throws {
        try addPlace()
        let old = try journal.history
        try journal.migrate("--name", "place")
        try journal.tool.write(old, to: "Schemas/Journal.history.yaml")
        #expect(try journal.tool.run("check").errors.contains("the history's last version is 1 [history-behind]"))
        #expect(try journal.migrate("--name", "place").status == 0, "it is recorded again")
        try journal.edit("version: 2", "version: 4")
        let jumped = try journal.migrate("--name", "x")
        #expect(jumped.status == 0 && jumped.errors.contains("nothing has changed"))
        try journal.edit("place: string?", "location: string?")
        #expect(try journal.migrate("--name", "x").errors.contains("[history-behind]"))
        try FileManager.default.removeItem(at: journal.tool.folder.appending(path: "Schemas/Journal.history.yaml"))
        let missing = try journal.tool.run("check")
        #expect(missing.status == 0)
        #expect(missing.errors.contains("'Schemas/Journal.history.yaml' does not exist [history-missing]"))
    }

    @Test(
        "A file that cannot be written leaves both as they were", arguments: ["Journal.yaml", "Journal.history.yaml"])
    func cannotWrite(file: String) throws {
        try addPlace()
        // A folder is in the way of the new file.
        try journal.tool.write("", to: "Schemas/\(file).lockstep-new/file")
        let (schema, history) = (try journal.schema, try journal.history)
        let result = try journal.migrate("--name", "place")
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("error: 'Schemas/\(file)' cannot be written: "))
        #expect(try journal.schema == schema)
        #expect(try journal.history == history)
        #expect(journal.tool.exists("Schemas/\(file).lockstep-new/file"))
    }
}
