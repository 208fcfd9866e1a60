import KitchenSink
import LinkSamples
import LockstepStore
import LockstepSync
import RuntimeTestSupport
import SchematicCapture
import Shop
import Testing

@Suite("R5 Embedded to-many")
struct EmbeddedManyTests {
    private static let product = """
        INSERT INTO product (id, name) VALUES (1, 'A'), (2, 'B');
        INSERT INTO picture (id, url, product_id, images_position)
            VALUES (1, 'http://1', 1, 0), (2, 'http://2', 1, 1), (3, 'http://3', 1, 2), (4, 'http://4', 2, 0);
        """
    private static let pictures =
        "SELECT id, product_id, images_position FROM picture ORDER BY product_id, images_position"

    @Test(
        "R5 Each child is matched, updated or inserted, and linked; missing ones are deleted if it cascades"
    )
    func lists() async throws {
        let shop = try RuleFixture(ShopSchema.self, Self.product)
        let summary = try await shop.merge(
            """
            [{"id": 1, "images": [{"id": 1}, {"id": 3, "title": "three"}, {"id": 9, "url": "http://9"}]}]
            """, into: Product.self)
        #expect(summary.description == "Product: 1 unchanged\nPicture: 1 inserted, 1 updated, 1 unchanged, 1 deleted")
        #expect(try shop.rows(Self.pictures) == ["1 1 0", "3 1 1", "9 1 2", "4 2 0"])
        try await shop.merge(#"[{"id": 1, "images": []}]"#, into: Product.self)
        #expect(try shop.rows(Self.pictures) == ["4 2 0"])
    }

    @Test("M1 R5 A missing key leaves the children as they are; null is an empty list")
    func leftOut() async throws {
        let shop = try RuleFixture(ShopSchema.self, Self.product)
        let summary = try await shop.merge(#"[{"id": 1}, {"id": 2}]"#, into: Product.self)
        #expect(!summary.hasChanges)
        #expect(try shop.rows("SELECT count(*) FROM picture") == ["4"])
        let null = try await shop.merge(#"[{"id": 1}, {"id": 2, "images": null}]"#, into: Product.self)
        #expect(null.description == "Product: 2 unchanged\nPicture: 1 deleted")
        #expect(try shop.rows("SELECT count(*) FROM picture") == ["3"])
    }

    @Test("R5 A child added at the front or in the middle shifts the others; another order is stored")
    func places() async throws {
        let shop = try RuleFixture(ShopSchema.self, Self.product)
        try await shop.merge(
            #"[{"id": 1, "images": [{"id": 7, "url": "http://7"}, {"id": 1}, {"id": 8, "url": "http://8"}, {"id": 2}, {"id": 3}]}]"#,
            into: Product.self)
        #expect(try shop.rows(Self.pictures) == ["7 1 0", "1 1 1", "8 1 2", "2 1 3", "3 1 4", "4 2 0"])
        let turned = try await shop.merge(
            #"[{"id": 1, "images": [{"id": 3}, {"id": 2}, {"id": 8}, {"id": 1}, {"id": 7}]}]"#, into: Product.self)
        #expect(turned[Picture.self].updated == 4)  // the one in the middle stays there
        #expect(try shop.rows(Self.pictures) == ["3 1 0", "2 1 1", "8 1 2", "1 1 3", "7 1 4", "4 2 0"])
    }

    @Test(
        "R5 A child that moves between owners in one payload is kept, in both orders",
        arguments: [
            #"[{"id": 1, "images": [{"id": 1}, {"id": 3}]}, {"id": 2, "images": [{"id": 2}, {"id": 4}]}]"#,
            #"[{"id": 2, "images": [{"id": 2}, {"id": 4}]}, {"id": 1, "images": [{"id": 1}, {"id": 3}]}]"#,
        ])
    func moves(json: String) async throws {
        let shop = try RuleFixture(ShopSchema.self, Self.product + "UPDATE picture SET title = 'mine' WHERE id = 2;")
        let summary = try await shop.merge(json, into: Product.self)
        #expect(summary[Picture.self].deleted == 0 && summary[Picture.self].inserted == 0)
        #expect(try shop.rows(Self.pictures) == ["1 1 0", "3 1 1", "2 2 0", "4 2 1"])
        #expect(try shop.rows("SELECT title FROM picture WHERE id = 2") == ["mine"])
    }

    @Test("R5 All children of two owners are exchanged")
    func swap() async throws {
        let shop = try RuleFixture(ShopSchema.self, Self.product)
        let summary = try await shop.merge(
            #"[{"id": 1, "images": [{"id": 4}]}, {"id": 2, "images": [{"id": 1}, {"id": 2}, {"id": 3}]}]"#,
            into: Product.self)
        #expect(summary[Picture.self].updated == 4 && summary[Picture.self].deleted == 0)
        #expect(try shop.rows(Self.pictures) == ["4 1 0", "1 2 0", "2 2 1", "3 2 2"])
    }

    @Test("R5 Without cascade, missing children are unlinked and kept")
    func nullify() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(
            #"[{"id": 1, "name": "Hall", "benches": [{"id": 1, "seats": 2}, {"id": 2, "seats": 3}]}]"#, into: Room.self)
        let summary = try await museum.merge(#"[{"id": 1, "benches": [{"id": 2}]}]"#, into: Room.self)
        #expect(summary.description == "Room: 1 unchanged\nBench: 2 updated")
        #expect(
            try museum.rows("SELECT id, seats, room_id, benches_position FROM bench ORDER BY id") == [
                "1 2 - -", "2 3 1 0",
            ])
    }

    @Test("R5 Children that need an owner get it from the list that contains them")
    func requiredOwner() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(
            """
            [{"id": 1, "name": "Hall", "cameras": [{"id": 1, "model": "x"}, {"id": 2, "model": "y", "room_id": 77},
              {"id": 3, "model": "z", "room_id": null}]}]
            """, into: Room.self)
        #expect(try museum.rows("SELECT id, room_id FROM camera ORDER BY id") == ["1 1", "2 1", "3 1"])
        try await museum.merge(
            #"[{"id": 2, "name": "Attic", "cameras": [{"id": 1}]}, {"id": 1, "cameras": [{"id": 2}]}]"#, into: Room.self
        )
        #expect(try museum.rows("SELECT id, room_id FROM camera ORDER BY id") == ["1 2", "2 1"])
    }

    // MARK: Invalid records

    @Test(
        "R5 M12 The neighbors of an invalid child are stored, and it is not deleted",
        arguments: [
            (#"{"id": 2, "url": 7}"#, "images[1].url"), (#"{"id": 2, "url": null}"#, "images[1].url"),
        ])
    func invalidChild(child: String, path: String) async throws {
        let shop = try RuleFixture(ShopSchema.self, Self.product)
        let summary = try await shop.merge(
            #"[{"id": 1, "images": [{"id": 8, "url": "http://8"}, \#(child), {"id": 3, "title": "three"}]}]"#,
            into: Product.self)
        #expect(summary.skipped.map(\.keyPath) == [path])
        #expect(summary.skipped.map(\.identity) == ["2"])
        // It has its listed or previous position: after the first, before the last.
        #expect(
            try shop.rows("SELECT id, product_id FROM picture ORDER BY product_id, images_position, id")
                == ["8 1", "2 1", "3 1", "4 2"])
    }

    @Test(
        "R5 M4 If a child has no readable identity, it could be any of them, so none is deleted",
        arguments: [
            #"{"url": "http://x"}"#, #"{"id": null, "url": "http://x"}"#, #"{"id": "two", "url": "http://x"}"#, "7",
            "null", "[]",
        ])
    func unreadableChild(child: String) async throws {
        let shop = try RuleFixture(ShopSchema.self, Self.product)
        let summary = try await shop.merge(
            #"[{"id": 1, "images": [\#(child), {"id": 8, "url": "http://8"}, {"id": 3, "title": "three"}]}]"#,
            into: Product.self)
        #expect(summary.skipped.count == 1 && summary.skipped.first?.keyPath.hasPrefix("images[0]") == true)
        #expect(try shop.rows("SELECT id, product_id FROM picture ORDER BY id") == ["1 1", "2 1", "3 1", "4 2", "8 1"])
    }

    @Test("R5 A value that is not a list makes its owner invalid", arguments: ["{}", "7", "\"none\"", "true"])
    func noList(value: String) async throws {
        let shop = try RuleFixture(ShopSchema.self, Self.product)
        let summary = try await shop.merge(#"[{"id": 1, "name": "X", "images": \#(value)}]"#, into: Product.self)
        #expect(summary.skippedTexts == ["0 images: is not a list"])
        #expect(try shop.rows("SELECT name FROM product WHERE id = 1") == ["A"])
        #expect(try shop.rows("SELECT count(*) FROM picture") == ["4"])
    }

    @Test("R5 M12 The nested records of an invalid owner are skipped, and its existing ones are kept")
    func invalidOwner() async throws {
        let shop = try RuleFixture(ShopSchema.self, Self.product)
        let summary = try await shop.merge(
            """
            [{"id": 1, "name": [], "images": [{"id": 1, "title": "new"}], "image": {"id": 5, "url": "http://5"}, "tag_ids": [1]},
             {"id": 3, "images": [{"id": 4}, {"id": 12, "url": "http://12"}]}]
            """, into: Product.self)
        #expect(summary.skipped.map(\.keyPath) == ["name", "name"])
        #expect(!summary.hasChanges)
        #expect(try shop.rows("SELECT count(*) FROM picture WHERE title IS NULL") == ["4"])
        #expect(try shop.rows("SELECT id FROM image") == [])
    }

    @Test(
        "R5 M12 A child of an invalid and a valid owner belongs to the valid one, in both orders",
        arguments: [true, false])
    func invalidAndValidOwner(isFirst: Bool) async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let good = #"{"id": 4, "name": "D", "images": [{"id": 12, "url": "http://12"}]}"#
        let bad = #"{"id": 3, "images": [{"id": 12, "url": "http://x"}]}"#
        let summary = try await shop.merge(
            "[\(isFirst ? bad : good), \(isFirst ? good : bad)]", into: Product.self)
        #expect(summary.skipped.map(\.keyPath) == ["name"])
        #expect(try shop.rows("SELECT id, url, product_id FROM picture") == ["12 http://12 4"])
    }

    @Test("R5 A new child without a required value is skipped, with the index and the path")
    func invalidDeep() async throws {
        let capture = try RuleFixture(SchematicCaptureSchema.self)
        let summary = try await capture.merge(
            """
            [{"id": 1, "name": "P", "companyName": "C", "clientId": 2, "jobsheet": [
              {"id": 10, "name": "S", "components": [{"id": 100}, {"id": 101, "componentId": "R2", "photo": {"id": 9}}]},
              {"id": 11, "components": [{"id": 102, "componentId": "R3"}]}]}]
            """, into: Project.self)
        #expect(
            summary.skipped.map(\.keyPath).sorted()
                == [
                    "jobsheet[0].components[0].componentId", "jobsheet[0].components[1].photo.name", "jobsheet[1].name",
                ])
        #expect(try capture.rows("SELECT id FROM component") == ["101"])
        #expect(try capture.rows("SELECT id FROM job_sheet") == ["10"])
        #expect(try capture.rows("SELECT id FROM photo") == [])
    }

    // MARK: Many to many

    @Test("R5 Many-to-many members are only unlinked, keep the order of the list, and stay linked to other owners")
    func manyToMany() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(
            """
            [{"id": 1, "title": "a", "visitors": [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}]},
             {"id": 2, "title": "b", "visitors": [{"id": 2, "name": "y"}, {"id": 1, "name": "x"}]}]
            """, into: Exhibit.self)
        let links = "SELECT exhibit_id, visitor_id FROM exhibit_visitor ORDER BY exhibit_id, visitors_position"
        #expect(try museum.rows(links) == ["1 1", "1 2", "2 2", "2 1"])
        let summary = try await museum.merge(
            #"[{"id": 1, "visitors": [{"id": 3, "name": "z"}, {"id": 1, "name": "X"}]}]"#, into: Exhibit.self)
        #expect(summary.description == "Exhibit: 1 updated\nVisitor: 1 inserted, 1 updated")
        #expect(try museum.rows(links) == ["1 3", "1 1", "2 2", "2 1"])
        #expect(try museum.rows("SELECT id, name FROM visitor") == ["1 X", "2 y", "3 z"])
    }

    @Test("R5 M12 An invalid member of a many-to-many keeps its link, but gets no new one")
    func invalidMember() async throws {
        let museum = try RuleFixture(
            MuseumSchema.self,
            """
            INSERT INTO exhibit (id, title) VALUES (1, 'a'); INSERT INTO visitor (id, name) VALUES (1, 'x'), (2, 'y');
            INSERT INTO exhibit_visitor VALUES (1, 1, 0);
            """)
        let summary = try await museum.merge(
            #"[{"id": 1, "visitors": [{"id": 3}, {"id": 1, "name": []}, {"id": 2, "name": {}}, {"id": 4, "name": "w"}]}]"#,
            into: Exhibit.self)
        #expect(summary.skipped.map(\.index) == [0, 0, 0])
        #expect(
            try museum.rows("SELECT visitor_id FROM exhibit_visitor ORDER BY visitors_position") == ["1", "4"])
    }

    // MARK: Deleting

    @Test("R5 M7 A child that never reached the server stays with its owner, which cannot list it")
    func onlyHere() async throws {
        let sink = try RuleFixture(
            KitchenSinkSchema.self,
            """
            INSERT INTO person (country, number, name, created_at) VALUES ('CH', 1, 'A', 0);
            """)
        try await sink.merge(
            #"[{"id": 1, "name": "E", "days": [], "owner_country": "CH", "owner_number": 1, "parts": [{"id": 5, "title": "five"}]}]"#,
            into: Everything.self)
        try sink.execute(
            "INSERT INTO part (local_id, title, whole_id, parts_position) VALUES ('00000000-0000-0000-0000-0000000000ff', 'mine', 1, 1)"
        )
        try await sink.merge(#"[{"id": 1, "parts": [{"id": 6, "title": "six"}]}]"#, into: Everything.self)
        #expect(try sink.rows("SELECT title, whole_id FROM part ORDER BY title") == ["mine 1", "six 1"])
    }

    @Test("R5 Deleting a child applies its delete rules, and all deletes are counted")
    func cascade() async throws {
        let capture = try RuleFixture(SchematicCaptureSchema.self)
        try await capture.merge(
            """
            [{"id": 1, "name": "P", "companyName": "C", "clientId": 2, "jobsheet": [
              {"id": 10, "name": "S", "components": [{"id": 100, "componentId": "R1", "photo": {"id": 7, "name": "p"}}]},
              {"id": 11, "name": "T", "components": [{"id": 101, "componentId": "R2"}]}]}]
            """, into: Project.self)
        let summary = try await capture.merge(#"[{"id": 1, "jobsheet": [{"id": 11}]}]"#, into: Project.self)
        #expect(summary.deleted == 3)
        #expect(try capture.rows("SELECT id FROM job_sheet") == ["11"])
        #expect(try capture.rows("SELECT id FROM component") == ["101"])
        #expect(try capture.rows("SELECT id FROM photo") == [])
    }

    @Test("R5 A grandchild that moves out of a deleted child is kept")
    func grandchildMoves() async throws {
        let capture = try RuleFixture(SchematicCaptureSchema.self)
        try await capture.merge(
            """
            [{"id": 1, "name": "P", "companyName": "C", "clientId": 2, "jobsheet": [
              {"id": 10, "name": "S", "components": [{"id": 100, "componentId": "R1", "image": "i", "photo": {"id": 7, "name": "p"}}]},
              {"id": 11, "name": "T", "components": []}]}]
            """, into: Project.self)
        try await capture.merge(
            #"[{"id": 1, "jobsheet": [{"id": 11, "components": [{"id": 100}]}]}]"#, into: Project.self)
        #expect(try capture.rows("SELECT id, image, job_sheet_id FROM component") == ["100 i 11"])
        #expect(try capture.rows("SELECT id, component_id FROM photo") == ["7 100"])
        #expect(try capture.rows("SELECT id FROM job_sheet") == ["11"])
    }
}
