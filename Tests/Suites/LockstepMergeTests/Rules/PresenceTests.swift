import KitchenSink
import LinkSamples
import LockstepStore
import LockstepSync
import OfflineTasks
import RuntimeTestSupport
import Shop
import Testing

@Suite("M1 Presence")
struct PresenceTests {
    @Test("M1 A missing key keeps the value, null clears an optional value")
    func optional() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let article = "SELECT id, title, body_text, summary, created_at FROM article"
        try await shop.merge(
            #"[{"id": 1, "title": "A", "body_text": "b", "description": "s", "created_at": "1970-01-01 00:00:10 +0000"}]"#,
            into: Article.self)
        #expect(try shop.rows(article) == ["1 A b s 10.0"])
        try await shop.merge(#"[{"id": 1}]"#, into: Article.self)
        #expect(try shop.rows(article) == ["1 A b s 10.0"])
        let cleared = try await shop.merge(#"[{"id": 1, "description": null, "created_at": null}]"#, into: Article.self)
        #expect(cleared.description == "Article: 1 updated")
        #expect(try shop.rows(article) == ["1 A b - -"])
    }

    @Test("M1 Null for a required value without default makes the record invalid, new or existing")
    func required() async throws {
        let shop = try RuleFixture(ShopSchema.self, "INSERT INTO article (id, title, body_text) VALUES (1, 'A', 'b')")
        let summary = try await shop.merge(
            #"[{"id": 1, "title": null, "body_text": "new"}, {"id": 2, "title": "B", "body_text": null}, {"id": 3, "title": "C"}]"#,
            into: Article.self)
        #expect(
            summary.skipped.map { "\($0.identity ?? "-") \($0.keyPath)" }.sorted() == [
                "1 title", "2 body_text", "3 body_text",
            ])
        #expect(try shop.rows("SELECT id, title, body_text FROM article") == ["1 A b"])
    }

