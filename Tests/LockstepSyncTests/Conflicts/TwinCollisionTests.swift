import Forest
import Foundation
import GRDB
import LockstepStore
import LockstepTesting
import Testing

@testable import LockstepHTTP
@testable import LockstepMerge
@testable import LockstepSync

/// Two records turn out to be one, and both have records under a key that has their owner's in it.
@Suite("C5 What two records that become one have the same of")
struct TwinCollisionTests {
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

    /// A mark and a note of the server, and the same made here.
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

    @Test("C5 The record that was made here goes into the server's, whose pending edits stay")
    func united() async throws {
        let stage = try marks()
        let summary = try await stage.merge(Self.vegan, into: Mark.self)
        #expect(try stage.rows(Self.marks) == ["m 9 vegan -"])
        #expect(try stage.rows(Self.notes) == ["\(Self.theirs) milk m"])
        #expect(try stage.pending() == ["Note \(Self.theirs) update"])
        #expect(summary.notes.map { "\($0.entity) \($0.code)" } == ["Note adopted", "Mark adopted"], "\(summary)")
    }

    @Test("C5 Where the policy of what collides is another, or the server has both, both stay and it is reported")
    func reported() async throws {
        for isPolicy in [true, false] {
            let policies = ConflictPolicies(.localChangesWin)
            let stage = try marks(isPolicy ? policies.using(.report, for: Note.self) : policies)
            if !isPolicy {
                // Another note of the server's was moved to the mark that was made here.
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

    @Test("C5 What collides in turn, below those that collide, is one too; whoever has no counterpart moves")
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

    @Test("C5 The same where the identity that the device made becomes another, and where a link came before")
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

/// The same two roads meet where the answer to a creation was lost, and a pull has brought the record as another row.
@Suite("P10 What was done to the second row of one's own creation")
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

    /// - Returns: The key of the row that the pull has brought.
    private func twin(_ sql: String = "") async throws -> String {
        try await run("INSERT INTO mark (local_id, text) VALUES ('\(Self.own)', 'red');")
        remote.answerNext(.answerLost)
        await #expect(throws: SyncError.self) { try await sync.push() }
        try await run(sql)
        clock.advance(by: 600)
        try await sync.pull(Mark.self)
        let twins = try rows("SELECT local_id FROM mark WHERE local_id <> '\(Self.own)'")
        return try #require(twins.first)
    }

    @Test("P10 A link that was added to it goes out, and so does one of another record to it")
    func links() async throws {
        remote.set(["id": "bo", "name": "Bo", "mark_ids": []], id: "bo", in: "/rangers")
        try await sync.pull(Ranger.self)
        let twin = try await twin()
        try await run("INSERT INTO mark_ranger (mark_id, ranger_id) VALUES ('\(twin)', 'bo')")
        #expect(try rows("SELECT source, destination FROM lockstep_outbox_link") == ["bo \(twin)"])
        // The answer comes, and the link waits for its turn.
        remote.answerNext(.unavailable(status: 503), to: .kind(.update, path: "/rangers"))
        _ = try? await sync.push()
        #expect(try rows("SELECT local_id FROM mark") == [Self.own])
        #expect(try rows("SELECT mark_id, ranger_id FROM mark_ranger") == ["\(Self.own) bo"])
        #expect(try rows("SELECT source, destination, is_added FROM lockstep_outbox_link") == ["bo \(Self.own) 1"])
        clock.advance(by: 600)
        try await sync.push()
        #expect(remote.record("bo", of: "/rangers")?["mark_ids"] == [1])
        #expect(try await store.outbox.count() == 0)
    }

    @Test("P10 C5 What both rows have the same of is one, and is not deleted with the second row")
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

    @Test("P10 Where the server has both of what collides, the creation is parked with the reason, and nothing goes")
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
        // Without one of them it goes on.
        try await run("DELETE FROM note WHERE id = '\(Self.note)'")
        try await store.outbox.retry(try #require(try await store.outbox.pending().first { $0.parked != nil }))
        try await sync.push()
        #expect(try rows("SELECT id, mark_id FROM note") == ["\(Self.other) \(Self.own)"])
        #expect(try await store.outbox.count() == 0)
    }
}
