import Foundation
import GRDB
import Journal
import LockstepEvolution
import LockstepJSON
import LockstepStore
import LockstepTesting
import TestSupport
import Testing

@Suite("Rescuing pending changes")
struct RescueTests {
    private static let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/Journal-0.1.0.sqlite")

    @Test("The pending changes of a file are exported, and made again in a new store after it was set aside")
    func rescue() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            try FileManager.default.copyItem(at: Self.fixture, to: url)
            let exported = try Store.exportPending(JournalSchema.self, at: url)
            let aside = try Store.setAside(at: url, date: Date(timeIntervalSince1970: 1_795_507_200))
            #expect(aside.lastPathComponent == "journal.sqlite.aside-20261124-080000")
            #expect(!FileManager.default.fileExists(atPath: url.path))

            let store = try Store(JournalSchema.self, at: .file(url))
            // What a pull has brought: the records as the server has them.
            try await store.writer.write { database in
                try database.execute(sql: "INSERT INTO lockstep_quiet (id) VALUES (1)")
                for number in 1...5 {
                    try database.execute(
                        sql: "INSERT INTO entry VALUES (?, ?, 'theirs', 'happy', 0)",
                        arguments: ["00000000-0000-4000-8000-00000000000\(number)", "Entry \(number)"])
                }
                try database.execute(sql: "DELETE FROM lockstep_quiet")
            }
            #expect(try store.importPending(exported) == 3)
            let changes = try await store.outbox.pending().map { "\($0.kind) \($0.record.suffix(1))" }.sorted()
            #expect(changes == ["create 9", "delete 3", "update 1"])
            let texts = try await store.writer.read {
                try String.fetchAll($0, sql: "SELECT body_text FROM entry WHERE identifier LIKE '%1'")
            }
            #expect(texts == ["Edited offline"])
            try store.close()
        }
    }

    @Test("What is no export is a clear error, and changes nothing")
    func noExport() throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let error = #expect(throws: StoreError.self) { try store.importPending(Data("{}".utf8)) }
        #expect(error?.code == .otherSchema)
        let missing = URL(fileURLWithPath: "/nowhere/journal.sqlite")
        #expect(throws: StoreError.self) { try Store.setAside(at: missing) }
    }

    @Test("A process that has the former version open is told when it writes")
    func superseded() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            let store = try Store(JournalSchema.self, at: .file(url))
            let structure = try SchemaStructure(SchemaTree(json: JSONValue(parsing: JournalSchema.structure)))
            var builder = HistoryBuilder(structure)
            try builder.version {
                $0.change("Entry") { $0.attributes.append(.init("place", .scalar(.string), isOptional: true)) }
            }
            try await store.perform { context in
                Entry(title: "Before", context: context)
                try context.save()
            }
            let opened = try StoreOpening(
                schema: builder.schema().description, location: .file(url), configuration: Configuration(),
                options: MigrationOptions()
            ).open()
            let error = await #expect(throws: StoreError.self) {
                try await store.perform { context in
                    Entry(title: "After", context: context)
                    try context.save()
                }
            }
            #expect(error?.code == .superseded)
            let count = try await opened.writer.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM entry") }
            #expect(count == 1)
        }
    }

    @Test("A store is opened off the main actor, with progress; a cancelled migration leaves the file")
    func openAsync() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            try FileManager.default.copyItem(at: Self.fixture, to: url)
            let store = try await Store.open(JournalSchema.self, at: .file(url))
            #expect(try await store.outbox.count() == 3)
            try store.close()
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await Store.open(JournalSchema.self, at: .file(url))
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}
