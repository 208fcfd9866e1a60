import Foundation
import KitchenSink
import LinkSamples
import LockstepStore
import LockstepSync
import RuntimeTestSupport
import Shop
import Testing

@Suite("R3 An id list defines the exact membership")
struct IdentityListTests {
    // MARK: Many to many

    @Test("R3 Links are added and removed; a missing key keeps them, [] and null clear them")
    func members() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let links = "SELECT product_id, tag_id FROM product_tag ORDER BY 1, 2"
        try await shop.merge(
            #"[{"id": 1, "name": "A", "tag_ids": [3, 1, 2]}, {"id": 2, "name": "B", "tag_ids": [1]}]"#,
            into: Product.self)
        #expect(try shop.rows(links) == ["1 1", "1 2", "1 3", "2 1"])

        let other = try await shop.merge(#"[{"id": 1, "tag_ids": [2, 4]}]"#, into: Product.self)
        #expect(other.description == "Product: 1 updated")
        #expect(try shop.rows(links) == ["1 2", "1 4", "2 1"])

        let kept = try await shop.merge(#"[{"id": 1}, {"id": 2}]"#, into: Product.self)
        #expect(kept.description == "Product: 2 unchanged")
        try await shop.merge(#"[{"id": 1, "tag_ids": []}]"#, into: Product.self)
        #expect(try shop.rows(links) == ["2 1"])
        let null = try await shop.merge(#"[{"id": 2, "tag_ids": null}]"#, into: Product.self)
        #expect(null.description == "Product: 1 updated")
        #expect(try shop.rows(links) == [])
    }

    @Test("R3 Unknown ids wait in their links; a repeated id is one member; ids can be written as text")
    func unknownAndDouble() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        try await shop.merge(#"[{"id": 1, "name": "A", "tag_ids": [7, "7", 8, 7]}]"#, into: Product.self)
        #expect(try shop.rows("SELECT * FROM product_tag ORDER BY tag_id") == ["1 7", "1 8"])
        #expect(try shop.rows("SELECT * FROM tag") == [])
        try await shop.merge(#"[{"id": 8, "name": "red"}]"#, into: Tag.self)
        #expect(
            try shop.rows("SELECT t.name FROM product_tag l JOIN tag t ON t.id = l.tag_id WHERE product_id = 1")
                == ["red"])
    }

    @Test("R3 The list can come from either end, and is exact only for the record that contains it")
    func eitherEnd() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let links = "SELECT product_id, tag_id FROM product_tag ORDER BY 1, 2"
        try await shop.merge(#"[{"id": 1, "name": "A", "tag_ids": [1, 2]}]"#, into: Product.self)
        try await shop.merge(#"[{"id": 2, "name": "red", "product_ids": [5]}]"#, into: Tag.self)
        #expect(try shop.rows(links) == ["1 1", "5 2"])
        try await shop.merge(
            #"[{"id": 1, "name": "x", "product_ids": [1, 5]}, {"id": 2, "name": "red", "product_ids": []}]"#,
            into: Tag.self)
        #expect(try shop.rows(links) == ["1 1", "5 1"])
    }

    @Test("R3 In an ordered relationship, the list is the order; a member added in the middle shifts the others")
    func order() async throws {
        let sink = try RuleFixture(MuseumSchema.self)
        let links = "SELECT guard_id, guards_position FROM room_guard WHERE room_id = 1 ORDER BY guards_position"
        try await sink.merge(#"[{"id": 1, "name": "Hall", "guard_ids": ["a", "b", "c"]}]"#, into: Room.self)
        #expect(try sink.rows(links) == ["a 0", "b 1", "c 2"])
        let moved = try await sink.merge(#"[{"id": 1, "guard_ids": ["c", "a", "b"]}]"#, into: Room.self)
        #expect(moved.description == "Room: 1 updated")
        #expect(try sink.rows(links) == ["c 0", "a 1", "b 2"])
        try await sink.merge(#"[{"id": 1, "guard_ids": ["c", "d", "b"]}]"#, into: Room.self)
        #expect(try sink.rows(links) == ["c 0", "d 1", "b 2"])
        try await sink.merge(#"[{"id": 1, "guard_ids": ["b", "c", "b", "d"]}]"#, into: Room.self)
        #expect(try sink.rows("SELECT count(*) FROM room_guard") == ["3"])
    }

    @Test(
        "R3 M16 A record with a pending change that several lists have belongs to the last one, here and in its base",
        arguments: [
            #"[{"id": 1, "exhibit_ids": []}, {"id": 2, "exhibit_ids": [7]}, {"id": 3, "exhibit_ids": [7]}]"#,
            #"[{"id": 2, "exhibit_ids": [7]}, {"id": 3, "exhibit_ids": [7]}, {"id": 1, "exhibit_ids": []}]"#,
        ], ["1", "4"])
    func pendingMemberOfSeveralLists(_ json: String, local: String) async throws {
        let stage = try OutboxStage(MuseumSchema.self)
        try stage.seed("INSERT INTO room (id, name) VALUES (1, 'Hall'), (2, 'Attic'), (3, 'Cellar'), (4, 'Yard')")
        try stage.seed("INSERT INTO exhibit (id, title, room_id, exhibits_position) VALUES (7, 'Vase', 1, 0)")
        try stage.run("UPDATE exhibit SET title = 'Bowl', room_id = \(local)")
        try await stage.store.merge(Data(json.utf8), into: Room.self)
        // An owner that was set locally wins.
        let owner = local == "1" ? "3" : local
        #expect(try stage.rows("SELECT room_id, title FROM exhibit") == ["\(owner) \"Bowl\""])
        #expect(try stage.rows("SELECT room_id, title FROM lockstep_base_exhibit") == ["3 \"Vase\""])
        // A list that was changed locally is a change of its room.
        #expect(try stage.changes().filter { local == "1" || $0.contains("Exhibit") } == ["update Exhibit 7"])
    }

    @Test("R3 A link added from the unordered end comes last in the order of the other end")
    func newLinkFromOtherEnd() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(#"[{"id": 1, "name": "Hall", "guard_ids": ["a", "b"]}]"#, into: Room.self)
        try await museum.merge(#"[{"id": "z", "name": "Zoë", "room_ids": [1, 2]}]"#, into: Guard.self)
        #expect(
            try museum.rows("SELECT room_id, guard_id, guards_position FROM room_guard ORDER BY 1, 3")
                == ["1 a 0", "1 b 1", "1 z 2", "2 z 0"])
    }

    @Test("R3 A list with an element that is not an id makes the record invalid, and the element is reported")
    func wrongMember() async throws {
        let shop = try RuleFixture(
            ShopSchema.self, "INSERT INTO product (id, name) VALUES (1, 'A'); INSERT INTO product_tag VALUES (1, 1)")
        let summary = try await shop.merge(
            """
            [{"id": 1, "name": "B", "tag_ids": [2, "two"]}, {"id": 2, "name": "C", "tag_ids": [1, null]},
             {"id": 3, "name": "D", "tag_ids": 7}, {"id": 4, "name": "E", "tag_ids": [{"id": 1}]}, {"id": 5, "name": "F", "tag_ids": {}}]
            """, into: Product.self)
        #expect(
            summary.skipped.map(\.keyPath) == ["tag_ids[1]", "tag_ids[1]", "tag_ids", "tag_ids[0]", "tag_ids"])
        #expect(try shop.rows("SELECT id, name FROM product") == ["1 A"])
        #expect(try shop.rows("SELECT * FROM product_tag") == ["1 1"])
    }

    @Test("R3 By the server's numbers: unknown ones are reserved; links to records not yet on the server are kept")
    func remoteMembers() async throws {
        let sink = try RuleFixture(
            KitchenSinkSchema.self,
            """
            INSERT INTO part (local_id, remote_id, title)
                VALUES ('00000000-0000-0000-0000-000000000001', NULL, 'mine'),
                    ('00000000-0000-0000-0000-000000000002', 2, 'two'), ('00000000-0000-0000-0000-000000000003', 3, 'three');
            INSERT INTO box (id) VALUES ('00000000-0000-0000-0000-0000000000bb');
            INSERT INTO part_box (part_id, box_id)
                SELECT local_id, '00000000-0000-0000-0000-0000000000bb' FROM part WHERE title <> 'three';
            """)
        let links = """
            SELECT p.title FROM part_box l LEFT JOIN part p ON p.local_id = l.part_id ORDER BY p.title
            """
        try await sink.merge(
            #"[{"id": "00000000-0000-0000-0000-0000000000BB", "part_ids": [3, 4]}]"#, into: Box.self)
        #expect(try sink.rows(links) == ["-", "mine", "three"])
        try await sink.merge(#"[{"id": 4, "title": "four"}]"#, into: Part.self)
        #expect(try sink.rows(links) == ["four", "mine", "three"])
    }

    // MARK: The members hold the key

    @Test("R3 If the members hold the key, it is set and cleared; members that have not arrived yet wait")
    func children() async throws {
        let museum = try RuleFixture(
            MuseumSchema.self,
            "INSERT INTO exhibit (id, title, room_id, exhibits_position) VALUES (1, 'a', NULL, NULL), (2, 'b', 9, 4), (3, 'c', 1, 0)"
        )
        let exhibits = "SELECT id, room_id, exhibits_position FROM exhibit ORDER BY id"
        let summary = try await museum.merge(
            #"[{"id": 1, "name": "Hall", "exhibit_ids": [2, 1, 5, 2]}]"#, into: Room.self)
        #expect(summary[Room.self].inserted == 1 && summary[Exhibit.self].updated == 3)
        #expect(try museum.rows(exhibits) == ["1 1 0", "2 1 2", "3 - -"])

        // It comes without a value for its room.
        let late = try await museum.merge(#"[{"id": 5, "title": "e"}]"#, into: Exhibit.self)
        #expect(late.description == "Exhibit: 1 inserted")
        #expect(try museum.rows(exhibits) == ["1 1 0", "2 1 2", "3 - -", "5 1 1"])
    }

    @Test("R3 A waiting member is dropped if a later list lacks it, or the record names its own owner")
    func waitingEnds() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(#"[{"id": 1, "name": "Hall", "exhibit_ids": [5, 6, 7]}]"#, into: Room.self)
        try await museum.merge(#"[{"id": 1, "name": "Hall", "exhibit_ids": [6, 7]}]"#, into: Room.self)
        try await museum.merge(
            #"[{"id": 5, "title": "e"}, {"id": 6, "title": "f", "room_id": 2}, {"id": 7, "title": "g"}]"#,
            into: Exhibit.self)
        #expect(try museum.rows("SELECT id, room_id FROM exhibit ORDER BY id") == ["5 -", "6 2", "7 1"])
    }

    @Test("R3 The list and its members wait across a relaunch, in their positions")
    func relaunch() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(
            #"[{"id": 1, "name": "Hall", "exhibit_ids": [3, 2, 1]}, {"id": 2, "name": "Attic", "exhibit_ids": [4]}]"#,
            into: Room.self)
        for id in [1, 2, 3, 4] {
            try await museum.merge(#"[{"id": \#(id), "title": "x"}]"#, into: Exhibit.self)
        }
        #expect(
            try museum.rows("SELECT room_id, id FROM exhibit ORDER BY room_id, exhibits_position")
                == ["1 3", "1 2", "1 1", "2 4"])
    }

    @Test(
        "R3 A member in two lists belongs to the last; it moves without being deleted",
        arguments: [
            #"[{"id": 1, "name": "A", "exhibit_ids": []}, {"id": 2, "name": "B", "exhibit_ids": [1]}]"#,
            #"[{"id": 2, "name": "B", "exhibit_ids": [1]}, {"id": 1, "name": "A", "exhibit_ids": []}]"#,
        ])
    func moves(json: String) async throws {
        let museum = try RuleFixture(
            MuseumSchema.self, "INSERT INTO exhibit (id, title, room_id, exhibits_position) VALUES (1, 'a', 1, 0)")
        try await museum.merge(json, into: Room.self)
        #expect(try museum.rows("SELECT id, room_id FROM exhibit") == ["1 2"])
    }

    @Test("R3 A member that requires an owner is never deleted by an id list, and keeps its owner")
    func requiredOwner() async throws {
        let museum = try RuleFixture(
            MuseumSchema.self, "INSERT INTO door (id, label, room_id) VALUES (1, 'a', 1), (2, 'b', 1)")
        try await museum.merge(#"[{"id": 1, "name": "Hall", "door_ids": [1, 3]}]"#, into: Room.self)
        #expect(try museum.rows("SELECT id, room_id FROM door ORDER BY id") == ["1 1", "2 1"])
        try await museum.merge(#"[{"id": 2, "name": "Attic", "door_ids": [2]}]"#, into: Room.self)
        #expect(try museum.rows("SELECT id, room_id FROM door ORDER BY id") == ["1 1", "2 2"])
    }

    @Test("R3 A new member that requires an owner can omit it if a list contains the member")
    func requiredOwnerFromList() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(#"[{"id": 1, "name": "Hall", "door_ids": [3]}]"#, into: Room.self)
        try await museum.merge(#"[{"id": 3, "label": "c", "room_id": 1}]"#, into: Door.self)
        #expect(try museum.rows("SELECT id, room_id FROM door") == ["3 1"])
    }

    @Test("R3 Members that hold the key, by the server's numbers: existing, not yet arrived, and only local")
    func remoteChildren() async throws {
        let museum = try RuleFixture(
            MuseumSchema.self,
            """
            INSERT INTO loan (local_id, remote_id, title, room_id)
                VALUES ('00000000-0000-0000-0000-000000000001', NULL, 'mine', 1),
                    ('00000000-0000-0000-0000-000000000002', 2, 'two', 1), ('00000000-0000-0000-0000-000000000003', 3, 'three', 7)
            """)
        try await museum.merge(#"[{"id": 1, "name": "Hall", "loan_ids": [3, 4]}]"#, into: Room.self)
        let loans = "SELECT title, room_id FROM loan ORDER BY title"
        #expect(try museum.rows(loans) == ["mine 1", "three 1", "two -"])
        try await museum.merge(#"[{"id": 4, "title": "four"}]"#, into: Loan.self)
        #expect(try museum.rows(loans) == ["four 1", "mine 1", "three 1", "two -"])
    }

    @Test("R3 An owner with a composite key has a list of its own, and so do its waiting members")
    func compositeOwner() async throws {
        let museum = try RuleFixture(MuseumSchema.self, "INSERT INTO gift (id, title) VALUES (1, 'a')")
        try await museum.merge(
            """
            [{"country": "CH", "number": 1, "gift_ids": [1, 3]}, {"country": "CH", "number": 2, "gift_ids": [4]},
             {"country": "DE", "number": 1, "gift_ids": [5]}]
            """, into: Lender.self)
        try await museum.merge(
            #"[{"id": 3, "title": "c"}, {"id": 4, "title": "d"}, {"id": 5, "title": "e"}]"#, into: Gift.self)
        #expect(
            try museum.rows("SELECT id, lender_country, lender_number FROM gift ORDER BY id")
                == ["1 CH 1", "3 CH 1", "4 CH 2", "5 DE 1"])
        try await museum.merge(#"[{"country": "CH", "number": 1, "gift_ids": []}]"#, into: Lender.self)
        #expect(
            try museum.rows("SELECT id, lender_country, lender_number FROM gift ORDER BY id")
                == ["1 - -", "3 - -", "4 CH 2", "5 DE 1"])
    }
}
