import Foundation
import LockstepEvolution
import RuntimeTestSupport
import StoreSamples
import Testing

@testable import LockstepStore
@testable import LockstepTables

@Suite("Opening a store") @MainActor
struct StoreOpeningTests {
    @Test("A database that is not this schema's is refused and stays as it was, byte for byte")
    func refusals() async throws {
        let cases: [(made: (URL) throws -> Void, opened: any StoreSchema.Type, code: StoreError.Code)] = [
            ({ _ = try Store(LibrarySchema.self, at: .file($0)) }, JournalSchema.self, .otherSchema),
            ({ _ = try Store(NewerJournal.self, at: .file($0)) }, JournalSchema.self, .newerVersion),
            ({ _ = try Store(JournalSchema.self, at: .file($0)) }, NewerJournal.self, .olderVersion),
            ({ _ = try Store(OtherTablesJournal.self, at: .file($0)) }, JournalSchema.self, .otherTables),
            (
                { url in
                    let queue = try DatabaseQueue(path: url.path)
                    try queue.write { try $0.execute(sql: "CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)") }
                    try queue.close()
                }, JournalSchema.self, .notAStore
            ),
            ({ try Data("This is a letter, not a database. ".utf8).write(to: $0) }, JournalSchema.self, .notADatabase),
            ({ try Data(repeating: 7, count: 100_000).write(to: $0) }, JournalSchema.self, .notADatabase),
        ]
        for (made, opened, code) in cases {
            try await withFolder { folder in
                let url = folder.appendingPathComponent("store.sqlite")
                try made(url)
                let before = try Data(contentsOf: url)
                let error = storeError { try open(opened, at: url) }
                #expect(error?.code == code)
                #expect(error?.record == url.path || error?.underlyingError != nil)
                #expect(try Data(contentsOf: url) == before)
            }
        }
    }

    private func open(_ schema: any StoreSchema.Type, at url: URL) throws {
        func open<Schema: StoreSchema>(_ schema: Schema.Type) throws { _ = try Store(schema, at: .file(url)) }
        try open(schema)
    }

    @Test("A folder that is not there is a clear error")
    func missingFolder() {
        let url = URL(fileURLWithPath: "/nowhere/at/all/store.sqlite")
        let error = storeError { _ = try Store(JournalSchema.self, at: .file(url)) }
        #expect(error?.code == .cannotOpen)
        #expect(error?.operation == "opening the store")
    }

