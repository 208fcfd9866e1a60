import Foundation
import LockstepImport
import LockstepSchema
import Testing

@Suite("SQLite databases become schemas")
struct SQLiteImportTests {
    @Test("A fixture of each feature becomes the expected schema and report", arguments: SQLiteFixture.names)
    func fixture(name: String) throws {
        let imported = try SQLiteFixture(name).imported()
        #expect(try imported.text == ImportFixture.expected("\(name).lockstep.yaml"))
        #expect(try imported.report.text("Schemas/\(name).yaml") == ImportFixture.expected("\(name).txt"))
        #expect(imported.companions.isEmpty)
    }

    @Test("The schema breaks no rule", arguments: SQLiteFixture.names)
    func rules(name: String) throws {
        let text = try SQLiteFixture(name).imported().text
        let reading = readSchemas([SchemaSource(path: "\(name).yaml", bytes: Array(text.utf8))])
        #expect(reading.diagnostics.isEmpty)
        #expect(reading.schemas.map(\.name) == [name])
    }

    /// The line of an attribute in the schema.
    static func line(_ column: String, _ statements: String = "", attribute: String = "x") throws -> String? {
        let imported = try SQLiteFixture(
            "Shop", "CREATE TABLE item (id INTEGER PRIMARY KEY, \(column)); \(statements)"
        ).imported()
        return imported.text.components(separatedBy: "\n").first { $0.hasPrefix("      \(attribute): ") }
            .map { String($0.dropFirst(6)) }
    }

