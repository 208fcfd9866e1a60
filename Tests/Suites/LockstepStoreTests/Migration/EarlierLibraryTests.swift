import Foundation
import GRDB
import Journal
import LockstepEvolution
import LockstepJSON
import LockstepStore
import LockstepTesting
import TestSupport
import Testing

@Suite("Files of version 0.1.0 of the library")
struct EarlierLibraryTests {
    /// A copy of a file that version 0.1.0 has made, with three unsent edits.
    private func withFile<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("Fixtures/Journal-0.1.0.sqlite")
            try FileManager.default.copyItem(at: fixture, to: url)
            return try await body(url)
        }
    }

    @Test("A file is opened as it is, and then says what it contains")
    func opens() async throws {
        try await withFile { url in
            let before = try Store.inspect(JournalSchema.self, at: url)
            #expect(before.state == .current && before.pendingCount == 3 && before.madeBy == nil)
            let store = try Store(JournalSchema.self, at: .file(url))
            #expect(store.migration == nil)
            #expect(try await store.outbox.count() == 3)
            let titles = try await store.perform { try $0.fetch(Entry.order(\.title)).map(\.title) }
            #expect(titles == ["Entry 1", "Entry 2", "Entry 4", "Entry 5", "Made offline"])
            try store.close()
            let metadata = try metadata(of: url)
            #expect(metadata["fingerprint"] == JournalSchema.fingerprint)
            #expect(metadata["structure"] == JournalSchema.structure)
        }
    }

    @Test("A file whose triggers were printed in another way is not refused")
    func printedOtherwise() async throws {
        try await withFile { url in
            let queue = try DatabaseQueue(path: url.path)
            try await queue.write {
                try $0.execute(sql: "UPDATE lockstep_metadata SET value = '0123456789abcdef' WHERE key = 'fingerprint'")
            }
            try queue.close()
            let store = try Store(JournalSchema.self, at: .file(url))
            #expect(try await store.outbox.count() == 3)
        }
    }

    @Test("A file is migrated to a later version, with its three unsent edits")
    func migrates() async throws {
        try await withFile { url in
            var builder = HistoryBuilder(try recorded())
            try builder.version(renames: ["Entry.bodyText": "text"]) {
                $0.change("Entry") { $0.rename("bodyText", to: "text") }
            }
            let opened = try StoreOpening(
                schema: builder.schema().description, location: .file(url), configuration: Configuration(),
                options: MigrationOptions()
            ).open()
            #expect(
                opened.migration?.description.hasPrefix("Journal 1 → 2: 1 renamed; 0 rows written, 3 pending kept; ")
                    == true)
            let texts = try await opened.writer.read { database in
                try String.fetchAll(database, sql: "SELECT text FROM entry WHERE text LIKE '%offline%'")
                    + String.fetchAll(database, sql: "SELECT text FROM lockstep_base_entry WHERE text LIKE 'Text 1'")
            }
            #expect(texts == ["Edited offline", "Text 1"])
        }
    }

    @Test("A file whose tables are not those of its version is refused, and stays as it was")
    func otherTables() async throws {
        try await withFile { url in
            let queue = try DatabaseQueue(path: url.path)
            try await queue.write { try $0.execute(sql: "ALTER TABLE entry ADD COLUMN more TEXT") }
            try queue.close()
            let before = try Data(contentsOf: url)
            var builder = HistoryBuilder(try recorded())
            try builder.version {
                $0.change("Entry") { $0.attributes.append(.init("place", .scalar(.string), isOptional: true)) }
            }
            let opening = StoreOpening(
                schema: try builder.schema().description, location: .file(url), configuration: Configuration(),
                options: MigrationOptions())
            let error = #expect(throws: StoreError.self) { _ = try opening.open() }
            #expect(error?.code == .otherTables)
            #expect(error?.reason.contains("has: column more TEXT") == true, "\(error?.reason ?? "")")
            #expect(try Data(contentsOf: url) == before)
        }
    }

    private func recorded() throws -> SchemaStructure {
        try SchemaStructure(SchemaTree(json: JSONValue(parsing: JournalSchema.structure)))
    }

    private func metadata(of url: URL) throws -> [String: String] {
        let queue = try DatabaseQueue(path: url.path)
        let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT key, value FROM lockstep_metadata") }
        return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
    }
}
