import KitchenSink
import LinkSamples
import LockstepStore
import LockstepSync
import SchematicCapture
import Shop
import Testing

@Suite("R4 Embedded to-one")
struct EmbeddedOneTests {
    // MARK: The other end holds the key

    @Test("R4 A new, changed or unchanged record is linked")
    func linked() async throws {
        let shop = try RuleFixture(
            ShopSchema.self, "INSERT INTO image (id, url, title) VALUES (8, 'http://h', 'there')")
        let images = "SELECT id, url, title, pictured_id FROM image ORDER BY id"
        let first = try await shop.merge(
            #"[{"id": 1, "name": "A", "image": {"id": 9, "url": "http://i"}}, {"id": 2, "name": "B", "image": {"id": 8}}]"#,
            into: Product.self)
        #expect(first.description == "Product: 2 inserted\nImage: 1 inserted, 1 updated")
        #expect(try shop.rows(images) == ["8 http://h there 2", "9 http://i - 1"])
        let second = try await shop.merge(
            #"[{"id": 1, "image": {"id": 9, "title": "new"}}]"#, into: Product.self)
        #expect(second.description == "Product: 1 unchanged\nImage: 1 updated")
        #expect(try shop.rows(images) == ["8 http://h there 2", "9 http://i new 1"])
    }

    @Test("R4 A replaced record is deleted if the relationship cascades, also if replaced by null")
    func displaced() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        try await shop.merge(
            #"[{"id": 1, "name": "A", "image": {"id": 9, "url": "http://i"}}]"#, into: Product.self)
        let other = try await shop.merge(
            #"[{"id": 1, "image": {"id": 10, "url": "http://j"}}]"#, into: Product.self)
        #expect(other.description == "Product: 1 unchanged\nImage: 1 inserted, 1 deleted")
        #expect(try shop.rows("SELECT id, pictured_id FROM image") == ["10 1"])
        try await shop.merge(#"[{"id": 1, "name": "A"}]"#, into: Product.self)
        #expect(try shop.rows("SELECT id, pictured_id FROM image") == ["10 1"])
        try await shop.merge(#"[{"id": 1, "image": null}]"#, into: Product.self)
        #expect(try shop.rows("SELECT id FROM image") == [])
    }

    @Test(
        "R4 A record that moves between owners in one payload is kept, in both orders",
        arguments: [
            #"[{"id": 1, "image": null}, {"id": 2, "name": "B", "image": {"id": 9}}]"#,
            #"[{"id": 2, "name": "B", "image": {"id": 9}}, {"id": 1, "image": null}]"#,
            #"[{"id": 2, "name": "B", "image": {"id": 9}}]"#,
            #"[{"id": 1, "image": {"id": 8, "url": "http://h"}}, {"id": 2, "name": "B", "image": {"id": 9}}]"#,
        ])
    func moves(json: String) async throws {
        let shop = try RuleFixture(
            ShopSchema.self,
            """
            INSERT INTO product (id, name) VALUES (1, 'A');
            INSERT INTO image (id, url, title, pictured_id) VALUES (9, 'http://i', 'mine', 1);
            """)
        try await shop.merge(json, into: Product.self)
        #expect(try shop.rows("SELECT title, pictured_id FROM image WHERE id = 9") == ["mine 2"])
    }

    @Test("R4 Two owners that exchange their records keep both")
    func swap() async throws {
        let shop = try RuleFixture(
            ShopSchema.self,
            """
            INSERT INTO product (id, name) VALUES (1, 'A'), (2, 'B');
            INSERT INTO image (id, url, pictured_id) VALUES (8, 'http://h', 1), (9, 'http://i', 2);
            """)
        let summary = try await shop.merge(
            #"[{"id": 1, "image": {"id": 9}}, {"id": 2, "image": {"id": 8}}]"#, into: Product.self)
        #expect(summary.description == "Product: 2 unchanged\nImage: 2 updated")
        #expect(try shop.rows("SELECT id, pictured_id FROM image ORDER BY id") == ["8 2", "9 1"])
    }

    @Test(
        "R4 An invalid record leaves its owner's link unchanged, and the owner is merged",
        arguments: [
            #"[{"id": 1, "name": "B", "image": {"id": 10}}]"#,
            #"[{"id": 1, "name": "B", "image": {"id": 9, "url": 7}}]"#,
            #"[{"id": 1, "name": "B", "image": {"url": "http://x"}}]"#,
            #"[{"id": 1, "name": "B", "image": {"id": null, "url": "http://x"}}]"#,
            #"[{"id": 1, "name": "B", "image": "none"}]"#,
        ])
    func invalid(json: String) async throws {
        let shop = try RuleFixture(
            ShopSchema.self,
            """
            INSERT INTO product (id, name) VALUES (1, 'A');
            INSERT INTO image (id, url, pictured_id) VALUES (9, 'http://i', 1);
            """)
        let summary = try await shop.merge(json, into: Product.self)
        #expect(summary.skipped.count == 1 && summary.skipped.first?.keyPath.hasPrefix("image") == true)
        #expect(try shop.rows("SELECT id, url, pictured_id FROM image") == ["9 http://i 1"])
        #expect(try shop.rows("SELECT name FROM product") == ["B"])
    }

    @Test("R4 Four levels down the photo is replaced, and its owners are unchanged")
    func nestedDeep() async throws {
        let capture = try RuleFixture(SchematicCaptureSchema.self)
        let json = { (photo: String) in
            """
            [{"id": 1, "name": "P", "companyName": "C", "clientId": 2, "jobsheet": [{"id": 10, "name": "S", "components": [
              {"id": 100, "componentId": "R1", "photo": \(photo)}, {"id": 101, "componentId": "R2"}]}]}]
            """
        }
        let first = try await capture.merge(json(#"{"id": 7, "name": "seven"}"#), into: Project.self)
        #expect(first.inserted == 5)
        let second = try await capture.merge(json(#"{"id": 8, "name": "eight"}"#), into: Project.self)
        #expect(second[SchematicCapture.Photo.self].inserted == 1 && second[SchematicCapture.Photo.self].deleted == 1)
        #expect(second.updated == 0 && second.unchanged == 4)
        #expect(try capture.rows("SELECT id, name, component_id FROM photo") == ["8 eight 100"])
    }

    // MARK: This end holds the key

    @Test("R4 If the record itself holds the key: new, another, null; a replaced record is kept without cascade")
    func ownKey() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        let exhibit = "SELECT id, maker_id, crate_id, lender_country, lender_number FROM exhibit"
        try await museum.merge(
            """
            [{"id": 1, "title": "a", "maker": {"id": 5, "name": "M"}, "crate": {"id": 6, "size": "L"},
              "lending": {"lender": {"country": "CH", "number": 3}}}]
            """, into: Exhibit.self)
        #expect(try museum.rows(exhibit) == ["1 5 6 CH 3"])
        let other = try await museum.merge(
            #"[{"id": 1, "crate": {"id": 7, "size": "M"}, "lending": {"lender": {"country": "DE", "number": 4}}}]"#,
            into: Exhibit.self)
        #expect(other.description == "Exhibit: 1 updated\nCrate: 1 inserted\nLender: 1 inserted")
        #expect(try museum.rows(exhibit) == ["1 5 7 DE 4"])
        try await museum.merge(
            #"[{"id": 1, "maker": null, "crate": null, "lending": {"lender": null}}]"#, into: Exhibit.self)
        #expect(try museum.rows(exhibit) == ["1 - - - -"])
        #expect(try museum.rows("SELECT id FROM crate") == ["6", "7"])
    }

    @Test("R4 Null for an object of nested values also clears the links in it")
    func nullAround() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(
            #"[{"id": 1, "title": "a", "lending": {"lender": {"country": "CH", "number": 3}}}]"#, into: Exhibit.self)
        try await museum.merge(#"[{"id": 1, "lending": {}}]"#, into: Exhibit.self)
        #expect(try museum.rows("SELECT lender_country, lender_number FROM exhibit") == ["CH 3"])
        try await museum.merge(#"[{"id": 1, "lending": null}]"#, into: Exhibit.self)
        #expect(try museum.rows("SELECT lender_country, lender_number FROM exhibit") == ["- -"])
    }

    @Test("R4 One object in many records is one record", arguments: ["1", "\"1\""])
    func shared(id: String) async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        let summary = try await museum.merge(
            """
            [{"id": 1, "title": "a", "maker": {"id": 1, "name": "M"}}, {"id": 2, "title": "b", "maker": {"id": \(id), "name": "N"}},
             {"id": 3, "title": "c", "maker_id": \(id)}]
            """, into: Exhibit.self)
        #expect(summary.description == "Exhibit: 3 inserted\nMaker: 1 inserted")
        #expect(try museum.rows("SELECT id, maker_id FROM exhibit") == ["1 1", "2 1", "3 1"])
        #expect(try museum.rows("SELECT name FROM maker") == ["N"])
    }

    @Test("R4 An invalid embedded record that exists is linked anyway; one without identity leaves the link unchanged")
    func invalidOwnKey() async throws {
        let museum = try RuleFixture(
            MuseumSchema.self,
            """
            INSERT INTO maker (id, name) VALUES (1, 'M'), (2, 'N');
            INSERT INTO exhibit (id, title, maker_id) VALUES (1, 'a', 1), (2, 'b', 1);
            """)
        let summary = try await museum.merge(
            #"[{"id": 1, "maker": {"id": 2, "name": []}}, {"id": 2, "title": "B", "maker": {"name": "O"}}]"#,
            into: Exhibit.self)
        #expect(summary.skipped.map(\.keyPath) == ["maker.name", "maker.id"])
        #expect(try museum.rows("SELECT id, title, maker_id FROM exhibit ORDER BY id") == ["1 a 2", "2 B 1"])
        #expect(try museum.rows("SELECT name FROM maker ORDER BY id") == ["M", "N"])
    }

    @Test("R4 An owner that requires it gets its lamp from the JSON; the previous lamp is deleted with the link")
    func requiredOne() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(
            #"[{"id": 1, "glass": "clear", "lamp": {"id": 4, "watts": 40}}]"#, into: Vitrine.self)
        #expect(try museum.rows("SELECT id, lamp_id FROM vitrine") == ["1 4"])
        let refused = try await museum.merge(#"[{"id": 1, "glass": "dark", "lamp": null}]"#, into: Vitrine.self)
        #expect(refused.skipped.map(\.keyPath) == ["lamp"])
        #expect(try museum.rows("SELECT glass, lamp_id FROM vitrine") == ["clear 4"])
        try await museum.merge(#"[{"id": 1, "lamp": {"id": 5, "watts": 60}}]"#, into: Vitrine.self)
        #expect(try museum.rows("SELECT lamp_id FROM vitrine") == ["5"])
        #expect(try museum.rows("SELECT id FROM lamp") == ["5"])
    }

    @Test("R4 By the server's number: an embedded parent is found by it, created locally or reserved")
    func remoteParent() async throws {
        let sink = try RuleFixture(
            KitchenSinkSchema.self,
            "INSERT INTO part (local_id, remote_id, title) VALUES ('00000000-0000-0000-0000-000000000001', 1, 'one')")
        try await sink.merge(
            """
            [{"id": "00000000-0000-0000-0000-00000000000A", "length": 1, "part": {"id": 1, "title": "uno"}},
             {"id": "00000000-0000-0000-0000-00000000000B", "length": 1, "part": {"id": 2, "title": "two"}},
             {"id": "00000000-0000-0000-0000-00000000000C", "length": 1, "part_id": 2, "part": {"id": 1}}]
            """, into: Screw.self)
        #expect(
            try sink.rows("SELECT p.title FROM screw s JOIN part p ON p.local_id = s.part_id ORDER BY s.id")
                == ["uno", "two", "two"])
        #expect(try sink.rows("SELECT count(*) FROM part") == ["2"])
    }
}
