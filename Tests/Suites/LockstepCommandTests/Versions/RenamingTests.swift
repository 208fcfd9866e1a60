import TestSupport
import Testing

@Suite("Changes that rename and remove")
struct RenamingTests {
    private let journal: VersionedJournal

    init() throws { journal = try VersionedJournal() }

    private static let keyWarning = """
        Schemas/Journal.yaml:12:7: warning: The JSON key of 'Entry.text' changes from 'bodyText' to 'text' [wire-key-changed]
         12 |       text: string?
            |       ^~~~
        help: To keep the key, write 'key: bodyText'. If the server changes, 'formerKeys: [bodyText]' reads both.

        """

    @Test("4 An attribute is renamed")
    func attribute() throws {
        try journal.edit("bodyText: string?", "text: string?")
        try journal.expectRefusal(
            ["--name", "text"],
            """
            Schemas/Journal.yaml:12:7: error: 'Entry.bodyText' is gone and 'Entry.text' has come, of the same type \
            [possible-rename]
             12 |       text: string?
                |       ^~~~
            help: If it is the same: lockstep migrate --name text --rename Entry.bodyText=text
                  If it is not:      lockstep migrate --name text --remove Entry.bodyText

            \(Self.keyWarning)
            1 error, 1 warning
            Nothing was written.

            """)
        try journal.expectRecording(
            ["--name", "text", "--rename", "Entry.bodyText=text"],
            """
            \(Self.keyWarning)
            1 warning
            Journal 1 → 2 (text)
              ~ Entry.bodyText → text                 instant
              ~ Entry.text: column body_text → text   instant
            Written: Schemas/Journal.history.yaml, version: 2 in Schemas/Journal.yaml

            """,
            changes: """
                      - rename: Entry.bodyText
                        to: text
                      - change: Entry.text
                        from: { column: body_text }
                        to: {}

                """)
    }

    @Test("4 An attribute is renamed by the schema, and keeps its key")
    func renamedFrom() throws {
        try journal.edit("bodyText: string?", "text: { type: string?, renamedFrom: bodyText, key: bodyText }")
        try journal.expectRecording(
            ["--name", "text"],
            """
            Journal 1 → 2 (text)
              ~ Entry.bodyText → text                                      instant
              ~ Entry.text: column body_text → text, key text → bodyText   instant
            Written: Schemas/Journal.history.yaml, version: 2 in Schemas/Journal.yaml
            'renamedFrom:' is recorded, and can be removed: Entry.text.

            """,
            changes: """
                      - rename: Entry.bodyText
                        to: text
                      - change: Entry.text
                        from: { column: body_text }
                        to: { key: bodyText }

                """)
        try journal.edit("renamedFrom: bodyText, ", "")
        #expect(try journal.tool.run("check").status == 0)
    }

    @Test("5 An entity is renamed")
    func entity() throws {
        try journal.edit("  Entry:\n", "  Note:\n")
        let warning = """
            Schemas/Journal.yaml:7:3: warning: The path changes from /entries to /notes [wire-path-changed]
             7 |   Note:
               |   ^~~~
            help: To keep the path, write 'remote: { path: /entries }'.

            """
        try journal.expectRefusal(
            ["--name", "note"],
            """
            Schemas/Journal.yaml:7:3: error: 'Entry' is gone and 'Note' has come, with mostly the same members \
            [possible-rename]
             7 |   Note:
               |   ^~~~
            help: If it is the same: lockstep migrate --name note --rename Entry=Note
                  If it is not:      lockstep migrate --name note --remove Entry

            \(warning)
            1 error, 1 warning
            Nothing was written.

            """)
        try journal.expectRecording(
            ["--name", "note", "--rename", "Entry=Note"],
            """
            \(warning)
            1 warning
            Journal 1 → 2 (note)
              ~ Entry → Note                            instant
              ~ Note: remote path, table entry → note   instant
            Written: Schemas/Journal.history.yaml, version: 2 in Schemas/Journal.yaml

            """,
            changes: """
                      - rename: Entry
                        to: Note
                      - change: Note
                        from: { remote: { path: /entries }, table: entry }
                        to: { remote: { path: /notes }, table: note }

                """)
    }

