import Foundation
import GRDB
import LockstepEvolution
import LockstepStore
import LockstepTesting
import TestSupport
import Testing
import workbench

@Suite("Values that only the device has, of records that merges have deleted")
struct LocalValueTests {
    @Test("M7.23 Any migration deletes them", arguments: Seeds.some(3, of: UInt64(1)...100))
    func migratesAny(seed: UInt64) async throws {
        let history = try RandomHistory.make(seed: seed, versions: 3)
        let schemas = RecordedSchemas(history)
        let former = try schemas.schema(at: #require(history.versions.first).number)
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("store.sqlite")
            var fixture = MigrationFixture(former, seed: seed, rowCount: 2)
            try fixture.make(at: url)
            let names = former.structure.entities.map(\.name)
            try await DatabaseQueue(path: url.path).write { database in
                for name in names {
                    try database.execute(
                        sql: "INSERT INTO lockstep_local_value VALUES (?, 'x', 'note', 'kept', 0)", arguments: [name])
                }
            }
            let opened = try StoreOpening(
                schema: schemas.schema(at: history.head.number).description, location: .file(url),
                configuration: Configuration(), options: MigrationOptions()
            ).open()
            let kept = try await opened.writer.read {
                try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM lockstep_local_value")
            }
            #expect(kept == 0)
            try opened.writer.close()
        }
    }

    @Test("M7.23 A migration that renames and removes attributes deletes them, and so does a wipe")
    func migrates() async throws {
        var builder = HistoryBuilder(.journal)
        try builder.version(renames: ["Entry.bodyText": "text"]) {
            $0.change("Entry") { entity in
                entity.rename("bodyText", to: "text")
                entity.attributes.removeAll { $0.name == "mood" }
            }
        }
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            var fixture = MigrationFixture(try builder.schema(1), seed: 1, rowCount: 2)
            try fixture.make(at: url)
            try await DatabaseQueue(path: url.path).write { database in
                for attribute in ["bodyText", "mood"] {
                    try database.execute(
                        sql: "INSERT INTO lockstep_local_value VALUES ('Entry', 'x', ?, 'kept', 0)",
                        arguments: [attribute])
                }
            }
            let opened = try StoreOpening(
                schema: builder.schema().description, location: .file(url), configuration: Configuration(),
                options: MigrationOptions()
            ).open()
            let kept = try await opened.writer.read {
                try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM lockstep_local_value")
            }
            #expect(kept == 0)
            try opened.writer.close()
            try Store.wipe(at: url)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }
}
