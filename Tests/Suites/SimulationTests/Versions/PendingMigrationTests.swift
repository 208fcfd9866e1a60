import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import SamplesV1
import SamplesV2
import TestSupport
import Testing

/// Changes of the first version that are pending when the file is opened by the second one.
@Suite("Pending changes and a migration")
struct PendingMigrationTests {
    private let server = MemoryRemote(traits: RemoteTraits())
    private let clock = ManualClock()
    private let id = UUID()
    private let notebook = UUID()
    private var key: String { id.uuidString.lowercased() }

    private func sync(_ store: Store) -> Sync {
        Sync(store: store, remote: server, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
    }

    /// Does something with a store of the first version that has pulled an entry and a notebook, and opens its file
    /// with the second one.
    private func migrating(
        _ body: (Store, Sync) async throws -> Void, then use: (Store, Sync) async throws -> Void
    ) async throws {
        server.set(
            [
                "identifier": .string(key), "title": "Monday", "bodyText": "Rain", "mood": "neutral", "rating": "0",
                "pictures": [], "tagIDs": [],
            ], id: key, in: "/entries")
        let notebook = notebook.uuidString.lowercased()
        server.set(["identifier": .string(notebook), "name": "Diary"], id: notebook, in: "/notebooks")
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("journal.sqlite")
            let first = try Store(SamplesV1.JournalSchema.self, at: .file(file))
            try await sync(first).pull()
            try await body(first, sync(first))
            try first.close()
            let second = try Store(SamplesV2.JournalSchema.self, at: .file(file))
            try await use(second, sync(second))
            try second.close()
        }
    }

    @Test("V9 P8 A rejected change of an entity that the migration changes is sent again, and no other one")
    func parked() async throws {
        try await migrating { [id, notebook] store, sync in
            try await store.perform { context in
                try #require(try SamplesV1.Entry.find(id, in: context)).title = "Tuesday"
                try #require(try SamplesV1.Notebook.find(notebook, in: context)).name = "Log"
                try context.save()
            }
            server.respondNext(.refused(status: 422), to: .changes, times: 2)
            #expect(try await sync.push().parked.count == 2)
        } then: { store, sync in
            let pending = try await store.outbox.pending()
            #expect(pending.filter { $0.parked != nil }.map(\.entity) == ["Notebook"])
            #expect(pending.filter { $0.parked == nil }.map(\.entity) == ["Entry"])
            #expect(try await sync.push().updated == 1)
            #expect(server.record(key, of: "/entries")?["title"] == "Tuesday")
        }
    }

    @Test("V4 P4 A value that was sent without a response is known under the new name: an undone edit is sent")
    func unconfirmed() async throws {
        try await migrating { [id] store, sync in
            try await store.perform { context in
                try #require(try SamplesV1.Entry.find(id, in: context)).bodyText = "Sun"
                try context.save()
            }
            server.respondNext(.responseLost, to: .kind(.update))
            await #expect(throws: SyncError.self) { try await sync.push() }
            #expect(server.record(key, of: "/entries")?["bodyText"] == "Sun")
        } then: { [id] store, sync in
            try await store.perform { context in
                try #require(try SamplesV2.Entry.find(id, in: context)).text = "Rain"
                try context.save()
            }
            clock.advance(by: 600)
            #expect(try await sync.push().updated == 1)
            #expect(server.log.last?.changes == ["text": "Rain"])
            #expect(try await store.outbox.pending().isEmpty)
        }
    }
}
