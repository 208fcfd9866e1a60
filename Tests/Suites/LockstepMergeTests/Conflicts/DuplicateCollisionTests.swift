import Foundation
import GRDB
import LinkSamples
import LockstepStore
import LockstepTesting
import Testing

@testable import LockstepHTTP
@testable import LockstepMerge
@testable import LockstepSync

/// Two records turn out to be one, and both have dependents with a unique key that includes the owner.
@Suite("C5 Dependents that collide when two records become one")
struct DuplicateCollisionTests {
    private static let local = "b3f5a6de-1111-4222-8333-444455556666"
    private static let mine = "b3f5a6de-1111-4222-8333-444455557777"
    private static let theirs = "b3f5a6de-1111-4222-8333-444455558888"
    private static let third = "b3f5a6de-1111-4222-8333-444455559999"
    private static let unique = """
        CREATE UNIQUE INDEX mark_text ON mark (node_id, text);
        CREATE UNIQUE INDEX note_text ON note (mark_id, text);
        CREATE UNIQUE INDEX node_title ON node (title);
        """
    private static let marks = "SELECT local_id, remote_id, text, node_id FROM mark ORDER BY text, remote_id"
    private static let notes = "SELECT id, text, mark_id FROM note ORDER BY id"
    /// The index of marks that the policy sees has one column.
    private static let uniqueMarks = """
        CREATE UNIQUE INDEX mark_text ON mark (text); CREATE UNIQUE INDEX note_text ON note (mark_id, text);
        """

    private func stage(_ policies: ConflictPolicies? = .localChangesWin, _ sql: String) throws -> ConflictStage {
        try ConflictStage(ForestSchema.self, policies, sql)
    }

    /// A mark and a note of the server, and local ones with the same values.
    private func marks(_ policies: ConflictPolicies? = .localChangesWin) throws -> ConflictStage {
        let stage = try stage(
            policies,
            Self.uniqueMarks + """
                INSERT INTO mark (local_id, remote_id, text) VALUES ('m', 9, 'veg');
                INSERT INTO note (id, text, mark_id) VALUES ('\(Self.theirs)', 'old', 'm');
                """)
        try stage.edit(
            """
            UPDATE note SET text = 'milk';
            INSERT INTO mark (local_id, text) VALUES ('\(Self.local)', 'vegan');
            INSERT INTO note (id, text, mark_id) VALUES ('\(Self.mine)', 'milk', '\(Self.local)');
            """)
        return stage
    }

    private static let vegan = #"[{"id": 9, "text": "vegan"}]"#

    @Test("C5 The locally created record is merged into the server's, whose pending edits are kept")
    func united() async throws {
        let stage = try marks()
        let summary = try await stage.merge(Self.vegan, into: Mark.self)
        #expect(try stage.rows(Self.marks) == ["m 9 vegan -"])
        #expect(try stage.rows(Self.notes) == ["\(Self.theirs) milk m"])
        #expect(try stage.pending() == ["Note \(Self.theirs) update"])
        #expect(summary.notes.map { "\($0.entity) \($0.code)" } == ["Note adopted", "Mark adopted"], "\(summary)")
    }

