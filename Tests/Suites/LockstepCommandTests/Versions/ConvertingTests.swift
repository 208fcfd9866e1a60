import TestSupport
import Testing

@Suite("Changes of values")
struct ConvertingTests {
    private let journal: VersionedJournal

    init() throws { journal = try VersionedJournal() }

    private static func note(_ line: Int, _ column: Int, _ text: String, _ marker: String, _ entity: String) -> String {
        let margin = String(repeating: " ", count: String(line).count)
        return """
            Schemas/Journal.yaml:\(line):\(column): note: A new column of '\(entity)'; about 9.1 s for a million rows \
            [slow-on-large-tables]
             \(line) | \(text)
             \(margin) | \(String(repeating: " ", count: column - 1))\(marker)
            help: Nothing needs to be done: a large store takes this long to open once.

            """
    }

    @Test("8 Types become wider without a word, and others convert")
    func types() throws {
        try journal.edit("stock: int16, price: string", "stock: int, price: decimal")
        let line = "    attributes: { id: int, stock: int, price: decimal, code: string? }"
        let note = Self.note(19, 40, line, "^~~~~", "Product")
        try journal.expectRefusal(
            ["--name", "price"],
            """
            Schemas/Journal.yaml:19:40: error: 'Product.price' changes from string to decimal; some texts are not numbers \
            [narrows-type]
             19 | \(line)
                |                                        ^~~~~
            help: To convert the others:        lockstep migrate --name price --convert Product.price=number --otherwise 0
                  If the server has the values: lockstep migrate --name price --refetch Product
                  If only code can tell:        lockstep migrate --name price --convert Product.price=swift

            1 error
            Nothing was written.

            """)
        try journal.expectRecording(
            ["--name", "price", "--convert", "Product.price=number", "--otherwise", "0"],
            """
            \(note)
            1 note
            Journal 1 → 2 (price)
              ~ Product.price: string → decimal   about 9.1 s for a million rows
              ~ Product.stock: int16 → int        instant
            Written: Schemas/Journal.history.yaml, version: 2 in Schemas/Journal.yaml

            """,
            changes: """
                      - change: Product.price
                        from: { type: string }
                        to: { type: decimal }
                        convert: number
                        otherwise: "0"
                      - change: Product.stock
                        from: { type: int16 }
                        to: { type: int }

                """)
    }

    @Test("9 An optional attribute becomes required")
    func required() throws {
        try journal.edit("bodyText: string?", "bodyText: string")
        let note = Self.note(12, 7, "      bodyText: string", "^~~~~~~~", "Entry")
        try journal.expectRefusal(
            ["--name", "body"],
            """
            Schemas/Journal.yaml:12:7: error: 'Entry.bodyText' becomes required, and has no default; some records have no \
            value [becomes-required]
             12 |       bodyText: string
                |       ^~~~~~~~
            help: If one value is right for all: lockstep migrate --name body --fill Entry.bodyText=""
                  If the server has the values:  lockstep migrate --name body --refetch Entry
                  If only code can tell:         lockstep migrate --name body --convert Entry.bodyText=swift

            1 error
            Nothing was written.

            """)
        try journal.expectRecording(
            ["--name", "body", "--refetch", "Entry"],
            """
            \(note)
            1 note
            Journal 1 → 2 (body)
              ~ Entry.bodyText: string? → string   about 9.1 s for a million rows; Entry is deleted and pulled again
            Written: Schemas/Journal.history.yaml, version: 2 in Schemas/Journal.yaml

            """,
            changes: """
                      - change: Entry.bodyText
                        from: { type: string? }
                        to: { type: string }
                        fill: ""
                        refetch: true

                """)
    }

    @Test("10 A case of a closed enum is removed")
    func removedCase() throws {
        try journal.edit("happy]", "glad]")
        let line = "  Mood: { closed: true, cases: [sad, neutral, glad] }"
        let note = Self.note(5, 3, line, "^~~~", "Entry")
        try journal.expectRefusal(
            ["--name", "glad"],
            """
            Schemas/Journal.yaml:5:3: error: The case 'Mood.happy' of a closed enum is removed; some records have it \
            [removes-case]
             5 | \(line)
               |   ^~~~
            help: lockstep migrate --name glad --case Mood.happy=glad
                  Or write 'renamedFrom:' at the case that replaces it.

            1 error
            Nothing was written.

            """)
        try journal.expectRecording(
            ["--name", "glad", "--case", "Mood.happy=glad"],
            """
            \(note)
            1 note
            Journal 1 → 2 (glad)
              ~ Mood: + case glad, - case happy   about 9.1 s for a million rows
            Written: Schemas/Journal.history.yaml, version: 2 in Schemas/Journal.yaml

            """,
            changes: """
                      - change: Mood
                        from: { cases: { happy: happy, neutral: neutral, sad: sad } }
                        to: { cases: { glad: glad, neutral: neutral, sad: sad } }
                        cases: { happy: glad }

                """)
    }

    @Test("10 A case replaces another one by the schema")
    func renamedCase() throws {
        try journal.edit(
            "[sad, neutral, happy]",
            "{ sad: sad, neutral: neutral, glad: { value: glad, renamedFrom: happy } }")
        let result = try journal.migrate("--name", "glad")
        #expect(result.status == 0)
        #expect(result.errors.hasSuffix("'renamedFrom:' is recorded, and can be removed: Mood.glad.\n"))
        #expect(try journal.lastChanges.hasSuffix("        cases: { happy: glad }\n"))
    }

