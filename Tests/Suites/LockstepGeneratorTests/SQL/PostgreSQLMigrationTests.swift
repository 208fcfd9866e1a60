@testable import LockstepEvolution
@testable import LockstepReview
import LockstepJSON
import ServerTestSupport
import Testing

/// Ten changes of a schema on a server, each with rows that are written in both shapes between the two files.
@Suite("PostgreSQL in two files", .enabled(if: PostgreSQLServer.isWanted))
struct PostgreSQLMigrationTests {
    /// The journal, with other attributes.
    private static func entry(
        _ attributes: String = "", body: String = "bodyText: string?", name: String = "Entry", more: String = "",
        enums: String = "Mood: { closed: true, cases: [sad, neutral, happy] }"
    ) -> String {
        """
        enums:
          \(enums)
        entities:
          \(name):
            identity: identifier
            attributes:
              identifier: int
              title: string
              \(body)
              mood: { type: Mood, default: neutral }
              \(attributes)
        \(more)
        """
    }

    private static let rows = """
        INSERT INTO entry (identifier, title, body_text, mood) VALUES (1, 'One', 'Text', 'happy'), (2, 'Two', NULL, 'sad');

        """

    @Test("1 An optional attribute is added")
    func addOptional() throws {
        let tables = try PostgreSQLTables(Self.entry(), Self.entry("place: string?"))
        let between = """
            INSERT INTO entry (identifier, title) VALUES (3, 'Old');
            INSERT INTO entry (identifier, title, place) VALUES (4, 'New', 'Home');

            """
        let rows = try tables.run(
            rows: Self.rows, between: between, query: "SELECT identifier, place FROM entry ORDER BY 1;\n")
        #expect(rows == ["1|", "2|", "3|", "4|Home"])
    }

    @Test("2 A required attribute is added: rows of former servers get its default")
    func addRequired() throws {
        let tables = try PostgreSQLTables(
            Self.entry(),
            Self.entry(
                """
                pinned: { type: bool, default: false }
                      at: { type: date, default: now }
                      token: { type: uuid, default: new, unique: true }
                      site: { type: int, min: 0 }
                """))
        let rows = try tables.run(
            rows: Self.rows, between: "INSERT INTO entry (identifier, title) VALUES (3, 'Old');\n",
            query: """
                SELECT identifier, pinned, at IS NOT NULL, site FROM entry ORDER BY 1;
                SELECT count(DISTINCT token) FROM entry;

                """)
        #expect(rows == ["1|f|t|0", "2|f|t|0", "3|f|t|0", "3"])
    }

    @Test("3 An entity and a relationship are added, with delete rules")
    func addEntity() throws {
        let more = """
              Notebook:
                attributes: { id: int, name: string }
                relationships:
                  entries: { to: [Entry], inverse: notebook, onDelete: cascade }
                  tags: { to: [Tag], inverse: notebooks }
              Tag:
                attributes: { id: int }
                relationships: { notebooks: { to: [Notebook], inverse: tags, onDelete: cascade } }
            """
        let new = Self.entry(more: more).replacing(
            "    identity:",
            with: "    relationships: { notebook: { to: Notebook?, inverse: entries } }\n    identity:")
        let tables = try PostgreSQLTables(Self.entry(), new)
        let between = """
            INSERT INTO notebook (id, name) VALUES (1, 'N');
            UPDATE entry SET notebook_id = 1 WHERE identifier = 1;
            INSERT INTO entry (identifier, title) VALUES (3, 'Old');
            DELETE FROM notebook;

            """
        let rows = try tables.run(
            rows: Self.rows, between: between, query: "SELECT identifier FROM entry ORDER BY 1;\n")
        #expect(rows == ["2", "3"])
    }

