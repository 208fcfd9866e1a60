import Checklist
import Foundation
import Journal
import KitchenSink
import LinkSamples
import LockstepStore
import LockstepSync
import OfflineTasks
import SchematicCapture
import Shop
import Testing

@Suite("M6 M15 Equal values are not written")
struct UntouchedTests {
    /// All values that a record of KitchenSink can have.
    private static let everything = """
        [{"id": 1, "name": "E", "created_at": "2024-01-01T00:00:00Z", "updated_at": "2024-01-01T10:00:00.125+02:00", "flag": false, "small": -5,
          "medium": 5, "large": 9007199254740993, "ratio": 0.1, "precise": 1e-7, "exact": 1.10, "day": "2024-02-29",
          "token": "ABCDEF00-0000-0000-0000-00000000000A", "link": "https://a.b/c?d=e", "blob": "aGk=",
          "extra": {"b": [1.0, 2, null], "a": {"z": 1, "y": "\\u00e9"}}, "mood": "odd", "priority": 7, "state": "L", "price": "3.10",
          "slug": "s", "words": ["a", "b"], "moods": ["happy", "new"], "days": ["2024-01-01T00:00:00Z"], "optional_exact": "7.0",
          "optional_day": 1704067200250, "optional_seconds": 1704067200.5, "optional_numbers": [1, "2"], "links": {"self": "http://x"},
          "optional_extra": "text", "description": "d", "owner_country": "CH", "owner_number": 1,
          "parts": [{"id": 5, "title": "five"}, {"id": 6}], "label_ids": ["y", "x"], "cover": {"id": 2, "caption": "c"},
          "scraps": [{"text": "s", "page": 2}, {"text": "t"}]}]
        """

    @Test("M6 M15 Every kind of value in a notation other than the stored one: merging the same again runs no UPDATE")
    func everyKind() async throws {
        let sink = try RuleFixture(KitchenSinkSchema.self)
        let first = try await sink.merge(Self.everything, into: Everything.self)
        #expect(first.skipped.isEmpty && first[Everything.self].inserted == 1, "\(first)")
        #expect(try sink.rows("SELECT count(*) FROM part") == ["2"])
    }

    @Test("M6 The same values in another notation are equal")
    func otherSpelling() async throws {
        let sink = try RuleFixture(KitchenSinkSchema.self)
        try await sink.mergeOnce(Self.everything, into: Everything.self)
        let before = try sink.writeCount()
        let summary = try await sink.merge(
            """
            [{"id": "1", "createdAt": 1704067200, "updated_at": "2024-01-01T08:00:00.125Z", "flag": 0, "large": "9007199254740993",
              "ratio": "0.1", "exact": "1.1", "token": "abcdef00-0000-0000-0000-00000000000a",
              "extra": {"a": {"y": "é", "z": 1}, "b": [1.0, 2, null]}, "price": 3.1, "optional_numbers": ["1", 2]}]
            """, into: Everything.self)
        #expect(summary[Everything.self].unchanged == 1, "\(summary)")
        #expect(try sink.writeCount() == before)
    }

    @Test("M6 If one value of a record differs, only its column is written, and its neighbors are not")
    func oneColumn() async throws {
        let shop = try RuleFixture(
            ShopSchema.self,
            """
            CREATE TABLE written (id INTEGER, what TEXT);
            CREATE TRIGGER write_article AFTER UPDATE ON article BEGIN INSERT INTO written VALUES (NEW.id, 'row'); END;
            CREATE TRIGGER write_title AFTER UPDATE OF title ON article BEGIN INSERT INTO written VALUES (NEW.id, 'title'); END;
            CREATE TRIGGER write_text AFTER UPDATE OF body_text ON article BEGIN INSERT INTO written VALUES (NEW.id, 'text'); END;
            INSERT INTO article (id, title, body_text) VALUES (1, 'A', 'a'), (2, 'B', 'b'), (3, 'C', 'c');
            """)
        let summary = try await shop.merge(
            #"[{"id": 1, "title": "A", "body_text": "a"}, {"id": 2, "title": "B2", "body_text": "b"}, {"id": 3, "title": "C", "body_text": "c"}]"#,
            into: Article.self)
        #expect(summary.description == "Article: 1 updated, 2 unchanged")
        #expect(summary.identities(.updated, of: Article.self) == [2])
        #expect(try shop.rows("SELECT * FROM written ORDER BY what") == ["2 row", "2 title"])
    }

    @Test("M15 A second merge changes nothing, for each schema")
    func eachSchema() async throws {
        try await RuleFixture(JournalSchema.self).merge(
            #"[{"identifier": "00000000-0000-0000-0000-00000000000A", "title": "t", "timestamp": 1.25}]"#,
            into: Entry.self)
        try await RuleFixture(OfflineTasksSchema.self).merge(
            #"[{"id": 1, "title": "t"}]"#, into: OfflineTasks.Task.self)
        try await RuleFixture(ChecklistSchema.self).merge(
            #"[{"id": 1, "title": "t", "status": 9, "checklistID": 4, "parentTaskID": 1}]"#, into: Checklist.Task.self)
        try await RuleFixture(ShopSchema.self).merge(
            #"[{"id": 1, "name": "n", "price": "1.50", "stock": "2", "weight": "0.1", "released_at": "2024-01-01 00:00:00 +0100", "tag_ids": [2, 1]}]"#,
            into: Product.self)
        try await RuleFixture(SchematicCaptureSchema.self).merge(
            """
            [{"id": 1, "name": "P", "companyName": "C", "clientId": 2, "jobsheet": [{"id": 1, "name": "S", "updatedAt": "2024-01-01T00:00:00.5Z",
              "components": [{"id": 1, "componentId": "x", "photo": {"id": 1, "name": "p"}}]}]}]
            """, into: Project.self)
        try await RuleFixture(ForestSchema.self).merge(
            #"[{"id": 1, "title": "t", "children": [{"id": 2, "title": "u", "children": []}]}]"#, into: Node.self)
        try await RuleFixture(KitchenSinkSchema.self).merge(
            #"[{"id": 1, "func": {"id": 2, "Type": "a", "type": "b"}}]"#, into: Keyword.self)
    }

    @Test("M15 A large payload matched by a table scan, and a small one: unchanged in both ways")
    func bothWays() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let record = { (id: Int) in #"{"id": \#(id), "title": "T\#(id)", "body_text": "b"}"# }
        let all = "[" + (1...500).map(record).joined(separator: ",") + "]"
        #expect(try await shop.merge(all, into: Article.self).inserted == 500)
        #expect(try await shop.merge("[\(record(7)), \(record(300))]", into: Article.self).unchanged == 2)
    }
}
