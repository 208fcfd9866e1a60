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

@Suite("Matching records")
struct MatchingTests {
    // MARK: M2

    @Test("M2 A record outside the scope is found and updated, not inserted twice")
    func outsideScope() async throws {
        let shop = try RuleFixture(
            ShopSchema.self,
            """
            INSERT INTO article (id, title, body_text) VALUES (1, 'A', ''), (2, 'B', '');
            INSERT INTO article_comment (id, name, text, article_id) VALUES (10, 'x', '', 2);
            """)
        let summary = try await shop.store.merge(
            Data(#"[{"id": 10, "name": "y", "article_id": 1}]"#.utf8), into: ArticleComment.self,
            scope: .children(of: 1, in: Article.Relationships.comments))
        #expect(summary.description == "ArticleComment: 1 updated")
        #expect(try shop.rows("SELECT id, name, article_id FROM article_comment") == ["10 y 1"])
    }

    @Test("M2 A nested record of another owner is found")
    func nestedElsewhere() async throws {
        let capture = try RuleFixture(
            SchematicCaptureSchema.self,
            "INSERT INTO component (id, component_id, job_sheet_id) VALUES (100, 'R1', 77)")
        let summary = try await capture.merge(
            #"[{"id": 10, "name": "S", "components": [{"id": 100, "componentId": "R2"}]}]"#, into: JobSheet.self)
        #expect(summary.description == "JobSheet: 1 inserted\nComponent: 1 updated")
        #expect(try capture.rows("SELECT id, component_id, job_sheet_id FROM component") == ["100 R2 10"])
    }

    // MARK: M3

    @Test("M3 If two records have one identity, the last wins and it counts once; keys only in the first are kept")
    func twice() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let json = #"[{"id": 1, "name": "A", "stock": 3}, {"id": 2, "name": "B"}, {"id": 1, "name": "C"}]"#
        let summary = try await shop.merge(json, into: Product.self)
        #expect(summary.description == "Product: 2 inserted")
        #expect(try shop.rows("SELECT id, name, stock FROM product") == ["1 C 3", "2 B 0"])
    }

    @Test("M3 For an existing record, a value that changes and changes back is not a change")
    func thereAndBack() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        try await shop.merge(#"{"id": 1, "name": "a"}"#, into: Tag.self)
        let before = try shop.writeCount()
        let summary = try await shop.merge(#"[{"id": 1, "name": "b"}, {"id": 1, "name": "a"}]"#, into: Tag.self)
        #expect(summary.description == "Tag: 1 unchanged")
        #expect(try shop.writeCount() == before)
    }

    @Test("M3 The first may lack what the second has: together they are a record")
    func together() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let summary = try await shop.merge(
            #"[{"id": 1, "title": "A", "body_text": ""}, {"id": 1, "description": "s"}]"#, into: Article.self)
        #expect(summary.description == "Article: 1 inserted")
        #expect(try shop.rows("SELECT title, summary FROM article") == ["A s"])
    }

    @Test("M3 Nested and at the top, in one list, under two owners: one record, at its last position")
    func nestedTwice() async throws {
        let capture = try RuleFixture(SchematicCaptureSchema.self)
        let summary = try await capture.merge(
            """
            [{"id": 10, "name": "S", "components": [{"id": 1, "componentId": "a"}, {"id": 1, "componentId": "b"}]},
             {"id": 11, "name": "T", "components": [{"id": 1, "componentId": "c"}]}]
            """, into: JobSheet.self)
        #expect(summary.description == "JobSheet: 2 inserted\nComponent: 1 inserted")
        #expect(try capture.rows("SELECT id, component_id, job_sheet_id FROM component") == ["1 c 11"])

        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(
            #"[{"id": 1, "title": "a", "holder": {"id": 2, "title": "b"}}, {"id": 2, "title": "B"}, {"id": "2", "title": "C"}]"#,
            into: Loan.self)
        #expect(try museum.rows("SELECT remote_id, title FROM loan ORDER BY remote_id") == ["1 a", "2 C"])
    }

    @Test("M3 A record repeated in an ordered list has its last position")
    func orderedTwice() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        try await shop.merge(
            """
            [{"id": 1, "name": "A", "images": [{"id": 1, "url": "http://a"}, {"id": 2, "url": "http://b"}, {"id": 1, "title": "x"},
              {"id": 3, "url": "http://c"}]}]
            """, into: Product.self)
        #expect(
            try shop.rows("SELECT id, title FROM picture ORDER BY images_position") == ["2 -", "1 x", "3 -"])
    }

