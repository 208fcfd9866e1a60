import Foundation
import GRDB
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import Testing

/// Identities that are texts: no part of one may get lost, and no change with it.
@Suite("Whole identities")
struct WholeIdentityTests {
    private let remote = MemoryRemote()
    private let store: Store
    private let sync: Sync

    init() throws {
        store = try Store(ForestSchema.self, at: .inMemory)
        sync = Sync(store: store, remote: remote)
    }

    private func execute(_ sql: String) throws { try store.writer.write { try $0.execute(sql: sql) } }

    // MARK: Refused

    @Test("M12 An identity with NUL is refused in a merge, and its record is skipped")
    func merged() async throws {
        let json = #"[{"id": "n\u0000x", "name": "X"}, {"id": "n", "name": "N"}]"#
        let summary = try await store.merge(Data(json.utf8), into: Ranger.self)
        #expect(summary.skippedTexts == ["0 id: it must not contain NUL, because it is part of an identity"])
        #expect(try store.rows("SELECT id, name FROM ranger") == ["n N"])
        let again = try await store.merge([RangerRepresentation(id: "n\0x", name: "X")])
        #expect(again.skippedTexts == summary.skippedTexts)
    }

    @Test("M12 So is a link to one, and a list that contains it")
    func linked() async throws {
        let json = #"[{"id": "a", "name": "A", "mark_ids": []}]"#
        try await store.merge(Data(json.utf8), into: Ranger.self)
        let summary = try await store.merge(
            Data(#"[{"id": 1, "title": "T", "rangers": [{"id": "b\u0000", "name": "B"}]}]"#.utf8), into: Node.self)
        #expect(summary.skippedTexts == [])
        #expect(try store.rows("SELECT id FROM ranger") == ["a"])
    }

    @Test("M12 It is refused when it is saved")
    func saved() async throws {
        await #expect {
            try await store.perform { context in
                Ranger(id: "n\0x", name: "X", context: context)
                try context.save()
            }
        } throws: { error in
            let error = error as? StoreError
            return error?.code == .limit && error?.attribute == "id"
        }
        #expect(try store.rows("SELECT id FROM ranger") == [])
    }

    // MARK: Whole

    @Test("P1 A record that has such an identity nevertheless is sent under it, and no other one")
    func written() async throws {
        try execute("INSERT INTO ranger (id, name) VALUES ('n', 'N'), ('n' || char(0) || 'x', 'X')")
        #expect(try await sync.push().created == 2)
        try execute("UPDATE ranger SET name = 'Y' WHERE length(CAST(id AS BLOB)) = 3")
        #expect(try await sync.push().updated == 1)
        #expect(remote.log.last?.identity?.text == "n\0x")
        try execute("DELETE FROM ranger WHERE length(CAST(id AS BLOB)) = 3")
        #expect(try await sync.push().deleted == 1)
        #expect(remote.records(of: "/rangers").count == 1)
        #expect(try await store.outbox.pending().isEmpty)
    }

    // MARK: Not found

    /// Changes rows as something does that ends the triggers.
    private func executeUnrecorded(_ sql: String) throws {
        try execute("INSERT INTO lockstep_quiet (id) VALUES (1); \(sql); DELETE FROM lockstep_quiet")
    }

    @Test("P8 A change whose record is not in the store is parked with the reason, and never removed")
    func lost() async throws {
        try execute("INSERT INTO ranger (id, name) VALUES ('a', 'A'), ('b', 'B')")
        #expect(try await sync.push().created == 2)
        try execute("UPDATE ranger SET name = 'C'; INSERT INTO ranger (id, name) VALUES ('d', 'D')")
        try executeUnrecorded("DELETE FROM ranger WHERE id <> 'b'")
        let sent = remote.log.count
        let summary = try await sync.push()
        #expect(remote.log.count == sent + 1)
        #expect(summary.updated == 1)
        let parked = try await store.outbox.pending()
        #expect(parked.map(\.record) == ["a", "d"])
        #expect(parked.allSatisfy { $0.parked?.status == 0 })
        #expect(
            parked.map { String(decoding: $0.parked?.body ?? Data(), as: UTF8.self) } == [
                "its record is not in the store", "its record is not in the store",
            ])
        #expect(try await sync.push().parked.count == 2)
    }

    @Test("P8 So is one whose key cannot be read")
    func unreadable() async throws {
        try execute("INSERT INTO ranger (id, name) VALUES ('a', 'A')")
        try execute("UPDATE lockstep_outbox SET record = x'00ff'")
        try await sync.push()
        #expect(try await store.outbox.pending().compactMap(\.parked).count == 1)
        #expect(remote.log.isEmpty)
    }
}
