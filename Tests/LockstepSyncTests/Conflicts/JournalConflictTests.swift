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

    @Test("C2 A title edited here and a text edited there: both count")
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

    @Test("C1 Local changes win: what was edited here stays and goes out, against what the server has now")
    func localChangesWin() async throws {
        let journal = try journal()
        try journal.edit("UPDATE entry SET title = 'Here', mood = 'happy'")
        let summary = try await journal.merge(json(#""title": "There", "bodyText": "Sun.""#), into: Entry.self)
        #expect(summary.updated == 1)
        #expect(try journal.rows(Self.entry) == ["Here Sun. happy 100.0"])
        #expect(try journal.rows(Self.base) == ["There Sun. sad 100.0"])
    }

    @Test("C1 The server wins: only where both have edited")
    func serverWins() async throws {
        let journal = try journal(.serverWins)
        try journal.edit("UPDATE entry SET title = 'Here', mood = 'happy'")
        try await journal.merge(json(#""title": "There", "mood": "sad""#), into: Entry.self)
        #expect(try journal.rows(Self.entry) == ["There Rain. happy 100.0"])
        #expect(try journal.pending() == ["Entry \(Self.id) update"])
    }

    @Test(
        "C1 The newest wins, the server's where they are equal",
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

    @Test("C2 Where nothing differs any more nothing is pending")
    func agreement() async throws {
        let journal = try journal()
        try journal.edit("UPDATE entry SET title = 'Here'")
        try await journal.merge(json(#""title": "Here", "bodyText": "Sun.""#), into: Entry.self)
        #expect(try journal.rows(Self.entry) == ["Here Sun. sad 100.0"])
        #expect(try journal.pending().isEmpty)
        #expect(try journal.rows(Self.base).isEmpty)
    }

    @Test("M1 What the server does not mention stays pending")
    func missing() async throws {
        let journal = try journal()
        try journal.edit("UPDATE entry SET title = 'Here'")
        try await journal.merge(json(#""bodyText": "Sun.""#), into: Entry.self)
        #expect(try journal.rows(Self.entry) == ["Here Sun. sad 100.0"])
        #expect(try journal.rows(Self.base) == ["Monday Sun. sad 100.0"])
        #expect(try journal.pending() == ["Entry \(Self.id) update"])
    }

    @Test("C2 A record made here that the server lists is a change of that, or nothing")
    func creation() async throws {
        let journal = try ConflictStage(JournalSchema.self)
        try journal.edit(Self.monday)
        #expect(try journal.pending() == ["Entry \(Self.id) create"])
        try await journal.merge(json(#""title": "Monday", "bodyText": "Sun.", "mood": "sad""#), into: Entry.self)
        #expect(try journal.rows(Self.entry) == ["Monday Rain. sad 100.0"])
        // Nobody has said that the server has the time: it is still to be told.
        #expect(try journal.rows(Self.base) == ["Monday Sun. sad -"])
        #expect(try journal.pending() == ["Entry \(Self.id) update"])
        try await journal.merge(json(#""bodyText": "Rain.""#), into: Entry.self)
        #expect(try journal.pending() == ["Entry \(Self.id) update"])
        try await journal.merge(json(#""timestamp": "1970-01-01T00:01:40Z""#), into: Entry.self)
        #expect(try journal.pending().isEmpty)
    }

    @Test("C3 Deleted here, edited there: the delete stays and goes out")
    func deletedHere() async throws {
        let journal = try journal()
        try journal.edit("DELETE FROM entry")
        let summary = try await journal.merge(json(#""title": "There""#), into: Entry.self) { $0.records = .all }
        #expect(summary.inserted == 0)
        #expect(try journal.rows(Self.entry).isEmpty)
        #expect(try journal.rows(Self.base) == ["There Rain. sad 100.0"])
        #expect(try journal.pending() == ["Entry \(Self.id) delete"])
    }

    @Test("C3 Deleted there, edited here: made there again, with a request of its own")
    func deletedThere() async throws {
        let journal = try journal()
        try journal.edit("UPDATE entry SET title = 'Here'")
        try journal.edit("UPDATE lockstep_outbox SET idempotency_key = 'old', attempts = 3, parked_status = 404")
        let summary = try await journal.merge("[]", into: Entry.self) { $0.records = .all }
        #expect(!summary.hasChanges)
        #expect(try journal.rows(Self.entry) == ["Here Rain. sad 100.0"])
        // What it was stays known, in case others make it there again too.
        #expect(try journal.rows(Self.base) == ["Monday Rain. sad 100.0"])
        #expect(try journal.pending() == ["Entry \(Self.id) create"])
        #expect(try journal.rows("SELECT idempotency_key, attempts, parked_status FROM lockstep_outbox") == ["- 0 -"])
    }

    @Test("C3 Deleted there, edited here: deleted where the server wins, and only where deleting is on")
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

    @Test("M7 A record made here is not deleted, whoever wins", arguments: [true, false])
    func madeHere(serverWins: Bool) async throws {
        let journal = try ConflictStage(JournalSchema.self, serverWins ? .serverWins : .localChangesWin)
        try journal.edit(Self.monday)
        try await journal.merge("[]", into: Entry.self) { $0.records = .all }
        #expect(try journal.rows(Self.entry).count == 1)
        #expect(try journal.pending() == ["Entry \(Self.id) create"])
    }

    @Test("C1 A merge's own policy counts, also in a store without a sync")
    func ownPolicy() async throws {
        let journal = try journal(nil)
        try journal.edit("UPDATE entry SET title = 'Here'")
        try await journal.merge(json(#""title": "There""#), into: Entry.self) { $0.conflicts = .localChangesWin }
        #expect(try journal.rows(Self.entry) == ["Here Rain. sad 100.0"])
    }

    @Test("C1 In a store without a sync, too, local edits stay: field by field, new records and deletes")
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

    @Test("C1 The server wins in a store without a sync only if the merge says so")
    func serverWinsWithoutSync() async throws {
        let journal = try journal(nil)
        try journal.edit("UPDATE entry SET title = 'Here'")
        try await journal.merge(json(#""title": "There""#), into: Entry.self) { $0.conflicts = .serverWins }
        #expect(try journal.rows(Self.entry) == ["There Rain. sad 100.0"])
        #expect(try journal.pending().isEmpty)
        #expect(try journal.rows(Self.base).isEmpty)
    }

    @Test("C2 A dry run writes nothing, and tells what would be done")
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

    @Test("M6 A merge is no local change, and the outbox listens again afterwards")
    func quiet() async throws {
        let journal = try ConflictStage(JournalSchema.self)
        try await journal.merge(json(#""title": "There", "timestamp": "2020-01-01""#), into: Entry.self)
        #expect(try journal.pending().isEmpty)
        try journal.edit("UPDATE entry SET title = 'Here'")
        #expect(try journal.pending() == ["Entry \(Self.id) update"])
    }

    /// Writes before and after the merge.
    private struct Writer: MergeParticipant {
        func willMerge(_ database: Database, _ changes: RawChanges) throws {
            try database.execute(sql: "UPDATE entry SET mood = 'happy'")
        }

        func didMerge(_ database: Database, _ changes: RawChanges) throws {
            #expect(try String.fetchOne(database, sql: "SELECT title FROM entry") == "There")
            try database.execute(sql: "UPDATE entry SET body_text = 'After.'")
        }
    }

    @Test("C2 What a participant writes before and after a merge is quiet too")
    func beforeAndAfter() async throws {
        let journal = try journal()
        var options = MergeOptions()
        options.participants = [Writer()]
        try await journal.store.merge(json(#""title": "There""#), into: Entry.self, options: options)
        #expect(try journal.rows(Self.entry) == ["There After. happy 100.0"])
        #expect(try journal.pending().isEmpty)
    }

    @Test("M12 A record that is refused leaves its pending change as it was")
    func refused() async throws {
        let journal = try journal()
        try journal.edit("UPDATE entry SET title = 'Here'")
        let summary = try await journal.store.merge(json(#""title": 7, "bodyText": "Sun.""#), into: Entry.self)
        #expect(summary.skipped.count == 1)
        #expect(try journal.rows(Self.base) == ["Monday Rain. sad 100.0"])
    }
}
