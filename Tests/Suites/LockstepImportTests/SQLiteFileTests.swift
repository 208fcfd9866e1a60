import Foundation
import LockstepImport
import Testing

@Suite("Databases that are in use, damaged or something else")
struct SQLiteFileTests {
    private static let table =
        "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (1, 'a');"

    private func failure(_ fixture: SQLiteFixture) -> String? {
        #expect(throws: ImportFailure.self) { try fixture.imported() }?.reason
    }

    // MARK: Nothing is changed

    @Test("Neither the file nor the files beside it change", arguments: ["DELETE", "WAL"])
    func unchanged(mode: String) throws {
        let fixture = try SQLiteFixture("Shop", "PRAGMA journal_mode = \(mode); \(Self.table)")
        let before = try fixture.files()
        #expect(before.keys.sorted() == ["Shop.sqlite"])
        #expect(try fixture.imported().text.contains("  Item:"))
        #expect(try fixture.files() == before)
    }

    @Test("What is only in the WAL file is read, while the app has the database open")
    func openWAL() throws {
        let fixture = try SQLiteFixture("Shop", "PRAGMA journal_mode = WAL; \(Self.table)")
        let app = try SQLiteTool(fixture.path)
        try app.run("CREATE TABLE basket (id INTEGER PRIMARY KEY);")
        let before = try fixture.files()
        #expect(try !#require(before["Shop.sqlite-wal"]).isEmpty)
        let imported = try fixture.imported()
        #expect(imported.text.contains("  Item:") && imported.text.contains("  Basket:"))
        let after = try fixture.files()
        #expect(after.keys.sorted() == before.keys.sorted())
        #expect(after["Shop.sqlite"] == before["Shop.sqlite"])
        #expect(after["Shop.sqlite-wal"] == before["Shop.sqlite-wal"])
        try app.run("INSERT INTO item VALUES (2, 'b');")
    }

    @Test("A WAL file that was copied with the database is read, and stays")
    func copiedWAL() throws {
        let fixture = try SQLiteFixture("Shop", "PRAGMA journal_mode = WAL; \(Self.table)")
        let app = try SQLiteTool(fixture.path)
        try app.run("CREATE TABLE basket (id INTEGER PRIMARY KEY);")
        let copy = try SQLiteFixture("Shop", "")
        for suffix in ["", "-wal"] {
            try Data(contentsOf: URL(fileURLWithPath: fixture.path + suffix))
                .write(to: URL(fileURLWithPath: copy.path + suffix))
        }
        let before = try copy.files()
        #expect(try copy.imported().text.contains("  Basket:"))
        #expect(try copy.files() == before)
    }

    @Test("A transaction that a crash has left in the journal is not read")
    func hotJournal() throws {
        let fixture = try SQLiteFixture("Shop", Self.table)
        let app = try SQLiteTool(fixture.path)
        // A small cache writes pages before the commit.
        try app.run(
            "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; CREATE TABLE half (id INTEGER PRIMARY KEY, t);")
        try app.run(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
                + "INSERT INTO half SELECT i, hex(randomblob(100)) FROM n;")
        let crashed = try SQLiteFixture("Shop", "")
        for suffix in ["", "-journal"] {
            try Data(contentsOf: URL(fileURLWithPath: fixture.path + suffix))
                .write(to: URL(fileURLWithPath: crashed.path + suffix))
        }
        let before = try crashed.files()
        #expect(try !#require(before["Shop.sqlite-journal"]).isEmpty)
        let imported = try crashed.imported()
        #expect(imported.text.contains("  Item:") && !imported.text.contains("  Half:"))
        #expect(try crashed.files() == before)
    }

    @Test("A database that is locked says so")
    func locked() throws {
        let fixture = try SQLiteFixture("Shop", Self.table)
        let app = try SQLiteTool(fixture.path)
        try app.run("BEGIN EXCLUSIVE;")
        #expect(failure(fixture) == "Another program is writing to it. Close that program, or import a copy.")
        try app.run("ROLLBACK;")
        #expect(try fixture.imported().text.contains("  Item:"))
    }

