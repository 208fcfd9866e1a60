import LockstepGenerator
import LockstepSchema
import ServerTestSupport
import Testing

@Suite("Limits and defaults")
struct LimitTests {
    static let size = enumeration("Size", [("small", .string("S")), ("large", .string("it's L"))], closed: true)
    static let priority = enumeration("Priority", [("low", .int(0)), ("high", .int(10))], closed: true)

    static let product = makeSchema(
        enumerations: [size, priority],
        entities: [
            entity(
                "Product",
                [
                    attribute("id", .int),
                    attribute(
                        "stock", .int, default: .integer(1), limits: AttributeLimits(minimum: "0", maximum: "1_000")),
                    attribute("price", .decimal, default: .decimal("9.90"), limits: AttributeLimits(maximum: "+1e3")),
                    attribute("weight", .float, optional: true, limits: AttributeLimits(maximum: "0.1")),
                    attribute(
                        "name", .string, default: .string("it's"),
                        limits: AttributeLimits(minimumLength: 1, maximumLength: 5)
                    ),
                    attribute("photo", .data, optional: true, limits: AttributeLimits(minimumLength: 2)),
                    attribute(
                        "tags", type: .list(.scalar(.string)), default: .list([.string("a\"b"), .string("c")]),
                        limits: AttributeLimits(maximumLength: 2)
                    ),
                    attribute("size", type: .enumeration("Size"), default: .enumerationCase("large")),
                    attribute("priority", type: .enumeration("Priority"), optional: true),
                ]
            )
        ]
    )

