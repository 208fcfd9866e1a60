import Foundation
import GRDB
import Journal
import LockstepStore
import Shop
import Testing

@testable import LockstepMerge

/// What merges write into the journal of conflicts.
@Suite("C6 Values that lose are kept")
struct ConflictJournalTests {
    private static let id = "00000000-0000-0000-0000-000000000001"
    private static let monday = """
        INSERT INTO entry (identifier, title, body_text, mood, timestamp) VALUES ('\(id)', 'Monday', 'Rain.', 'sad', 100)
        """
    private static let journal = """
        SELECT member, base, local, remote, sides, lost, rule FROM lockstep_conflict ORDER BY id
        """
    private static let record = #""identifier": "00000000-0000-0000-0000-000000000001""#

    private func journal(_ policies: ConflictPolicies? = .localChangesWin) throws -> ConflictStage {
        try ConflictStage(JournalSchema.self, policies, Self.monday)
    }

    private func json(_ members: String) -> String { "[{\(Self.record), \(members)}]" }

    @Test(
        "C6.1 The value that loses is kept with both others and what has decided",
        arguments: [
            (ConflictPolicies.localChangesWin, "title Monday Here There 7 remote localChangesWin"),
            (.serverWins, "title Monday Here There 7 local serverWins"),
            (ConflictPolicies(.newestWins(by: "timestamp")), "title Monday Here There 7 local newestWins"),
        ])
    func kept(policies: ConflictPolicies, entry: String) async throws {
        let journal = try journal(policies)
        try journal.edit("UPDATE entry SET title = 'Here', mood = 'happy'")
        try await journal.merge(json(#""title": "There", "bodyText": "Sun.", "mood": "sad""#), into: Entry.self)
        #expect(try journal.rows(Self.journal) == [entry])
        // The base follows the server: the same conflict is not one again.
        try await journal.merge(json(#""title": "There", "bodyText": "Snow.""#), into: Entry.self)
        #expect(try journal.rows(Self.journal) == [entry])
    }

    @Test("C6.1 Values that no side loses are not kept, and neither is anything of a merge that changes nothing")
    func notKept() async throws {
        let journal = try journal(.serverWins)
        try journal.edit("UPDATE entry SET title = 'Both', body_text = 'Here.'")
        try await journal.merge(json(#""title": "Both", "bodyText": "Rain.", "mood": "happy""#), into: Entry.self)
        var options = MergeOptions()
        options.isDryRun = true
        _ = try await journal.store.merge(json(#""bodyText": "There.""#), into: Entry.self, options: options)
        #expect(try journal.rows(Self.journal) == [])
    }

    @Test("C6.1 Of a record that was created on both sides, there is no base")
    func created() async throws {
        let journal = try ConflictStage(JournalSchema.self)
        try journal.edit(Self.monday)
        try await journal.merge(json(#""title": "There", "bodyText": null, "mood": "sad""#), into: Entry.self)
        #expect(
            try journal.rows(Self.journal) == [
                "title - Monday There 6 remote localChangesWin", "bodyText - Rain. - 6 remote localChangesWin",
            ])
    }

    @Test("C6.1 The record that a to-one leads to is kept as its key, also if a list of the server decides it")
    func links() async throws {
        let shop = try ConflictStage(
            ShopSchema.self, .serverWins,
            """
            INSERT INTO article (id, title, body_text) VALUES (1, 'A', 'a'), (2, 'B', 'b'), (3, 'C', 'c');
            INSERT INTO article_comment (id, name, text, article_id) VALUES (10, 'Ann', 'x', 1);
            """)
        try shop.edit("UPDATE article_comment SET article_id = 2")
        try await shop.merge(
            #"[{"id": 10, "name": "Ann", "text": "x", "article_id": 3}]"#, into: ArticleComment.self)
        #expect(try shop.rows(Self.journal) == ["article 1 2 3 7 local serverWins"])
    }

    @Test("C6.2 A function loses each changed value that its result does not have")
    func function() async throws {
        let policy = ConflictPolicy.custom(Entry.self) { _, local, remote in
            guard var joined = remote else { return nil }
            joined.bodyText = "\(local.bodyText ?? "") \(joined.bodyText ?? "")"
            joined.mood = .neutral
            return joined
        }
        let journal = try journal(ConflictPolicies.localChangesWin.using(policy, for: Entry.self))
        try journal.edit("UPDATE entry SET title = 'Here', body_text = 'Here.', mood = 'happy'")
        try await journal.merge(json(#""title": "There", "bodyText": "There.", "mood": "sad""#), into: Entry.self)
        #expect(try journal.rows("SELECT title, body_text, mood FROM entry") == ["There Here. There. neutral"])
        #expect(
            try journal.rows(Self.journal) == [
                "title Monday Here There 7 local custom", "bodyText Rain. Here. There. 7 local custom",
                "bodyText Rain. Here. There. 7 remote custom", "mood sad happy sad 7 local custom",
            ])
    }

    @Test("C6.2 If it deletes the record, what both sides have changed is kept")
    func deletingFunction() async throws {
        let policy = ConflictPolicy.custom(Entry.self) { _, _, _ in nil }
        let journal = try journal(ConflictPolicies.localChangesWin.using(policy, for: Entry.self))
        try journal.edit("UPDATE entry SET title = 'Here', mood = 'happy'")
        try await journal.merge(json(#""title": "There", "bodyText": "Sun.""#), into: Entry.self)
        #expect(
            try journal.rows(Self.journal) == [
                "title Monday Here There 7 local custom", "title Monday Here There 7 remote custom",
                "bodyText Rain. Rain. Sun. 7 remote custom", "mood sad happy sad 7 local custom",
            ])
    }

    @Test("C6.3 Local edits of a record that is deleted because the server lacks it are kept")
    func deletedThere() async throws {
        for policies in [ConflictPolicies.serverWins, .localChangesWin] {
            let journal = try journal(policies)
            try journal.edit("UPDATE entry SET title = 'Here', body_text = NULL")
            try await journal.merge("[]", into: Entry.self) { $0.records = .all }
            let isLost = try journal.rows("SELECT 1 FROM entry").isEmpty
            let entries = ["title Monday Here - 3 local serverWins", "bodyText Rain. - - 3 local serverWins"]
            #expect(try journal.rows(Self.journal) == (isLost ? entries : []))
            #expect(isLost == (policies.defaultPolicy.description == "serverWins"))
        }
    }

    @Test("C6.3 So are those of a record that is deleted with another one, and what a function gives up")
    func cascades() async throws {
        let shop = try ConflictStage(
            ShopSchema.self, .serverWins,
            """
            INSERT INTO article (id, title, body_text) VALUES (1, 'A', 'a');
            INSERT INTO article_comment (id, name, text, article_id) VALUES (10, 'Ann', 'x', 1);
            """)
        try shop.edit("UPDATE article_comment SET text = 'y'")
        try await shop.merge("[]", into: Article.self) { $0.records = .all }
        #expect(try shop.rows(Self.journal) == ["text x y - 3 local serverWins"])

        let policy = ConflictPolicy.custom(Entry.self) { _, local, remote in
            if remote != nil || local.title == "Gone" { return nil }
            var kept = local
            kept.title = "Kept"
            return kept
        }
        for (title, lost) in [("Gone", ["title", "mood"]), ("Here", ["title"])] {
            let journal = try journal(ConflictPolicies.localChangesWin.using(policy, for: Entry.self))
            try journal.edit("UPDATE entry SET title = '\(title)', mood = 'happy'")
            try await journal.merge("[]", into: Entry.self) { $0.records = .all }
            #expect(
                try journal.rows("SELECT member, sides, lost, rule FROM lockstep_conflict ORDER BY id")
                    == lost.map { "\($0) 3 local custom" })
        }
    }

    @Test("C6.3 What the server has changed in a record that stays deleted locally is kept")
    func deletedHere() async throws {
        let journal = try journal(.serverWins)
        try journal.edit("DELETE FROM entry")
        try await journal.merge(json(#""title": "There", "mood": "sad""#), into: Entry.self)
        #expect(try journal.rows(Self.journal) == ["title Monday - There 5 remote deletedLocally"])
    }

    // MARK: Retention

    /// Merges with one conflict each, on these days.
    private func lose(_ days: [Int], in stage: ConflictStage) async throws {
        for (index, day) in days.enumerated() {
            try stage.edit("UPDATE entry SET title = 'Here \(index)'")
            try await stage.merge(json(#""title": "There \#(index)""#), into: Entry.self) {
                $0.now = { Date(timeIntervalSince1970: Double(day) * 86_400) }
            }
        }
    }

    private func lost(_ stage: ConflictStage) throws -> [String] {
        try stage.rows("SELECT remote FROM lockstep_conflict ORDER BY id").map { String($0.suffix(1)) }
    }

    @Test(
        "C6.4 Entries are kept for 30 days; a clock that is wrong once deletes nothing",
        arguments: [
            ([0, 29], "01"), ([0, 30, 31], "12"), ([0, 3_650], "01"), ([0, 3_650, 1], "012"), ([100, 1, 131], "02"),
            ([0, 3_650, 31, 32], "123"),
        ])
    func retention(days: [Int], kept: String) async throws {
        let journal = try journal()
        try await lose(days, in: journal)
        #expect(try lost(journal).joined() == kept)
    }

    @Test("C6.4 The oldest are deleted if there are too many, and none is written if none is to be kept")
    func count() async throws {
        for (retention, kept) in [
            (ConflictRetention(count: 2), "34"), (ConflictRetention(days: 0), ""), (ConflictRetention(count: 0), ""),
        ] {
            let journal = try journal()
            for store in [journal.store, journal.typed] { store.conflictRetention = retention }
            try await lose([0, 1, 2, 3, 4], in: journal)
            #expect(try lost(journal).joined() == kept)
        }
        #expect(try journal().store.conflictRetention == ConflictRetention(days: 30, count: 10_000))
    }
}