    @Test(
        "Declared types",
        arguments: [
            ("x INTEGER NOT NULL", "x: int"), ("x INT", "x: int?"), ("x BIGINT", "x: int64?"),
            ("x TINYINT", "x: int16?"), ("x UNSIGNED BIG INT", "x: int64?"), ("x MEDIUMINT(4)", "x: int32?"),
            ("x TEXT", "x: string?"), ("x VARCHAR(20)", "x: { type: string?, maxLength: 20 }"),
            ("x NATIVE CHARACTER(70)", "x: { type: string?, maxLength: 70 }"), ("x CLOB", "x: string?"),
            ("x DOUBLE PRECISION", "x: double?"), ("x FLOAT", "x: double?"), ("x BLOB", "x: data?"),
            ("x BOOLEAN", "x: bool?"), ("x DATETIME", "x: date?"), ("x DATE", "x: day?"), ("x TIMESTAMP", "x: date?"),
            ("x DECIMAL(10,5)", "x: decimal?"), ("x NUMERIC", "x: decimal?"), ("x UUID", "x: uuid?"),
            ("x JSON", "x: json?"), ("x URL", "x: url?"), ("x", "x: string?"), ("x GEOMETRY", "x: string?"),
        ])
    func types(column: String, line: String) throws { #expect(try Self.line(column) == line) }

    @Test(
        "Values decide where the declaration does not, and where they contradict it",
        arguments: [
            ("x", "1), (2", "x: int?"), ("x", "1), (2.5", "x: double?"), ("x", "'a'), (1", "x: string?"),
            ("x", "x'00'), (x'01'", "x: data?"), ("x BOOLEAN", "0), (1", "x: bool?"),
            ("x BOOLEAN", "0), (2", "x: int?"), ("x BOOLEAN", "'true'), ('no'", "x: bool?"),
            ("x DATETIME", "'2024-05-01 12:30:00'), ('soon'", "x: string?"),
            ("x DATETIME", "1714566600), (0", "x: date?"), ("x DATETIME", "1714566600123", "x: date?"),
            ("x DATETIME", "17", "x: int?"), ("x DATETIME", "1714566600), (1714566600123", "x: int?"),
            ("x TEXT", "'2024-05-01T12:30:00Z'", "x: date?"), ("x TEXT", "'2024-05-01T12:30Z'", "x: string?"),
            ("x TEXT", "'2024-05-01'", "x: string?"), ("x DATE", "'2024-05-01'", "x: day?"),
            ("x DATE", "'2024-05-01 12:30:00'", "x: date?"), ("x DATETIME", "'2024-05-01'", "x: date?"),
            ("x DATE", "1714566600", "x: date?"), ("x TEXT", "'2024-13-01 12:30:00'", "x: string?"),
            ("x TEXT", "'2024-05-01 24:00:00'", "x: string?"), ("x TEXT", "'2024-05-01 12:30:00+0200'", "x: date?"),
            ("x TEXT", "'6F9619FF-8B86-D011-B42D-00C04FC964FF'", "x: uuid?"),
            ("x TEXT", "'6F9619FF-8B86-D011-B42D-00C04FC964FG'", "x: string?"),
            ("x UUID", "x'6F9619FF8B86D011B42D00C04FC964FF'", "x: uuid?"), ("x UUID", "x'00'", "x: data?"),
            ("x BLOB", "x'6F9619FF8B86D011B42D00C04FC964FF'", "x: data?"),
            ("x SMALLINT", "40000", "x: int?"), ("x INT4", "-3000000000", "x: int?"),
            ("x DECIMAL", "'1.50'), (2), (3.5", "x: decimal?"), ("x DECIMAL", "'1.5 EUR'", "x: string?"),
            ("x INTEGER", "'many'", "x: string?"), ("x JSON", "'{\"a\": 1}'", "x: json?"),
            ("x JSON", "'{'", "x: string?"), ("x VARCHAR(3)", "'four'", "x: string?"),
            ("x VARCHAR(4)", "'four'", "x: { type: string?, maxLength: 4 }"),
        ])
    func values(column: String, values: String, line: String) throws {
        #expect(try Self.line(column, "INSERT INTO item (x) VALUES (\(values));") == line)
    }

    @Test(
        "Names help to tell dates, bools and amounts",
        arguments: [
            ("created_at INTEGER", "1714566600", "createdAt: date?"),
            ("created NUMERIC", "1714566600", "created: date?"), ("size NUMERIC", "1714566600", "size: decimal?"),
            ("createdAt REAL", "1714566600.5", "createdAt: date?"),
            ("count INTEGER", "1714566600", "count: int?"), ("birthday TEXT", "'1984-01-24'", "birthday: day?"),
            ("is_done INTEGER", "1), (0", "isDone: bool?"), ("is_done INTEGER", "2", "isDone: int?"),
            ("archived INTEGER", "0", "archived: bool?"), ("score INTEGER", "1), (0", "score: int?"),
            ("price TEXT", "'9.90'), ('10'", "price: decimal?"), ("version TEXT", "'9.90'", "version: string?"),
            ("item_uuid BLOB", "x'6F9619FF8B86D011B42D00C04FC964FF'", "itemUUID: uuid?"),
        ])
    func names(column: String, values: String, line: String) throws {
        let name = String(column.prefix { $0 != " " })
        let attribute = String(line.prefix { $0 != ":" })
        var found = try Self.line(column, "INSERT INTO item (\(name)) VALUES (\(values));", attribute: attribute)
        // The former name of a column that is not in snake_case.
        found = found?.replacingOccurrences(of: "{ type: date?, column: createdAt }", with: "date?")
        #expect(found == line)
    }

    @Test(
        "Constraints become limits, enums and bools",
        arguments: [
            ("x INT CHECK (x >= 0)", "x: { type: int?, min: 0 }"), ("x INT CHECK (x > 0)", "x: { type: int?, min: 1 }"),
            ("x INT CHECK (0 <= x AND x < 10)", "x: { type: int?, min: 0, max: 9 }"),
            ("x INT CHECK (x BETWEEN -5 AND 5)", "x: { type: int?, min: -5, max: 5 }"),
            ("x REAL CHECK (x BETWEEN 0.5 AND 1e2)", "x: { type: double?, min: 0.5, max: 100 }"),
            ("x REAL CHECK (x > 0)", "x: double?"),
            ("x TEXT CHECK (length(x) <= 8)", "x: { type: string?, maxLength: 8 }"),
            ("x TEXT CHECK (length(x) > 0)", "x: { type: string?, minLength: 1 }"),
            ("x TEXT CHECK (length(x) = 7)", "x: { type: string?, minLength: 7, maxLength: 7 }"),
            ("x TEXT CHECK (x <> '')", "x: { type: string?, minLength: 1 }"),
            (
                "\"x\" TEXT CHECK ((\"x\") IS NULL OR (length([x]) BETWEEN 1 AND 3))",
                "x: { type: string?, minLength: 1, maxLength: 3 }"
            ),
            ("x TEXT CHECK (x IN ('a', 'b'))", "x: ItemX?"), ("x TEXT CHECK (`x` in ('a', NULL))", "x: ItemX?"),
            ("x INT CHECK (x IN (10, 20))", "x: ItemX?"), ("x INT CHECK (x IN (0, 1))", "x: bool?"),
            ("x INT CHECK (x % 2 = 0)", "x: int?"),
            ("x INT CHECK (x > 0 OR x < -5)", "x: int?"), ("x INT CHECK (x > 0 AND x % 2 = 0)", "x: int?"),
            ("x INT CHECK (x IS NOT NULL)", "x: int?"), ("x INT CHECK (x > 9223372036854775807)", "x: int?"),
            ("x TEXT CHECK (x IN ('a', 'b')) DEFAULT 'b'", "x: { type: ItemX?, default: b }"),
        ])
    func constraints(column: String, line: String) throws {
        #expect(try Self.line(column) == line)
    }

    @Test(
        "Constraints without a counterpart are reported as they are written",
        arguments: [
            "x % 2 = 0", "x > 0 OR x < -5", "x IN (1, id)", "x > 9223372036854775807", "length(x) > id",
            "x IS NOT NULL",
        ])
    func otherConstraints(check: String) throws {
        let imported = try SQLiteFixture(
            "Shop", "CREATE TABLE item (id INTEGER PRIMARY KEY, x INT /* ( */ CHECK (\(check)) -- )\n);"
        ).imported()
        #expect(imported.report.notes.contains { $0.kind == .left && $0.text == "item: CHECK (\(check))" })
    }

    @Test(
        "Defaults",
        arguments: [
            ("x INT DEFAULT 7", "x: { type: int?, default: 7 }"),
            ("x INT DEFAULT -7", "x: { type: int?, default: -7 }"),
            ("x INT DEFAULT 0x10", "x: { type: int?, default: 16 }"),
            ("x REAL DEFAULT .5", "x: { type: double?, default: 0.5 }"),
            ("x TEXT DEFAULT 'a ''b'''", "x: { type: string?, default: \"a 'b'\" }"),
            ("x TEXT DEFAULT NULL", "x: string?"), ("x BOOLEAN DEFAULT 1", "x: { type: bool?, default: true }"),
            ("x BOOLEAN DEFAULT FALSE", "x: { type: bool?, default: false }"),
            ("x DATETIME DEFAULT CURRENT_TIMESTAMP", "x: { type: date?, default: now }"),
            ("x DATETIME DEFAULT (strftime('%s', 'now'))", "x: { type: date?, default: now }"),
            ("x DATETIME DEFAULT (datetime('now', '+1 day'))", "x: date?"),
            ("x DATETIME DEFAULT '2024-05-01 12:30'", "x: { type: date?, default: \"2024-05-01T12:30:00Z\" }"),
            ("x DECIMAL DEFAULT 9.90", "x: { type: decimal?, default: 9.9 }"),
            ("x TEXT DEFAULT (upper('a'))", "x: string?"),
            ("x INT DEFAULT 'seven'", "x: int?"), ("x TEXT DEFAULT 5", "x: { type: string?, default: \"5\" }"),
        ])
    func defaults(column: String, line: String) throws { #expect(try Self.line(column) == line) }

    @Test("Values are read from all of a table, not from its beginning only")
    func spread() throws {
        let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
        let early = "INSERT INTO item SELECT i, CASE WHEN i > 15000 THEN 'late' ELSE i END FROM n;"
        #expect(try Self.line("x", rows + early) == "x: string?")
    }

    @Test("A key with NULL in it is reported")
    func nullKey() throws {
        let imported = try SQLiteFixture(
            "Shop", "CREATE TABLE item (code TEXT PRIMARY KEY); INSERT INTO item VALUES (NULL), ('a');"
        ).imported()
        #expect(imported.text.contains("      code: string\n"))
        #expect(imported.report.notes.contains { $0.kind == .left && $0.text == "item.code: rows in which it is NULL" })
    }

    @Test("A column without a type and with values of several is a string, with a note")
    func mixed() throws {
        let imported = try SQLiteFixture(
            "Shop", "CREATE TABLE item (id INTEGER PRIMARY KEY, x); INSERT INTO item (x) VALUES (1), ('a'), (x'00');"
        ).imported()
        let note = "item.x, without a type, is string: it has values of several types"
        #expect(imported.report.notes.contains { $0.kind == .decided && $0.text == note })
    }

    @Test("Bytes among texts are said to be left out of the copy")
    func bytesAmongTexts() throws {
        let sql =
            "CREATE TABLE item (id INTEGER PRIMARY KEY, x, y); INSERT INTO item (x, y) VALUES (1, 1), (x'00', 'a');"
        let notes = try SQLiteFixture("Shop", sql).imported().report.notes
        #expect(
            notes.first { $0.text.hasPrefix("item.x,") }?.help
                == "Bytes are not strings: the script of `--rows` lists them, and does not copy them.")
        #expect(notes.contains { $0.text.hasPrefix("item.y,") && $0.help == nil })
    }

    @Test(
        "A column of whole numbers that becomes a bool is in the report",
        arguments: [
            ("is_read INTEGER", "item.is_read, INTEGER, is bool: its name says so, and all of its values are 0 or 1"),
            ("x INT CHECK (x IN (0, 1))", "item.x, INT, is bool: its CHECK allows 0 and 1"),
        ])
    func bools(column: String, text: String) throws {
        let name = column.prefix { $0 != " " }
        let notes = try SQLiteFixture(
            "Shop",
            "CREATE TABLE item (id INTEGER PRIMARY KEY, \(column)); INSERT INTO item (\(name)) VALUES (0), (1);"
        ).imported().report.notes
        let note = try #require(notes.first { $0.text.contains("is bool") })
        #expect(note.kind == .decided && note.text == text && note.help == "If it is a number, write `int`.")
    }

    @Test("The precision of a decimal is reported, and the length of a number is not")
    func precision() throws {
        let imported = try SQLiteFixture(
            "Shop", "CREATE TABLE item (id INTEGER PRIMARY KEY, a DECIMAL(10,2), b NUMERIC(5), c DECIMAL, d INT(11));"
        ).imported()
        #expect(
            imported.notes(.left) == [
                "item.a: the precision and the scale of DECIMAL(10,2)",
                "item.b: the precision and the scale of NUMERIC(5)",
            ])
    }

