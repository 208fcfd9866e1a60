import Foundation
import GRDB
import LinkSamples
import LockstepStore
import Shop
import Testing
import TestSupport

@testable import LockstepMerge

@Suite("Two devices create the same unique value")
struct LocalDuplicateTests {
    private static let local = "b3f5a6de-1111-4222-8333-444455556666"
    private static let note = "b3f5a6de-1111-4222-8333-444455557777"
    private static let unique = """
        CREATE UNIQUE INDEX mark_text ON mark (text);
        CREATE UNIQUE INDEX ranger_name ON ranger (name);
        INSERT INTO node (id, title) VALUES (1, 'one'), (3, 'three');
        """

    private func stage(
        _ policies: ConflictPolicies? = .localChangesWin, _ sql: String = ""
    ) throws -> ConflictStage { try ConflictStage(ForestSchema.self, policies, Self.unique + sql) }

    private func makeMark(_ stage: ConflictStage, node: String = "NULL") throws {
        try stage.edit(
            """
            INSERT INTO mark (local_id, text, node_id) VALUES ('\(Self.local)', 'vegan', \(node));
            INSERT INTO note (id, text, mark_id) VALUES ('\(Self.note)', 'mine', '\(Self.local)');
            """)
    }

    private static let marks = "SELECT local_id, remote_id, text, node_id FROM mark ORDER BY text, remote_id"

    // MARK: Adopting