    @Test("6 An attribute is removed")
    func removedAttribute() throws {
        try journal.edit("      mood: { type: Mood, default: neutral }\n", "")
        let note = """
            Schemas/Journal.yaml:7:3: note: A removed column of 'Entry'; about 2.5 s for a million rows \
            [slow-on-large-tables]
             7 |   Entry:
               |   ^~~~~
            help: Nothing needs to be done: a large store takes this long to open once.

            """
        try journal.expectRefusal(
            ["--name", "no-mood"],
            """
            Schemas/Journal.yaml:7:3: error: 'Entry.mood' is removed; the server keeps its values, and a change that is \
            not pushed becomes a leftover [removes-attribute]
             7 |   Entry:
               |   ^~~~~
            help: lockstep migrate --name no-mood --remove Entry.mood

            1 error
            Nothing was written.

            """)
        try journal.expectRecording(
            ["--name", "no-mood", "--remove", "Entry.mood", "--because", "Nobody filled it in."],
            """
            \(note)
            1 note
            Journal 1 → 2 (no-mood)
              - Entry.mood: Mood   about 2.5 s for a million rows
            Written: Schemas/Journal.history.yaml, version: 2 in Schemas/Journal.yaml

            """,
            changes: """
                      - remove: Entry.mood
                        was: { type: Mood, default: neutral }
                        because: Nobody filled it in.

                """)
        #expect(
            try journal.tool.run("history").output == """
                Journal
                  2 no-mood
                     - Entry.mood: Mood   Nobody filled it in.
                  1

                """)
    }

    @Test("7 An entity is removed that is on this device only")
    func removedEntity() throws {
        try journal.edit("  Draft:\n    attributes: { id: uuid, text: string }\n    remote: none\n", "")
        try journal.expectRefusal(
            ["--name", "no-draft"],
            """
            Schemas/Journal.yaml:3:9: error: 'Draft' is removed; its records are nowhere else [removes-entity]
             3 | schema: Journal
               |         ^~~~~~~
            help: lockstep migrate --name no-draft --remove Draft

            1 error
            Nothing was written.

            """)
        try journal.expectRecording(
            ["--name", "no-draft", "--remove", "Draft"],
            """
            Journal 1 → 2 (no-draft)
              - Draft   instant
            Written: Schemas/Journal.history.yaml, version: 2 in Schemas/Journal.yaml

            """,
            changes: """
                      - remove: Draft
                        was:
                          table: draft
                          identity: id
                          attributes:
                            id: { type: uuid, default: new }
                            text: { type: string }

                """)
    }

    @Test("A name that something else had in the version before is refused, with what to do")
    func takenName() throws {
        try journal.edit("  Draft:\n    attributes: { id: uuid, text: string }\n    remote: none\n", "")
        try journal.edit("  Product:", "  Draft:")
        let result = try journal.migrate("--name", "draft", "--rename", "Product=Draft", "--remove", "Draft")
        #expect(result.status == 2)
        #expect(
            result.errors.contains(
                "--rename Product=Draft: 'Draft' existed already. Remove it in a version of its own first."))
    }

    @Test("An enum gets the name of an entity that gets another name, too")
    func enumWithNameOfEntity() throws {
        try journal.edit("  Product:", "  Goods:")
        try journal.edit("  Mood: { closed", "  Product: { closed")
        try journal.edit("type: Mood", "type: Product")
        let refused = try journal.migrate("--name", "goods")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("'Product' is gone and 'Goods' has come, with mostly the same members"))
        let removed = try journal.migrate("--name", "goods", "--remove", "Product")
        #expect(removed.errors.contains("'Entry.mood' changes from Mood to Product"))
        let recorded = try journal.migrate("--name", "goods", "--rename", "Product=Goods")
        #expect(recorded.status == 0)
        #expect(
            recorded.errors.hasSuffix(
                """
                Journal 1 → 2 (goods)
                  ~ Product → Goods                             instant
                  ~ Mood → Product                              instant
                  ~ Goods: remote path, table product → goods   instant
                Written: Schemas/Journal.history.yaml, version: 2 in Schemas/Journal.yaml

                """))
    }

    @Test("A name moves on to another attribute")
    func chain() throws {
        try journal.edit("price: string, code: string?", "code: string, label: string?")
        let result = try journal.migrate(
            "--name", "label", "--rename", "Product.price=code", "--rename", "Product.code=label")
        #expect(result.status == 0)
        #expect(
            result.errors.contains(
                """
                Journal 1 → 2 (label)
                  ~ Product.code → label   instant
                  ~ Product.price → code   instant

                """))
    }

    @Test("An attribute cannot get the name of another one that is removed in the same version")
    func takenAttribute() throws {
        try journal.edit("price: string, code: string?", "price: int, code: string")
        let result = try journal.migrate("--name", "code", "--rename", "Product.price=code")
        #expect(result.status == 2)
        #expect(
            result.errors.contains(
                """
                error: --rename Product.price=code: 'Product.code' existed already. Remove it in a version of its own first.
                """))
    }

    @Test("Two to-many relationships swap their inverses: one end keeps its links, the other is removed")
    func swappedInverses() throws {
        let journal = try VersionedJournal(
            """
            lockstep: 1
            schema: Journal
            entities:
              Tag:
                attributes: { id: uuid }
                relationships:
                  entries: { to: [Entry], inverse: tags }
                  marked: { to: [Entry], inverse: marks }
              Entry:
                attributes: { id: uuid }
                relationships:
                  tags: { to: [Tag], inverse: entries }
                  marks: { to: [Tag], inverse: marked }

            """)
        try journal.edit("entries: { to: [Entry], inverse: tags }", "entries: { to: [Entry], inverse: marks }")
        try journal.edit("marked: { to: [Entry], inverse: marks }", "marked: { to: [Entry], inverse: tags }")
        try journal.edit("inverse: entries", "inverse: other")
        try journal.edit("inverse: marked", "inverse: entries")
        try journal.edit("inverse: other", "inverse: marked")
        let refused = try journal.migrate("--name", "swap")
        #expect(refused.status == 1)
        for (path, inverses) in [
            ("Tag.entries", "tags to marks"), ("Tag.marked", "marks to tags"), ("Entry.tags", "entries to marked"),
            ("Entry.marks", "marked to entries"),
        ] {
            let reason = "'\(path)' gets another inverse, from \(inverses); the links of existing records are lost"
            #expect(refused.errors.contains(reason))
            #expect(refused.errors.contains("help: lockstep migrate --name swap --remove \(path)\n"))
        }
        let recorded = try journal.migrate("--name", "swap", "--remove", "Tag.entries", "--remove", "Tag.marked")
        #expect(recorded.status == 0)
        #expect(recorded.errors.contains("~ Entry.tags: inverse entries → marked, join tag_entry → tag_marked"))
        #expect(recorded.errors.contains("~ Entry.marks: inverse marked → entries, join tag_marked → tag_entry"))
    }
}