    @Test("Statements that fail leave no half of a store")
    func brokenStatements() async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("store.sqlite")
            #expect(storeError { _ = try Store(BrokenSchema.self, at: .file(url)) }?.code == .database)
            _ = try Store(JournalSchema.self, at: .file(url))
        }
    }

    @Test("An empty file becomes a store; a store is in WAL mode and says what it is")
    func emptyFile() async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("store.sqlite")
            try Data().write(to: url)
            let store = try Store(JournalSchema.self, at: .file(url))
            #expect(try store.rows("PRAGMA journal_mode") == ["wal"])
            #expect(
                try store.rows("SELECT key, value FROM lockstep_metadata WHERE key <> 'outbox' ORDER BY key")
                    == [
                        "fingerprint|\(JournalSchema.fingerprint)", "made_by|0.2.0", "migrated_by|0.2.0",
                        "readable_since|1", "schema|Journal", "structure|\(JournalSchema.structure)", "version|1",
                    ])
            #expect(try store.rows("SELECT value FROM lockstep_metadata WHERE key = 'outbox'")[0].hasPrefix("3 "))
            #expect(try store.writer.write { try Int.fetchOne($0, sql: "PRAGMA recursive_triggers") } == 1)
        }
    }

    @Test("An outbox of a later version of this library is refused and stays as it was; an earlier one is made anew")
    func outboxVersions() async throws {
        func setVersion(_ version: Int, _ url: URL) throws {
            let queue = try DatabaseQueue(path: url.path)
            try queue.write {
                try $0.execute(sql: "UPDATE lockstep_metadata SET value = '\(version) x' WHERE key = 'outbox'")
            }
            try queue.close()
        }
        try await withFolder { folder in
            let url = folder.appendingPathComponent("store.sqlite")
            let store = try Store(JournalSchema.self, at: .file(url))
            Entry(title: "One", context: store.mainContext)
            try store.mainContext.save()
            let pending = try store.rows("SELECT entity, record, change FROM lockstep_outbox")
            #expect(pending.count == 1)
            try store.close()

            try setVersion(SystemTables.version + 1, url)
            let before = try Data(contentsOf: url)
            let error = storeError { _ = try Store(JournalSchema.self, at: .file(url)) }
            #expect(error?.code == .newerVersion)
            #expect(try Data(contentsOf: url) == before)

            try setVersion(SystemTables.version - 1, url)
            let again = try Store(JournalSchema.self, at: .file(url))
            #expect(try again.rows("SELECT entity, record, change FROM lockstep_outbox") == pending)
            #expect(try again.rows("SELECT value FROM lockstep_metadata WHERE key = 'outbox'")[0].hasPrefix("3 "))
            try again.close()
        }
    }

    @Test("A file of an earlier version, which made most tables of its own when it needed them, gets those it lacks")
    func lazyTables() async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("store.sqlite")
            try Store(JournalSchema.self, at: .file(url)).close()
            let lazy = ["sent_member", "waiting_link", "reserved_identity", "validator", "version", "attachment"]
            let queue = try DatabaseQueue(path: url.path)
            try queue.write { database in
                for name in lazy { try database.execute(sql: "DROP TABLE lockstep_\(name)") }
                try database.execute(sql: "UPDATE lockstep_metadata SET value = '2 before' WHERE key = 'outbox'")
            }
            try queue.close()

            let store = try Store(JournalSchema.self, at: .file(url))
            for name in lazy { #expect(try store.rows("SELECT COUNT(*) FROM lockstep_\(name)") == ["0"], "\(name)") }
            try store.close()
        }
    }

    @Test("The version of the outbox is counted up when its tables change")
    func outboxTables() {
        // Another fingerprint wants another version: earlier ones of this library must not write such a file.
        #expect(SystemTables.version == 3)
        let statements = OutboxTables.statements(SchemaPlan(SchemaStructure(name: "")))
        #expect(Fingerprint.text(of: statements) == "6987c6ad0c818ab8")
    }

    @Test("A fingerprint tells schemas apart")
    func fingerprint() {
        let prints = [JournalSchema.fingerprint, LibrarySchema.fingerprint, OtherTablesJournal.fingerprint]
        #expect(Set(prints).count == 3)
    }

    @Test("Opening waits for another connection that creates the file at the same time, as `busyMode` says")
    func waitsForCreator() async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("store.sqlite")
            let other = try Self.writing(url)
            var configuration = Configuration()
            configuration.busyMode = .callback { _ in
                Self.end(other)
                return true
            }
            let store = try Store(JournalSchema.self, at: .file(url), configuration: configuration)
            Entry(title: "One", context: store.mainContext)
            try store.mainContext.save()
            #expect(try store.rows("SELECT title FROM entry") == ["One"])
            try store.close()
        }
    }

    @Test("If the other connection does not end in time, the store is busy, and nothing is created")
    func busyCreator() async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("store.sqlite")
            let other = try Self.writing(url)
            var configuration = Configuration()
            configuration.busyMode = .callback { $0 < 2 }
            let error = storeError {
                _ = try Store(JournalSchema.self, at: .file(url), configuration: configuration)
            }
            #expect(error?.code == .busy)
            Self.end(other)
            #expect(try Data(contentsOf: url).isEmpty)
        }
    }

    /// A connection to a new file, in a transaction that writes.
    private static func writing(_ url: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(path: url.path, configuration: configuration)
        try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        return queue
    }

    private nonisolated static func end(_ queue: DatabaseQueue) {
        try? queue.writeWithoutTransaction { database in
            if database.isInsideTransaction { try database.execute(sql: "ROLLBACK") }
        }
    }

    @Test("The given configuration is used")
    func configuration() throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let store = try Store(LibrarySchema.self, at: .inMemory, configuration: configuration)
        try store.run("INSERT INTO passport VALUES ('1', 99)")
        #expect(try store.rows("SELECT * FROM passport") == ["1|99"])
    }

    @Test("A store that may not be written to says so")
    func readOnly() async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("store.sqlite")
            _ = try Store(JournalSchema.self, at: .file(url))
            var configuration = Configuration()
            configuration.readonly = true
            let store = try Store(JournalSchema.self, at: .file(url), configuration: configuration)
            Entry(title: "One", context: store.mainContext)
            #expect(storeError { try store.mainContext.save() }?.code == .readOnly)
        }
    }
}
