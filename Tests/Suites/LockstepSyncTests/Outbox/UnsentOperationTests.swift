import Foundation
import GRDB
import LockstepStore
import LockstepSync
import LockstepTesting
import TestSupport
import Testing

/// A later version of a schema sends less: what is pending stays, and says why.
@Suite("V8 Pending changes that the schema does not send any more")
struct UnsentOperationTests {
    /// A file in which one tag was created, one changed, and one deleted.
    private func withFile(_ body: (URL) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("words.sqlite")
            let store = try Store(FirstWords.self, at: .file(file))
            try await store.writer.write { database in
                try database.suppressOutbox()
                try database.execute(sql: "INSERT INTO tag VALUES (5, 'blue', NULL), (6, 'grey', NULL)")
                try database.resumeOutbox()
                try database.execute(
                    sql: """
                        UPDATE tag SET name = 'azure' WHERE id = 5; DELETE FROM tag WHERE id = 6; \
                        INSERT INTO tag VALUES (7, 'red', NULL)
                        """)
            }
            try store.close()
            try await body(file)
        }
    }

    private func parked(_ store: Store) async throws -> [String] {
        try await store.outbox.pending().filter { $0.parked != nil }.map { change in
            #expect(change.parked?.status == 0)
            #expect(change.parked.map { String(decoding: $0.body, as: UTF8.self) } == change.lastError)
            return "\(change.kind) \(change.record): \(change.lastError ?? "")"
        }
    }

    private func remote() -> MemoryRemote {
        let remote = MemoryRemote()
        remote.set(["id": 5, "name": "blue"], id: "5", in: "/tags")
        remote.set(["id": 6, "name": "grey"], id: "6", in: "/tags")
        return remote
    }

    private func push(_ store: Store, _ remote: MemoryRemote) async throws -> PushSummary {
        try await Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: ManualClock()
        ).push()
    }

    @Test(
        "V8 Exactly what the schema does not send any more is parked, and sent by one that does",
        arguments: Seeds.some(5, of: UInt64(0)...199))
    func some(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let kinds = (1...Int.random(in: 1...6, using: &random)).map { _ in
            random.element(of: ["create", "update", "delete"])
        }
        let isLocal = random.isOne(in: 2)
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("words.sqlite")
            let first = try Store(FirstWords.self, at: .file(file))
            let remote = MemoryRemote()
            for (id, kind) in kinds.enumerated() where kind != "create" {
                remote.set(["id": .integer(Int64(id)), "name": "old"], id: "\(id)", in: "/tags")
            }
            try await Sync(store: first, remote: remote, clock: ManualClock()).pull(Word<FirstWords.Tags>.self)
            try await first.writer.write { database in
                for (id, kind) in kinds.enumerated() {
                    switch kind {
                    case "create": try database.execute(sql: "INSERT INTO tag VALUES (\(id), 'new', NULL)")
                    case "update": try database.execute(sql: "UPDATE tag SET name = 'new' WHERE id = \(id)")
                    default: try database.execute(sql: "DELETE FROM tag WHERE id = \(id)")
                    }
                }
            }
            try first.close()
            let schema: any StoreSchema.Type = isLocal ? HomeWords.self : EditedWords.self
            let store = try Store(schema, at: .file(file))
            let expected = kinds.enumerated().filter { isLocal || $1 != "update" }.map { "\($1) \($0)" }
            let parked = try await store.outbox.pending().filter { $0.parked != nil }.map { "\($0.kind) \($0.record)" }
            #expect(parked.sorted() == expected.sorted())
            #expect(try await push(store, remote).sent == kinds.count - expected.count)
            try store.close()
            let wide = try Store(FirstWords.self, at: .file(file))
            #expect(try await push(wide, remote).sent == expected.count)
            let names = remote.records(of: "/tags").map { $0["name"] }
            #expect(names == kinds.filter { $0 != "delete" }.map { _ in "new" })
            try wide.close()
        }
    }

    @Test("V8 With fewer writes, they are parked with the reason; the others are sent")
    func fewerWrites() async throws {
        try await withFile { file in
            let store = try Store(EditedWords.self, at: .file(file))
            let expected = [
                "delete 6: the schema no longer sends deletes of 'Tag' (write: [update])",
                "create 7: the schema no longer sends creations of 'Tag' (write: [update])",
            ]
            #expect(try await parked(store) == expected)
            #expect(try await store.outbox.status().parkedCount == 2)
            let remote = remote()
            let summary = try await push(store, remote)
            #expect(summary.updated == 1 && summary.sent == 1 && summary.parked.count == 2)

            // Neither an edit nor a retry sends what the schema does not send.
            try await store.writer.write { try $0.execute(sql: "UPDATE tag SET name = 'rose' WHERE id = 7") }
            for change in try await store.outbox.pending() { try await store.outbox.retry(change) }
            #expect(try await parked(store) == [])
            #expect(try await push(store, remote).sent == 0)
            #expect(try await parked(store) == expected)
            #expect(remote.records(of: "/tags").count == 2)
            try store.close()

            // A schema that sends it again makes it due.
            let wide = try Store(FirstWords.self, at: .file(file))
            #expect(try await parked(wide) == [])
            let rest = try await push(wide, remote)
            #expect(rest.created == 1 && rest.deleted == 1)
            #expect(
                remote.records(of: "/tags").map { $0["name"] } == ["azure", "rose"])
            #expect(try await wide.outbox.count() == 0)
            try wide.close()
        }
    }

    @Test("V8 With `remote: none`, they are parked with the reason, and protected as in P16")
    func localOnly() async throws {
        try await withFile { file in
            let store = try Store(HomeWords.self, at: .file(file))
            #expect(
                try await parked(store) == [
                    "update 5: the schema no longer sends changes of 'Tag' (remote: none)",
                    "delete 6: the schema no longer sends changes of 'Tag' (remote: none)",
                    "create 7: the schema no longer sends changes of 'Tag' (remote: none)",
                ])
            let status = try await store.outbox.status()
            #expect(status.count == 3 && status.parkedCount == 3 && status.unclaimedCount == 3)
            let remote = remote()
            #expect(try await push(store, remote).sent == 0)
            try store.close()

            let wide = try Store(FirstWords.self, at: .file(file))
            #expect(try await parked(wide) == [])
            #expect(try await push(wide, remote).sent == 3)
            #expect(remote.records(of: "/tags").map { $0["name"] } == ["azure", "red"])
            try wide.close()
        }
    }

    @Test("V8 What happened meanwhile, unrecorded, decides what is sent afterwards")
    func meanwhile() async throws {
        try await withFile { file in
            let store = try Store(HomeWords.self, at: .file(file))
            try await store.writer.write { database in
                try database.execute(
                    sql: "DELETE FROM tag WHERE id IN (5, 7); INSERT INTO tag VALUES (6, 'ash', NULL)")
            }
            try store.close()
            let wide = try Store(FirstWords.self, at: .file(file))
            let pending = try await wide.outbox.pending().map { "\($0.kind) \($0.record)" }
            #expect(pending == ["delete 5", "update 6"])
            let remote = remote()
            #expect(try await push(wide, remote).sent == 2)
            #expect(remote.records(of: "/tags").map { $0["name"] } == ["ash"])
            #expect(try await wide.outbox.count() == 0)
            try wide.close()
        }
    }

    @Test("V7 V8 A creation that was sent and has no response stays repeatable")
    func sentCreation() async throws {
        try await withFile { file in
            let first = try Store(FirstWords.self, at: .file(file))
            let remote = remote()
            remote.respondNext(.responseLost, to: .kind(.create))
            _ = try? await push(first, remote)
            let key = try await first.outbox.pending().first { $0.kind == .create }?.idempotencyKey
            try #require(key != nil)
            try first.close()

            let store = try Store(EditedWords.self, at: .file(file))
            for change in try await store.outbox.pending() { try await store.outbox.retry(change) }
            #expect(try await push(store, remote).sent == 0)
            let held = try await store.outbox.pending().first { $0.kind == .create }
            #expect(held?.parked != nil && held?.idempotencyKey == key && held?.sentBody != nil)
            try store.close()

            let wide = try Store(FirstWords.self, at: .file(file))
            _ = try await push(wide, remote)
            #expect(remote.records(of: "/tags").compactMap { $0["name"] } == ["azure", "red"])
            #expect(try await wide.outbox.count() == 0)
            try wide.close()
        }
    }
}
