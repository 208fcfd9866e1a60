import Foundation
import GRDB
import LinkSamples
@testable import LockstepStore
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import TestSupport
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

    @Test("M5.9 P13 An edit or a delete waits for the spellings: it reaches the record", arguments: [true, false])
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

    @Test("M5.9 R1 A new record waits, too, if it refers to one whose spelling is not known")
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

    @Test("M5.10 C3 A request for one record deletes nothing because of a spelling that is not known")
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

    @Test("M5.10 A record that is requested by its UUID stays if its spelling is not known and the server has none")
    func guessed() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        remote.set(["id": .string(upper), "title": "one", "rating": 3], id: upper, in: "/albums")
        try await upgraded(CrewSchema.self) { store in
            try await Sync(store: store, remote: remote).pull(Album.self)
        } then: { store in
            // The collection, which would show the spelling, cannot be pulled.
            remote.respondNext(.unavailable(status: 500), to: .kind(.fetch, path: "/albums"))
            let id = try #require(UUID(uuidString: lower))
            _ = try? await Sync(store: store, remote: remote, clock: ManualClock()).pull(Album.self, id: id)
            #expect(try store.rows("SELECT title FROM album") == ["one"])
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
            remote.respondNext(.connectionFails, to: .fetches)
            await #expect(throws: SyncError.self) { try await sync.push() }
            #expect(remote.log.allSatisfy { $0.kind == .fetch })
            #expect(try await store.outbox.status().count == 1)
            try await sync.retryNow()
            #expect(try await sync.push().updated == 1)
            #expect(remote.records(of: "/memos").map { $0["text"] } == ["two"])
        }
    }

    @Test("M5.13 If the server does not list a collection, the usual spelling counts", arguments: [403, 404, 405])
    func withoutList(status: Int) async throws {
        let remote = remote()
        try await upgraded { store in
            try await Sync(store: store, remote: remote).pull(NotebookMemo.self)
            try await store.writer.write { try $0.execute(sql: "UPDATE memo SET text = 'two'") }
        } then: { store in
            remote.set(["id": .string(lower), "text": "one"], id: lower, in: "/memos")
            remote.respondNext(.refused(status: status), to: .kind(.fetch, path: "/memos"))
            let summary = try await Sync(store: store, remote: remote).push()
            #expect(summary.updated == 1)
            #expect(remote.record(lower, of: "/memos")?["text"] == "two")
        }
    }

    // MARK: Collections that fail

    /// What a request for a collection may end with, other than that the server does not list it.
    static let failures: [SyncError.Code] = [
        .unavailable(status: 500), .unavailable(status: 501), .unexpectedResponse(status: 200), .refused(status: 400),
        .malformed, .network, .timeout,
    ]

    @Test("M5.12 P11 If a collection fails, only what names its records waits", arguments: failures)
    func brokenCollection(code: SyncError.Code) async throws {
        let remote = MemoryRemote(traits: RemoteTraits(sendsEmbedded: true))
        remote.set(["id": .string(upper), "title": "one"], id: upper, in: "/albums")
        remote.set(["id": .string(upper), "text": "one"], id: upper, in: "/memos")
        remote.set(["id": 1, "name": "one"], id: "1", in: "/orders")
        try await upgraded(Office.self) { store in
            try await Sync(store: store, remote: remote).pull()
        } then: { store in
            let clock = ManualClock()
            let sync = Sync(
                store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock,
                random: { 0.5 })
            let failure = SyncError(code, reason: "it is broken", remedy: "Fix it.")
            remote.respondNext(.fails(failure), to: .kind(.fetch, path: "/albums"), times: 10)
            remote.clearLog()
            try await store.writer.write { [lower, other] in
                try $0.execute(
                    sql: """
                        UPDATE album SET title = 'two'; UPDATE memo SET text = 'two';
                        INSERT INTO tag (id, name) VALUES (2, 'new');
                        INSERT INTO memo (id, text, album_id) VALUES ('\(other)', 'new', '\(lower)')
                        """)
            }
            let first = try await sync.push()
            #expect(first.updated == 1 && first.created == 1 && first.remaining == 2)
            #expect(remote.record(upper, of: "/memos")?["text"] == "two")
            #expect(remote.record("2", of: "/tags") != nil)
            // Collections without UUIDs are not requested, and the others once.
            #expect(remote.log.filter { $0.kind == .fetch }.map(\.path).sorted() == ["/albums", "/memos"])
            // The collection is requested again when its time has come.
            remote.clearLog()
            #expect(try await sync.push().sent == 0)
            #expect(remote.log.isEmpty)
            clock.advance(by: 600)
            _ = try? await sync.push()
            #expect(remote.log.map(\.path) == ["/albums"])
            remote.clearScripts()
            try await sync.retryNow()
            let last = try await sync.push()
            #expect(last.updated == 1 && last.created == 1)
            #expect(remote.record(upper, of: "/albums")?["title"] == "two")
            #expect(remote.record(other, of: "/memos")?["album_id"] == .string(upper))
        }
    }

    @Test("M5.12 P11 A running sync requests the collection again by itself, and sends what waits for it")
    func running() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(sendsEmbedded: true))
        remote.set(["id": .string(upper), "title": "one"], id: upper, in: "/albums")
        try await upgraded(Office.self) { store in
            try await Sync(store: store, remote: remote).pull()
            try await store.writer.write { try $0.execute(sql: "UPDATE album SET title = 'two'") }
        } then: { store in
            let clock = ManualClock()
            let sync = Sync(store: store, remote: remote, clock: clock, random: { 0.5 })
            remote.respondNext(.unavailable(status: 500), to: .kind(.fetch, path: "/albums"), times: 3)
            let run = Task { try await sync.run() }
            #expect(
                try await soon {
                    clock.advance(by: 60)
                    return remote.record(upper, of: "/albums")?["title"] == "two"
                }, "waited for the change to be sent")
            run.cancel()
            try await run.value
            #expect(remote.records(of: "/albums").map { $0["title"] } == ["two"])
        }
    }

    @Test("M5.11 A request for one record needs only the collection that shows its spelling")
    func oneRecordOfSeveral() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        remote.set(["id": .string(upper), "title": "one", "rating": 3], id: upper, in: "/albums")
        remote.set(["id": .string(other.uppercased()), "title": "two"], id: other.uppercased(), in: "/photos")
        try await upgraded(CrewSchema.self) { store in
            let sync = Sync(store: store, remote: remote)
            try await sync.pull(Album.self)
            try await sync.pull(Photo.self)
        } then: { store in
            let sync = Sync(store: store, remote: remote)
            remote.respondNext(.unavailable(), to: .kind(.fetch, path: "/photos"), times: 10)
            try await sync.pull(Album.self, id: #require(UUID(uuidString: lower)))
            #expect(remote.log.last?.identity?.text == upper)
            let photo = try #require(UUID(uuidString: other))
            await #expect(throws: SyncError.self) { try await sync.pull(Photo.self, id: photo) }
            #expect(try store.rows("SELECT title FROM photo") == ["two"])
        }
    }

    @Test("M5.11 H1 R4 Records that are embedded in others, at any depth, are pulled again with them")
    func embedded() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(sendsEmbedded: true))
        let stamps: JSONValue = [["id": .string(other.uppercased()), "text": "one"]]
        remote.set(
            ["id": 1, "name": "one", "lines": [["id": .string(upper), "title": "one", "stamps": stamps]]], id: "1",
            in: "/orders")
        try await upgraded(Office.self) { store in
            try await Sync(store: store, remote: remote).pull(Word<Office.Orders>.self)
            try await store.writer.write { try $0.execute(sql: "UPDATE stamp SET text = 'two'") }
        } then: { store in
            #expect(try await Sync(store: store, remote: remote).push().updated == 1)
            let body = try #require(try remote.log.last { $0.isChange }?.body?.json())
            let text = String(decoding: body, as: UTF8.self)
            #expect(text.contains(upper) && text.contains(other.uppercased()))
            #expect(!text.contains(lower) && !text.contains(other))
        }
    }
}