    @Test("They are column constraints in SQLite")
    func sqlite() {
        #expect(
            sqlStatements(for: Self.product, dialect: .sqlite) == [
                """
                CREATE TABLE "product" (
                    "id" INTEGER PRIMARY KEY NOT NULL,
                    "stock" INTEGER NOT NULL DEFAULT 1 CHECK ("stock" >= 0 AND "stock" <= 1000),
                    "price" TEXT NOT NULL DEFAULT '9.9' CHECK (CAST("price" AS REAL) <= 1000),
                    "weight" REAL CHECK ("weight" <= 0.10000000149011612),
                    "name" TEXT NOT NULL DEFAULT 'it''s' CHECK ("name" <> '' AND length("name") <= 5),
                    "photo" BLOB CHECK (length("photo") >= 2),
                    "tags" TEXT NOT NULL DEFAULT '["a\\"b","c"]' CHECK (json_array_length("tags") <= 2),
                    "size" TEXT NOT NULL DEFAULT 'it''s L' CHECK ("size" IN ('S', 'it''s L')),
                    "priority" INTEGER CHECK ("priority" IN (0, 10))
                )
                """
            ]
        )
    }

    @Test("They are column constraints in PostgreSQL")
    func postgresql() {
        #expect(
            sqlStatements(for: Self.product, dialect: .postgresql) == [
                """
                CREATE TABLE "product" (
                    "id" BIGINT PRIMARY KEY NOT NULL,
                    "stock" BIGINT NOT NULL DEFAULT 1 CHECK ("stock" >= 0 AND "stock" <= 1000),
                    "price" NUMERIC NOT NULL DEFAULT 9.9 CHECK ("price" <= 1000),
                    "weight" REAL CHECK ("weight" <= 0.10000000149011612),
                    "name" TEXT NOT NULL DEFAULT 'it''s' CHECK ("name" <> '' AND length("name") <= 5),
                    "photo" BYTEA CHECK (octet_length("photo") >= 2),
                    "tags" JSONB NOT NULL DEFAULT '["a\\"b","c"]' CHECK (jsonb_array_length("tags") <= 2),
                    "size" TEXT NOT NULL DEFAULT 'it''s L' CHECK ("size" IN ('S', 'it''s L')),
                    "priority" BIGINT CHECK ("priority" IN (0, 10))
                )
                """
            ]
        )
    }

    /// Values for a new product, and whether they are accepted.
    static let products: [(columns: String, values: String, isTaken: Bool)] = [
        ("id", "1", true),
        ("id, stock", "1, 1000", true), ("id, stock", "1, 1001", false), ("id, stock", "1, -1", false),
        ("id, price", "1, '1000.00'", true), ("id, price", "1, '1000.01'", false), ("id, price", "1, '99'", true),
        ("id, weight", "1, 0.10000000149011612", true), ("id, weight", "1, 0.2", false),
        ("id, weight", "1, NULL", true),
        ("id, name", "1, 'äöü🙂!'", true), ("id, name", "1, '123456'", false), ("id, name", "1, ''", false),
        ("id, tags", "1, '[\"a\",\"b\"]'", true), ("id, tags", "1, '[1,2,3]'", false),
        ("id, size", "1, 'S'", true), ("id, size", "1, 's'", false),
        ("id, priority", "1, 10", true), ("id, priority", "1, 5", false), ("id, priority", "1, NULL", true),
    ]

    @Test("SQLite enforces them for rows", arguments: products)
    func sqliteRows(columns: String, values: String, isTaken: Bool) throws {
        let failure = try SQLiteDatabase(Self.product).failure(
            of: "INSERT INTO product (\(columns)) VALUES (\(values))"
        )
        #expect((failure == nil) == isTaken, "\(failure ?? "")")
        if let failure { #expect(failure.hasPrefix("CHECK constraint failed")) }
    }

    @Test("PostgreSQL enforces them for rows", .enabled(if: PostgreSQLServer.isWanted))
    func postgresqlRows() throws {
        let attempts = Self.products.map { product in
            """
            DO $do$ BEGIN
                INSERT INTO product (\(product.columns)) VALUES (\(product.values));
                DELETE FROM product;
                INSERT INTO answers (taken) VALUES (TRUE);
            EXCEPTION WHEN check_violation THEN INSERT INTO answers (taken) VALUES (FALSE);
            END $do$;
            """
        }
        let script =
            "CREATE TABLE answers (place SERIAL, taken BOOLEAN);" + attempts.joined(separator: "\n")
            + "SELECT taken FROM answers ORDER BY place;"
        let answers = try PostgreSQLServer.require().run(Self.product, script)
        #expect(answers == Self.products.map { $0.isTaken ? "t" : "f" })
    }

    @Test("A length counts the scalars of a text and the bytes of data")
    func lengths() throws {
        let database = try SQLiteDatabase(Self.product)
        #expect(database.failure(of: "INSERT INTO product (id, photo) VALUES (1, X'00')") != nil)
        #expect(database.failure(of: "INSERT INTO product (id, photo) VALUES (1, X'0000')") == nil)
        #expect(database.failure(of: "INSERT INTO product (id, name) VALUES (2, CAST(X'0041' AS TEXT))") == nil)
    }

    /// A default of each kind: the type, the value, and its value in a new row, in SQLite and in PostgreSQL.
    static let defaults: [(ScalarType, DefaultValue, String, String)] = [
        (.bool, .bool(true), "1", "true"), (.int, .integer(.min), "-9223372036854775808", "-9223372036854775808"),
        (.int64, .integer(.max), "9223372036854775807", "9223372036854775807"),
        (.double, .double(1e300), "1e+300", "1e+300"), (.double, .integer(2), "2.0", "2"),
        (.double, .double(-.infinity), "-inf", "-Infinity"), (.float, .double(0.1), "0.10000000149011612", "0.1"),
        (.decimal, .decimal("-00.50"), "-0.5", "-0.5"), (.decimal, .integer(3), "3", "3"),
        (.decimal, .decimal("12345678901234567890.5"), "12345678901234567890.5", "12345678901234567890.5"),
        (.date, .date(1.5), "1.5", "1970-01-01 00:00:01.5+00"),
        (
            .uuid, .uuid("00000000-0000-0000-0000-0000000000ff"), "00000000-0000-0000-0000-0000000000ff",
            "00000000-0000-0000-0000-0000000000ff"
        ),
        (.url, .url("https://a.b/?c='d'"), "https://a.b/?c='d'", "https://a.b/?c='d'"),
        (.data, .data([0, 255]), "X'00FF'", #"\x00ff"#), (.json, .json(#"{"a": 1}"#), #"{"a": 1}"#, #"{"a": 1}"#),
        (.string, .string("a\\n'\"🙂"), "a\\n'\"🙂", "a\\n'\"🙂"), (.string, .string(""), "", ""),
    ]

    static func schema(_ type: ScalarType, _ value: DefaultValue) -> Schema {
        makeSchema(entities: [entity("A", [attribute("id", .int), attribute("value", type, default: value)])])
    }

    @Test("A new row in SQLite has the default", arguments: defaults)
    func sqliteDefault(type: ScalarType, value: DefaultValue, sqlite: String, postgresql: String) throws {
        let database = try SQLiteDatabase(Self.schema(type, value))
        try database.execute("INSERT INTO a (id) VALUES (1)")
        let expression = type == .data ? "quote(value)" : "value"
        #expect(try database.rows("SELECT \(expression) FROM a") == [sqlite])
    }

    @Test("A new row in PostgreSQL has the default", .enabled(if: PostgreSQLServer.isWanted))
    func postgresqlDefaults() throws {
        let attributes = Self.defaults.enumerated().map { attribute("v\($0)", $1.0, default: $1.1) }
        let schema = makeSchema(entities: [entity("A", [attribute("id", .int)] + attributes)])
        let values = attributes.map { $0.name + "::text" }.joined(separator: ", ")
        let rows = try PostgreSQLServer.require().run(
            schema, "SET TIME ZONE 'UTC'; INSERT INTO a (id) VALUES (1); SELECT \(values) FROM a;"
        )
        #expect(rows == [Self.defaults.map { $0.3 }.joined(separator: "|")])
    }

    @Test("A text with a NUL is a default in SQLite only, since PostgreSQL cannot store it")
    func nul() throws {
        let schema = Self.schema(.string, .string("a\0b"))
        let database = try SQLiteDatabase(schema)
        try database.execute("INSERT INTO a (id) VALUES (1)")
        #expect(try database.rows("SELECT hex(value), typeof(value) FROM a") == ["610062|text"])
        #expect(!sqlStatements(for: schema, dialect: .postgresql)[0].contains("DEFAULT"))
    }

    @Test("A default generated for each record stays in the model")
    func madePerRecord() {
        for (type, value) in [(ScalarType.date, DefaultValue.now), (.uuid, .newUUID)] {
            #expect(!sqlStatements(for: Self.schema(type, value), dialect: .sqlite)[0].contains("DEFAULT"))
        }
    }

    @Test("A list's default is compact JSON")
    func lists() {
        let cases: [(AttributeType, [DefaultValue], String)] = [
            (.scalar(.string), [.string("\u{1}\n/é")], #"["\u0001\n/é"]"#), (.scalar(.bool), [.bool(true)], "[true]"),
            (.scalar(.double), [.double(1), .double(0.5)], "[1,0.5]"), (.scalar(.decimal), [.decimal("1.10")], "[1.1]"),
            (.scalar(.data), [.data([1]), .data([1, 2]), .data([1, 2, 3])], #"["AQ==","AQI=","AQID"]"#),
            (.scalar(.json), [.json("{}")], "[{}]"), (.enumeration("Priority"), [.enumerationCase("high")], "[10]"),
            (.scalar(.date), [.date(1.5)], "[1.5]"), (.scalar(.int), [], "[]"),
        ]
        for (type, elements, text) in cases {
            let schema = makeSchema(
                enumerations: [Self.priority],
                entities: [entity("A", [attribute("list", type: .list(type), default: .list(elements))])]
            )
            let statement = sqlStatements(for: schema, dialect: .sqlite)[0]
            #expect(statement.contains(#""list" TEXT NOT NULL DEFAULT '\#(text)'"#), "\(statement)")
        }
    }
}
