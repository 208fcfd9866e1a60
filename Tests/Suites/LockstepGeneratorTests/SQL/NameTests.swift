import LockstepGenerator
import LockstepSchema
import ServerTestSupport
import Testing

@Suite("Reserved names")
struct NameTests {
    /// Everything that has a name has a bad one; the two tables are named as a trigger names the deleted row.
    private static func hostile(table: String, other: String, local: Bool) -> Schema {
        makeSchema(
            enumerations: [enumeration("Odd", [("a", .string("it's \"a\" 🙂;--")), ("b", .string(""))], closed: true)],
            entities: [
                entity(
                    "Old", table: table, doc: "*/ '; DROP TABLE x; --",
                    [
                        attribute("id", .int, column: "found"),
                        attribute(
                            "a", .string, limits: AttributeLimits(minimumLength: 1), unique: true, column: "se\"le'ct"),
                        attribute(
                            "b", type: .enumeration("Odd"), default: .enumerationCase("a"),
                            column: "group by 🙂 $lockstep$"
                        ),
                        attribute("c", .int, optional: true, limits: AttributeLimits(minimum: "0"), column: "xmin"),
                    ],
                    [
                        toMany("child'ren\"", to: "New", inverse: "parent", onDelete: .cascade),
                        toOne(
                            "fr%iend\\", to: "New", columns: ["tg_op"], onDelete: .deny, local: local
                        ),
                        manyToMany(
                            "tags", to: "New", inverse: "tagged", through: "jo\"in", isLeft: true, onDelete: .cascade
                        ),
                    ],
                    indexes: [IndexStructure(name: table, columns: ["se\"le'ct", "found"], isUnique: false)]
                ),
                entity(
                    "New", table: other, [attribute("id", .int, column: "old")],
                    [
                        toOne("parent", to: "Old", columns: ["new\""], inverse: "child'ren\"", local: local),
                        manyToMany("tagged", to: "Old", inverse: "tags", through: "jo\"in", isLeft: false),
                    ]
                ),
            ],
            joinTables: [
                JoinTable(
                    name: "jo\"in",
                    left: .init(entity: "Old", relationship: "tags", columns: ["lef't"], positionColumn: "po;s"),
                    right: .init(entity: "New", relationship: "tagged", columns: ["rig\"ht"], positionColumn: nil),
                    isLocal: local
                )
            ]
        )
    }

    private static let tables = [("old", "new"), ("new", "old"), ("order", "ta\"b'le 🙂;"), ("found", "Old")]

    private static func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    /// Two parents with a child and a linked record each; the first parent is deleted.
    private static func script(_ table: String, _ other: String) -> (statements: String, query: String) {
        let (table, other) = (quoted(table), quoted(other))
        return (
            #"""
            INSERT INTO \#(table) (found, "se""le'ct") VALUES (1, 'a'), (2, 'b');
            INSERT INTO \#(other) ("old", "new""") VALUES (10, 1), (11, 2), (12, NULL), (13, NULL);
            INSERT INTO "jo""in" ("lef't", "rig""ht") VALUES (1, 12), (2, 13);
            DELETE FROM \#(table) WHERE found = 1
            """#,
            "SELECT \"old\" FROM \(other) ORDER BY 1"
        )
    }

    @Test("SQLite accepts them all, and the delete rules work", arguments: tables, [false, true])
    func sqlite(tables: (String, String), local: Bool) throws {
        let database = try SQLiteDatabase(Self.hostile(table: tables.0, other: tables.1, local: local))
        let script = Self.script(tables.0, tables.1)
        try database.execute(script.statements)
        #expect(try database.rows(script.query) == ["11", "13"])
        try database.execute("UPDATE \(Self.quoted(tables.0)) SET tg_op = 11")
        #expect(database.failure(of: "DELETE FROM \(Self.quoted(tables.0))") == "lockstep.deny: Old.fr%iend\\")
        let values = try database.rows("SELECT \"group by 🙂 $lockstep$\" FROM " + Self.quoted(tables.0))
        #expect(values == ["it's \"a\" 🙂;--"])
    }

    @Test("PostgreSQL accepts them all, and the delete rules work", .enabled(if: PostgreSQLServer.isWanted))
    func postgresql() throws {
        let server = try PostgreSQLServer.require()
        for (table, other) in Self.tables {
            let schema = Self.hostile(table: table, other: other, local: false)
            let script = Self.script(table, other)
            #expect(try server.run(schema, "\(script.statements); \(script.query);") == ["11", "13"])
            let name = Self.quoted(table)
            let denied = "\(script.statements); UPDATE \(name) SET tg_op = 11; DELETE FROM \(name);"
            #expect {
                _ = try server.run(schema, denied)
            } throws: { error in
                "\(error)".contains("lockstep.deny: Old.fr%iend\\")
            }
        }
    }

    @Test("The files are scripts that the databases' own tools can run", .enabled(if: PostgreSQLServer.isWanted))
    func files() throws {
        let schema = Self.hostile(table: "old", other: "ne\"w", local: true)
        let file = String(decoding: sqlFile(for: schema, dialect: .postgresql), as: UTF8.self)
        #expect(try PostgreSQLServer.require().run(file + "SELECT count(*) FROM old;") == ["0"])
    }

    @Test("PostgreSQL would truncate long names: they are shortened, each to a unique name")
    func longNames() throws {
        let long = String(repeating: "é", count: 40)
        let schema = makeSchema(entities: [
            entity(
                "A", table: long,
                [
                    attribute("id", .int),
                    attribute("b", .int, limits: AttributeLimits(minimum: "1"), column: long + "b"),
                    attribute("c", .int, unique: true, column: long + "c"),
                ],
                [toOne("d", to: "A", columns: [long + "d"], onDelete: .cascade)]
            )
        ])
        let statements = sqlStatements(for: schema, dialect: .postgresql)
        let names = statements.joined().split(separator: "\"").filter { $0.contains("é") }
        #expect(names.allSatisfy { $0.utf8.count <= 63 })
        #expect(Set(names).count == 7)
        #expect(statements == sqlStatements(for: schema, dialect: .postgresql))
        guard PostgreSQLServer.isWanted else { return }
        #expect(try PostgreSQLServer.require().run(schema, "SELECT 1;") == ["1"])
        _ = try SQLiteDatabase(schema)
    }

    @Test("An index does not use names that the database assigns by itself", .enabled(if: PostgreSQLServer.isWanted))
    func impliedNames() throws {
        let schema = makeSchema(entities: [
            entity(
                "A", [attribute("id", .int), attribute("b", .int, unique: true)],
                indexes: [
                    IndexStructure(name: "a_pkey", columns: ["b"], isUnique: false),
                    IndexStructure(name: "a_b_key", columns: ["b"], isUnique: false),
                    IndexStructure(name: "A", columns: ["b"], isUnique: false),
                ]
            )
        ])
        #expect(try PostgreSQLServer.require().run(schema, "SELECT 1;") == ["1"])
        _ = try SQLiteDatabase(schema)
    }
}
