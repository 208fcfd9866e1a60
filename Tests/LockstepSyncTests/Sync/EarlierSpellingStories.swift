import Crew
import Foundation
import GRDB
@testable import LockstepStore
import LockstepSync
import LockstepTesting
import Testing

/// Files of earlier versions of the library, which have not noted how servers spell UUIDs.
@Suite("The spelling of identities in files of earlier versions")
struct EarlierSpellingStories {
    private let lower = "6f1c2a3b-1d4e-4f22-8a33-0000000000ab"
    private let other = "6f1c2a3b-1d4e-4f22-8a33-0000000000cd"
    private var upper: String { lower.uppercased() }

    /// Opens a store, does something with it, and opens it again as if that had been done by an earlier version.
    private func upgraded(
        _ schema: any StoreSchema.Type = Notebook.self, _ body: (Store) async throws -> Void,
        then use: (Store) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("notebook.sqlite")
        do {
            let store = try Store(schema, at: .file(file))
            try await body(store)
            let sql = """
                DROP TABLE lockstep_spelling; UPDATE lockstep_metadata SET value = '2 x' WHERE key = 'outbox'
                """
            try await store.writer.write { try $0.execute(sql: sql) }
            try store.close()
        }
        let store = try Store(schema, at: .file(file))
        try await use(store)
        try store.close()
    }

    private func spellings(_ store: Store) throws -> [String] {
        try store.rows("SELECT spelling FROM lockstep_spelling ORDER BY 1")
    }

    private func remote() -> MemoryRemote {
        let remote = MemoryRemote(traits: RemoteTraits())
        remote.set(["id": .string(upper), "text": "one"], id: upper, in: "/memos")
        return remote
    }

    @Test("M5 What an earlier version has pulled is pulled again, because it has not noted spellings")
    func pulledAgain() async throws {
        let remote = MemoryRemote()
        remote.set(["id": .string(upper), "text": "one"], id: upper, in: "/memos")
        try await upgraded { store in
            try await Sync(store: store, remote: remote).pull(NotebookMemo.self)
        } then: { store in
            try await Sync(store: store, remote: remote).pull(NotebookMemo.self)
            #expect(try spellings(store) == [upper])
        }
    }

    @Test("M5 P13 An edit or a delete waits for the spellings: it reaches the record", arguments: [true, false])
    func pushedFirst(_ isDelete: Bool) async throws {
        let server = FakeFirebase()
        server.set(["text": "one"], at: "/memos/\(upper)")
        let remote = FirebaseRemote(server.url, client: server.client)
        try await upgraded { store in
            try await Sync(store: store, remote: remote).pull(NotebookMemo.self)
            let sql = isDelete ? "DELETE FROM memo" : "UPDATE memo SET text = 'two'"
            try await store.writer.write { try $0.execute(sql: sql) }
        } then: { store in
            let summary = try await Sync(store: store, remote: remote).push()
            #expect(summary.updated + summary.deleted == 1)
            #expect(server.record(upper, of: "/memos")?["text"] == (isDelete ? nil : "two"))
            #expect(server.records(of: "/memos").count == (isDelete ? 0 : 1))
        }
    }

    @Test("M5 R1 A new record waits, too, if it refers to one whose spelling is not known")
    func links() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        remote.set(["id": .string(upper), "title": "F", "pin_ids": []], id: upper, in: "/folders")
        try await upgraded { store in
            try await Sync(store: store, remote: remote).pull(NotebookFolder.self)
            try await store.writer.write { [lower, other] in
                try $0.execute(
                    sql: "INSERT INTO memo (id, text, folder_id) VALUES (?, 'm', ?)", arguments: [other, lower])
            }
        } then: { store in
            #expect(try await Sync(store: store, remote: remote).push().created == 1)
            #expect(remote.record(other, of: "/memos")?["folder_id"] == .string(upper))
            // What was never sent has the usual spelling, and what was learned is not asked for again.
            #expect(try spellings(store) == [upper])
            remote.clearLog()
            try await store.writer.write { try $0.execute(sql: "UPDATE memo SET text = 'n'") }
            #expect(try await Sync(store: store, remote: remote).push().updated == 1)
            #expect(remote.log.count == 1)
        }
    }

    @Test("M5 C3 A request for one record deletes nothing because of a spelling that is not known")
    func oneRecord() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        remote.set(["id": .string(upper), "title": "one", "rating": 3], id: upper, in: "/albums")
        try await upgraded(CrewSchema.self) { store in
            try await Sync(store: store, remote: remote).pull(Album.self)
        } then: { store in
            try await Sync(store: store, remote: remote).pull(Album.self, id: #require(UUID(uuidString: lower)))
            #expect(try store.rows("SELECT title FROM album") == ["one"])
            #expect(remote.log.last?.identity?.text == upper)
        }
    }

    @Test("M5 M7 A doubtful list deletes nothing whose spelling is not known")
    func doubtfulList() async throws {
        let clock = ManualClock()
        let remote = MemoryRemote(traits: RemoteTraits(), clock: clock)
        remote.set(["id": .string(upper), "text": "one"], id: upper, in: "/memos")
        try await upgraded { store in
            try await Sync(store: store, remote: remote).pull(NotebookMemo.self)
        } then: { store in
            remote.lagLists(bySeconds: 60)
            let summary = try await Sync(store: store, remote: remote, clock: clock).pull(
                NotebookMemo.self, options: MergeOptions(records: .all))
            #expect(summary.merges.flatMap(\.notes).map(\.code) == [.unconfirmedDeletion])
            #expect(try store.rows("SELECT text FROM memo") == ["one"])
        }
    }

    @Test("M5 P7 If the spellings cannot be pulled, nothing is sent")
    func unreachable() async throws {
        let remote = remote()
        try await upgraded { store in
            try await Sync(store: store, remote: remote).pull(NotebookMemo.self)
            try await store.writer.write { try $0.execute(sql: "UPDATE memo SET text = 'two'") }
        } then: { store in
            let clock = ManualClock()
            let sync = Sync(store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock)
            remote.answerNext(.connectionFails, to: .fetches)
            await #expect(throws: SyncError.self) { try await sync.push() }
            #expect(remote.log.allSatisfy { $0.kind == .fetch })
            #expect(try await store.outbox.status().count == 1)
            try await sync.retryNow()
            #expect(try await sync.push().updated == 1)
            #expect(remote.records(of: "/memos").map { $0["text"] } == ["two"])
        }
    }

    @Test("M5 If the server does not list a collection, the usual spelling counts")
    func withoutList() async throws {
        let remote = remote()
        try await upgraded { store in
            try await Sync(store: store, remote: remote).pull(NotebookMemo.self)
            try await store.writer.write { try $0.execute(sql: "UPDATE memo SET text = 'two'") }
        } then: { store in
            remote.set(["id": .string(lower), "text": "one"], id: lower, in: "/memos")
            remote.answerNext(.refused(status: 405), to: .kind(.fetch, path: "/memos"))
            let summary = try await Sync(store: store, remote: remote).push()
            #expect(summary.updated == 1)
            #expect(remote.record(lower, of: "/memos")?["text"] == "two")
        }
    }
}
