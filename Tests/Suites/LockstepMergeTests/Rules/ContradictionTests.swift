import KitchenSink
import LinkSamples
import LockstepStore
import LockstepSync
import Shop
import Testing

/// Each story is merged twice: the second time must write nothing (`RuleFixture.merge`).
@Suite("M16 A payload that contradicts itself equals its records merged one after the other")
struct ContradictionTests {
    // MARK: One record twice

    @Test("M16 M15 One record twice, with different embedded lists: the last list counts, and all members are merged")
    func otherLists() async throws {
        let shop = try RuleFixture(ShopSchema.self)
        let summary = try await shop.merge(
            """
            [{"id": 2, "name": "Q", "images": [{"id": 1, "url": "https://e.com/2"}]},
             {"id": 2, "name": "Q", "images": [{"id": 9, "url": "https://e.com/2"}]}]
            """, into: Product.self)
        #expect(summary.inserted == 3 && summary.updated == 0)
        #expect(try shop.rows("SELECT id, product_id FROM picture ORDER BY id") == ["1 -", "9 2"])
    }

    @Test("M16 A member that needs an owner stays with the last one that listed it")
    func requiredOwner() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(
            """
            [{"id": 1, "name": "Hall", "cameras": [{"id": 5, "model": "a"}]},
             {"id": 1, "name": "Hall", "cameras": [{"id": 6, "model": "b"}]}]
            """, into: Room.self)
        #expect(try museum.rows("SELECT id, room_id FROM camera ORDER BY id") == ["5 1", "6 1"])
    }

    @Test("M16 M15 One record twice, with different id lists: members only in the first have no owner, even if new")
    func otherIdentities() async throws {
        let museum = try RuleFixture(
            MuseumSchema.self,
            "INSERT INTO exhibit (id, title, room_id) VALUES (1, 'a', 7), (2, 'b', NULL), (3, 'c', 7)")
        try await museum.merge(
            #"[{"id": 1, "name": "Hall", "exhibit_ids": [1, 4]}, {"id": 1, "name": "Hall", "exhibit_ids": [2, 5]}]"#,
            into: Room.self)
        #expect(try museum.rows("SELECT id, room_id FROM exhibit ORDER BY id") == ["1 -", "2 1", "3 7"])
        try await museum.merge(#"[{"id": 4, "title": "d"}, {"id": 5, "title": "e"}]"#, into: Exhibit.self)
        #expect(try museum.rows("SELECT id, room_id FROM exhibit WHERE id > 3 ORDER BY id") == ["4 -", "5 1"])
    }

    // MARK: One member, several owners

    @Test("M16 M15 If two owners list one member, it belongs to the later one", arguments: [0, 1])
    func twoOwners(order: Int) async throws {
        for limit in [1, .max] {
            let museum = try RuleFixture(
                MuseumSchema.self, "INSERT INTO exhibit (id, title, room_id) VALUES (1, 'a', 9)")
            var rooms = [
                #"{"id": 1, "name": "A", "exhibit_ids": [3, 1, 2], "benches": [{"id": 7, "seats": 1}]}"#,
                #"{"id": 2, "name": "B", "exhibit_ids": [1, 2], "benches": [{"id": 8, "seats": 1}, {"id": 7, "seats": 1}]}"#,
            ]
            if order == 1 { rooms.reverse() }
            let payload = "[\(rooms.joined(separator: ", "))]"
            if limit == 1 {
                try await museum.mergeOnce(payload, into: Room.self) { $0.batchRecordLimit = 1 }
            } else {
                try await museum.merge(payload, into: Room.self)
            }
            let owner = order == 0 ? "2 0" : "1 1"
            let bench = order == 0 ? "2 1" : "1 0"
            #expect(
                try museum.rows("SELECT id, room_id, exhibits_position FROM exhibit") == ["1 \(owner)"])
            #expect(
                try museum.rows("SELECT room_id, benches_position FROM bench WHERE id = 7") == [bench])
            try await museum.merge(#"[{"id": 2, "title": "b"}]"#, into: Exhibit.self)
            #expect(
                try museum.rows("SELECT room_id, exhibits_position FROM exhibit WHERE id = 2")
                    == [order == 0 ? "2 1" : "1 2"])
        }
    }

    @Test("M16 M15 A member's own key overrides an earlier list, but not a later one")
    func ownWord() async throws {
        let child = #"{"id": 3, "title": "three", "parent_id": 2}"#
        let list = #"{"id": 1, "title": "one", "wings": [{"id": 3, "title": "three"}]}"#
        let empty = #"{"id": 2, "title": "two", "wings": []}"#
        let stories = [
            ([list, child], "2"), ([child, list], "1"), ([empty, child], "2"), ([child, empty], "-"),
            ([child, list, empty], "1"), ([list, child, empty], "-"), ([empty, list, child], "2"),
        ]
        for (records, parent) in stories {
            for limit in [1, .max] {
                let museum = try RuleFixture(MuseumSchema.self)
                let payload = "[\(records.joined(separator: ", "))]"
                if limit == 1 {
                    try await museum.mergeOnce(payload, into: Wing.self) { $0.batchRecordLimit = 1 }
                } else {
                    try await museum.merge(payload, into: Wing.self)
                }
                #expect(try museum.rows("SELECT parent_id FROM wing WHERE id = 3") == [parent], "\(records)")
            }
        }
    }

    @Test("M16 R3 A record whose own key is null does not get an owner from an earlier list")
    func ownNull() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        try await museum.merge(#"[{"id": 1, "name": "Hall", "exhibit_ids": [5, 6]}]"#, into: Room.self)
        try await museum.merge(
            #"[{"id": 5, "title": "e", "room_id": null}, {"id": 6, "title": "f"}]"#, into: Exhibit.self)
        #expect(try museum.rows("SELECT id, room_id FROM exhibit ORDER BY id") == ["5 -", "6 1"])
    }

    // MARK: Many to many

    @Test("M16 M15 If both ends contain a link, the later list counts")
    func bothEnds() async throws {
        let museum = try RuleFixture(MuseumSchema.self)
        let links = "SELECT room_id, guard_id FROM room_guard ORDER BY 1, 2"
        try await museum.merge(#"[{"id": 1, "name": "Hall", "guard_ids": ["a", "b"]}]"#, into: Room.self)
        try await museum.merge(#"[{"id": "a", "name": "A", "room_ids": []}]"#, into: Guard.self)
        #expect(try museum.rows(links) == ["1 b"])
        try await museum.merge(#"[{"id": 1, "guard_ids": ["a", "b"]}]"#, into: Room.self)
        #expect(try museum.rows(links) == ["1 a", "1 b"])
    }

    @Test("M16 M8 A record that lists its owners is not linked to the scope's owner")
    func scopeAndList() async throws {
        let shop = try RuleFixture(ShopSchema.self, "INSERT INTO product (id, name) VALUES (1, 'A')")
        let tags = #"[{"id": 1, "name": "red", "product_ids": [2]}, {"id": 2, "name": "blue"}]"#
        for _ in 0..<2 {
            try await shop.store.merge(tags, into: Tag.self, scope: .children(of: 1, in: Product.Relationships.tags))
        }
        #expect(try shop.rows("SELECT product_id, tag_id FROM product_tag ORDER BY 1, 2") == ["1 2", "2 1"])
        let writes = try shop.writeCount()
        try await shop.store.merge(tags, into: Tag.self, scope: .children(of: 1, in: Product.Relationships.tags))
        #expect(try shop.writeCount() == writes)
    }

    // MARK: Links to what is deleted

    @Test("M16 M15 R2 A link in the payload is kept when its record is deleted, and works once that is created again")
    func linkToDeleted() async throws {
        let forest = try RuleFixture(
            ForestSchema.self,
            """
            INSERT INTO node (id, title, parent_id) VALUES (1, 'one', NULL), (2, 'two', 1);
            INSERT INTO mark (local_id, remote_id, text, node_id)
                VALUES ('00000000-0000-0000-0000-000000000007', 7, 'old', 2);
            """)
        let summary = try await forest.merge(
            """
            [{"id": "r", "name": "R", "mark_ids": [7], "node": {"id": 1, "title": "one", "children": []}}]
            """, into: Ranger.self)
        #expect(summary.deleted == 2)
        try await forest.merge(#"[{"id": 7, "text": "new"}]"#, into: Mark.self)
        #expect(
            try forest.rows(
                "SELECT m.text, l.ranger_id FROM mark_ranger AS l JOIN mark AS m ON m.local_id = l.mark_id") == [
                    "new r"
                ])
    }

    @Test("M16 M15 A skipped embedded to-one keeps the key of the link")
    func skippedTarget() async throws {
        let forest = try RuleFixture(ForestSchema.self)
        let note = """
            [{"id": "b3f5a6de-1111-4222-8333-444455556666", "text": "first", "mark": {"id": 7, "text": 5}}]
            """
        try await forest.merge(note, into: Note.self)
        try await forest.merge(#"[{"id": 7, "text": "seven"}]"#, into: Mark.self)
        #expect(
            try forest.rows("SELECT m.text FROM note AS n JOIN mark AS m ON m.local_id = n.mark_id") == ["seven"])
    }
}
