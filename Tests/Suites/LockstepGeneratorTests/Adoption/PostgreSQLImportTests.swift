import Foundation
import LockstepEvolution
import LockstepGenerator
import LockstepImport
import LockstepJSON
import LockstepSchema
import ServerTestSupport
import TestSupport
import Testing

@Suite("PostgreSQL databases become schemas", .enabled(if: PostgreSQLServer.isWanted))
struct PostgreSQLImportTests {
    private static let orchard = Result {
        try ImportedDatabase(PostgreSQLFeed(tables: ImportedDatabase.fixture("Orchard.sql")), named: "Orchard")
    }

    private static func imported(_ tables: String) throws -> ImportedSchema {
        try ImportedDatabase(PostgreSQLFeed(tables: tables), named: "Shop").imported()
    }

    /// The line of the attribute `x` in the schema.
    private static func line(_ column: String, before: String = "") throws -> String? {
        try imported("\(before) CREATE TABLE item (id uuid PRIMARY KEY, \(column));").text
            .components(separatedBy: "\n").first { $0.hasPrefix("      x: ") }.map { String($0.dropFirst(6)) }
    }

    @Test("A database with everything becomes the expected schema and report")
    func everything() throws {
        let imported = try Self.orchard.get().imported()
        #expect(try imported.text == ImportedDatabase.fixture("Orchard.yaml"))
        #expect(try imported.report.text("Schemas/Orchard.yaml") == ImportedDatabase.fixture("Orchard.txt"))
        let reading = readSchemas([SchemaSource(path: "Orchard.yaml", bytes: Array(imported.text.utf8))])
        #expect(reading.diagnostics.isEmpty)
    }

