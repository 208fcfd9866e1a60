import KitchenSink
import LinkSamples
import LockstepStore
import LockstepSync
import SchematicCapture
import Shop
import Testing

@Suite("M9 Switches: insert, update, delete, for the records and for their nested records")
struct SwitchTests {
    private static let rows = """
        INSERT INTO product (id, name) VALUES (1, 'A');
        INSERT INTO picture (id, url, product_id, images_position) VALUES (1, 'http://1', 1, 0), (2, 'http://2', 1, 1);
        INSERT INTO product_tag (product_id, tag_id) VALUES (1, 1);
        """
    private static let payload = """
        [{"id": 1, "name": "B", "images": [{"id": 1, "title": "new"}, {"id": 3, "url": "http://3"}], "tag_ids": [2]},
         {"id": 2, "name": "C", "images": [{"id": 4, "url": "http://4"}], "tag_ids": [2]}]
        """

    struct OfRecords: Sendable {
        let switches: MergeOperations
        let products: [String]
        let tags: [String]

        static let all = [
            OfRecords(switches: .insert, products: ["1 A", "2 C"], tags: ["1 1", "2 2"]),
            OfRecords(switches: .update, products: ["1 B"], tags: ["1 2"]),
            OfRecords(switches: [], products: ["1 A"], tags: ["1 1"]),
            OfRecords(switches: [.insert, .update], products: ["1 B", "2 C"], tags: ["1 2", "2 2"]),
        ]
    }

    @Test("M9 Top-level records: only inserted, only updated, neither", arguments: OfRecords.all)
    func records(story: OfRecords) async throws {
        let (switches, products, tags) = (story.switches, story.products, story.tags)
        let shop = try RuleFixture(ShopSchema.self, Self.rows)
        try await shop.merge(Self.payload, into: Product.self) { $0.records = switches }
        #expect(try shop.rows("SELECT id, name FROM product ORDER BY id") == products)
        #expect(try shop.rows("SELECT product_id, tag_id FROM product_tag ORDER BY 1, 2") == tags)
    }

    @Test("M9 If inserts are off, nested records that would have no owner are not inserted either")
    func nestedInNone() async throws {
        let shop = try RuleFixture(ShopSchema.self, Self.rows)
        try await shop.merge(Self.payload, into: Product.self) { $0.records = .update }
        #expect(try shop.rows("SELECT id, product_id FROM picture ORDER BY id") == ["1 1", "3 1"])
    }

    struct OfNested: Sendable {
        let switches: MergeOperations
        let pictures: [String]

        static let all = [
            OfNested(switches: [], pictures: ["1 - 1", "2 - 1"]),
            OfNested(switches: .insert, pictures: ["1 - 1", "2 - 1", "3 - 1", "4 - 2"]),
            OfNested(switches: .update, pictures: ["1 new 1", "2 - -"]),
            OfNested(switches: .delete, pictures: ["1 - 1"]),
            OfNested(switches: [.insert, .update], pictures: ["1 new 1", "2 - -", "3 - 1", "4 - 2"]),
            OfNested(switches: [.update, .delete], pictures: ["1 new 1"]),
            OfNested(switches: [.insert, .delete], pictures: ["1 - 1", "3 - 1", "4 - 2"]),
            OfNested(switches: .all, pictures: ["1 new 1", "3 - 1", "4 - 2"]),
        ]
    }

    @Test("M9 Nested records: each switch by itself", arguments: OfNested.all)
    func nested(story: OfNested) async throws {
        let (switches, pictures) = (story.switches, story.pictures)
        let shop = try RuleFixture(ShopSchema.self, Self.rows)
        try await shop.merge(Self.payload, into: Product.self) { $0.nested = switches }
        #expect(try shop.rows("SELECT id, title, product_id FROM picture ORDER BY id") == pictures)
        #expect(try shop.rows("SELECT id, name FROM product ORDER BY id") == ["1 B", "2 C"])
    }

    @Test("M9 Deletes of top-level records are off by default; those of nested ones are on")
    func defaults() async throws {
        let shop = try RuleFixture(ShopSchema.self, Self.rows)
        try await shop.merge(#"[{"id": 2, "name": "C"}]"#, into: Product.self)
        #expect(try shop.rows("SELECT id FROM product ORDER BY id") == ["1", "2"])
        try await shop.merge(#"[{"id": 1, "images": []}]"#, into: Product.self)
        #expect(try shop.rows("SELECT id FROM picture") == [])
        try await shop.merge(#"[{"id": 2}]"#, into: Product.self) { $0.records = .all }
        #expect(try shop.rows("SELECT id FROM product ORDER BY id") == ["2"])
    }

    @Test("M9 One record at the top and nested: inserted as nested, not updated at the top")
    func bothPlaces() async throws {
        let museum = try RuleFixture(
            MuseumSchema.self,
            "INSERT INTO loan (local_id, remote_id, title) VALUES ('00000000-0000-0000-0000-000000000001', 1, 'one')")
        try await museum.merge(
            #"[{"id": 1, "title": "uno", "holder": {"id": 2, "title": "two"}}, {"id": 2, "title": "due"}]"#,
            into: Loan.self
        ) {
            $0.records = []
            $0.nested = .all
        }
        #expect(try museum.rows("SELECT remote_id, title FROM loan ORDER BY remote_id").first == "1 one")
        #expect(try !museum.rows("SELECT title FROM loan").contains("due"))
    }

    @Test("M9 An embedded to-one whose updates are off is linked by its owner's key anyway")
    func ownKey() async throws {
        let museum = try RuleFixture(MuseumSchema.self, "INSERT INTO maker (id, name) VALUES (1, 'M')")
        try await museum.merge(#"[{"id": 1, "title": "a", "maker": {"id": 1, "name": "X"}}]"#, into: Exhibit.self) {
            $0.nested = .insert
        }
        #expect(try museum.rows("SELECT maker_id FROM exhibit") == ["1"])
        #expect(try museum.rows("SELECT name FROM maker") == ["M"])
    }

    @Test("M9 A replaced embedded to-one is unlinked if nested deletes are off")
    func displaced() async throws {
        let shop = try RuleFixture(
            ShopSchema.self,
            "INSERT INTO product (id, name) VALUES (1, 'A'); INSERT INTO image (id, url, pictured_id) VALUES (1, 'http://1', 1)"
        )
        try await shop.merge(#"[{"id": 1, "image": {"id": 2, "url": "http://2"}}]"#, into: Product.self) {
            $0.nested = [.insert, .update]
        }
        #expect(try shop.rows("SELECT id, pictured_id FROM image") == ["1 -", "2 1"])
        try await shop.merge(#"[{"id": 1, "image": null}]"#, into: Product.self) { $0.nested = [] }
        #expect(try shop.rows("SELECT id, pictured_id FROM image") == ["1 -", "2 1"])
    }
}
