import Foundation
import LockstepGenerator
import LockstepImport
import LockstepSchema
import LockstepStore
import Testing

@testable import ImportedModels

/// Databases whose rows are taken over into stores of the schemas that were made of them, as their models see them.
@MainActor
@Suite("The rows of SQLite databases are taken over")
struct SQLiteRowsTests {
    private let folder: URL
    private var file: URL { folder.appendingPathComponent("store.sqlite") }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Creates a store, and runs the script of a fixture on its file.
    ///
    /// - Returns: The store, and the list of what was left out.
    private func takeOver<Schema: StoreSchema>(
        _ name: String, into schema: Schema.Type, changing change: (String) -> String = { $0 }
    ) throws -> (store: Store, leftOut: [String]) {
        try Store(schema, at: .file(file)).close()
        let fixture = try SQLiteFixture(name)
        let script = change(try fixture.script(fixture.imported(hasRows: true)))
        let before = try fixture.files()
        let rows = try SQLiteTool(file.path).run(script)
        #expect(try fixture.files() == before)
        let leftOut = rows.map { $0.map { $0 ?? "NULL" }.joined(separator: " | ") }
        return (try Store(schema, at: .file(file)), leftOut)
    }

    @Test("The script is as expected")
    func script() throws {
        let imported = try SQLiteFixture("Clinic").imported(hasRows: true)
        #expect(imported.companions.map(\.name) == ["Clinic.rows.sql"])
        #expect(try imported.companions.first?.text == ImportFixture.expected("Clinic.rows.sql"))
    }

    @Test("Values of all types have their stored form")
    func values() throws {
        let (store, leftOut) = try takeOver("Ledger", into: LedgerSchema.self)
        #expect(leftOut.isEmpty)
        let context = store.mainContext
        let accounts = try context.fetch(Account.order(\.id))
        let first = try #require(accounts.first)
        #expect(first.iban == "DE89370400440532013000" && first.kind == .giro && first.level == .value1)
        #expect(first.balance == Decimal(string: "12.50") && first.rate == nil && first.overdraft == 500)
        #expect(first.isOpen && !first.frozen && first.hasCard == true)
        #expect(first.openedOn == Day("2020-02-29"))
        #expect(first.createdAt == Date(timeIntervalSince1970: 1_714_566_600.25))
        #expect(accounts.last?.kind == .savingsAccount && accounts.last?.isOpen == false && accounts.last?.rate == 0.02)

        let reference = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
        let transaction = try #require(try context.find(Transaction.self, reference))
        #expect(transaction.account === first && transaction.amount == Decimal(string: "9.99"))
        #expect(transaction.price == Decimal(string: "9.99") && transaction.small == 12)
        #expect(transaction.medium == 70000 && transaction.large == 5_000_000_000 && transaction.ratio == 0.5)
        #expect(transaction.receipt == Data([0xCA, 0xFE]) && transaction.payload == Data([1, 2]))
        #expect(transaction.requestUUID == UUID(uuidString: "FFEEDDCC-BBAA-9988-7766-554433221100"))
        #expect(transaction.trace == UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF"))
        #expect(transaction.details == ["a": [1, .null]] && transaction.link == URL(string: "https://example.com/1"))
        #expect(transaction.bookedAt == Date(timeIntervalSince1970: 1_714_566_600))
        #expect(transaction.seenAt == Date(timeIntervalSince1970: 1_714_566_600.123))
        #expect(transaction.importedAt == Date(timeIntervalSince1970: 1_714_566_599.997))
        #expect(transaction.valuedAt == Date(timeIntervalSince1970: 1_714_566_600.123456).roundedToStore)
        #expect(transaction.note == "first" && transaction.flags == 5)
        let second = try context.fetch(Transaction.filter { $0.note == "second" }).first
        #expect(second?.valuedAt == Date(timeIntervalSince1970: 1_714_566_600))
        #expect(second?.details == [:] && second?.seenAt == nil)
        #expect(try context.fetch(Rate.all()).count == 2)
    }

