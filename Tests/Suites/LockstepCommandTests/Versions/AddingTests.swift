import TestSupport
import Testing

@Suite("Changes that add")
struct AddingTests {
    private let journal: VersionedJournal

    init() throws { journal = try VersionedJournal() }

    @Test("1 An optional attribute")
    func optionalAttribute() throws {
        try journal.edit("      title: string\n", "      title: string\n      place: string?\n")
        let before = try journal.schema
        try journal.expectRecording(
            ["--name", "add-place"],
            """
            Journal 1 → 2 (add-place)
              + Entry.place: string?   instant; Entry is pulled again
            Written: Schemas/Journal.history.yaml, version: 2 in Schemas/Journal.yaml

            """,
            changes: """
                      - add: Entry.place
                        as: { type: string? }

                """)
        #expect(
            try journal.schema == before.replacing("schema: Journal\n", with: "schema: Journal\nversion: 2\n"),
            "nothing else in the schema changes")
    }

    @Test("2 A required attribute with a default")
    func defaultValue() throws {
        try journal.edit("      title: string\n", "      title: string\n      pinned: { type: bool, default: false }\n")
        try journal.expectRecording(
            ["--name", "pinned"],
            """
            Journal 1 → 2 (pinned)
              + Entry.pinned: bool   instant; Entry is pulled again
            Written: Schemas/Journal.history.yaml, version: 2 in Schemas/Journal.yaml

            """,
            changes: """
                      - add: Entry.pinned
                        as: { type: bool, default: false }

                """)
    }

    @Test("3 An entity, and a relationship to it")
    func entity() throws {
        try journal.edit(
            "  Draft:\n",
            """
                relationships: { notebook: { to: Notebook?, inverse: entries } }
              Notebook:
                attributes: { id: uuid }
                relationships: { entries: { to: [Entry], inverse: notebook } }
              Draft:

            """)
        try journal.expectRecording(
            ["--name", "notebooks"],
            """
            Schemas/Journal.yaml:7:3: note: An index over 'Entry'; about 1.3 s for a million rows [slow-on-large-tables]
             7 |   Entry:
               |   ^~~~~
            help: Nothing needs to be done: a large store takes this long to open once.

            1 note
            Journal 1 → 2 (notebooks)
              + Notebook                           instant
              + Entry.notebook: Notebook?          instant; Entry is pulled again
              ~ Entry: + index entry_notebook_id   about 1.3 s for a million rows
            Written: Schemas/Journal.history.yaml, version: 2 in Schemas/Journal.yaml

            """,
            changes: """
                      - add: Notebook
                        as:
                          table: notebook
                          identity: id
                          remote: { path: /notebooks }
                          attributes:
                            id: { type: uuid, default: new }
                          relationships:
                            entries: { to: "[Entry]", inverse: notebook }
                      - add: Entry.notebook
                        as: { to: Notebook?, columns: notebook_id, inverse: entries, wire: { id: [notebookID], object: notebook } }
                      - change: Entry
                        from: {}
                        to: { indexes: { entry_notebook_id: { on: notebook_id } } }

                """)
    }

    @Test("9 A required attribute without a default")
    func required() throws {
        try journal.edit("      title: string\n", "      title: string\n      site: int\n")
        try journal.expectRefusal(
            ["--name", "site"],
            """
            Schemas/Journal.yaml:12:7: error: 'Entry.site' is required and has no default; existing records have no value \
            [adds-required]
             12 |       site: int
                |       ^~~~
            help: If one value is right for all: lockstep migrate --name site --fill Entry.site=0
                  If the server has the values:  lockstep migrate --name site --refetch Entry
                  If only code can tell:         lockstep migrate --name site --convert Entry.site=swift
                  Or make it optional, or give it a default.

            1 error
            Nothing was written.

            """)
        try journal.expectRefusal(
            ["--name", "site", "--fill", "Entry.site=home"], status: 2,
            "error: --fill Entry.site=home: It is not a value of type int.\nNothing was written.\n")
        try journal.expectRecording(
            ["--name", "site", "--fill", "Entry.site=3"],
            """
            Journal 1 → 2 (site)
              + Entry.site: int   instant; Entry is pulled again
            Written: Schemas/Journal.history.yaml, version: 2 in Schemas/Journal.yaml

            """,
            changes: """
                      - add: Entry.site
                        as: { type: int }
                        fill: 3

                """)
    }
}