    @Test(
        "Types, lengths and defaults of columns",
        arguments: [
            ("x smallint", "x: int16?"), ("x int NOT NULL", "x: int32"), ("x bigint", "x: int64?"),
            ("x real", "x: float?"), ("x float", "x: double?"), ("x numeric", "x: decimal?"), ("x text", "x: string?"),
            ("x varchar(20)", "x: { type: string?, maxLength: 20 }"), ("x bool", "x: bool?"), ("x uuid", "x: uuid?"),
            ("x bytea", "x: data?"), ("x jsonb", "x: json?"), ("x timestamptz(3)", "x: date?"), ("x date", "x: day?"),
            ("x date NOT NULL DEFAULT '2024-02-29'", "x: { type: day, default: 2024-02-29 }"),
            ("x date DEFAULT CURRENT_DATE", "x: day?"), ("x date[]", #"x: "[day]?""#),
            ("x inet", "x: string?"), ("x text[]", #"x: "[string]?""#), ("x int[][] NOT NULL", "x: [int32]"),
            ("x text NOT NULL DEFAULT 'it''s'", #"x: { type: string, default: "it's" }"#),
            ("x int NOT NULL DEFAULT '-1'", "x: { type: int32, default: -1 }"),
            ("x int NOT NULL DEFAULT -1", "x: { type: int32, default: -1 }"),
            ("x numeric DEFAULT 1.50", "x: { type: decimal?, default: 1.5 }"),
            ("x bool DEFAULT false", "x: { type: bool?, default: false }"),
            ("x uuid DEFAULT gen_random_uuid()", "x: { type: uuid?, default: new }"),
            ("x timestamptz DEFAULT now()", "x: { type: date?, default: now }"),
            ("x timestamp DEFAULT (now() AT TIME ZONE 'utc')", "x: { type: date?, default: now }"),
            ("x timestamptz DEFAULT now() + '1 day'", "x: date?"), ("x text DEFAULT current_user", "x: string?"),
            ("x jsonb DEFAULT '{\"a\": 1}'", "x: { type: json?, default: { a: 1 } }"),
            ("x text[] NOT NULL DEFAULT '{}'", "x: { type: [string], default: [] }"),
            ("x text[] NOT NULL DEFAULT ARRAY[]::text[]", "x: { type: [string], default: [] }"),
            ("x text[] NOT NULL DEFAULT '{a}'", "x: [string]"),
            ("x int GENERATED ALWAYS AS IDENTITY", "x: { type: int32?, readOnly: true }"),
            ("y int, x int GENERATED ALWAYS AS (y + 1) STORED", "x: { type: int32?, readOnly: true }"),
        ])
    func types(column: String, line: String) throws { #expect(try Self.line(column) == line) }

    @Test(
        "Conditions that the language has",
        arguments: [
            ("x int CHECK (x > 0)", "x: { type: int32?, min: 1 }"),
            ("x int CHECK (x BETWEEN -5 AND 5)", "x: { type: int32?, min: -5, max: 5 }"),
            ("x numeric CHECK (x >= 0.5 AND x <= 9)", "x: { type: decimal?, min: 0.5, max: 9 }"),
            ("x text CHECK (length(x) <= 8)", "x: { type: string?, maxLength: 8 }"),
            ("x varchar(9) CHECK (char_length(x) >= 2)", "x: { type: string?, minLength: 2, maxLength: 9 }"),
            ("x text CHECK (x <> '')", "x: { type: string?, minLength: 1 }"),
            ("x text CHECK (x IN ('a', 'b'))", "x: ItemX?"), ("x varchar CHECK (x IN ('a', 'b'))", "x: ItemX?"),
            ("x text CHECK (x = 'a')", "x: string?"), ("x text CHECK (x ~ '^[a-z]+$')", "x: string?"),
            ("x int, y int, CHECK (x > y)", "x: int32?"), ("x text CHECK (lower(x) = x)", "x: string?"),
            ("x text CHECK (x IN ('a]', '[b'))", "x: ItemX?"),
            ("x numeric CHECK (x >= -5 AND x <= 9::bigint)", "x: { type: decimal?, min: -5, max: 9 }"),
            ("x numeric CHECK (x::integer >= 5)", "x: decimal?"),
            ("x text CHECK (x::date <> '2026-01-01')", "x: string?"),
            ("x float CHECK (5 <= x::integer)", "x: double?"), ("x text CHECK (x::varchar(1) <> '')", "x: string?"),
            ("x int CHECK (x > 0), \"X\" int CHECK (\"X\" < 9)", "x: { type: int32?, min: 1 }"),
        ])
    func checks(column: String, line: String) throws { #expect(try Self.line(column) == line) }

    @Test("The conditions of a domain are those of its columns, and what the language lacks is reported")
    func domains() throws {
        let domains = """
            CREATE DOMAIN share AS numeric CHECK (VALUE >= 0 AND VALUE <= 1);
            CREATE DOMAIN small_share AS share NOT NULL CHECK (VALUE <> 0.25);
            """
        #expect(try Self.line("x share", before: domains) == "x: { type: decimal?, min: 0, max: 1 }")
        #expect(try Self.line("x small_share", before: domains) == "x: { type: decimal, min: 0, max: 1 }")
        let imported = try Self.imported("\(domains) CREATE TABLE item (id uuid PRIMARY KEY, x small_share);")
        let left = imported.report.notes.filter { $0.kind == .left }.map(\.text)
        #expect(left == ["item: CHECK (x: VALUE::numeric <> 0.25)"])
    }

    @Test("A chain of domains has an end", arguments: [16, 17])
    func chains(count: Int) throws {
        let domains = (1...count).map { "CREATE DOMAIN d\($0) AS \($0 == 1 ? "integer" : "d\($0 - 1)");" }
        let line = Result { try Self.line("x d\(count)", before: domains.joined(separator: " ")) }
        if count <= 16 { return #expect(try line.get() == "x: int32?") }
        let failure = try #require(throws: ImportFailure.self) { try line.get() }
        #expect(failure.reason.hasPrefix("The list 'domains' has more than 16 domains that are based on each other"))
    }

    @Test("Columns are keys of the JSON, and what no name derives is written")
    func names() throws {
        let text = try Self.imported(
            """
            CREATE TABLE people (id uuid PRIMARY KEY);
            CREATE TABLE "newsItems" (
                id uuid PRIMARY KEY, "head Line" text, image_url text, writer uuid NOT NULL REFERENCES people
            );
            """
        ).text
        #expect(text.contains("wire: { names: snake_case }\n"))
        #expect(text.contains("    table: newsItems\n    remote: { path: /newsItems }\n"))
        #expect(text.contains("      headLine: { type: string?, key: head Line, column: head Line }\n"))
        #expect(text.contains("      imageURL: string?\n"))
        #expect(text.contains("      writer: { to: Person, inverse: newsItems, key: writer, column: writer }\n"))
    }

    @Test("A column that is only named like a key is reported, and one with a key to another schema is none of them")
    func undeclared() throws {
        let imported = try Self.imported(
            """
            CREATE SCHEMA other; CREATE TABLE other.owners (id uuid PRIMARY KEY);
            CREATE TABLE owners (id uuid PRIMARY KEY);
            CREATE TABLE item (id uuid PRIMARY KEY, owner_id uuid REFERENCES other.owners);
            CREATE TABLE box (id uuid PRIMARY KEY, owner_id uuid);
            """)
        let notes = imported.report.notes.map(\.text).filter { $0.contains("is an attribute") }
        #expect(
            notes == [
                "box.owner_id is an attribute, because it has no foreign key",
                "item.owner_id is an attribute: other.owners is in another schema",
            ])
    }

    @Test("Names that differ only in case are two names, and a table is one step of a path")
    func spelling() throws {
        let imported = try Self.imported(
            """
            CREATE TABLE "Item" (id uuid PRIMARY KEY);
            CREATE TABLE item (id uuid PRIMARY KEY, owner uuid NOT NULL REFERENCES "Item");
            CREATE TABLE "a/../b" (id uuid PRIMARY KEY);
            CREATE TABLE ".." (id uuid PRIMARY KEY);
            """)
        let text = imported.text
        #expect(text.contains(#"remote: { path: "/a%2F..%2Fb" }"#))
        #expect(text.components(separatedBy: "remote: none").count == 2)
        #expect(imported.report.notes.map(\.text).contains("The table '..': no request can name it"))
        let reading = readSchemas([SchemaSource(path: "Shop.yaml", bytes: Array(text.utf8))])
        let structure = try #require(reading.schemas.first).structure
        let owners = structure.entities.flatMap(\.relationships).filter { !$0.foreignKeyColumns.isEmpty }
        #expect(owners.map { structure.entity($0.destination)?.table } == ["Item"])
    }

    @Test("A table that is no record of an app stays on the server, or has no identity to be synced by")
    func others() throws {
        let imported = try Self.imported(
            """
            CREATE TABLE item (id uuid PRIMARY KEY);
            CREATE TABLE event (kind text);
            CREATE VIEW things AS SELECT * FROM item;
            CREATE TABLE lockstep_meta (epoch uuid);
            """)
        #expect(imported.text.contains("  Event:\n    identity: localID\n    remote: none\n"))
        #expect(imported.report.counts.entities == 2)
        let notes = imported.report.notes.map(\.text)
        #expect(notes.contains("things, a view"))
        #expect(notes.contains("Tables that `--server` has made: lockstep_meta"))
    }

    @Test("What is only named like the objects of a server is the user's own")
    func ownNames() throws {
        let imported = try Self.imported(
            """
            CREATE TABLE item (id uuid PRIMARY KEY);
            ALTER TABLE item ENABLE ROW LEVEL SECURITY;
            CREATE POLICY lockstep_owners ON item USING (TRUE);
            CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
            CREATE TRIGGER lockstep_touch BEFORE UPDATE ON item FOR EACH ROW EXECUTE FUNCTION touch();
            CREATE TABLE lockstep_notes (id uuid PRIMARY KEY);
            CREATE VIEW lockstep_items AS SELECT * FROM item;
            """)
        #expect(imported.report.counts.entities == 2)
        let notes = imported.report.notes.map(\.text)
        #expect(notes.contains("item: row-level security: 'lockstep_owners' (ALL USING true)"))
        #expect(notes.contains("Triggers, which the server executes: lockstep_touch of item"))
        #expect(notes.contains("lockstep_items, a view"))
        let table = "Note: `table: lockstep_notes` was left out, because the table 'lockstep_notes' begins with"
        #expect(notes.contains { $0.hasPrefix(table) }, "\(notes)")
    }

    @Test("A list identifies no record")
    func listsAsKeys() throws {
        let text = try Self.imported("CREATE TABLE item (x text[] PRIMARY KEY, y integer);").text
        #expect(text.contains("  Item:\n    identity: localID\n    remote: none\n"))
        #expect(text.contains("      x: [string]\n"))
    }

    @Test("A foreign key to a table with partitions is one relationship, and one to a partition an attribute")
    func partitions() throws {
        let imported = try Self.imported(
            """
            CREATE TABLE sale (id integer PRIMARY KEY) PARTITION BY RANGE (id);
            CREATE TABLE sale_a PARTITION OF sale FOR VALUES FROM (0) TO (10);
            CREATE TABLE item (
                id uuid PRIMARY KEY, sale_id integer REFERENCES sale, part integer REFERENCES sale_a
            );
            """)
        #expect(imported.text.contains("      sale: { to: Sale?, inverse: items }\n"))
        let notes = imported.report.notes.map(\.text).filter { $0.contains("sale_a") }
        #expect(notes.count == 1 && notes[0].hasPrefix("item.part is an attribute: "), "\(notes)")
        #expect(notes.first?.hasSuffix(".sale_a is not imported") == true)
    }

    @Test("Links in columns that the schema cannot name are attributes, with which the tables become a server")
    func misnamedLinks() throws {
        let database = try ImportedDatabase(
            PostgreSQLFeed(
                tables: """
                    CREATE TABLE notes (id uuid PRIMARY KEY, code text NOT NULL UNIQUE);
                    CREATE TABLE tags (id uuid PRIMARY KEY);
                    CREATE TABLE note_tags (n uuid REFERENCES notes, t uuid REFERENCES tags, PRIMARY KEY (n, t));
                    CREATE TABLE rows_of (orchard integer, number integer, PRIMARY KEY (orchard, number));
                    CREATE TABLE stakes (
                        id uuid PRIMARY KEY, o integer NOT NULL, n integer NOT NULL, note_code text NOT NULL,
                        FOREIGN KEY (o, n) REFERENCES rows_of, FOREIGN KEY (note_code) REFERENCES notes (code)
                    );
                    """), named: "Notes")
        let imported = try database.imported()
        #expect(imported.text.contains("    identity: [n, t]\n"))
        #expect(imported.text.contains("      n: uuid\n      t: uuid\n"))
        #expect(imported.text.contains("      o: int32\n      n: int32\n      noteCode: string\n"))
        let reason = "because the relationship would have other columns"
        let left = imported.report.notes.map(\.text).filter { $0.hasSuffix(reason) }
        #expect(
            left.sorted() == [
                "note_tags.n: the reference to notes, \(reason)", "note_tags.t: the reference to tags, \(reason)",
                "stakes.note_code: the reference to notes, \(reason)",
                "stakes.o, n: the reference to rows_of, \(reason)",
            ])
        let schema = try database.schema { text in
            text.replacing("    attributes:\n", with: "    scope: public\n    attributes:\n")
        }
        #expect(try database.adoption(for: schema).misfits == [])
    }

    // MARK: The round trip

    private static func schema(_ path: String) throws -> Schema {
        let source = SchemaSource(path: path, bytes: Array(try Documentation.text(of: path).utf8))
        return try #require(readSchemas([source]).schemas.first)
    }

    /// The tables of a schema as lines, without what only names or the order of columns say.
    private static func tables(_ schema: Schema) -> [String: Set<String>] {
        var statements = SchemaStatements(schema.structure, dialect: .postgresql)
        var tables: [String: Set<String>] = [:]
        for case .createTable(let table) in statements.statements() {
            for column in table.columns {
                let isKey = column.key != .none || table.primaryKey.contains(column.name)
                let form = isKey ? "key" : column.isRequired ? "required" : "optional"
                let name = SQLDialect.postgresql.accepted(column.name)
                tables[table.name, default: []].insert("\(name) \(column.type) \(form)")
            }
        }
        return tables
    }

    /// The links to one record: the columns, and what they refer to.
    private static func links(_ schema: Schema) -> Set<String> {
        let structure = schema.structure
        return Set(
            structure.entities.flatMap { entity in
                entity.relationships.filter { !$0.foreignKeyColumns.isEmpty }.map { link in
                    let target = structure.entity(link.destination)?.table ?? ""
                    return "\(entity.table) \(link.foreignKeyColumns) \(target) \(link.isOptional)"
                }
            })
    }

    @Test(
        "The tables that are generated for a schema become a schema with the same tables and links",
        arguments: [
            "Schemas/Journal.yaml", "Schemas/Shop.yaml", "Schemas/OfflineTasks.yaml", "Schemas/Checklist.yaml",
            "Tests/Suites/LockstepGeneratorTests/Fixtures/Lists.yaml",
            "Tests/Samples/ServerSamples/Garden.lockstep.yaml", "Tests/Samples/ServerSamples/Orders.lockstep.yaml",
        ])
    func roundTrip(path: String) throws {
        let schema = try Self.schema(path)
        let tables = String(decoding: sqlFile(for: schema, dialect: .postgresql), as: UTF8.self)
        let database = try ImportedDatabase(PostgreSQLFeed(tables: tables), named: schema.name)
        let imported = try database.schema()
        #expect(Self.tables(imported) == Self.tables(schema))
        #expect(Self.links(imported) == Self.links(schema))
        #expect(try database.adoption(for: schema).misfits == [])
    }

    // MARK: Hostile files

    @Test(
        "A file in which any value is another one is imported, or refused with the place",
        arguments: Seeds.some(3, of: UInt64(1)...1000))
    func mutations(seed: UInt64) throws {
        let database = try Self.orchard.get()
        let value = try JSONValue(json: database.description)
        var generator = SeededRandom(seed: seed)
        let replacements: [JSONValue] = [
            .null, true, 7, "", "'", "\"", "(((", "a::b::", "[", "\u{0}", "\u{202E}", [], ["a"], [.null], [:],
            .string(String(repeating: "(", count: 5000)), .string(String(repeating: "x AND ", count: 3000)),
        ]
        var refused = 0
        for _ in 0..<100 {
            let mutated = Self.replacingOne(of: value, by: replacements.randomElement(using: &generator)!, &generator)
            let file = ImportedDatabase(named: "Orchard", description: try mutated.json())
            do {
                let imported = try file.imported()
                let reading = readSchemas([SchemaSource(path: "Orchard.yaml", bytes: Array(imported.text.utf8))])
                #expect(!reading.schemas.isEmpty)
            } catch let failure as ImportFailure {
                refused += 1
                // Another file than a description is read as sample JSON.
                let isPlaced = ["'", "It ", "The list "].contains { failure.reason.hasPrefix($0) }
                #expect(isPlaced && failure.reason.hasSuffix("."), "\(failure.reason)")
            }
        }
        #expect(refused > 0)
    }

    /// Replaces a value, at any depth.
    private static func replacingOne(
        of value: JSONValue, by other: JSONValue, _ generator: inout SeededRandom
    ) -> JSONValue {
        if Int.random(in: 0..<12, using: &generator) == 0 { return other }
        switch value {
        case .array(var elements) where !elements.isEmpty:
            let index = Int.random(in: elements.indices, using: &generator)
            elements[index] = replacingOne(of: elements[index], by: other, &generator)
            return .array(elements)
        case .object(var members) where !members.isEmpty:
            let key = members.map(\.key).sorted().randomElement(using: &generator)!
            members[key] = replacingOne(of: members[key] ?? .null, by: other, &generator)
            return .object(members)
        default: return other
        }
    }

    @Test(
        "Another file is refused with what to do",
        arguments: [
            (#"{"lockstep": "postgresql"}"#, "'form' is not a number"),
            (#"{"lockstep": "postgresql", "form": 1}"#, "'tables' is not a list"),
            ("\u{FEFF} " + #"{"lockstep": "postgresql", "form": 1}"#, "'tables' is not a list"),
            (#"{"tables": [{"lockstep": 1}], "lockstep": "postgresql"}"#, "'form' is not a number"),
            (#"{"form": 2, "lockstep": "postgresql"}"#, "It was made by a newer lockstep: 'form' is 2, and this"),
            (#"{"lockstep": "postgresql", "form": 1, "tables": [{}]}"#, "'tables[0].name' is not a text"),
            (#"{"lockstep": "postgresql", "tables": "#, "It is not JSON"),
            (
                #"{"lockstep": "postgresql", "form": 1, "tables": [], "enums": [], "domains": [], "others": []}"#,
                "It has no table"
            ),
        ])
    func refusal(text: String, message: String) throws {
        let failure = try #require(throws: ImportFailure.self) {
            try ImportedDatabase(named: "Shop", description: Data(text.utf8)).imported()
        }
        #expect(failure.reason.hasPrefix(message))
    }
}