    @Test("Links match: single and composite keys, minted keys, and join tables")
    func links() throws {
        let (store, leftOut) = try takeOver("Clinic", into: ClinicSchema.self)
        let context = store.mainContext
        let doctors = try context.fetch(Doctor.order(\.id))
        #expect(doctors.map(\.name) == ["Ann", "Ben", "Cem", "Dee"])
        #expect(doctors[1].boss === doctors[0] && doctors[2].boss === doctors[1] && doctors[3].boss == nil)
        #expect(doctors[0].home?.name == "North" && doctors[3].home == nil)
        #expect(doctors[0].skills.map(\.title).sorted() == ["Chess", "Surgery"])
        #expect(doctors[0].receivers.map(\.name) == ["Ben"] && doctors[2].senders.map(\.name) == ["Ben"])
        #expect(doctors[0].badge?.number == "no 1")

        let patients = try context.fetch(Patient.order(\.name))
        #expect(patients.map(\.name) == ["Pat", "Quin", "Rob"])
        #expect(Set(patients.map(\.localID)).count == 3)
        #expect(patients[0].doctor === doctors[1] && patients[0].substitute === doctors[2])
        #expect(patients[0].bed?.number == 2 && patients[0].bed?.ward.name == "North")
        #expect(patients[1].bed == nil && patients[2].bed == nil && patients[2].substitute === doctors[0])

        let visit = try #require(try context.fetch(Visit.all()).only)
        #expect(visit.doctor === doctors[0] && visit.doctorKey == 1 && visit.minutes == 30)
        #expect(visit.file.barcode == "f-1" && visit.fileKey == "f-1")
        let memos = try context.fetch(Memo.order(\.text))
        #expect(memos.map(\.text) == ["first", "second"])
        #expect(memos[0].locker?.label == "L 2" && memos[1].locker == nil)
        #expect(memos[0].locker?.memos.count == 1)
        try store.checkIntegrity()
        #expect(
            leftOut == [
                "file | 2 | doctor_id | 88 | refers to a row that is not copied",
                "visit | 2 | barcode | f-2 | refers to a row that is not copied",
                "badge | 66 | doctor_id | 66 | refers to a row that is not copied",
                "doctor | 4 | boss_id | 99 | refers to a row that is not copied: it is not linked",
                "doctor | 4 | home_code | C | refers to a row that is not copied: it is not linked",
                "patients | 3 | doctor_id | 77 | refers to a row that is not copied: it is not linked",
                "patients | 3 | bed_ward, bed_number | 'B', 9 | "
                    + "refers to a row that is not copied: it is not linked",
                "memo | 2 | locker_label | L 9 | refers to a row that is not copied: it is not linked",
                "doctor_skill | 9 1 | doctor_id, skill_id | 9, 1 | links a row that is not copied",
            ])
    }

    @Test("Awkward names, bytes as a key and cycles of links are taken over")
    func names() throws {
        let (store, leftOut) = try takeOver("Attic", into: AtticSchema.self) { script in
            script.replacingOccurrences(
                of: "INSERT INTO temp.guard", with: "INSERT INTO main.egg VALUES (7, NULL);\nINSERT INTO temp.guard")
        }
        #expect(leftOut.isEmpty)
        let row = try #require(try store.mainContext.fetch(T1.all()).only)
        #expect(row.id == 1 && row.select == "a" && row.itSQuoted == "b" && row.member == "c" && row.member2 == "d")
        #expect(try store.mainContext.fetch(OrderItem.all()).only?.imageURL == "https://example.com")
        let part = try #require(try store.mainContext.fetch(Part.all()).only)
        #expect(part.id.uuidString == "6F9619FF-8B86-D011-B42D-00C04FC964FF" && part.box.label == "Toys")
        #expect(try store.mainContext.fetch(Hash.all()).only?.digest == Data([0, 255]))
    }

    @Test("Rows that are taken over are not pending")
    func notPending() async throws {
        let (store, _) = try takeOver("Clinic", into: ClinicSchema.self)
        #expect(try await store.outbox.pending().isEmpty)
        let context = store.mainContext
        try #require(try context.find(Skill.self, 1)).title = "Sewing"
        try await context.save()
        #expect(try await store.outbox.pending().count == 1)
    }

    @Test("Without the statement that says so, they are pending as new records")
    func pending() async throws {
        let (store, _) = try takeOver("Ledger", into: LedgerSchema.self) { script in
            script.replacingOccurrences(of: "INSERT INTO lockstep_quiet (id) VALUES (NULL);", with: "")
        }
        let pending = try await store.outbox.pending()
        #expect(pending.count == 6 && pending.allSatisfy { $0.kind == .create })
    }

    @Test("A second run fails, and changes nothing, also if its other statements run")
    func twice() throws {
        let (store, _) = try takeOver("Clinic", into: ClinicSchema.self)
        try store.close()
        let fixture = try SQLiteFixture("Clinic")
        let script = try fixture.script(fixture.imported(hasRows: true))
        let failure = #expect(throws: SQLiteTool.Failure.self) { try SQLiteTool(file.path).run(script) }
        #expect(failure?.message == "CHECK constraint failed: the store has rows already")
        #expect(
            try SQLiteTool(file.path).runToEnd(script) == ["CHECK constraint failed: the store has rows already"])
        let again = try Store(ClinicSchema.self, at: .file(file))
        // Nothing but a new key tells these rows apart.
        #expect(try again.mainContext.fetch(Memo.all()).count == 2)
        #expect(try again.mainContext.fetch(Patient.all()).count == 3)
        try again.checkIntegrity()
    }

    @Test("A database that only the generated SQL has made gets the rows, too", arguments: SQLiteFixture.names)
    func plain(name: String) throws {
        let fixture = try SQLiteFixture(name)
        let imported = try fixture.imported(hasRows: true)
        let reading = readSchemas([SchemaSource(path: "\(name).yaml", bytes: Array(imported.text.utf8))])
        let schema = try #require(reading.schemas.first)
        let plain = try SQLiteTool(file.path)
        for statement in sqlStatements(for: schema, dialect: .sqlite) { try plain.run(statement) }
        let leftOut = try plain.run(fixture.script(imported))
        let old = try SQLiteTool(fixture.path)
        var known = 0
        for entity in schema.entities {
            let table = SQLiteRowsTests.oldNames[entity.tableName] ?? entity.tableName
            let rows = try old.run("SELECT 1 FROM \"\(table)\"").count
            let taken = try plain.run("SELECT 1 FROM \"\(entity.tableName)\"").count
            let refused = leftOut.filter { $0[0] == table && $0[4]?.contains(": it is not") == false }.count
            #expect(rows == taken + refused, "\(table)")
            known += rows
        }
        #expect(known > 0)
    }

    /// The tables whose names a store cannot have.
    private static let oldNames = ["part": "lockstep_parts"]

    @Test("Rows whose required values do not fit are listed, and left out with what requires them")
    func misfits() throws {
        let sql = try SQLiteFixture("Ledger")
        try SQLiteTool(sql.path).run(
            """
            PRAGMA ignore_check_constraints = ON;
            WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
                INSERT INTO accounts (id, iban, owner, opened_on)
                SELECT i, 'IBAN' || (10000000000 + i), 'x', '2020-01-01' FROM n;
            UPDATE accounts SET owner = '' WHERE id = 1501;
            UPDATE accounts SET kind = 'other' WHERE id = 1502;
            UPDATE accounts SET opened_on = 'soon' WHERE id = 1503;
            UPDATE accounts SET balance = '1,5' WHERE id = 1504;
            UPDATE accounts SET overdraft = 'much' WHERE id = 1505;
            INSERT INTO "transaction" (reference, account_id, amount, booked_at)
                VALUES ('00000000-0000-4000-8000-000000000001', 1501, 1, 1714566600),
                    ('00000000-0000-4000-8000-000000000002', 1506, 1, 1714566600);
            """)
        let imported = try sql.imported(hasRows: true)
        // The sample has read other rows, and so the schema is the same.
        let expected = try ImportFixture.expected("Ledger.lockstep.yaml")
        try #require(
            imported.text.components(separatedBy: "lockstep: 1")[1]
                == expected.components(separatedBy: "lockstep: 1")[1])
        try Store(LedgerSchema.self, at: .file(file)).close()
        let rows = try SQLiteTool(file.path).run(sql.script(imported))
        #expect(
            rows.map { $0.map { $0 ?? "NULL" }.joined(separator: " | ") } == [
                "accounts | 1501 | owner |  | is outside of its limits",
                "accounts | 1502 | kind | other | is outside of its limits",
                "accounts | 1504 | balance | 1,5 | has another form",
                "accounts | 1503 | opened_on | soon | has another form",
                "accounts | 1505 | overdraft | much | has another form: it is not copied",
                "transaction | 3 | account_id | 1501 | refers to a row that is not copied",
            ])
        let store = try Store(LedgerSchema.self, at: .file(file))
        #expect(try store.mainContext.fetch(Account.all()).count == 2 + 8001 - 4)
        #expect(try store.mainContext.find(Account.self, 1505)?.overdraft == nil)
        #expect(try store.mainContext.fetch(Transaction.all()).count == 3)
    }

    @Test("If an optional value does not fit, its row is copied without it, and listed")
    func optionalMisfits() throws {
        let fixture = try SQLiteFixture(
            "Shop",
            """
            CREATE TABLE item (id INTEGER PRIMARY KEY, x, size INT CHECK (size BETWEEN 1 AND 9), name TEXT NOT NULL);
            PRAGMA ignore_check_constraints = ON;
            INSERT INTO item VALUES (1, 5, 1, 'a'), (2, 'six', 50, 'b'), (3, x'ff', 3, 'c'), (4, x'00', NULL, x'01'),
                (5, 'y', NULL, 'd');
            """)
        let imported = try fixture.imported(hasRows: true)
        try #require(imported.lines.contains("x: string?") && imported.lines.contains("name: string"))
        let plain = try plain(fixture)
        let leftOut = try plain.run(fixture.script(imported)).map { row in
            // Without the value.
            [0, 1, 2, 4].map { row[$0] ?? "NULL" }.joined(separator: " | ")
        }
        #expect(
            leftOut == [
                "item | 4 | name | has another form", "item | 3 | x | has another form: it is not copied",
                "item | 4 | x | has another form: it is not copied",
                "item | 2 | size | is outside of its limits: it is not copied",
            ])
        let rows = try plain.run("SELECT id, x, size, name FROM item ORDER BY id")
        #expect(
            rows == [
                ["1", "5", "1", "a"], ["2", "six", nil, "b"], ["3", nil, "3", "c"], ["5", "y", nil, "d"],
            ])
    }

    @Test("Keys that are the same in the store: the first row is taken over, and the others are listed")
    func sameKeys() throws {
        let fixture = try SQLiteFixture(
            "Shop",
            """
            CREATE TABLE item (id TEXT PRIMARY KEY, name TEXT);
            INSERT INTO item VALUES ('6F9619FF-8B86-D011-B42D-00C04FC964FF', 'a'),
                ('6f9619ff-8b86-d011-b42d-00c04fc964ff', 'b'), ('00000000-0000-4000-8000-000000000001', 'c');
            """)
        let plain = try plain(fixture)
        let leftOut = try plain.run(fixture.script(fixture.imported(hasRows: true)))
        #expect(
            leftOut == [
                ["item", "2", "id", "'6f9619ff-8b86-d011-b42d-00c04fc964ff'", "has the same key as another row"]
            ])
        #expect(try plain.run("SELECT name FROM item ORDER BY name") == [["a"], ["c"]])
    }

    @Test("Rows that the store drops or changes while they are copied are listed, and so are infinite numbers")
    func comparison() throws {
        let fixture = try SQLiteFixture(
            "Shop",
            """
            CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            CREATE TABLE item (id INTEGER PRIMARY KEY, size REAL, weight REAL NOT NULL);
            CREATE TABLE item_tag (item_id INTEGER REFERENCES item (id), tag_id INTEGER REFERENCES tag (id),
                PRIMARY KEY (item_id, tag_id));
            INSERT INTO tag VALUES (1, 'a'), (2, 'b'), (3, 'c');
            INSERT INTO item VALUES (1, 9e999, 1), (2, 0.5, -9e999), (3, NULL, 1), (4, 5, 1);
            INSERT INTO item_tag VALUES (1, 1), (3, 1), (4, 2);
            """)
        let plain = try plain(fixture)
        try plain.run(
            """
            CREATE TRIGGER a BEFORE INSERT ON tag WHEN NEW.id = 2 BEGIN SELECT RAISE(IGNORE); END;
            CREATE TRIGGER b AFTER INSERT ON tag WHEN NEW.id = 3 BEGIN UPDATE tag SET name = 'x' WHERE id = 3; END;
            CREATE TRIGGER c BEFORE INSERT ON tag_item WHEN NEW.item_id = 1 BEGIN SELECT RAISE(IGNORE); END;
            """)
        let leftOut = try plain.run(fixture.script(fixture.imported(hasRows: true)))
        #expect(
            leftOut.map { $0.map { $0 ?? "NULL" }.joined(separator: " | ") } == [
                "item | 2 | weight | -Inf | has another form",
                "item | 1 | size | Inf | has another form: it is not copied",
                "item_tag | 3 | item_id, tag_id | 4, 2 | links a row that is not copied",
                "tag | 2 |  | NULL | is not in the store as it was copied",
                "tag | 3 |  | NULL | is not in the store as it was copied",
                "item_tag | 1 |  | NULL | is not in the store as it was copied",
            ])
    }

    /// A database that only the generated SQL of a fixture has made.
    private func plain(_ fixture: SQLiteFixture) throws -> SQLiteTool {
        let text = try fixture.imported().text
        let reading = readSchemas([SchemaSource(path: "Shop.yaml", bytes: Array(text.utf8))])
        let plain = try SQLiteTool(file.path)
        for statement in sqlStatements(for: try #require(reading.schemas.first), dialect: .sqlite) {
            try plain.run(statement)
        }
        return plain
    }

    @Test("Each row is read once: all lookups use an index")
    func plans() throws {
        try Store(ClinicSchema.self, at: .file(file)).close()
        let fixture = try SQLiteFixture("Clinic")
        let script = try fixture.script(fixture.imported(hasRows: true))
        let store = try SQLiteTool(file.path)
        try store.run(script)
        // The views stay until the connection is closed.
        let tables = ["ward", "bed", "doctor", "patients", "file", "visit", "badge", "locker", "memo", "doctor_skill"]
        for table in tables {
            let plan = try store.run(
                """
                EXPLAIN QUERY PLAN SELECT * FROM temp."rows of \(table)" AS n
                    WHERE NOT EXISTS (SELECT 1 FROM temp.left_out AS l
                        WHERE l."table" = '\(table)' AND l."row" = n."row");
                """
            ).compactMap { $0[3] }
            #expect(plan.filter { $0.hasPrefix("SCAN") }.count == 1, "\(table): \(plan)")
            #expect(plan.contains { $0.hasSuffix("left_out_row (table=? AND row=?)") }, "\(table): \(plan)")
        }
    }

    @Test("A store of Lockstep refers to its schema")
    func ownStore() throws {
        try Store(LedgerSchema.self, at: .file(file)).close()
        let failure = #expect(throws: ImportFailure.self) {
            try importSchema([ImportInput(path: file.path)], options: ImportOptions())
        }
        #expect(
            failure?.reason
                == "It is already a Lockstep store. Its schema 'Ledger' is in it, and in the app that has written "
                + "it."
        )
    }
}

extension Array {
    fileprivate var only: Element? { count == 1 ? first : nil }
}