    @Test("Tables of libraries and the version of the file are mentioned with what they are")
    func bookkeeping() throws {
        let imported = try SQLiteFixture(
            "Shop",
            """
            CREATE TABLE item (id INTEGER PRIMARY KEY);
            CREATE TABLE android_metadata (locale TEXT);
            CREATE TABLE grdb_migrations (identifier TEXT);
            PRAGMA user_version = 7;
            """
        ).imported()
        #expect(
            imported.notes(.ignored) == [
                "android_metadata, in which Android records the locale",
                "grdb_migrations, in which a library records its migrations",
                "PRAGMA user_version = 7: a store records its own version",
            ])
    }

    @Test("A column that is named like the key of another table is reported, if it has no foreign key")
    func undeclared() throws {
        let imported = try SQLiteFixture(
            "Shop",
            """
            CREATE TABLE TBL_AUTHORS (id INTEGER PRIMARY KEY);
            CREATE TABLE book (id INTEGER PRIMARY KEY, author_id INTEGER, editorID INTEGER REFERENCES TBL_AUTHORS (id),
                author INTEGER, shelf_id INTEGER);
            """
        ).imported()
        let notes = imported.report.notes.filter { $0.text.hasSuffix("because it has no foreign key") }
        #expect(notes.map(\.text) == ["book.author_id is an attribute, because it has no foreign key"])
        #expect(
            notes.first?.help
                == "If it refers to Author, declare `REFERENCES` in a copy of the database and import that.")
    }

    @Test("Names of keys can lack the prefix of their table, mean the own table, or be half of a pair")
    func undeclaredNames() throws {
        let imported = try SQLiteFixture(
            "Shop",
            """
            CREATE TABLE app_orders (id INTEGER PRIMARY KEY, parent_id INTEGER);
            CREATE TABLE app_lines (id INTEGER PRIMARY KEY, order_id INTEGER, line_id INTEGER, line_type TEXT);
            """
        ).imported()
        let ending = " is an attribute, because it has no foreign key"
        #expect(
            imported.notes(.decided).filter { $0.hasSuffix(ending) }
                == ["app_orders.parent_id\(ending)", "app_lines.order_id\(ending)"])
        #expect(
            imported.notes(.left) == ["app_lines.line, a relationship to records of several tables (polymorphic)"])
    }

    @Test("The ends of a relationship are named by its columns, and by what they refer to")
    func linkNames() throws {
        let imported = try SQLiteFixture(
            "Shop",
            """
            CREATE TABLE users (id INTEGER PRIMARY KEY);
            CREATE TABLE book (
                id INTEGER PRIMARY KEY, user TEXT, user_id INTEGER REFERENCES users (id),
                editor_id INTEGER REFERENCES users (id)
            );
            CREATE TABLE readings (
                reader_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
                title_id INTEGER REFERENCES book (id) ON DELETE CASCADE
            );
            """
        ).imported()
        let lines = imported.lines
        #expect(lines.contains("userRecord: { to: User?, inverse: booksByUserRecord, column: user_id }"))
        #expect(lines.contains("editor: { to: User?, inverse: booksByEditor }"))
        #expect(lines.contains("titles: { to: [Book], inverse: readers }"))
        #expect(lines.contains("readers: { to: [User], inverse: titles }"))
        #expect(
            imported.notes(.decided).contains(
                "book.user_id is the relationship 'userRecord': the name 'user' is that of a column"))
    }

    @Test("A long list of names inside of a sentence is cut off with its count, but not in a complete report")
    func longLists() throws {
        let tables = (1...120).map { "CREATE TABLE t\($0) (id INTEGER PRIMARY KEY);" }.joined()
        let report = try SQLiteFixture("Shop", tables).imported().report
        #expect(report.text("x").contains(" more; in a store, a new record has the identity"))
        #expect(report.text("x", isComplete: true).contains("T119, T120; in a store, a new record has the identity"))
    }

    @Test("The key of a table needs no foreign key, although it has the name of the table")
    func ownKey() throws {
        let imported = try SQLiteFixture(
            "Shop", "CREATE TABLE Genre (GenreId INTEGER PRIMARY KEY NOT NULL, Name TEXT)"
        ).imported()
        #expect(!imported.notes(.decided).contains { $0.contains("has no foreign key") })
    }

    @Test("A NUMERIC key of whole numbers is an int, as what refers to it")
    func numericKey() throws {
        let actor = "CREATE TABLE actor (actor_id NUMERIC NOT NULL PRIMARY KEY, name TEXT NOT NULL);"
        let imported = try SQLiteFixture(
            "Shop",
            "\(actor) CREATE TABLE role (id INTEGER PRIMARY KEY, actor_id INT NOT NULL REFERENCES actor);"
        ).imported()
        #expect(imported.lines.contains("actorID: int"))
        #expect(imported.lines.contains { $0.hasPrefix("actor: { to: Actor, ") })
        #expect(imported.notes(.left).isEmpty)
        let fractions = try SQLiteFixture("Shop", "\(actor) INSERT INTO actor VALUES (1.5, 'a')").imported()
        #expect(fractions.lines.contains("actorID: decimal"))
    }

    @Test("The value of a CHECK can be in parentheses")
    func parentheses() throws {
        #expect(try Self.line("x REAL NOT NULL, CHECK ([x]>=(0))") == "x: { type: double, min: 0 }")
        #expect(try Self.line("x REAL NOT NULL, CHECK (x >= (-(1)))") == "x: double")
    }

    @Test("Values of any spelling are cases of an enum, also 'unknown', a negative number and an empty text")
    func enumValues() throws {
        let lines = try SQLiteFixture(
            "Shop",
            """
            CREATE TABLE door (id INTEGER PRIMARY KEY, state TEXT CHECK (state IN ('unknown', 'IN_USE', '')),
                floor INTEGER CHECK (floor IN (-1, 0)));
            """
        ).imported().lines
        #expect(
            lines.contains("DoorState: { closed: true, cases: { unspecified: unknown, inUse: IN_USE, empty: \"\" } }"))
        #expect(lines.contains("DoorFloor: { type: int, closed: true, cases: { valueMinus1: -1, value0: 0 } }"))
    }
}