    @Test("C5 The local record adopts the server's identity and keeps its links; its creation is done")
    func adopted() async throws {
        let stage = try stage()
        try makeMark(stage)
        let summary = try await stage.merge(#"[{"id": 9, "text": "vegan", "node_id": null}]"#, into: Mark.self)
        #expect(try stage.rows(Self.marks) == ["\(Self.local) 9 vegan -"])
        #expect(try stage.rows("SELECT mark_id FROM note") == [Self.local])
        #expect(try stage.pending() == ["Note \(Self.note) create"])
        #expect(summary.skipped.isEmpty && summary.notes.map(\.code) == [.adopted], "\(summary)")
    }

    @Test("C6.7 The entries of a record in the journal of conflicts follow it to its new key")
    func conflicts() async throws {
        let stage = try ConflictStage(
            ShopSchema.self, .localChangesWin, "CREATE UNIQUE INDEX tag_unique ON tag (name)")
        try stage.edit(
            """
            INSERT INTO tag (id, name) VALUES (-1, 'vegan');
            INSERT INTO lockstep_conflict (entity, record, member, remote, sides, lost, rule, at)
                VALUES ('Tag', -1, 'name', 'vegetarian', 4, 'remote', 'localChangesWin', 0)
            """)
        try await stage.merge(#"[{"id": 9, "name": "vegan"}]"#, into: Tag.self)
        #expect(try stage.rows("SELECT id FROM tag") == ["9"])
        #expect(try stage.rows("SELECT record, remote FROM lockstep_conflict") == ["9 vegetarian"])
        #expect(try await stage.store.conflicts.entries().map(\.record) == ["9"])
    }

    @Test("C5 Links that came before the record point at the local one")
    func linkBefore() async throws {
        let stage = try stage()
        try makeMark(stage)
        let other = "b3f5a6de-1111-4222-8333-444455558888"
        try await stage.store.merge(#"[{"id": "\#(other)", "text": "theirs", "mark_id": 9}]"#, into: Note.self)
        try await stage.store.merge(#"[{"id": 9, "text": "vegan"}]"#, into: Mark.self)
        #expect(
            try stage.rows("SELECT text, mark_id FROM note ORDER BY text") == [
                "mine \(Self.local)", "theirs \(Self.local)",
            ])
    }

    @Test("C5 The policy decides the other differences; local values that are kept are sent as an update")
    func differing() async throws {
        for (policies, node, pending) in [
            (ConflictPolicies.localChangesWin, "1", ["Mark \(Self.local) update"]), (.serverWins, "3", []),
        ] {
            let stage = try stage(policies)
            try makeMark(stage, node: "1")
            try await stage.merge(#"[{"id": 9, "text": "vegan", "node_id": 3}]"#, into: Mark.self)
            #expect(try stage.rows(Self.marks) == ["\(Self.local) 9 vegan \(node)"])
            #expect(try stage.pending().filter { $0.hasPrefix("Mark") } == pending)
        }
    }

    @Test("C5 The result does not depend on how the payload is delivered", arguments: PayloadRoad.allCases)
    func roads(road: PayloadRoad) async throws {
        let stage = try stage()
        try makeMark(stage)
        let summary = try await road.merge(
            [#"{"id": 8, "text": "a"}"#, #"{"id": 9, "text": "vegan"}"#], into: Mark.self, stage.store)
        #expect(try stage.rows("SELECT remote_id, text FROM mark ORDER BY remote_id") == ["8 a", "9 vegan"])
        #expect(summary.skipped.isEmpty && summary[Mark.self].inserted == 1, "\(summary)")
    }

    @Test("C5 A device-generated identity is replaced, with all references and pending changes")
    func rekeyed() async throws {
        let stage = try stage(.localChangesWin, "INSERT INTO mark (local_id, remote_id, text) VALUES ('m', 5, 'm');")
        try stage.edit(
            """
            INSERT INTO ranger (id, name, node_id) VALUES ('mine', 'Bo', 1);
            INSERT INTO mark_ranger (mark_id, ranger_id) VALUES ('m', 'mine');
            """)
        let summary = try await stage.merge(#"[{"id": "r9", "name": "Bo"}]"#, into: Ranger.self)
        #expect(try stage.rows("SELECT id, name, node_id FROM ranger") == ["r9 Bo 1"])
        #expect(try stage.rows("SELECT mark_id, ranger_id FROM mark_ranger") == ["m r9"])
        #expect(try stage.pending() == ["Ranger r9 update"])
        #expect(try stage.rows("SELECT source, destination, is_added FROM lockstep_outbox_link") == ["r9 m 1"])
        #expect(summary.notes.map(\.code) == [.adopted])
    }

    @Test("C5 If an existing record of the server takes the value, the local record is merged into it")
    func absorbed() async throws {
        let stage = try stage(.localChangesWin, "INSERT INTO mark (local_id, remote_id, text) VALUES ('m', 9, 'veg');")
        try makeMark(stage)
        let summary = try await stage.merge(#"[{"id": 9, "text": "vegan"}]"#, into: Mark.self)
        #expect(try stage.rows(Self.marks) == ["m 9 vegan -"])
        #expect(try stage.rows("SELECT mark_id FROM note") == ["m"])
        #expect(try stage.pending() == ["Note \(Self.note) create"])
        #expect(summary.skipped.isEmpty)
    }

    @Test("C5 One of two records of the server is the local record")
    func twoOfThem() async throws {
        let stage = try stage()
        try makeMark(stage)
        let summary = try await stage.store.merge(
            #"[{"id": 9, "text": "vegan"}, {"id": 8, "text": "vegan"}]"#, into: Mark.self)
        #expect(try stage.rows("SELECT remote_id, local_id FROM mark") == ["8 \(Self.local)"])
        #expect(summary.skipped.map(\.identity) == ["9"])
    }

    @Test("C5 A confirmed record keeps its value, and the server's record is reported")
    func confirmed() async throws {
        let stage = try stage(
            .localChangesWin, "INSERT INTO mark (local_id, remote_id, text) VALUES ('m', 7, 'vegan');")
        let summary = try await stage.store.merge(#"[{"id": 9, "text": "vegan"}]"#, into: Mark.self)
        #expect(try stage.rows(Self.marks) == ["m 7 vegan -"])
        #expect(summary.skipped.map(\.identity) == ["9"] && !summary.hasChanges)
    }

    // MARK: Other policies

    @Test("C5 Both are kept; the local record gets another value, which is sent")
    func renamed() async throws {
        let policies = ConflictPolicies().using(.rename(suffix: " 2"), for: Mark.self)
        let stage = try stage(policies, "INSERT INTO mark (local_id, remote_id, text) VALUES ('m', 7, 'vegan 2');")
        try makeMark(stage)
        let summary = try await stage.store.merge(#"[{"id": 9, "text": "vegan"}]"#, into: Mark.self)
        #expect(
            try stage.rows("SELECT remote_id, text FROM mark ORDER BY text") == ["9 vegan", "7 vegan 2", "- vegan 2 2"])
        #expect(try stage.pending() == ["Mark \(Self.local) create", "Note \(Self.note) create"])
        #expect(summary.skipped.isEmpty && summary.notes.map(\.code) == [.renamed], "\(summary)")
    }

    @Test("C5 A merge can have its own policy: it skips the server's record, or fails if there is no free value")
    func reported() async throws {
        for policy in [UniqueValuePolicy.report, .rename { $0 }] {
            let stage = try stage()
            try makeMark(stage)
            var options = MergeOptions()
            options.uniqueValues = policy
            let summary = try await stage.store.merge(
                #"[{"id": 9, "text": "vegan"}]"#, into: Mark.self, options: options)
            #expect(try stage.rows(Self.marks) == ["\(Self.local) - vegan -"])
            #expect(summary.skipped.map(\.identity) == ["9"])
            #expect(try stage.pending() == ["Mark \(Self.local) create", "Note \(Self.note) create"])
        }
    }

    // MARK: Contexts

    @MainActor
    @Test("C5 An object keeps showing its record; if its identity was device-generated, the record is a different one")
    func contexts() async throws {
        let store = try Store(ForestSchema.self, at: .inMemory)
        try store.useConflictPolicies(.localChangesWin)
        try await store.writer.write { try $0.execute(sql: Self.unique) }
        let context = store.mainContext
        let mark = Mark(text: "vegan", context: context)
        let ranger = Ranger(id: "mine", name: "Bo", context: context)
        mark.readers.insert(ranger)
        try await context.save()
        try await store.merge(#"[{"id": 9, "text": "vegan"}]"#, into: Mark.self)
        #expect(mark.remoteID == 9 && !context.hasChanges)
        try await store.merge(#"[{"id": "r9", "name": "Bo"}]"#, into: Ranger.self)
        #expect(ranger.recordState == .deleted)
        let other = try #require(try context.find(Ranger.self, "r9"))
        #expect(other.name == "Bo" && mark.readers.map(\.id) == ["r9"])
    }
}