    @Test("M1 If there is a default, null sets it; a missing key sets it in new records only")
    func defaults() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        try await shop.merge(#"[{"id": 1, "name": "A"}, {"id": 2, "name": "B", "stock": null}]"#, into: Product.self)
        #expect(try shop.rows("SELECT id, stock, price FROM product") == ["1 0 0", "2 0 0"])
        try await shop.merge(#"[{"id": 1, "stock": 5}, {"id": 2, "stock": "6"}]"#, into: Product.self)
        try await shop.merge(#"[{"id": 1}, {"id": 2, "stock": null}]"#, into: Product.self)
        #expect(try shop.rows("SELECT id, stock FROM product") == ["1 5", "2 0"])
    }

    @Test("M1 An optional value with a default: null clears it, a missing key sets the default in new records only")
    func optionalDefault() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(#"[{"id": 1, "seats": 2}, {"id": 2, "seats": 2, "colour": null}]"#, into: Bench.self)
        #expect(try museum.rows("SELECT id, colour FROM bench") == ["1 grey", "2 -"])
        try await museum.merge(#"[{"id": 1, "colour": null}, {"id": 2}]"#, into: Bench.self)
        #expect(try museum.rows("SELECT id, colour FROM bench") == ["1 -", "2 -"])
    }

    @Test("M1 A default generated per record, such as the time, is not replaced by null")
    func volatileDefault() async throws {
        let tasks = try RuleFixture(OfflineTasksSchema.self)
        let seconds = "SELECT created_at FROM task"
        try await tasks.merge(
            #"[{"id": 1, "title": "a", "created_at": "1970-01-01T00:00:10Z"}]"#, into: OfflineTasks.Task.self)
        try await tasks.merge(#"[{"id": 1, "created_at": null}]"#, into: OfflineTasks.Task.self)
        #expect(try tasks.rows(seconds) == ["10.0"])
        try await tasks.merge(
            #"[{"id": 2, "title": "b", "created_at": null}, {"id": 3, "title": "c"}]"#, into: OfflineTasks.Task.self)
        #expect(try tasks.rows("SELECT count(*) FROM task WHERE created_at > 1e9") == ["2"])
    }

    @Test("M1 A missing key keeps the value for each kind of member")
    func missingKeeps() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(
            """
            [{"id": 1, "title": "a", "room_id": 2, "maker_id": 3, "lending": {"lender": {"country": "CH", "number": 1}},
              "plaque": {"text": "p"}, "repairs": [{"text": "r"}], "visitors": [{"id": 4, "name": "v"}]}]
            """, into: Exhibit.self)
        let before = try museum.writeCount()
        try await museum.merge(#"[{"id": 1}]"#, into: Exhibit.self)
        try await museum.merge(#"[{"id": 1, "lending": {}}]"#, into: Exhibit.self)
        #expect(try museum.writeCount() == before)
    }

    @Test("M1 A value in a nested object: a missing object keeps it, null clears it")
    func nestedKey() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        try await shop.merge(#"[{"id": 1, "name": "A", "brand": {"url": "http://b"}}]"#, into: Product.self)
        try await shop.merge(
            #"[{"id": 1}, {"id": 1, "brand": {}}, {"id": 1, "brand": {"name": "x"}}]"#, into: Product.self)
        #expect(try shop.rows("SELECT brand_url FROM product") == ["http://b"])
        try await shop.merge(#"[{"id": 1, "brand": null}]"#, into: Product.self)
        #expect(try shop.rows("SELECT brand_url FROM product") == ["-"])
        let summary = try await shop.merge(#"[{"id": 1, "name": "X", "brand": "b"}]"#, into: Product.self)
        #expect(summary.skippedTexts == ["0 brand: is not an object"])
    }

    @Test("M1 With the option that the server stores no empty values, a missing key clears")
    func missingIsEmpty() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(
            """
            [{"id": 1, "title": "a", "room_id": 2, "maker_id": 3, "lending": {"lender": {"country": "CH", "number": 1}},
              "plaque": {"text": "p"}, "repairs": [{"text": "r"}], "visitors": [{"id": 4, "name": "v"}]}]
            """, into: Exhibit.self)
        try await museum.merge(#"[{"id": 1, "title": "a"}]"#, into: Exhibit.self) { $0.missingKeys = .empty }
        #expect(try museum.rows("SELECT id, room_id, maker_id, lender_country FROM exhibit") == ["1 - - -"])
        #expect(
            try museum.rows(
                "SELECT (SELECT count(*) FROM plaque), (SELECT count(*) FROM repair), (SELECT count(*) FROM exhibit_visitor)"
            ) == ["0 0 0"])

        let shop = try RuleFixture(ShopSchema.self)
        try await shop.merge(
            #"[{"id": 1, "name": "A", "stock": 4, "weight": 2, "brand": {"url": "http://b"}, "tag_ids": [1]}]"#,
            into: Product.self)
        try await shop.merge(#"[{"id": 1, "name": "A"}]"#, into: Product.self) { $0.missingKeys = .empty }
        // A number is never empty.
        #expect(try shop.rows("SELECT stock, weight, brand_url FROM product") == ["4 - -"])
        #expect(try shop.rows("SELECT * FROM product_tag") == [])
    }

    @Test("M1 Local attributes are never changed")
    func notOnTheWire() async throws {
        let sink = try RuleFixture(
            KitchenSinkSchema.self,
            """
            INSERT INTO label (id, colour) VALUES ('a', 'red'); INSERT INTO cover (id, caption, thing_id) VALUES (1, 'c', 9);
            INSERT INTO everything_label (everything_id, label_id, labels_position) VALUES (9, 'a', 0);
            """)
        for keys in [MissingKeys.keep, .empty] {
            try await sink.merge(#"[{"id": "a", "things": [], "thing_ids": []}]"#, into: Label.self) {
                $0.missingKeys = keys
            }
            try await sink.merge(#"[{"id": 1, "caption": "d", "thing_id": 4, "thing": null}]"#, into: Cover.self) {
                $0.missingKeys = keys
            }
            #expect(try sink.rows("SELECT everything_id FROM everything_label") == ["9"])
            #expect(try sink.rows("SELECT caption, thing_id FROM cover") == ["d 9"])
        }
    }
}