    @Test(
        "M3 If the last of two is invalid, the first counts, with its lists",
        arguments: [
            #"{"id": 1, "name": [], "tag_ids": [3], "images": []}"#,
            #"{"id": 1, "stock": "x", "tag_ids": [], "images": []}"#,
        ])
    func lastInvalid(last: String) async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let summary = try await shop.merge(
            #"[{"id": 1, "name": "A", "tag_ids": [1, 2], "images": [{"id": 5, "url": "http://a"}]}, \#(last)]"#,
            into: Product.self)
        #expect(summary.skipped.map(\.index) == [1])
        #expect(try shop.rows("SELECT name FROM product") == ["A"])
        #expect(try shop.rows("SELECT tag_id FROM product_tag") == ["1", "2"])
        #expect(try shop.rows("SELECT id FROM picture") == ["5"])
    }

    // MARK: M4

    @Test(
        "M4 A record with a missing or null identity is skipped; its neighbors are not", arguments: [0, 1, 2])
    func identityMissing(place: Int) async throws {
        for bad in [#"{"title": "x", "body_text": ""}"#, #"{"id": null, "title": "x", "body_text": ""}"#, "{}"] {
            let shop = try RuleFixture(ShopSchema.self)
            var records = [#"{"id": 1, "title": "A", "body_text": ""}"#, #"{"id": 2, "title": "B", "body_text": ""}"#]
            records.insert(bad, at: place)
            let summary = try await shop.merge("[\(records.joined(separator: ","))]", into: Article.self)
            #expect(summary.skipped.map(\.index) == [place])
            #expect(summary.skipped.map(\.keyPath) == ["id"])
            #expect(summary.skipped.map(\.identity) == [nil])
            #expect(try shop.rows("SELECT id, title FROM article") == ["1 A", "2 B"])
        }
    }

    @Test("M4 It is skipped even if invalid records abort the merge, because it cannot be matched")
    func identityMissingAborts() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let summary = try await shop.merge(
            #"[{"title": "x"}, {"id": 2, "title": "B", "body_text": ""}]"#, into: Article.self
        ) { $0.invalidRecords = .abort }
        #expect(summary.skipped.count == 1)
        #expect(try shop.rows("SELECT id FROM article") == ["2"])
    }

    @Test("M4 A partial composite identity is none; nested records of such a record are skipped with it")
    func partOfIdentity() async throws {
        let sink = try RuleFixture(KitchenSinkSchema.self)
        let summary = try await sink.merge(
            """
            [{"country": "CH", "name": "A", "manager": {"country": "CH", "number": 9, "name": "Z"}},
             {"number": 1, "country": null, "name": "B"}, {"country": "CH", "number": 2, "name": "C"}]
            """, into: Person.self)
        #expect(summary.skipped.map(\.keyPath) == ["number", "country"])
        #expect(try sink.rows("SELECT country, number FROM person") == ["CH 2"])
    }

    @Test("M4 If the server generates the identity, only that counts; the device's own key is not sent")
    func localIdentity() async throws {
        let tasks = try RuleFixture(
            OfflineTasksSchema.self,
            "INSERT INTO task (local_id, title, created_at) VALUES ('00000000-0000-0000-0000-0000000000ff', 'mine', 0)")
        let summary = try await tasks.merge(
            """
            [{"local_id": "00000000-0000-0000-0000-0000000000FF", "completed": true}, {"title": "x"},
             {"id": null, "title": "y"}, {"id": 4, "title": "z"}]
            """, into: OfflineTasks.Task.self)
        #expect(summary.skipped.map(\.index) == [0, 1, 2])
        #expect(try tasks.rows("SELECT title, completed, remote_id FROM task ORDER BY title") == ["mine 0 -", "z 0 4"])
    }

    // MARK: M5

    @Test("M5.1 An integer as text is that number: at the top, nested, as a foreign key and in a list")
    func numbersAsText() async throws {
        let shop = try RuleFixture(
            ShopSchema.self,
            "INSERT INTO product (id, name) VALUES (7, 'A'); INSERT INTO picture (id, url) VALUES (5, 'http://p')")
        let summary = try await shop.merge(
            #"[{"id": "7", "name": "B", "tag_ids": ["1", 2], "images": [{"id": "5"}]}]"#, into: Product.self)
        #expect(summary.inserted == 0)
        try await shop.merge(
            #"[{"id": "1", "name": "x", "review_text": "y", "product_id": "7"}]"#, into: ProductReview.self)
        #expect(try shop.rows("SELECT id, typeof(id), name FROM product") == ["7 integer B"])
        #expect(try shop.rows("SELECT product_id, typeof(product_id) FROM product_review") == ["7 integer"])
        #expect(try shop.rows("SELECT tag_id, typeof(tag_id) FROM product_tag") == ["1 integer", "2 integer"])
    }

    @Test("M5.1 A UUID in upper case is the identity of a new record, too")
    func newUUID() async throws {
        let journal = try RuleFixture(JournalSchema.self)
        let summary = try await journal.merge(
            #"[{"identifier": "ABCDEF00-0000-0000-0000-00000000000A", "title": "x"}]"#, into: Entry.self)
        #expect(summary.skipped.isEmpty && summary.inserted == 1)
        #expect(try journal.rows("SELECT identifier FROM entry") == ["abcdef00-0000-0000-0000-00000000000a"])
    }

    @Test("M5.1 A UUID matches in any case; a text identity matches exactly")
    func uuids() async throws {
        let journal = try RuleFixture(JournalSchema.self)
        for spelling in [
            "ABCDEF00-0000-0000-0000-00000000000A", "abcdef00-0000-0000-0000-00000000000a",
            "ABCDEF00-0000-0000-0000-00000000000a",
        ] {
            try await journal.merge(#"[{"identifier": "\#(spelling)", "title": "x"}]"#, into: Entry.self)
        }
        #expect(try journal.rows("SELECT identifier FROM entry") == ["abcdef00-0000-0000-0000-00000000000a"])
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(
            #"[{"id": "a", "name": "x"}, {"id": "A", "name": "y"}, {"id": "\u0061", "name": "z"}]"#, into: Guard.self)
        #expect(try museum.rows("SELECT id, name FROM guard ORDER BY id") == ["A y", "a z"])
    }

    @Test(
        "M5 An identity of another type is invalid, and matches no existing record",
        arguments: [
            "true", "1.5", "\"one\"", "\"\"", "[1]", "{}", "1e400", "9223372036854775808", "\" 1\"",
        ])
    func otherTypes(identity: String) async throws {
        let shop = try RuleFixture(ShopSchema.self, "INSERT INTO tag (id, name) VALUES (1, 'a')")
        let summary = try await shop.merge(
            #"[{"id": \#(identity), "name": "b"}, {"id": 2, "name": "c"}]"#, into: Tag.self)
        #expect(summary.skipped.map(\.index) == [0] && summary.skipped.map(\.keyPath) == ["id"])
        #expect(try shop.rows("SELECT id, name FROM tag") == ["1 a", "2 c"])
    }
}