    @Test("C5 If the dependent's policy differs, or both are the server's, both stay and the collision is reported")
    func reported() async throws {
        for isPolicy in [true, false] {
            let policies = ConflictPolicies(.localChangesWin)
            let stage = try marks(isPolicy ? policies.using(.report, for: Note.self) : policies)
            if !isPolicy {
                // Another note of the server's was moved to the locally created mark.
                try stage.edit("DELETE FROM note WHERE id = '\(Self.mine)'")
                for store in [stage.store, stage.typed] {
                    try await store.merge(
                        #"[{"id": "\#(Self.third)", "text": "milk", "mark_id": null}]"#, into: Note.self)
                }
                try stage.edit("UPDATE note SET mark_id = '\(Self.local)' WHERE id = '\(Self.third)'")
            }
            let other = isPolicy ? Self.mine : Self.third
            let notes = try stage.rows(Self.notes)
            let pending = try stage.pending()
            let summary = try await stage.store.merge(Self.vegan, into: Mark.self)
            #expect(summary.skipped.map(\.identity) == ["9"])
            #expect(summary.notes.map(\.code) == [.uniqueConflict])
            #expect(try stage.rows(Self.notes) == notes)
            #expect(notes.contains("\(other) milk \(Self.local)"))
            #expect(try stage.pending() == pending)
        }
    }

    @Test("C5 Dependents of colliding dependents are merged too; those without a counterpart are moved")
    func below() async throws {
        let stage = try stage(
            .localChangesWin,
            Self.unique + """
                INSERT INTO node (id, title) VALUES (1, 'old');
                INSERT INTO mark (local_id, remote_id, text, node_id) VALUES ('m', 9, 'vegan', 1);
                INSERT INTO note (id, text, mark_id) VALUES ('\(Self.theirs)', 'milk', 'm');
                """)
        try stage.edit(
            """
            INSERT INTO node (id, title) VALUES (100, 'one');
            INSERT INTO mark (local_id, text, node_id) VALUES ('\(Self.local)', 'vegan', 100), ('x', 'other', 100);
            INSERT INTO note (id, text, mark_id) VALUES ('\(Self.mine)', 'milk', '\(Self.local)'),
                ('\(Self.third)', 'eggs', '\(Self.local)');
            """)
        let summary = try await stage.merge(#"[{"id": 1, "title": "one"}]"#, into: Node.self)
        #expect(try stage.rows("SELECT id, title FROM node") == ["1 one"])
        #expect(try stage.rows(Self.marks) == ["x - other 1", "m 9 vegan 1"])
        #expect(try stage.rows(Self.notes) == ["\(Self.theirs) milk m", "\(Self.third) eggs m"])
        #expect(try stage.pending() == ["Mark x create", "Note \(Self.third) create"])
        #expect(summary.skipped.isEmpty, "\(summary)")
    }

    @Test("C5 The result is the same if a device-generated identity is replaced, or a link came before its record")
    func otherRoads() async throws {
        let stage = try stage(
            .localChangesWin,
            Self.unique + "INSERT INTO mark (local_id, remote_id, text, node_id) VALUES ('m', 9, 'vegan', 1);")
        try stage.edit(
            """
            INSERT INTO node (id, title) VALUES (100, 'one');
            INSERT INTO mark (local_id, text, node_id) VALUES ('\(Self.local)', 'vegan', 100);
            """)
        try await stage.merge(#"[{"id": 1, "title": "one"}]"#, into: Node.self)
        #expect(try stage.rows(Self.marks) == ["m 9 vegan 1"])
        #expect(try stage.pending() == [])

        let reserved = try self.stage(.localChangesWin, Self.uniqueMarks)
        try reserved.edit(
            """
            INSERT INTO mark (local_id, text) VALUES ('\(Self.local)', 'vegan');
            INSERT INTO note (id, text, mark_id) VALUES ('\(Self.mine)', 'milk', '\(Self.local)');
            """)
        for store in [reserved.store, reserved.typed] {
            try await store.merge(#"[{"id": "\#(Self.theirs)", "text": "milk", "mark_id": 9}]"#, into: Note.self)
        }
        try await reserved.store.merge(Self.vegan, into: Mark.self)
        #expect(try reserved.rows(Self.notes) == ["\(Self.theirs) milk \(Self.local)"])
        #expect(try reserved.pending() == [])
    }
}

/// The same two rows become one if the response to a creation was lost, and a pull has inserted the record again.
@Suite("P10.8 Local changes to the duplicate row of a record created locally")
struct SecondRowStories {
    private let clock = ManualClock()
    private let remote = MemoryRemote()
    private let store: Store
    private let sync: Sync

    private static let own = "b3f5a6de-1111-4222-8333-444455556666"
    private static let note = "b3f5a6de-1111-4222-8333-444455557777"
    private static let other = "b3f5a6de-1111-4222-8333-444455558888"

    init() throws {
        store = try Store(ForestSchema.self, at: .inMemory)
        sync = Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
    }

    private func run(_ sql: String) async throws { try await store.writer.write { try $0.execute(sql: sql) } }

    private func rows(_ sql: String) throws -> [String] {
        try store.writer.read { database in
            try Row.fetchAll(database, sql: sql).map { row in
                row.databaseValues.map { $0.isNull ? "-" : RecordKey($0).text }.joined(separator: " ")
            }
        }
    }

    /// - Returns: The key of the row that the pull has inserted.
    private func twin(_ sql: String = "") async throws -> String {
        try await run("INSERT INTO mark (local_id, text) VALUES ('\(Self.own)', 'red');")
        remote.respondNext(.responseLost)
        await #expect(throws: SyncError.self) { try await sync.push() }
        try await run(sql)
        clock.advance(by: 600)
        try await sync.pull(Mark.self)
        let twins = try rows("SELECT local_id FROM mark WHERE local_id <> '\(Self.own)'")
        return try #require(twins.first)
    }

    @Test("P10.8 A link added to the duplicate is sent, and so is another record's link to it")
    func links() async throws {
        remote.set(["id": "bo", "name": "Bo", "mark_ids": []], id: "bo", in: "/rangers")
        try await sync.pull(Ranger.self)
        let twin = try await twin()
        try await run("INSERT INTO mark_ranger (mark_id, ranger_id) VALUES ('\(twin)', 'bo')")
        #expect(try rows("SELECT source, destination FROM lockstep_outbox_link") == ["bo \(twin)"])
        // The response arrives, and the link waits for its turn.
        remote.respondNext(.unavailable(status: 503), to: .kind(.update, path: "/rangers"))
        _ = try? await sync.push()
        #expect(try rows("SELECT local_id FROM mark") == [Self.own])
        #expect(try rows("SELECT mark_id, ranger_id FROM mark_ranger") == ["\(Self.own) bo"])
        #expect(try rows("SELECT source, destination, is_added FROM lockstep_outbox_link") == ["bo \(Self.own) 1"])
        clock.advance(by: 600)
        try await sync.push()
        #expect(remote.record("bo", of: "/rangers")?["mark_ids"] == [1])
        #expect(try await store.outbox.count() == 0)
    }

    @Test("P10.8 C5 Colliding dependents of both rows become one, and are not deleted with the duplicate")
    func collisions() async throws {
        try await run("CREATE UNIQUE INDEX note_text ON note (mark_id, text)")
        let twin = try await twin(
            "INSERT INTO note (id, text, mark_id) VALUES ('\(Self.note)', 'milk', '\(Self.own)');")
        remote.set(["id": .string(Self.other), "text": "milk", "mark_id": 1], id: Self.other, in: "/notes")
        try await sync.pull(Note.self)
        #expect(
            try rows("SELECT id, mark_id FROM note ORDER BY id") == [
                "\(Self.note) \(Self.own)", "\(Self.other) \(twin)",
            ])
        try await sync.push()
        #expect(try rows("SELECT id, mark_id FROM note") == ["\(Self.other) \(Self.own)"])
        #expect(remote.records(of: "/notes").count == 1)
        #expect(try await store.outbox.count() == 0)
    }

    @Test("P10.8 If both colliding records are the server's, the creation is parked with the reason; none is deleted")
    func parked() async throws {
        try await run("CREATE UNIQUE INDEX note_text ON note (mark_id, text)")
        remote.set(["id": .string(Self.note), "text": "milk", "mark_id": .null], id: Self.note, in: "/notes")
        try await sync.pull(Note.self)
        let twin = try await twin("UPDATE note SET mark_id = '\(Self.own)'")
        remote.set(["id": .string(Self.other), "text": "milk", "mark_id": 1], id: Self.other, in: "/notes")
        try await store.merge(
            Data(#"[{"id": "\#(Self.other)", "text": "milk", "mark_id": 1}]"#.utf8), into: Note.self)
        let notes = ["\(Self.note) \(Self.own)", "\(Self.other) \(twin)"]
        #expect(try rows("SELECT id, mark_id FROM note ORDER BY id") == notes)
        let summary = try await sync.push()
        #expect(summary.parked.count == 1)
        #expect(try rows("SELECT id, mark_id FROM note ORDER BY id") == notes)
        // Without one of them it continues.
        try await run("DELETE FROM note WHERE id = '\(Self.note)'")
        try await store.outbox.retry(try #require(try await store.outbox.pending().first { $0.parked != nil }))
        try await sync.push()
        #expect(try rows("SELECT id, mark_id FROM note") == ["\(Self.other) \(Self.own)"])
        #expect(try await store.outbox.count() == 0)
    }
}
