import Foundation
import GRDB
import LockstepEvolution
import LockstepJSON
import LockstepStore
import LockstepSystem
import LockstepTesting
import TestSupport
import Testing

@Suite("Opening files of other versions")
struct OpeningTests {
    /// Version 2 adds an attribute, version 3 removes one, version 4 makes one unique and converts another.
    private static func builder() throws -> HistoryBuilder {
        var builder = HistoryBuilder(.journal)
        try builder.version {
            $0.change("Entry") { $0.attributes.append(.init("place", .scalar(.string), isOptional: true)) }
        }
        try builder.version { $0.change("Entry") { $0.attributes.removeAll { $0.name == "mood" } } }
        try builder.version(answers: ["Entry.place": ChangeAnswers(convert: "number", otherwise: .null)]) {
            $0.change("Entry") { $0.change("place") { $0.type = .scalar(.int) } }
        }
        return builder
    }

    /// Runs a test with the file of a version.
    private func withFile(version: Int, rowCount: Int = 8, _ body: (URL, HistoryBuilder) throws -> Void) async throws {
        let builder = try Self.builder()
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            var fixture = MigrationFixture(try builder.schema(version), seed: 1, rowCount: rowCount)
            try fixture.make(at: url)
            try body(url, builder)
        }
    }

    private func opening(
        _ url: URL, _ schema: RecordedSchema, _ options: MigrationOptions = MigrationOptions(), isReadonly: Bool = false
    ) -> StoreOpening {
        var configuration = Configuration()
        configuration.readonly = isReadonly
        return StoreOpening(
            schema: schema.description, location: .file(url), configuration: configuration, options: options)
    }

    private func code(_ body: () throws -> OpenedStore) -> StoreError.Code? {
        (#expect(throws: StoreError.self) { _ = try body() })?.code
    }

    @Test("`.never` and `.ifInstant` refuse what they do not allow, and leave the file")
    func modes() async throws {
        try await withFile(version: 1) { url, builder in
            let before = try Data(contentsOf: url)
            let last = try builder.schema()
            #expect(code { try opening(url, last, MigrationOptions(mode: .never)).open() } == .migrationNeeded)
            #expect(code { try opening(url, last, MigrationOptions(mode: .ifInstant)).open() } == .migrationNeeded)
            #expect(try Data(contentsOf: url) == before)
            let second = try builder.schema(2)
            let opened = try opening(url, second, MigrationOptions(mode: .ifInstant)).open()
            #expect(opened.migration?.to == 2)
        }
    }

    @Test("Too little free space is found before anything is written")
    func freeSpace() async throws {
        try await withFile(version: 1) { url, builder in
            let before = try Data(contentsOf: url)
            var options = MigrationOptions()
            options.freeBytes = { _ in 10_000 }
            #expect(code { try opening(url, builder.schema(), options).open() } == .diskFull)
            #expect(try Data(contentsOf: url) == before)
        }
    }

    @Test("A disk that is full in the middle leaves the former version whole")
    func fullDisk() async throws {
        try await withFile(version: 1, rowCount: 400) { url, _ in
            var builder = HistoryBuilder(.journal)
            try builder.version {
                $0.change("Entry") { $0.attributes.append(.init("token", .scalar(.uuid), default: .newUUID)) }
            }
            let before = try rows(url)
            let pages = try DatabaseQueue(path: url.path).read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
            var configuration = Configuration()
            configuration.prepareDatabase { database in
                if !database.configuration.readonly { try database.execute(sql: "PRAGMA max_page_count = \(pages)") }
            }
            let opening = StoreOpening(
                schema: try builder.schema().description, location: .file(url), configuration: configuration,
                options: MigrationOptions())
            #expect(code { try opening.open() } == .diskFull)
            #expect(try rows(url) == before)
        }
    }

    @Test("A copy is made before values are removed, and goes when the store was opened on two later days")
    func copies() async throws {
        try await withFile(version: 1) { url, builder in
            let copy = URL(fileURLWithPath: url.path + ".before-4")
            let before = try rows(url)
            for (day, isKept) in [(0.0, true), (0.4, true), (1, true), (1.2, true), (2, false), (3, false)] {
                var options = MigrationOptions()
                options.now = { Date(timeIntervalSince1970: (20_000 + day) * 86_400) }
                let opened = try opening(url, builder.schema(), options).open()
                if day == 0 { #expect(opened.migration?.copy == "journal.sqlite.before-4") }
                try opened.writer.close()
                #expect(FileManager.default.fileExists(atPath: copy.path) == isKept, "day \(day)")
                if day == 1 { #expect(try rows(copy) == before) }
            }
        }
    }

    @Test(
        "F1 What a file says of its copy is no path: nothing beside it is deleted",
        arguments: ["../victim\t1\t2", "\t1\t2", ".\t1\t2", "victim\t1\t2", "journal.sqlite\t1\t2", "x/../..\t1\t2"])
    func namedCopies(row: String) async throws {
        try await withTemporaryFolder { outer in
            let folder = outer.appendingPathComponent("store", isDirectory: true)
            for victim in [outer.appendingPathComponent("victim"), folder.appendingPathComponent("victim")] {
                try FileManager.default.createDirectory(at: victim, withIntermediateDirectories: true)
                try Data("mine".utf8).write(to: victim.appendingPathComponent("letter"))
            }
            let url = folder.appendingPathComponent("journal.sqlite")
            let (schema, copy) = (try Self.builder().schema(), url.path + ".before-4")
            try opening(url, schema).open().writer.close()
            try Data("copy".utf8).write(to: URL(fileURLWithPath: copy))
            try DatabaseQueue(path: url.path).write { database in
                try database.execute(sql: "INSERT INTO lockstep_metadata VALUES ('copy', ?)", arguments: [row])
            }
            try opening(url, schema).open().writer.close()
            for name in ["../victim/letter", "victim/letter", "journal.sqlite"] {
                #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path), "\(name)")
            }
            // A row of an earlier version of the library has a name and two days; this is the third.
            #expect(!FileManager.default.fileExists(atPath: copy))
        }
    }

    @Test("F2 A folder and a link in the place of a copy stay, with what is in them and behind them")
    func obstructedCopies() async throws {
        for isLink in [true, false] {
            try await withFile(version: 1) { url, builder in
                let victim = url.deletingLastPathComponent().appendingPathComponent("victim", isDirectory: true)
                try FileManager.default.createDirectory(at: victim, withIntermediateDirectories: true)
                let letter = victim.appendingPathComponent("letter")
                try Data("mine".utf8).write(to: letter)
                let copy = URL(fileURLWithPath: url.path + ".before-4")
                if isLink {
                    try FileManager.default.createSymbolicLink(at: copy, withDestinationURL: letter)
                } else {
                    try FileManager.default.moveItem(at: victim, to: copy)
                }
                let before = try rows(url)
                #expect(code { try opening(url, builder.schema()).open() } == .cannotOpen)
                #expect(try rows(url) == before)
                let place = isLink ? letter : copy.appendingPathComponent("letter")
                #expect(try Data(contentsOf: place) == Data("mine".utf8))
                // The wipe of the store does not delete it either.
                try Store.wipe(at: url)
                #expect(try Data(contentsOf: place) == Data("mine".utf8))
            }
        }
    }

    @Test("A file of a newer version is refused as it is; where only additions lie between, it can be read")
    func newer() async throws {
        try await withFile(version: 2) { url, builder in
            let before = try Data(contentsOf: url)
            let first = try builder.schema(1)
            #expect(code { try opening(url, first).open() } == .newerVersion)
            #expect(throws: Never.self) { try opening(url, first, isReadonly: true).open().writer.close() }
            let inspection = try opening(url, first).inspect(url)
            #expect(inspection.state == .newer(isReadable: true))
            #expect(inspection.pendingCount > 0)
            #expect(try Data(contentsOf: url) == before)
        }
        try await withFile(version: 3) { url, builder in
            #expect(code { try opening(url, builder.schema(1), isReadonly: true).open() } == .newerVersion)
            let inspection = try opening(url, builder.schema(1)).inspect(url)
            #expect(inspection.state == .newer(isReadable: false))
        }
    }

    @Test("Inspecting says what a migration costs")
    func inspect() async throws {
        try await withFile(version: 1) { url, builder in
            let second = try opening(url, builder.schema(2)).inspect(url)
            #expect(second.state == .older(.instant) && second.cost == .instant && second.rows == [:])
            #expect(second.version == 1 && second.madeBy == "0.2.0")
            let last = try opening(url, builder.schema()).inspect(url)
            #expect(last.cost == .rewrite)
            #expect(last.rows["entry"] == (try rows(url).count))
        }
    }

    @Test("The app's own views, triggers and indexes stay; one that no longer fits is named, and nothing is changed")
    func ownObjects() async throws {
        try await withFile(version: 1) { url, builder in
            try DatabaseQueue(path: url.path).write { database in
                try database.execute(sql: "CREATE VIEW titles AS SELECT title FROM entry")
                try database.execute(sql: "CREATE INDEX by_title ON entry (title)")
                try database.execute(
                    sql: "CREATE TRIGGER noted AFTER DELETE ON entry BEGIN SELECT OLD.title; END")
            }
            let writer = try opening(url, builder.schema()).open().writer
            let names = try writer.read { database in
                try String.fetchAll(
                    database,
                    sql: "SELECT name FROM sqlite_master WHERE name IN ('titles', 'by_title', 'noted') ORDER BY name")
            }
            #expect(names == ["by_title", "noted", "titles"])
        }
        try await withFile(version: 1) { url, builder in
            try DatabaseQueue(path: url.path).write {
                try $0.execute(sql: "CREATE VIEW moods AS SELECT mood FROM entry")
            }
            let before = try rows(url)
            let error = #expect(throws: StoreError.self) { try opening(url, builder.schema()).open() }
            #expect(error?.code == .migrationFailed)
            #expect(error?.reason.contains("view “moods”") == true, "\(error?.reason ?? "")")
            #expect(try rows(url) == before)
        }
    }

    @Test("The app's own triggers do not run during a migration, whatever their names and tables, and are kept")
    func triggersDoNotRun() async throws {
        try await withFile(version: 1) { url, builder in
            try DatabaseQueue(path: url.path).write { database in
                try database.execute(sql: "CREATE TABLE log (text)")
                let tables = ["entry", "lockstep_outbox", "lockstep_validator", "lockstep_leftover"]
                for (index, table) in tables.enumerated() {
                    for event in ["INSERT", "UPDATE", "DELETE"] {
                        try database.execute(
                            sql: """
                                CREATE TRIGGER lockstep_\(index)_\(event) AFTER \(event) ON \(table) \
                                BEGIN INSERT INTO log VALUES ('\(event) \(table)'); END
                                """)
                    }
                }
            }
            let writer = try opening(url, builder.schema()).open().writer
            let (log, names) = try writer.read { database in
                try (
                    String.fetchAll(database, sql: "SELECT text FROM log"),
                    String.fetchAll(
                        database, sql: "SELECT name FROM sqlite_master WHERE sql LIKE '%INTO log%' ORDER BY name")
                )
            }
            #expect(log == [])
            #expect(names.count == 12)
            try writer.write { try $0.execute(sql: "DELETE FROM lockstep_leftover; DELETE FROM entry") }
            let run = try writer.read { try String.fetchSet($0, sql: "SELECT text FROM log") }
            #expect(run.contains("DELETE entry"))
        }
    }

    @Test("An object of the app is created again by one statement, whatever else the file says there")
    func oneStatement() async throws {
        try await withFile(version: 1) { url, builder in
            try DatabaseQueue(path: url.path).writeWithoutTransaction { database in
                try database.execute(
                    sql: """
                        CREATE VIEW titles AS SELECT title FROM entry; PRAGMA writable_schema = ON;
                        UPDATE sqlite_master SET sql = sql || '; DELETE FROM entry' WHERE name = 'titles';
                        PRAGMA writable_schema = OFF
                        """)
            }
            let before = try rows(url)
            let error = #expect(throws: StoreError.self) { try opening(url, builder.schema()).open() }
            #expect(error?.code == .migrationFailed)
            #expect(try rows(url) == before)
        }
    }

    @Test("A history that does not begin early enough, and one that is missing, are clear errors")
    func tooOld() async throws {
        try await withFile(version: 1) { url, builder in
            var later = builder.history
            later.base = try later.structure(at: 3)
            later.versions.removeFirst(2)
            later.versions[0].changes = []
            let schemas = RecordedSchemas(later)
            let error = #expect(throws: StoreError.self) { try opening(url, schemas.schema(at: 4)).open() }
            #expect(error?.code == .olderVersion)
            #expect(error?.reason.contains("begins with version 3") == true)
        }
    }

    private func rows(_ url: URL) throws -> [[DatabaseValue]] {
        let queue = try DatabaseQueue(path: url.path)
        defer { try? queue.close() }
        return try queue.read { try $0.valueRows("SELECT * FROM entry ORDER BY identifier") }
    }
}
