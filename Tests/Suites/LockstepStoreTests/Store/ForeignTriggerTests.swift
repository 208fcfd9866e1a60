import Checklist
import Foundation
import Journal
import KitchenSink
import LockstepInspection
import OfflineTasks
import SchematicCapture
import Shop
import StoreSamples
import Testing

@testable import LockstepStore

@Suite("What a file contains in addition to its rows") @MainActor
struct ForeignTriggerTests {
    /// A store's file that something else changes before it is opened again.
    private func changed<Value>(
        _ sql: String, _ configuration: Configuration = Configuration(), _ body: @MainActor (URL) throws -> Value
    ) async throws -> Value {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("store.sqlite")
            try Store(LibrarySchema.self, at: .file(url)).close()
            let queue = try DatabaseQueue(path: url.path, configuration: configuration)
            try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
            try queue.close()
            return try body(url)
        }
    }

    private func reopened(
        _ sql: String, _ configuration: Configuration = Configuration(), _ body: @MainActor (Store) throws -> Void
    ) async throws {
        try await changed(sql, configuration) { url in
            let store = try Store(LibrarySchema.self, at: .file(url), configuration: configuration)
            try body(store)
            try store.close()
        }
    }

    // MARK: The outbox

    @Test("A file cannot silence the outbox: what it says of a merge that is under way is forgotten")
    func silenced() async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("shop.sqlite")
            try Store(ShopSchema.self, at: .file(url)).close()
            let queue = try DatabaseQueue(path: url.path)
            try await queue.write { try $0.execute(sql: "INSERT INTO lockstep_quiet (id) VALUES (NULL), (NULL)") }
            try queue.close()
            let store = try Store(ShopSchema.self, at: .file(url))
            try await store.perform { context in
                Article(id: 1, title: "Heard", bodyText: "b", context: context)
                try context.save()
            }
            #expect(try await store.outbox.pending().count == 1)
            try store.close()
        }
    }

    // MARK: Findings

    @Test("Triggers that neither the schema nor the library has made are findings, with their table and names")
    func findings() async throws {
        try await reopened(
            """
            CREATE TABLE log (text);
            CREATE TRIGGER one AFTER INSERT ON Author BEGIN INSERT INTO log VALUES (NEW.name); END;
            CREATE TRIGGER "two\u{1B}[2J\nDone." AFTER DELETE ON author BEGIN SELECT 1; END;
            CREATE TRIGGER three AFTER INSERT ON lockstep_outbox BEGIN SELECT 1; END;
            CREATE TRIGGER lockstep_four AFTER INSERT ON lockstep_metadata BEGIN SELECT 1; END;
            CREATE TRIGGER elsewhere AFTER INSERT ON log BEGIN SELECT 1; END;
            """
        ) { store in
            #expect(Set(store.findings.map(\.code)) == [.foreignTriggers])
            #expect(store.findings.map(\.entity) == ["Author", "lockstep_metadata", "lockstep_outbox"])
            #expect(store.findings.map(\.triggers) == [["one", "two\u{1B}[2J\nDone."], ["lockstep_four"], ["three"]])
            #expect(store.findings.map(\.count) == [2, 1, 1])
            #expect(
                store.findings[0].description == """
                    The table of “Author” has 2 triggers that neither the schema nor the library has made: “one”, \
                    “two\\u{1B}[2J\\u{A}Done.”. If the app has not made them either, do not use this file.
                    """)
            _ = Author(id: 1, name: "A", context: store.mainContext)
            try store.mainContext.save()
            #expect(try store.rows("SELECT * FROM log") == ["A"], "They run.")
        }
    }

    @Test("A delete rule's trigger that does something else is a finding")
    func deleteRules() async throws {
        try await reopened(
            """
            DROP TRIGGER "book_delete"; CREATE TRIGGER "book_delete" AFTER DELETE ON "book" BEGIN SELECT 1; END
            """
        ) { store in
            #expect(store.findings.map(\.entity) == ["Book"])
        }
    }

    @Test("Triggers with the name of one of the outbox's are replaced")
    func outbox() async throws {
        let name = "lockstep_outbox_author_insert"
        try await reopened(
            """
            CREATE TABLE log (text); DROP TRIGGER \(name);
            CREATE TRIGGER \(name) AFTER INSERT ON author BEGIN INSERT INTO log VALUES ('x'); END
            """
        ) { store in
            #expect(store.findings == [])
            try store.run("INSERT INTO author VALUES (1, 'A')")
            #expect(try store.rows("SELECT * FROM log") == [])
            #expect(try store.rows("SELECT entity, record FROM lockstep_outbox") == ["Author|1"])
        }
    }

    nonisolated private static let schemas: [any StoreSchema.Type] = [
        LibrarySchema.self, AllTypesSchema.self, FirmSchema.self, ChecklistSchema.self, JournalSchema.self,
        KitchenSinkSchema.self, OfflineTasksSchema.self, SchematicCaptureSchema.self, ShopSchema.self,
    ]

    @Test("The triggers of a schema and of the library are never findings", arguments: schemas.indices)
    func own(schema: Int) async throws {
        try await withFolder { folder in
            let (schema, url) = (Self.schemas[schema], folder.appendingPathComponent("store.sqlite"))
            for _ in 1...2 {
                let store = try Store(schema, at: .file(url))
                #expect(store.findings == [])
                #expect(try store.rows("SELECT 1 FROM sqlite_master WHERE type = 'trigger'") != [])
                try store.close()
            }
            let integrity = try InspectedFile(url).report().integrity
            #expect(integrity.foreignTriggers == [] && integrity.missing == [])
        }
    }

    @Test("A file whose triggers fail can be opened and inspected; one whose names are damaged may be refused")
    func broken() async throws {
        let triggers = """
            CREATE TRIGGER one AFTER INSERT ON author BEGIN INSERT INTO nowhere VALUES (1); END;
            CREATE TRIGGER two BEFORE UPDATE ON lockstep_metadata BEGIN SELECT RAISE(ABORT, 'no'); END;
            """
        try await changed(triggers) { url in
            let store = try Store(LibrarySchema.self, at: .file(url))
            #expect(store.findings.map(\.entity) == ["Author", "lockstep_metadata"])
            try store.close()
            #expect(try InspectedFile(url).report().findings.contains { $0.code == .foreignTriggers })
        }
        for change in ["name = x'ff00'", "name = NULL", "tbl_name = x'ff'", "tbl_name = NULL", "sql = NULL"] {
            let names = """
                PRAGMA writable_schema = ON; UPDATE sqlite_master SET \(change) WHERE name = 'one';
                PRAGMA writable_schema = OFF
                """
            try await changed(triggers + names) { url in
                try? Store(LibrarySchema.self, at: .file(url)).close()
                _ = try? InspectedFile(url).report()
            }
        }
    }

    // MARK: Functions

    /// How often a file's own SQL has called a function of the app.
    private final class Calls: @unchecked Sendable {
        var count = 0

        /// `grant(value)`.
        var configuration: Configuration {
            var configuration = Configuration()
            configuration.prepareDatabase { database in
                database.add(
                    function: DatabaseFunction("grant", argumentCount: 1, pure: true) { [self] values in
                        count += 1
                        return values[0]
                    })
            }
            return configuration
        }
    }

    @Test("Looking at a file, and wiping it, calls no function of the app for the file")
    func looking() async throws {
        let calls = Calls()
        // Each read of a value of the metadata would call it.
        let metadata = """
            ALTER TABLE lockstep_metadata RENAME TO former;
            CREATE TABLE lockstep_metadata (key TEXT PRIMARY KEY NOT NULL, text, value TEXT AS (grant(text)));
            INSERT INTO lockstep_metadata (key, text) SELECT key, value FROM former
            """
        try await changed(metadata, calls.configuration) { url in
            calls.count = 0
            let configuration = calls.configuration
            #expect(throws: StoreError.self) {
                try Store.inspect(LibrarySchema.self, at: url, configuration: configuration)
            }
            #expect(throws: StoreError.self) {
                try Store(LibrarySchema.self, at: .file(url), configuration: configuration)
            }
            #expect(throws: StoreError.self) {
                try Store.exportPending(LibrarySchema.self, at: url, configuration: configuration)
            }
            try Store.wipe(at: url, configuration: configuration)
            #expect(calls.count == 0)
        }
    }

    @Test("A file whose index calls a function of the app is refused, and nothing is called damaged")
    func index() async throws {
        let calls = Calls()
        try await changed("CREATE INDEX granted ON author (grant(name))", calls.configuration) { url in
            let error = #expect(throws: StoreError.self) {
                try Store(LibrarySchema.self, at: .file(url), configuration: calls.configuration)
            }
            #expect(error?.code == .cannotOpen)
            #expect(error?.reason.contains("unsafe use of grant()") == true, "\(error?.reason ?? "")")
        }
    }

    /// The functions that the SQL of a file can call.
    nonisolated private static func callable(_ database: Database) throws -> Set<String> {
        try String.fetchSet(database, sql: "SELECT name FROM pragma_function_list WHERE NOT flags & 0x80000")
    }

    @Test("The SQL of a file can call none of the library's functions, and of GRDB's only those for letters")
    func functions() async throws {
        let plain = try await DatabaseQueue().write { try Self.callable($0) }
        #expect(
            plain.filter { $0.hasPrefix("swift") }.map { $0.lowercased() }.sorted() == [
                "swiftcapitalizedstring", "swiftlocalizedcapitalizedstring", "swiftlocalizedlowercasestring",
                "swiftlocalizeduppercasestring", "swiftlowercasestring", "swiftuppercasestring",
            ])
        try await reopened("") { store in
            let open = try store.writer.write { try Self.callable($0) }
            #expect(open.subtracting(plain) == [])
            let names = try store.rows("SELECT DISTINCT name FROM pragma_function_list WHERE name LIKE 'lockstep%'")
            #expect(names == ["lockstep_note"])
        }
        let migrating = try await DatabaseQueue().write { database in
            MigrationFunctions.add([], to: database)
            return try Self.callable(database)
        }
        #expect(migrating.subtracting(plain) == [])
    }

    /// SQL that a file contains, and what runs it.
    nonisolated private static let calls = [
        (
            "CREATE TRIGGER one AFTER INSERT ON tag BEGIN SELECT lockstep_note(99, 1, 1); END",
            "INSERT INTO tag VALUES ('a', '0')"
        ),
        ("CREATE VIEW one AS SELECT lockstep_note(99, 1, 1)", "SELECT * FROM one"),
        ("CREATE TABLE one (a CHECK (lockstep_note(99, 1, a)))", "INSERT INTO one VALUES (1)"),
        ("CREATE TABLE one (a, b DEFAULT (lockstep_note(99, 1, 1)))", "INSERT INTO one (a) VALUES (1)"),
        ("CREATE TABLE one (a, b AS (lockstep_note(99, 1, a)))", "INSERT INTO one VALUES (1); SELECT b FROM one"),
        ("CREATE TABLE one (a); CREATE INDEX two ON one (lockstep_note(99, 1, a))", "INSERT INTO one VALUES (1)"),
    ]

    @Test("What a file contains cannot call a function of the library", arguments: calls.indices)
    func noting(call: Int) async throws {
        var making = Configuration()
        making.prepareDatabase { database in
            database.add(function: DatabaseFunction("lockstep_note", pure: true) { _ in nil })
        }
        let (sql, use) = Self.calls[call]
        try await changed(sql, making) { url in
            let error = #expect(throws: (any Error).self) {
                let store = try Store(LibrarySchema.self, at: .file(url))
                try store.run(use)
            }
            #expect(error.map { "\($0)" }?.contains("lockstep_note") == true, "\(error.map { "\($0)" } ?? "")")
        }
    }

    @Test("Triggers of the app can fill a table for full-text search")
    func search() async throws {
        try await reopened(
            """
            CREATE VIRTUAL TABLE search USING fts5(name);
            CREATE TRIGGER searched AFTER INSERT ON author BEGIN
                INSERT INTO search (rowid, name) VALUES (NEW.id, upper(NEW.name));
            END
            """
        ) { store in
            _ = Author(id: 1, name: "Ada", context: store.mainContext)
            try store.mainContext.save()
            #expect(try store.rows("SELECT name FROM search WHERE search MATCH 'ada'") == ["ADA"])
        }
    }
}
