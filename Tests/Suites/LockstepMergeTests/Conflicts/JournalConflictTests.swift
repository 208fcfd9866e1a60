import Foundation
import GRDB
import Journal
import LockstepStore
import Testing

@testable import LockstepMerge

@Suite("C1 and C2 The journal is edited on two devices")
struct JournalConflictTests {
    private static let id = "00000000-0000-0000-0000-000000000001"
    private static let monday = """
        INSERT INTO entry (identifier, title, body_text, mood, timestamp) VALUES ('\(id)', 'Monday', 'Rain.', 'sad', 100)
        """
    private static let entry = "SELECT title, body_text, mood, timestamp FROM entry"
    private static let base = "SELECT title, body_text, mood, timestamp FROM lockstep_base_entry"

    private func journal(_ policies: ConflictPolicies? = .localChangesWin) throws -> ConflictStage {
        try ConflictStage(JournalSchema.self, policies, Self.monday)
    }

    private func json(_ members: String) -> String { #"[{"identifier": "\#(Self.id)", \#(members)}]"# }

    @Test("C2 A title edited locally and a text edited on the server are both kept")
    func bothCount() async throws {
        let journal = try journal()
        try journal.edit("UPDATE entry SET title = 'Blue Monday'")
        let summary = try await journal.merge(
            json(#""title": "Monday", "bodyText": "Sun.", "mood": "sad""#), into: Entry.self)
        #expect(summary.description == "Entry: 1 updated")
        #expect(try journal.rows(Self.entry) == ["Blue Monday Sun. sad 100.0"])
        #expect(try journal.rows(Self.base) == ["Monday Sun. sad 100.0"])
        #expect(try journal.pending() == ["Entry \(Self.id) update"])
    }

    @Test("C1 Local changes win: the local edit is kept and sent, based on the server's current record")
    func localChangesWin() async throws {
        let journal = try journal()
        try journal.edit("UPDATE entry SET title = 'Here', mood = 'happy'")
        let summary = try await journal.merge(json(#""title": "There", "bodyText": "Sun.""#), into: Entry.self)
        #expect(summary.updated == 1)
        #expect(try journal.rows(Self.entry) == ["Here Sun. happy 100.0"])
        #expect(try journal.rows(Self.base) == ["There Sun. sad 100.0"])
    }

    @Test("C1 The server wins, but only if both sides edited the field")
    func serverWins() async throws {
        let journal = try journal(.serverWins)
        try journal.edit("UPDATE entry SET title = 'Here', mood = 'happy'")
        try await journal.merge(json(#""title": "There", "mood": "sad""#), into: Entry.self)
        #expect(try journal.rows(Self.entry) == ["There Rain. happy 100.0"])
        #expect(try journal.pending() == ["Entry \(Self.id) update"])
    }

    @Test(
        "C1 The newest edit wins; if both are equally old, the server's does",
        arguments: [(50, "Here"), (200, "There"), (150, "There")])
    func newestWins(time: Int, title: String) async throws {
        let journal = try journal(ConflictPolicies(.newestWins(by: "timestamp")))
        try journal.edit("UPDATE entry SET title = 'Here', timestamp = 150")
        let date = Date(timeIntervalSince1970: Double(time)).formatted(.iso8601)
        try await journal.merge(json(#""title": "There", "timestamp": "\#(date)""#), into: Entry.self)
        let stamp = title == "Here" ? 150 : time
        #expect(try journal.rows(Self.entry) == ["\(title) Rain. sad \(stamp).0"])
        #expect(try journal.pending().isEmpty == (title == "There"))
    }

    @Test("C2 If nothing differs any more, nothing is pending")
    func agreement() async throws {
        let journal = try journal()
        try journal.edit("UPDATE entry SET title = 'Here'")
        try await journal.merge(json(#""title": "Here", "bodyText": "Sun.""#), into: Entry.self)
        #expect(try journal.rows(Self.entry) == ["Here Sun. sad 100.0"])
        #expect(try journal.pending().isEmpty)
        #expect(try journal.rows(Self.base).isEmpty)
    }

    @Test("M1 Fields missing from the payload stay pending")
    func missing() async throws {
        let journal = try journal()
        try journal.edit("UPDATE entry SET title = 'Here'")
        try await journal.merge(json(#""bodyText": "Sun.""#), into: Entry.self)
        #expect(try journal.rows(Self.entry) == ["Here Sun. sad 100.0"])
        #expect(try journal.rows(Self.base) == ["Monday Sun. sad 100.0"])
        #expect(try journal.pending() == ["Entry \(Self.id) update"])
    }

    @Test("C2 A locally created record that the server lists becomes an update, or is not pending")
    func creation() async throws {
        let journal = try ConflictStage(JournalSchema.self)
        try journal.edit(Self.monday)
        #expect(try journal.pending() == ["Entry \(Self.id) create"])
        try await journal.merge(json(#""title": "Monday", "bodyText": "Sun.", "mood": "sad""#), into: Entry.self)
        #expect(try journal.rows(Self.entry) == ["Monday Rain. sad 100.0"])
        // The server has not confirmed the time yet, so it is still to be sent.
        #expect(try journal.rows(Self.base) == ["Monday Sun. sad -"])
        #expect(try journal.pending() == ["Entry \(Self.id) update"])
        try await journal.merge(json(#""bodyText": "Rain.""#), into: Entry.self)
        #expect(try journal.pending() == ["Entry \(Self.id) update"])
        try await journal.merge(json(#""timestamp": "1970-01-01T00:01:40Z""#), into: Entry.self)
        #expect(try journal.pending().isEmpty)
    }

    @Test("C3 Deleted locally, edited on the server: the delete is kept and sent")
    func deletedHere() async throws {
        let journal = try journal()
        try journal.edit("DELETE FROM entry")
        let summary = try await journal.merge(json(#""title": "There""#), into: Entry.self) { $0.records = .all }
        #expect(summary.inserted == 0)
        #expect(try journal.rows(Self.entry).isEmpty)
        #expect(try journal.rows(Self.base) == ["There Rain. sad 100.0"])
        #expect(try journal.pending() == ["Entry \(Self.id) delete"])
    }

    @Test("C3 Deleted on the server, edited locally: created again on the server, with a new request")
    func deletedThere() async throws {
        let journal = try journal()
        try journal.edit("UPDATE entry SET title = 'Here'")
        try journal.edit("UPDATE lockstep_outbox SET idempotency_key = 'old', attempts = 3, parked_status = 404")
        let summary = try await journal.merge("[]", into: Entry.self) { $0.records = .all }
        #expect(!summary.hasChanges)
        #expect(try journal.rows(Self.entry) == ["Here Rain. sad 100.0"])
        // Its old values are kept, in case another client creates it again too.
        #expect(try journal.rows(Self.base) == ["Monday Rain. sad 100.0"])
        #expect(try journal.pending() == ["Entry \(Self.id) create"])
        #expect(try journal.rows("SELECT idempotency_key, attempts, parked_status FROM lockstep_outbox") == ["- 0 -"])
    }

    @Test("C3 Deleted on the server, edited locally: deleted if the server wins and deleting is enabled")
    func deletedThereForGood() async throws {
        let journal = try journal(.serverWins)
        try journal.edit("UPDATE entry SET title = 'Here'")
        try await journal.merge("[]", into: Entry.self)
        #expect(try journal.pending() == ["Entry \(Self.id) update"])
        let summary = try await journal.merge("[]", into: Entry.self) { $0.records = .all }
        #expect(summary.deleted == 1)
        #expect(try journal.pending().isEmpty)
        #expect(try journal.rows(Self.base).isEmpty)
    }

    @Test("M7.3 A locally created record is not deleted, whichever side wins", arguments: [true, false])
    func madeHere(serverWins: Bool) async throws {
        let journal = try ConflictStage(JournalSchema.self, serverWins ? .serverWins : .localChangesWin)
        try journal.edit(Self.monday)
        try await journal.merge("[]", into: Entry.self) { $0.records = .all }
        #expect(try journal.rows(Self.entry).count == 1)
        #expect(try journal.pending() == ["Entry \(Self.id) create"])
    }

    @Test("C1 A policy passed to the merge takes precedence, even in a store without a sync")
    func ownPolicy() async throws {
        let journal = try journal(nil)
        try journal.edit("UPDATE entry SET title = 'Here'")
        try await journal.merge(json(#""title": "There""#), into: Entry.self) { $0.conflicts = .localChangesWin }
        #expect(try journal.rows(Self.entry) == ["Here Rain. sad 100.0"])
    }

    @Test("C1 Local edits are kept in a store without a sync too: fields, new records and deletes")
    func withoutSync() async throws {
        let journal = try journal(nil)
        try journal.edit("UPDATE entry SET title = 'Here', mood = 'happy'")
        try journal.edit(
            "INSERT INTO entry (identifier, title, timestamp) VALUES ('00000000-0000-0000-0000-000000000002', 'B', 1)")
        let there = json(#""title": "There", "bodyText": "Sun.", "mood": "sad", "timestamp": "1970-01-01T00:01:40Z""#)
        let summary = try await journal.merge(there, into: Entry.self) { $0.records = .all }
        #expect(summary.deleted == 0)
        #expect(try journal.rows("\(Self.entry) ORDER BY title") == ["B - neutral 1.0", "Here Sun. happy 100.0"])
        let created = "Entry 00000000-0000-0000-0000-000000000002 create"
        #expect(try journal.pending() == ["Entry \(Self.id) update", created])
        try journal.edit("DELETE FROM entry WHERE title = 'Here'")
        #expect(try await journal.merge(there, into: Entry.self).inserted == 0)
        #expect(try journal.pending() == ["Entry \(Self.id) delete", created])
    }

    @Test("C1 The server wins in a store without a sync only if the merge requests it")
    func serverWinsWithoutSync() async throws {
        let journal = try journal(nil)
        try journal.edit("UPDATE entry SET title = 'Here'")
        try await journal.merge(json(#""title": "There""#), into: Entry.self) { $0.conflicts = .serverWins }
        #expect(try journal.rows(Self.entry) == ["There Rain. sad 100.0"])
        #expect(try journal.pending().isEmpty)
        #expect(try journal.rows(Self.base).isEmpty)
    }

    @Test("C2 A dry run writes nothing and reports what would change")
    func dryRun() async throws {
        let journal = try journal()
        try journal.edit("UPDATE entry SET title = 'Here'")
        var options = MergeOptions(records: .all, isDryRun: true)
        options.conflicts = .serverWins
        let writes = try journal.rows("SELECT * FROM lockstep_outbox") + journal.rows(Self.base)
        let summary = try await journal.store.merge(json(#""title": "There""#), into: Entry.self, options: options)
        #expect(summary.updated == 1)
        #expect(try journal.rows(Self.entry) == ["Here Rain. sad 100.0"])
        #expect(try journal.rows("SELECT * FROM lockstep_outbox") + journal.rows(Self.base) == writes)
    }

    @Test("M6 A merge is not a local change, and the outbox records changes again afterwards")
    func quiet() async throws {
        let journal = try ConflictStage(JournalSchema.self)
        try await journal.merge(json(#""title": "There", "timestamp": "2020-01-01""#), into: Entry.self)
        #expect(try journal.pending().isEmpty)
        try journal.edit("UPDATE entry SET title = 'Here'")
        #expect(try journal.pending() == ["Entry \(Self.id) update"])
    }

    /// Writes before and after the merge.
    private struct Writer: MergeParticipant {
        func willMerge(_ database: Database, changes: RawChanges) throws {
            try database.execute(sql: "UPDATE entry SET mood = 'happy'")
        }

        func didMerge(_ database: Database, changes: RawChanges, summary: MergeSummary) throws {
            #expect(try String.fetchOne(database, sql: "SELECT title FROM entry") == "There")
            try database.execute(sql: "UPDATE entry SET body_text = 'After.'")
        }
    }

    @Test("C2 What a participant writes before and after a merge is not a local change")
    func beforeAndAfter() async throws {
        let journal = try journal()
        var options = MergeOptions()
        options.participants = [Writer()]
        try await journal.store.merge(json(#""title": "There""#), into: Entry.self, options: options)
        #expect(try journal.rows(Self.entry) == ["There After. happy 100.0"])
        #expect(try journal.pending().isEmpty)
    }

    @Test("M12 A rejected record leaves its pending change untouched")
    func refused() async throws {
        let journal = try journal()
        try journal.edit("UPDATE entry SET title = 'Here'")
        let summary = try await journal.store.merge(json(#""title": [], "bodyText": "Sun.""#), into: Entry.self)
        #expect(summary.skipped.count == 1)
        #expect(try journal.rows(Self.base) == ["Monday Rain. sad 100.0"])
    }
}