    @Test("4 An attribute is renamed: both columns are kept in step")
    func rename() throws {
        let tables = try PostgreSQLTables(
            Self.entry(), Self.entry(body: "text: string?"), renames: [MemberPath("Entry", member: "bodyText"): "text"])
        let between = """
            INSERT INTO entry (identifier, title, body_text) VALUES (3, 'Old', 'old');
            INSERT INTO entry (identifier, title, text) VALUES (4, 'New', 'new');
            UPDATE entry SET text = 'by new' WHERE identifier = 1;
            UPDATE entry SET body_text = 'by old' WHERE identifier = 2;
            SELECT identifier, body_text, text FROM entry ORDER BY 1;

            """
        let rows = try tables.run(
            rows: Self.rows, between: between, query: "SELECT identifier, text FROM entry ORDER BY 1;\n")
        #expect(
            rows == [
                "1|by new|by new", "2|by old|by old", "3|old|old", "4|new|new", "1|by new", "2|by old", "3|old",
                "4|new",
            ])
    }

    @Test("5 An entity is renamed: former servers write through a view")
    func renameEntity() throws {
        let tables = try PostgreSQLTables(
            Self.entry(), Self.entry(name: "Note"), renames: [MemberPath("Entry"): "Note"])
        let between = """
            INSERT INTO entry (identifier, title) VALUES (3, 'Old');
            INSERT INTO note (identifier, title) VALUES (4, 'New');
            UPDATE entry SET title = 'Changed' WHERE identifier = 4;
            DELETE FROM entry WHERE identifier = 2;

            """
        let rows = try tables.run(
            rows: Self.rows, between: between, query: "SELECT identifier, title, mood FROM note ORDER BY 1;\n")
        #expect(rows == ["1|One|happy", "3|Old|neutral", "4|Changed|neutral"])
    }

    @Test("6 An attribute is removed: new servers need not send it")
    func removeAttribute() throws {
        let tables = try PostgreSQLTables(Self.entry("place: string"), Self.entry())
        let between = """
            INSERT INTO entry (identifier, title) VALUES (3, 'New');
            INSERT INTO entry (identifier, title, place) VALUES (4, 'Old', 'Home');

            """
        let rows = "INSERT INTO entry (identifier, title, place) VALUES (1, 'One', 'Here');\n"
        #expect(
            try tables.run(rows: rows, between: between, query: "SELECT count(*) FROM entry;\n") == ["3"])
    }

    @Test("7 An entity is removed in the end")
    func removeEntity() throws {
        let draft = "  Draft:\n    attributes: { id: int }\n    relationships: { entry: { to: Entry? } }"
        let tables = try PostgreSQLTables(Self.entry(more: draft), Self.entry())
        let rows = try tables.run(
            rows: Self.rows + "INSERT INTO draft (id, entry_id) VALUES (1, 1);\n",
            between: "INSERT INTO draft (id) VALUES (2);\n",
            query: "SELECT count(*) FROM entry;\n")
        #expect(rows == ["2"])
    }

    @Test("8 A type changes: the column has another name until the former one is gone")
    func changeType() throws {
        let old = Self.entry("price: string\n      stock: int16")
        let new = Self.entry("price: decimal\n      stock: int")
        let tables = try PostgreSQLTables(
            old, new, answers: [MemberPath("Entry", member: "price"): ChangeAnswers(convert: "number", otherwise: "0")])
        let between = """
            INSERT INTO entry (identifier, title, price, stock) VALUES (3, 'Old', '1.50', 70000);
            INSERT INTO entry (identifier, title, lockstep_new_price, stock) VALUES (4, 'New', 2.5, 1);
            SELECT identifier, price, lockstep_new_price FROM entry ORDER BY 1;

            """
        let rows = try tables.run(
            rows:
                "INSERT INTO entry (identifier, title, price, stock) VALUES (1, 'One', '12', 1), (2, 'Two', 'x', 2);\n",
            between: between, query: "SELECT identifier, price, stock FROM entry ORDER BY 1;\n")
        #expect(
            rows == [
                "1|12|12", "2|x|0", "3|1.50|1.50", "4|2.5|2.5", "1|12|1", "2|0|2", "3|1.50|70000", "4|2.5|1",
            ])
    }

    @Test("9 An attribute becomes required: missing values are filled, also those of former servers")
    func becomesRequired() throws {
        let tables = try PostgreSQLTables(
            Self.entry(), Self.entry(body: "bodyText: string"),
            answers: [MemberPath("Entry", member: "bodyText"): ChangeAnswers(fill: "-")])
        let rows = try tables.run(
            rows: Self.rows, between: "INSERT INTO entry (identifier, title) VALUES (3, 'Old');\n",
            query: "SELECT identifier, body_text FROM entry ORDER BY 1;\n")
        #expect(rows == ["1|Text", "2|-", "3|-"])
    }

    @Test("9 An attribute becomes optional: new servers write no value at once")
    func becomesOptional() throws {
        let tables = try PostgreSQLTables(Self.entry(body: "bodyText: string"), Self.entry())
        let rows = try tables.run(
            rows: "INSERT INTO entry (identifier, title, body_text) VALUES (1, 'One', 'a');\n",
            between: "INSERT INTO entry (identifier, title) VALUES (3, 'New');\n",
            query: "SELECT count(*) FROM entry;\n")
        #expect(rows == ["2"])
    }

    @Test("10 A case of a closed enum goes, a value becomes unique, a delete rule changes")
    func cases() throws {
        let pages = { (rule: String) in
            """
              Page:
                attributes: { id: int }
                relationships: { parts: { to: [Part], inverse: page, onDelete: \(rule) } }
              Part:
                attributes: { id: int }
                relationships: { page: { to: Page?, inverse: parts } }
            """
        }
        let tables = try PostgreSQLTables(
            Self.entry(more: pages("cascade")),
            Self.entry(
                more: pages("deny"), enums: "Mood: { closed: true, cases: [sad, neutral, glad] }"
            ).replacing("title: string", with: "title: { type: string, unique: true }"),
            answers: [MemberPath("Mood"): ChangeAnswers(cases: ["happy": "glad"])])
        let rows = try tables.run(
            rows: Self.rows,
            between: """
                INSERT INTO entry (identifier, title, mood) VALUES (3, 'Old', 'happy'), (4, 'New', 'glad');

                """, query: "SELECT identifier, mood FROM entry ORDER BY 1;\n")
        #expect(rows == ["1|glad", "2|sad", "3|glad", "4|glad"])
    }

    @Test("A required link is added: it is empty until the server has made it, or is what the history says")
    func requiredLink() throws {
        let site = "  Site:\n    attributes: { id: int }\n"
        func linked(_ link: String) -> String {
            Self.entry(more: site).replacing(
                "    identity:", with: "    relationships: { site: \(link) }\n    identity:")
        }
        let rows = "INSERT INTO site (id) VALUES (7);\n" + Self.rows
        let open = try PostgreSQLTables(Self.entry(more: site), linked("Site"))
        let made = try open.run(
            rows: rows, between: "UPDATE entry SET site_id = 7;\n", query: "SELECT DISTINCT site_id FROM entry;\n")
        #expect(made == ["7"])
        let filled = try PostgreSQLTables(
            linked("Site?"), linked("Site"),
            answers: [MemberPath("Entry", member: "site"): ChangeAnswers(fill: .integer(7))])
        let between = "INSERT INTO entry (identifier, title) VALUES (3, 'Old');\n"
        #expect(
            try filled.run(rows: rows, between: between, query: "SELECT DISTINCT site_id FROM entry;\n") == ["7"])
    }

    @Test("A key is renamed, with what refers to it")
    func renameKey() throws {
        let more = """
              Page:
                attributes: { id: int }
                relationships: { entry: { to: Entry?, inverse: pages } }
            """
        func text(_ name: String) -> String {
            Self.entry(more: more).replacing("identifier", with: name)
                .replacing(
                    "    identity:", with: "    relationships: { pages: { to: [Page], inverse: entry } }\n    identity:"
                )
        }
        let tables = try PostgreSQLTables(
            text("identifier"), text("code"), renames: [MemberPath("Entry", member: "identifier"): "code"])
        let key = tables.evolution.former.entity("Page")?.relationship("entry")?.foreignKeyColumns[0] ?? ""
        let rows = try tables.run(
            rows: Self.rows + "INSERT INTO page (id, \(key)) VALUES (1, 2);\n",
            between: """
                INSERT INTO entry (identifier, title) VALUES (3, 'Old');
                INSERT INTO entry (code, title) VALUES (4, 'New');

                """, query: "SELECT code FROM entry ORDER BY 1;\n")
        #expect(rows == ["1", "2", "3", "4"])
    }

    @Test("The files say when they are run, and nothing is written if no table changes")
    func files() throws {
        let tables = try PostgreSQLTables(Self.entry(), Self.entry("place: string?"))
        let files = postgreSQLFiles(for: tables.evolution, schema: "Journal", version: 4)
        #expect(files.map(\.name) == ["Journal.4.expand.postgresql.sql", "Journal.4.contract.postgresql.sql"])
        #expect(
            files[0].contents == """
                -- Generated by lockstep for version 4 of Journal.
                -- Run it before the first server of this version.

                BEGIN;

                ALTER TABLE "entry" ADD COLUMN "place" TEXT;

                COMMIT;

                """)
        let same = try PostgreSQLTables(Self.entry(), Self.entry())
        #expect(postgreSQLFiles(for: same.evolution, schema: "Journal", version: 4).isEmpty)
    }
}