    @Test("It can come from standard input")
    func standardInput() throws {
        let fixture = try SQLiteFixture("Shop", Self.table)
        let data = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
        let imported = try importSchema([ImportInput(standardInput: data)], options: ImportOptions(name: "Shop"))
        #expect(imported.text.contains("  Item:"))
        let failure = #expect(throws: ImportFailure.self) {
            try importSchema([ImportInput(standardInput: data)], options: ImportOptions(hasRows: true))
        }
        #expect(failure?.reason.contains("Save it as a file, and import that") == true)
    }

    @Test("A name with signs that mean something in a URI")
    func names() throws {
        let fixture = try SQLiteFixture("a?b%20#c'd é", "CREATE TABLE \"größe\" (\"é\" TEXT);")
        let imported = try fixture.imported(hasRows: true)
        #expect(imported.text.contains("  Größe:"))
        let script = try #require(imported.companions.first?.text)
        #expect(script.contains("ATTACH 'file:a%3Fb%2520%23c%27d%20%C3%A9.sqlite?mode=ro' AS old;"))
    }

    @Test("A database in UTF-16 is read, and its rows are refused, because a store cannot attach it")
    func encoding() throws {
        let fixture = try SQLiteFixture("Shop", "PRAGMA encoding = 'UTF-16le'; CREATE TABLE \"größe\" (\"é\" TEXT);")
        #expect(try fixture.imported().text.contains("  Größe:"))
        let failure = #expect(throws: ImportFailure.self) { try fixture.imported(hasRows: true) }
        #expect(failure?.reason.hasPrefix("It is in UTF-16le, and a store in UTF-8 cannot attach it.") == true)
    }

    // MARK: Damage

    @Test("Files that are no database, or not all of one")
    func damaged() throws {
        let fixture = try SQLiteFixture("Shop", Self.table)
        let data = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
        try fixture.write(Data())
        #expect(failure(fixture) == "It is empty, or cannot be read. Check the path.")
        try fixture.write(data.prefix(50))
        #expect(failure(fixture) == "It is cut off within its header. Get a complete copy.")
        try fixture.write(data.prefix(5000))
        #expect(failure(fixture) == "It is cut off: it has 5000 of 8192 bytes. Get a complete copy.")
        try fixture.write(Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 197 &+ $0 / 7) }))
        #expect(failure(fixture)?.hasPrefix("It does not begin as an SQLite database does") == true)
        try fixture.write(data.prefix(16) + Data(repeating: 0x5A, count: 8192))
        #expect(failure(fixture)?.contains("encrypted or damaged") == true)
        #expect(try fixture.files().keys.sorted() == ["Shop.sqlite"])
    }

    @Test("A page of the schema or of a table that was overwritten", arguments: [0, 1])
    func overwrittenPage(page: Int) throws {
        let fixture = try SQLiteFixture("Shop", "PRAGMA page_size = 512; \(Self.table)")
        var data = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
        let start = max(page * 512, 100)
        try #require(start + 100 <= data.count)
        data.replaceSubrange(start..<start + 100, with: Data(repeating: 0xFF, count: 100))
        try fixture.write(data)
        #expect(failure(fixture)?.contains("damaged") == true)
    }

    @Test("Every byte of the schema changed: an import, or a failure that names the file")
    func mutations() throws {
        let fixture = try SQLiteFixture("Shop", "PRAGMA page_size = 512; \(Self.table)")
        let data = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
        var failures = 0
        for index in stride(from: 16, to: data.count, by: 3) {
            var changed = data
            changed[index] ^= 0xA5
            try fixture.write(changed)
            do { _ = try fixture.imported() } catch let error as ImportFailure {
                failures += 1
                #expect(error.path == fixture.path)
            }
        }
        #expect(failures > 10)
    }

    @Test("A schema with SQL that is broken")
    func brokenSchema() throws {
        let fixture = try SQLiteFixture(
            "Shop",
            "\(Self.table) PRAGMA writable_schema = ON; "
                + "UPDATE sqlite_schema SET sql = 'CREATE TABLE item (id, name TEXT,';"
        )
        #expect(failure(fixture)?.hasPrefix("It is damaged: malformed database schema") == true)
    }

    // MARK: Other owners

    @Test("A store of Core Data refers to its model")
    func coreData() throws {
        let fixture = try SQLiteFixture(
            "Shop",
            "CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY); CREATE TABLE Z_METADATA (a); CREATE TABLE Z_PRIMARYKEY (a);"
        )
        #expect(
            failure(fixture)
                == "It is a Core Data store, whose model describes it better. Import the app's .xcdatamodeld.")
    }

    @Test("A database without a table is refused")
    func noTable() throws {
        let fixture = try SQLiteFixture("Shop", "PRAGMA user_version = 3;")
        #expect(failure(fixture) == "It has no table. Import the database that the app has written to.")
    }

    @Test("As many columns as SQLite allows, and many tables")
    func large() throws {
        let columns = (1..<2000).map { "c\($0) INTEGER DEFAULT \($0)" }.joined(separator: ", ")
        let tables = (1...1000).map { "CREATE TABLE t\($0) (id INTEGER PRIMARY KEY, p INTEGER REFERENCES t\($0 - 1));" }
        let fixture = try SQLiteFixture(
            "Shop",
            "CREATE TABLE t0 (id INTEGER PRIMARY KEY, \(columns)); INSERT INTO t0 DEFAULT VALUES; \(tables.joined())")
        let imported = try fixture.imported(hasRows: true)
        #expect(imported.text.contains("c1999: { type: int?, default: 1999 }"))
        #expect(imported.text.contains("  T1000:"))
    }
}