    @Test("10 A value becomes unique")
    func unique() throws {
        try journal.edit("code: string?", "code: { type: string?, unique: true }, at: date?")
        let line =
            "    attributes: { id: int, stock: int16, price: string, code: { type: string?, unique: true }, at: date? }"
        let note = """
            Schemas/Journal.yaml:19:57: note: An index over 'Product'; about 1.3 s for a million rows \
            [slow-on-large-tables]
             19 | \(line)
                |                                                         ^~~~
            help: Nothing needs to be done: a large store takes this long to open once.

            """
        try journal.expectRefusal(
            ["--name", "codes"],
            """
            Schemas/Journal.yaml:19:57: error: 'Product.code' becomes unique; several records may have the same value \
            [becomes-unique]
             19 | \(line)
                |                                                         ^~~~
            help: To keep the newest:     lockstep migrate --name codes --duplicates 'Product.code=keepNewest(by: at)'
                  To keep the first:      lockstep migrate --name codes --duplicates Product.code=keepFirst
                  If the server has none: lockstep migrate --name codes --duplicates Product.code=refetch

            1 error
            Nothing was written.

            """)
        try journal.expectRecording(
            ["--name", "codes", "--duplicates", "Product.code=keepNewest(by: at)"],
            """
            \(note)
            1 note
            Journal 1 → 2 (codes)
              + Product.at: date?        instant; Product is pulled again
              ~ Product.code: + unique   about 1.3 s for a million rows
            Written: Schemas/Journal.history.yaml, version: 2 in Schemas/Journal.yaml

            """,
            changes: """
                      - add: Product.at
                        as: { type: date?, wire: iso8601 }
                      - change: Product.code
                        from: {}
                        to: { unique: true }
                        duplicates: "keepNewest(by: at)"

                """)
    }

    @Test("10 A delete rule, and the order of a relationship, need no word")
    func rules() throws {
        let journal = try VersionedJournal(
            """
            lockstep: 1
            schema: Journal
            entities:
              Notebook:
                attributes: { id: uuid }
                relationships: { entries: { to: [Entry], inverse: notebook } }
              Entry:
                attributes: { id: uuid }
                relationships: { notebook: { to: Notebook?, inverse: entries } }

            """)
        try journal.edit("inverse: notebook }", "inverse: notebook, onDelete: cascade, ordered: true, wire: none }")
        let result = try journal.migrate("--name", "cascade")
        #expect(result.status == 0)
        #expect(
            result.errors
                == """
                Journal 1 → 2 (cascade)
                  ~ Entry.notebook: + position entries_position       instant
                  ~ Notebook.entries: + onDelete cascade, + ordered   instant
                Written: Schemas/Journal.history.yaml, version: 2 in Schemas/Journal.yaml

                """)
    }

    @Test("A conversion in Swift is recorded, and the tool says what to write")
    func swift() throws {
        try journal.edit("title: string", "title: string\n      words: int")
        let result = try journal.migrate(
            "--name", "count-words", "--convert", "Entry.words=swift", "--fill", "Entry.words=1")
        #expect(result.status == 0)
        #expect(result.errors.hasSuffix("Write JournalConversions.countWords: the schema's Swift needs it.\n"))
        let changes = try journal.lastChanges
        #expect(changes.contains("- add: Entry.words"))
        #expect(changes.contains("convert: swift"))
        #expect(try journal.tool.run("check").status == 0)
        let generated = try journal.tool.run("generate")
        #expect(generated.status == 0)
        let code = try journal.tool.read("Generated/Journal/JournalSchema.swift")
        #expect(
            code.contains(
                "static func countWords(_ old: EntryBeforeCountWords, _ new: inout EntryAfterCountWords) throws"))
        #expect(code.contains("try JournalConversions.countWords(old, &new)"))
    }

    @Test(
        "What a conversion in Swift cannot do is refused, with what can be done",
        arguments: [
            ("title: string", "title: string\n      code: { type: string, unique: true }", "Entry.code", "is unique"),
            (
                "title: string", "title: string\n      photo: { type: data?, attachment: true }", "Entry.photo",
                "attachment"
            ),
            ("title: string", "title: string\n      size: int?", "Entry.title", "needs it"),
        ])
    func refusedSwift(old: String, new: String, path: String, reason: String) throws {
        try journal.edit(old, new)
        let result = try journal.migrate("--name", "code", "--convert", "\(path)=swift")
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("error: --convert \(path)=swift: "))
        #expect(result.errors.contains(reason))
        #expect(result.errors.hasSuffix("Nothing was written.\n"))
    }

    @Test("An added attribute has no values to convert by an option")
    func addedWithNumber() throws {
        try journal.edit("title: string", "title: string\n      size: int?")
        let result = try journal.migrate("--name", "size", "--convert", "Entry.size=number")
        #expect(result.status == 2)
        #expect(
            result.errors == """
                error: --convert Entry.size=number: 'Entry.size' is new: only the app's code can make its values, with \
                --convert Entry.size=swift.
                Nothing was written.

                """)
    }

    @Test("Two versions with conversions of one entity have different names")
    func sameName() throws {
        try journal.edit("title: string", "title: string\n      words: int?")
        #expect(try journal.migrate("--name", "count", "--convert", "Entry.words=swift").status == 0)
        try journal.edit("words: int?", "words: int?\n      letters: int?")
        let result = try journal.migrate("--name", "count", "--convert", "Entry.letters=swift")
        #expect(result.status == 2)
        #expect(
            result.errors.hasSuffix(
                "Version 2 has a conversion 'count' of 'Entry' already. Choose another --name.\n"))
        #expect(try journal.migrate("--name", "count-letters", "--convert", "Entry.letters=swift").status == 0)
    }
}
