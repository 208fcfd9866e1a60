import Foundation
import GRDB
import LockstepStore
import LockstepSystem
import StoreSamples
import Testing

@Suite("A store's file that others read") @MainActor
struct SharedFileTests {
    private func size(_ path: String) throws -> Int? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try (FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue
    }

    @Test("keeps its empty journal when it is closed, since a process that only reads cannot create it")
    func journal() async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("store.sqlite")
            let store = try Store(JournalSchema.self, at: .file(url))
            Entry(title: "Entry", context: store.mainContext)
            try await store.mainContext.save()
            try store.close()
            #expect(try size(url.path + "-wal") == 0)
            #expect(try size(url.path + "-shm") != nil)

            // The file is complete without them.
            let copy = folder.appendingPathComponent("copy.sqlite")
            try FileManager.default.copyItem(at: url, to: copy)
            for file in [url, copy] {
                var configuration = Configuration()
                configuration.readonly = true
                let reader = try Store(JournalSchema.self, at: .file(file), configuration: configuration)
                #expect(try reader.mainContext.fetch(Entry.all()).map(\.title) == ["Entry"])
                try reader.close()
            }
            #expect(try size(url.path + "-wal") == 0)

            try Store.wipe(at: url)
            try Store.wipe(at: copy)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }

    @Test("is flushed to the disk itself by a checkpoint, and a copy of it by each commit")
    func durability() async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("store.sqlite")
            let statements = Locked<[String]>([])
            var configuration = Configuration()
            // Runs before what the store prepares.
            configuration.prepareDatabase { database in
                database.trace { event in statements.withLock { $0.append("\(event)") } }
            }
            let store = try Store(JournalSchema.self, at: .file(url), configuration: configuration)
            #expect(try await store.writer.read { try Int.fetchOne($0, sql: "PRAGMA checkpoint_fullfsync") } == 0)
            let isFlushed = try await store.writer.writeWithoutTransaction { database in
                try Int.fetchOne(database, sql: "PRAGMA checkpoint_fullfsync")
            }
            #expect(isFlushed == 1)
            #expect(!statements.withLock(\.self).contains("PRAGMA fullfsync = ON"))
            try store.backup(to: folder.appendingPathComponent("backup.sqlite"))
            #expect(statements.withLock(\.self).contains("PRAGMA fullfsync = ON"))
            try store.close()
        }
    }
}
