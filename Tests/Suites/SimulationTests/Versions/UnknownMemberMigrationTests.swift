import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import SamplesV1
import SamplesV2
import Testing

/// A server of the second version, and an app that is updated from the first one.
@Suite("V11 Members of embedded records after a migration")
struct UnknownMemberMigrationTests {
    private let id = UUID()
    private let picture = UUID()
    private let server = MemoryRemote(traits: RemoteTraits(), clock: ManualClock())
    private var key: String { id.uuidString.lowercased() }

    /// - Parameter members: What the server has of the entry's picture apart from what the first version knows.
    private func setPicture(_ members: JSONObject) {
        let known: JSONObject = [
            "identifier": .string(picture.uuidString.lowercased()), "caption": "first",
        ]
        server.set(
            [
                "identifier": .string(key), "title": "Monday", "mood": "neutral", "rating": "0",
                "pictures": [.object(known.merging(members) { $1 })], "tagIDs": [],
            ], id: key, in: "/entries")
    }

    /// Pulls with the first version, and opens the file with the second one.
    private func migrated(in folder: URL) async throws -> Store {
        let file = folder.appendingPathComponent("journal.sqlite")
        let first = try Store(SamplesV1.JournalSchema.self, at: .file(file))
        try await Sync(store: first, remote: server).pull(SamplesV1.Entry.self)
        try first.close()
        return try Store(SamplesV2.JournalSchema.self, at: .file(file))
    }

    private func inFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    private func caption(_ text: String, _ store: Store) async throws {
        try await store.perform { [picture] context in
            try #require(try SamplesV2.Picture.find(picture, in: context)).caption = text
            try context.save()
        }
    }

    private var there: JSONValue? { server.record(key, of: "/entries")?["pictures"]?[0] }

    @Test("V11 They survive an edit that is sent before the next pull, whether the new version knows them or not")
    func before() async throws {
        try await inFolder { folder in
            setPicture(["width": 3, "frame": "oak"])
            let store = try await migrated(in: folder)
            try await caption("second", store)
            try await Sync(store: store, remote: server).push()
            #expect(there?["caption"] == "second" && there?["width"] == 3 && there?["frame"] == "oak")
            let widths = try await store.perform { try $0.fetch(SamplesV2.Picture.all()).map(\.width) }
            #expect(widths == [3])
            try store.close()
        }
    }

    @Test("V11 V3 A member that the server got after the last pull is not overwritten by its default")
    func addedLater() async throws {
        try await inFolder { folder in
            setPicture([:])
            let store = try await migrated(in: folder)
            setPicture(["width": 3])
            try await caption("second", store)
            try await Sync(store: store, remote: server).push()
            #expect(there?["caption"] == "second" && there?["width"] == 3)
            try store.close()
        }
    }

    @Test("V11 Once the collection was pulled with a schema that knows them all, nothing is requested")
    func pulled() async throws {
        try await inFolder { folder in
            setPicture(["width": 3])
            let store = try await migrated(in: folder)
            let sync = Sync(store: store, remote: server)
            try await sync.pull(SamplesV2.Entry.self)
            try await caption("second", store)
            server.clearLog()
            try await sync.push()
            #expect(server.log.map(\.description) == ["update /entries/\(key)"])
            #expect(there?["width"] == 3)
            try store.close()
        }
    }
}
