import Foundation
import GRDB
import LockstepEvolution
import LockstepStore
import LockstepTesting
import TestSupport
import Testing

/// A file of the first version of a recorded journal, with three unsent edits, that the last version opens.
struct MigratedJournal {
    private let schemas: RecordedSchemas

    init(_ history: SchemaHistory) { schemas = RecordedSchemas(history) }

    private static let edited = "11111111-0000-4000-8000-000000000000"
    private static let created = "22222222-0000-4000-8000-000000000000"

    /// Migrates the file at once.
    ///
    /// - Parameter counts: What `Store.migration` says was done.
    func check(_ counts: String) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lockstep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("journal.sqlite")
        let (first, last) = (schemas.history.first.number, schemas.history.head.number)
        try make(file, schemas.schema(at: first).description)
        let opened = try open(file, schemas.schema(at: last).description)
        defer { try? opened.writer.close() }
        let description = try #require(opened.migration).description
        #expect(description.hasPrefix("Journal \(first) → \(last): \(counts)"), "\(description)")
        try opened.writer.read { database in
            let kept = try rows("SELECT entity, change FROM lockstep_outbox ORDER BY id", database)
            let leftovers = try rows("SELECT DISTINCT entity FROM lockstep_leftover WHERE member IS NULL", database)
            #expect(kept.count + leftovers.count == 3, "\(kept) \(leftovers)")
            let structure = try schemas.schema(at: last).structure
            #expect(try FileStructure(database).difference(from: structure) == nil)
            #expect(try rows("PRAGMA foreign_key_check", database).isEmpty)
            for entity in structure.entities {
                let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \"\(entity.table)\"")
                let expected = ["entry": 2, "note": 2, "place": 2, "draft": 1][entity.table] ?? 0
                #expect(count == expected, "\(entity.table)")
            }
        }
    }

    private func rows(_ sql: String, _ database: Database) throws -> [String] {
        try Row.fetchAll(database, sql: sql).map(\.description)
    }

    private func open(_ file: URL, _ schema: SchemaDescription) throws -> OpenedStore {
        try StoreOpening(
            schema: schema, location: .file(file), configuration: Configuration(), options: MigrationOptions()
        ).open()
    }

    /// Writes two entries, two places and a draft. One entry was created since the last push, the other one and a place
    /// were changed.
    private func make(_ file: URL, _ schema: SchemaDescription) throws {
        let writer = try open(file, schema).writer
        defer { try? writer.close() }
        try writer.write { database in
            try OutboxTable.suppressed(database) {
                try insertEntry(Self.edited, database)
                try database.execute(
                    sql: """
                        INSERT INTO place (id, visits, latitude, code) VALUES (1, 3, '48.2', 'A'), (2, 4, 'north', NULL);
                        INSERT INTO draft (id, text) VALUES ('33333333-0000-4000-8000-000000000000', 'first')
                        """)
            }
            try insertEntry(Self.created, database)
            try database.execute(
                sql: "UPDATE entry SET title = 'Changed', body_text = 'New', mood = 'happy' WHERE identifier = ?",
                arguments: [Self.edited])
            try database.execute(sql: "UPDATE place SET latitude = '48.3', visits = 5, code = 'B' WHERE id = 1")
        }
    }

    private func insertEntry(_ identifier: String, _ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO entry (identifier, title, body_text, mood, timestamp) VALUES (?, 'Title', NULL, 'happy', 0)
                """, arguments: [identifier])
    }
}
