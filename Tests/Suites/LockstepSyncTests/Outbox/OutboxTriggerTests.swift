import Foundation
import KitchenSink
import LinkSamples
import LockstepStore
import LockstepSync
import RuntimeTestSupport
import Shop
import Testing

@Suite("The outbox records every local change, whatever its source")
struct OutboxTriggerTests {
    private let shop: OutboxStage
    private let museum: OutboxStage

    init() throws {
        shop = try OutboxStage(ShopSchema.self)
        museum = try OutboxStage(MuseumSchema.self)
    }

    // MARK: One record

    @Test("P1 A change of a model and its row in the outbox are one transaction")
    func models() async throws {
        try await shop.store.perform { context in
            let article = Article(id: 1, title: "One", bodyText: "…", context: context)
            try context.save()
            article.title = "Two"
            try context.save()
        }
        #expect(try shop.changes() == ["create Article 1"])
        #expect(throws: (any Error).self) {
            try shop.run("INSERT INTO article (id, title, body_text) VALUES (2, 'x', 'y'); SELECT nothing")
        }
        #expect(try shop.changes() == ["create Article 1"])
    }

    @Test("P1 Writes by a merge are not local changes, even in a dry run")
    func merges() async throws {
        let json = Data(#"[{"id": 1, "title": "One", "body_text": "…", "comments": []}]"#.utf8)
        try await shop.store.merge(json, into: Article.self, options: MergeOptions(isDryRun: true))
        #expect(try shop.changes() == [])
        try await shop.store.merge(json, into: Article.self)
        #expect(try shop.changes() == [])
        try shop.run("UPDATE article SET title = 'Two'")
        #expect(try shop.changes() == ["update Article 1"])
        #expect(try shop.base("article") == ["1 \"One\" \"…\" NULL NULL"])
    }

    @Test("P3 Many edits of one record are one row, with the values before the first edit")
    func coalesced() throws {
        try shop.seed("INSERT INTO tag VALUES (1, 'red'), (2, 'blue')")
        try shop.run("UPDATE tag SET name = 'green' WHERE id = 1")
        let version = try shop.rows("SELECT version FROM lockstep_outbox")
        try shop.run("UPDATE tag SET name = 'grey' WHERE id = 1; UPDATE tag SET name = 'grey' WHERE id = 1")
        #expect(try shop.changes() == ["update Tag 1"])
        #expect(try shop.base("tag") == ["1 \"red\""])
        #expect(try shop.rows("SELECT version - \(version[0]) FROM lockstep_outbox") == ["1"])
        try shop.run("DELETE FROM tag WHERE id = 1")
        #expect(try shop.changes() == ["delete Tag 1"])
        #expect(try shop.base("tag") == ["1 \"red\""])
        try shop.run("INSERT INTO tag VALUES (1, 'white')")
        #expect(try shop.changes() == ["update Tag 1"])
        #expect(try shop.base("tag") == ["1 \"red\""])
    }

    @Test("P3 Created and deleted before any push: nothing is pending; if the creation was sent, the delete is sent")
    func createdAndDeleted() throws {
        try shop.run("INSERT INTO tag VALUES (1, 'red'), (2, 'blue')")
        try shop.run("UPDATE lockstep_outbox SET idempotency_key = 'key' WHERE record = 2")
        try shop.run("UPDATE tag SET name = name || '!'; DELETE FROM tag")
        #expect(try shop.changes() == ["delete Tag 2"])
        #expect(try shop.base("tag") == ["2 \"blue!\""])
        try shop.run("INSERT INTO tag VALUES (2, 'black')")
        #expect(try shop.changes() == ["create Tag 2"])
    }

    @Test("P8 An edit resumes a parked change")
    func unparked() throws {
        try shop.run("INSERT INTO tag VALUES (1, 'red')")
        try shop.run(
            """
            UPDATE lockstep_outbox SET parked_status = 422, parked_body = 'no', attempts = 3, retry_at = 5, error = 'x'
            """)
        try shop.run("UPDATE tag SET name = 'blue'")
        let columns = "parked_status, parked_body, attempts, retry_at"
        #expect(try shop.rows("SELECT \(columns) FROM lockstep_outbox") == ["NULL NULL 0 NULL"])
    }

    @Test("A record whose key changes is deleted and created again")
    func changedKey() throws {
        try shop.seed("INSERT INTO tag VALUES (1, 'red'); INSERT INTO product_tag VALUES (7, 1)")
        try shop.run("UPDATE tag SET id = 2, name = 'blue'")
        #expect(try shop.changes() == ["delete Tag 1", "create Tag 2"])
        #expect(try shop.base("tag") == ["1 \"red\""])
    }

    // MARK: Conflict clauses

    @Test(
        "The outbox is correct for every conflict clause of a statement",
        arguments: [
            ("INSERT OR REPLACE INTO tag VALUES (1, 'blue')", ["update Tag 1"], ["1 \"red\""]),
            ("REPLACE INTO tag VALUES (3, 'red')", ["delete Tag 1", "create Tag 3"], ["1 \"red\""]),
            ("INSERT OR IGNORE INTO tag VALUES (1, 'blue'), (2, 'red'), (3, 'white')", ["create Tag 3"], []),
            ("UPDATE OR IGNORE tag SET name = 'red'", [], []),
            ("UPDATE OR REPLACE tag SET id = 2", ["update Tag 2", "delete Tag 1"], ["1 \"red\"", "2 \"black\""]),
            (
                "INSERT INTO tag VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET name = 'blue'", ["update Tag 1"],
                ["1 \"red\""]
            ),
            ("INSERT OR ROLLBACK INTO tag VALUES (4, 'blue')", ["create Tag 4"], []),
        ])
    func clauses(_ sql: String, _ changes: [String], _ base: [String]) throws {
        try shop.seed("INSERT INTO tag VALUES (1, 'red')")
        if sql.contains("id = 2") { try shop.seed("INSERT INTO tag VALUES (2, 'black')") }
        try shop.run(sql.replacing("UPDATE OR REPLACE tag SET id = 2", with: "\(sql) WHERE id = 1"))
        #expect(try shop.changes().sorted() == changes.sorted())
        #expect(try shop.base("tag").sorted() == base)
    }

    // MARK: Other records

    @Test("P1 Cascades count: children are deleted, links are cleared")
    func cascades() throws {
        try museum.seed(
            """
            INSERT INTO room VALUES (1, 'Hall'); INSERT INTO exhibit (id, title, room_id) VALUES (5, 'Vase', 1);
            INSERT INTO door VALUES (2, 'D', 1); INSERT INTO guard (id, name) VALUES ('ann', 'Ann');
            INSERT INTO room_guard VALUES (1, 'ann', 0);
            INSERT INTO wing VALUES (1, 'W', NULL), (2, 'WW', 1), (3, 'WWW', 2)
            """)
        try museum.run("DELETE FROM room; DELETE FROM wing WHERE id = 1")
        #expect(
            try museum.changes().sorted() == [
                "delete Door 2", "delete Room 1", "delete Wing 1", "delete Wing 2", "delete Wing 3",
                "update Exhibit 5",
            ])
        #expect(try museum.links() == ["-room_guard 1 ann"])
        #expect(try museum.base("exhibit").first?.hasPrefix("5 \"Vase\" 1 ") == true)
    }

    @Test("A record without identity changes its owner; if it moves, both owners")
    func owned() throws {
        try museum.seed(
            """
            INSERT INTO exhibit (id, title) VALUES (1, 'Vase'), (2, 'Urn');
            INSERT INTO repair (lockstep_id, text, recorded_at, exhibit_id) VALUES (1, 'glued', 0, 1)
            """)
        try museum.run("UPDATE repair SET text = 'glued'")
        #expect(try museum.changes() == [])
        try museum.run("UPDATE repair SET text = 'glued again'")
        #expect(try museum.changes() == ["update Exhibit 1"])
        try museum.run("UPDATE repair SET exhibit_id = 2")
        #expect(try museum.changes() == ["update Exhibit 1", "update Exhibit 2"])
        try museum.confirmAll()
        try museum.run("INSERT INTO plaque (text, exhibit_id) VALUES ('A vase', 1); DELETE FROM repair")
        #expect(try museum.changes() == ["update Exhibit 1", "update Exhibit 2"])
        try museum.confirmAll()
        try museum.run("DELETE FROM exhibit")
        #expect(try museum.changes() == ["delete Exhibit 1", "delete Exhibit 2"])
    }

    @Test("A link that is sent by its other end changes the record at that end")
    func ownersLinks() throws {
        try shop.seed(
            """
            INSERT INTO product (id, name) VALUES (1, 'Pen'), (2, 'Ink');
            INSERT INTO image VALUES (5, 'https://x', NULL, 1)
            """)
        try shop.run("UPDATE image SET title = 'A pen'")
        #expect(try shop.changes() == ["update Image 5"])
        try shop.confirmAll()
        try shop.run("UPDATE image SET pictured_id = 2")
        #expect(try shop.changes() == ["update Product 1", "update Product 2"])
        #expect(try shop.links() == ["-image.pictured_id 1 5", "+image.pictured_id 2 5"])
        try shop.run("UPDATE image SET pictured_id = 1")
        #expect(try shop.links() == [])
    }

    @Test("A position in a list changes the list's owner")
    func places() throws {
        try museum.seed(
            """
            INSERT INTO room VALUES (1, 'Hall'), (2, 'Attic'); INSERT INTO guard (id, name) VALUES ('a', 'A'), ('b', 'B');
            INSERT INTO exhibit (id, title, room_id, exhibits_position) VALUES (1, 'Vase', 1, 0), (2, 'Urn', 1, 1);
            INSERT INTO room_guard VALUES (1, 'a', 0), (1, 'b', 1)
            """)
        try museum.run("UPDATE exhibit SET exhibits_position = 2 WHERE id = 1")
        #expect(try museum.changes() == ["update Room 1"])
        try museum.confirmAll()
        try museum.run("UPDATE exhibit SET room_id = 2 WHERE id = 1")
        #expect(try museum.changes().sorted() == ["update Exhibit 1", "update Room 1", "update Room 2"])
        try museum.confirmAll()
        try museum.run("UPDATE room_guard SET guards_position = 5 WHERE guard_id = 'a'")
        #expect(try museum.changes() == ["update Room 1"])
        #expect(try museum.links() == [])
    }

    @Test("A many-to-many link changes the end that lists it; undoing it removes the change")
    func joins() throws {
        try shop.seed(
            """
            INSERT INTO product (id, name) VALUES (1, 'Pen'); INSERT INTO tag VALUES (1, 'red'), (2, 'blue');
            INSERT INTO product_tag VALUES (1, 1)
            """)
        try shop.run("INSERT INTO product_tag VALUES (1, 2)")
        #expect(try shop.changes() == ["update Product 1"])
        try shop.run("DELETE FROM product_tag WHERE tag_id = 1")
        #expect(try shop.links() == ["-product_tag 1 1", "+product_tag 1 2"])
        try shop.run("DELETE FROM product_tag; INSERT INTO product_tag VALUES (1, 1)")
        #expect(try shop.links() == [])
        try shop.run("UPDATE product_tag SET tag_id = 2")
        #expect(try shop.links() == ["-product_tag 1 1", "+product_tag 1 2"])
        try shop.confirmAll()
        try shop.run("INSERT INTO product (id, name) VALUES (3, 'Cap'); INSERT INTO product_tag VALUES (3, 1)")
        #expect(try shop.links() == ["+product_tag 3 1"])
        try shop.run("DELETE FROM product WHERE id = 3")
        #expect(try shop.links() == [])
        #expect(try shop.changes() == [])
    }
}
