import Foundation
import GRDB
import LockstepStore
import LockstepSync
import StoreSamples
import Testing

/// A to-many that is read as identities and as records: under two keys, or in one list.
@Suite("R11 Identities and records of one relationship")
struct TwoFormsTests {
    private static let items = "SELECT id, title, basket_id, items_position FROM item ORDER BY id"
    private static let lines = "SELECT id, count, basket_id, lines_position FROM line ORDER BY id"
    private static let tags = "SELECT basket_id, badge_id FROM basket_tag ORDER BY 1, 2"
    private static let labels = """
        SELECT label.id, labels_position FROM basket_label JOIN label ON label.local_id = label_id ORDER BY 2
        """

    // MARK: Two keys

    @Test("R11 Records under the second key are merged and linked, in their order")
    func recordsBesideIdentities() async throws {
        let baskets = try TwoRoads(BasketsSchema.self)
        let json = """
            [{"id": 1, "name": "B", "items": [{"id": 2, "title": "b"}, {"id": 1, "title": "a"}],
              "tags": {"data": [{"id": 7, "name": "t"}]}}]
            """
        #expect(try await baskets.merge(json, into: Basket.self)[Item.self].inserted == 2)
        #expect(try await baskets.rows(Self.items) == ["1 \"a\" 1 1", "2 \"b\" 1 0"])
        #expect(try await baskets.rows(Self.tags) == ["1 7"])
        #expect(try await baskets.merge(json, into: Basket.self).hasChanges == false)
        try await baskets.merge(#"[{"id": 1, "items": [{"id": 1}], "tags": {"data": []}}]"#, into: Basket.self)
        #expect(try await baskets.rows(Self.items) == ["1 \"a\" 1 0", "2 \"b\" NULL NULL"])
        #expect(try await baskets.rows(Self.tags).isEmpty)
    }

    @Test("R11 Identities under the second key are the exact members; a record that they lack is treated as unlisted")
    func identitiesBesideRecords() async throws {
        let baskets = try TwoRoads(BasketsSchema.self)
        try await baskets.merge(
            #"[{"id": 1, "name": "B", "lines": [{"id": 1}, {"id": 2}, {"id": 3}]}]"#, into: Basket.self)
        let json = #"[{"id": 1, "line_ids": [3, 1]}]"#
        #expect(try await baskets.merge(json, into: Basket.self)[Line.self].deleted == 1)
        #expect(try await baskets.rows(Self.lines) == ["1 1 1 1", "3 1 1 0"])
        #expect(try await baskets.merge(json, into: Basket.self).hasChanges == false)
    }

    @Test("R11 If there are both, the identities are the members, in their order, and the records are merged")
    func both() async throws {
        let baskets = try TwoRoads(BasketsSchema.self)
        let json = """
            [{"id": 1, "name": "B", "item_ids": [3, 1], "items": [{"id": 1, "title": "a"}, {"id": 2, "title": "b"}],
              "lines": [{"id": 1, "count": 5}, {"id": 2, "count": 6}], "line_ids": [2, 1],
              "tags": {"data": [{"id": 7, "name": "t"}, {"id": 8, "name": "u"}]}, "tag_ids": [8]},
             {"id": 2, "name": "C", "items": [{"id": 3, "title": "c"}]}]
            """
        try await baskets.merge(json, into: Basket.self)
        #expect(try await baskets.rows(Self.items) == ["1 \"a\" 1 1", "2 \"b\" NULL NULL", "3 \"c\" 2 0"])
        #expect(try await baskets.rows(Self.lines) == ["1 5 1 1", "2 6 1 0"])
        #expect(try await baskets.rows(Self.tags) == ["1 8"])
        #expect(try await baskets.merge(json, into: Basket.self).hasChanges == false)
    }

    @Test("R11 Null in one form says nothing beside the other, and empties the list by itself")
    func null() async throws {
        let baskets = try TwoRoads(BasketsSchema.self)
        try await baskets.merge(
            """
            [{"id": 1, "name": "B", "item_ids": null, "items": [{"id": 1, "title": "a"}],
              "lines": [{"id": 1}], "line_ids": null}]
            """, into: Basket.self)
        #expect(try await baskets.rows(Self.items) == ["1 \"a\" 1 0"])
        #expect(try await baskets.rows(Self.lines) == ["1 1 1 0"])
        try await baskets.merge(
            #"[{"id": 1, "item_ids": [1], "items": null, "lines": null, "line_ids": [1]}]"#, into: Basket.self)
        #expect(try await baskets.rows(Self.items) == ["1 \"a\" 1 0"])
        #expect(try await baskets.rows(Self.lines) == ["1 1 1 0"])
        try await baskets.merge(#"[{"id": 1, "items": null, "line_ids": null}]"#, into: Basket.self)
        #expect(try await baskets.rows(Self.items) == ["1 \"a\" NULL NULL"])
        #expect(try await baskets.rows(Self.lines).isEmpty)
    }

    @Test("R2 R11 An identity whose record comes later waits for it, whatever is sent")
    func waiting() async throws {
        let baskets = try TwoRoads(BasketsSchema.self)
        try await baskets.merge(#"[{"id": 1, "name": "B", "item_ids": [1]}]"#, into: Basket.self)
        try await baskets.merge(#"[{"id": 2, "name": "B", "notes": ["\#(Self.note)"]}]"#, into: Basket.self)
        try await baskets.merge(#"[{"id": 1, "title": "a"}]"#, into: Item.self)
        try await baskets.merge(#"[{"id": "\#(Self.note)", "text": "n"}]"#, into: Note.self)
        #expect(try await baskets.rows(Self.items) == ["1 \"a\" 1 0"])
        #expect(try await baskets.rows("SELECT text, basket_id FROM note") == ["\"n\" 2"])
    }

    @Test("M12 R11 An invalid record in either form is reported where it is, and keeps its link")
    func invalid() async throws {
        let baskets = try TwoRoads(BasketsSchema.self)
        try await baskets.merge(
            #"[{"id": 1, "name": "B", "items": [{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]}]"#,
            into: Basket.self)
        let summary = try await baskets.merge(
            #"[{"id": 1, "items": [{"id": 1, "title": []}, {"id": 2, "title": "c"}], "guests": [{"name": "x"}]}]"#,
            into: Basket.self)
        #expect(summary.skipped.map(\.keyPath) == ["guests[0].id", "items[0].title"])
        #expect(try await baskets.rows(Self.items) == ["1 \"a\" 1 0", "2 \"c\" 1 1"])
    }

    @Test("M1 R11 Where a missing key means an empty list, either form is one", arguments: ["items", "item_ids"])
    func missing(key: String) async throws {
        let baskets = try TwoRoads(BasketsSchema.self)
        try await baskets.merge(
            #"[{"id": 1, "name": "B", "items": [{"id": 1, "title": "a"}], "line_ids": []}]"#, into: Basket.self)
        let list = key == "items" ? #"[{"id": 1, "title": "a"}]"# : "[1]"
        try await baskets.merge(#"[{"id": 1, "name": "B", "\#(key)": \#(list)}]"#, into: Basket.self) {
            $0.missingKeys = .empty
        }
        #expect(try await baskets.rows(Self.items) == ["1 \"a\" 1 0"])
        try await baskets.merge(#"[{"id": 1, "name": "B"}]"#, into: Basket.self) { $0.missingKeys = .empty }
        #expect(try await baskets.rows(Self.items) == ["1 \"a\" NULL NULL"])
    }

    @Test("N1 M13 R11 Other spellings of both keys are read, and neither is noted as unread")
    func spellings() async throws {
        let baskets = try TwoRoads(BasketsSchema.self)
        let summary = try await baskets.merge(
            #"[{"id": 1, "name": "B", "Items": [{"id": 1, "title": "a"}], "lines": [{"id": 1}], "lineIds": [1]}]"#,
            into: Basket.self)
        #expect(summary.notes.isEmpty)
        #expect(try await baskets.rows(Self.items) == ["1 \"a\" 1 0"])
        #expect(try await baskets.rows(Self.lines) == ["1 1 1 0"])
    }

    @Test("M16 R11 What a record says of its owner counts before the list of its owner, in either form")
    func contradiction() async throws {
        let baskets = try TwoRoads(BasketsSchema.self)
        try await baskets.merge(#"[{"id": 1, "name": "B"}, {"id": 2, "name": "C"}]"#, into: Basket.self)
        let records = #"[{"id": 1, "title": "a", "basket_id": 2}, {"id": 2, "title": "b", "basket_id": 2}]"#
        try await baskets.merge(records, into: Item.self)
        try await baskets.merge(
            #"[{"id": 1, "items": [{"id": 1, "basket_id": 2}], "item_ids": [2]}, {"id": 2, "items": []}]"#,
            into: Basket.self)
        #expect(try await baskets.rows(Self.items) == ["1 \"a\" NULL NULL", "2 \"b\" 1 0"])
    }

    // MARK: Local changes

    @Test("C2 C3 R11 A list of identities keeps what was added or removed locally, where records are sent")
    func local() async throws {
        let baskets = try RuleFixture(BasketsSchema.self)
        try await baskets.merge(#"[{"id": 1, "name": "B", "lines": [{"id": 1}, {"id": 2}]}]"#, into: Basket.self)
        try await baskets.store.perform { context in
            let basket = try #require(try Basket.find(1, in: context))
            let first = try #require(try Line.find(1, in: context))
            context.delete(first)
            _ = Line(id: 3, basket: basket, context: context)
            try context.save()
        }
        try await baskets.merge(#"[{"id": 1, "line_ids": [1, 2]}]"#, into: Basket.self)
        #expect(try baskets.rows("SELECT id FROM line ORDER BY id") == ["2", "3"])
    }

    @Test("R9 R11 A hook gets each relationship in the form that the server sent, from a representation too")
    func hooks() async throws {
        for isTyped in [false, true] {
            let store = try Store(BasketsSchema.self, at: .inMemory)
            store.customizeMerge(
                of: Basket.self, MergeCustomization(willInsert: { json, _ in json }, willUpdate: { json, _ in json }))
            let json = """
                [{"id": 1, "name": "B", "items": [{"id": 1, "title": "a"}], "line_ids": [2],
                  "guests": [{"id": 8, "name": "g"}, 9]}]
                """
            if isTyped {
                let list = try JSONDecoder().decode([BasketRepresentation].self, from: Data(json.utf8))
                try await store.merge(list)
            } else {
                try await store.merge(Data(json.utf8), into: Basket.self)
            }
            try await store.perform { context in
                let basket = try #require(try Basket.find(1, in: context))
                #expect(basket.items.map(\.title) == ["a"])
                #expect(basket.guests.map(\.name) == ["g"])
            }
        }
    }

    // MARK: One list

    private static let note = "00000000-0000-0000-0000-00000000000A"
    private static let otherNote = "00000000-0000-0000-0000-00000000000B"

    @Test("R11 A list of identities and records has exactly these members, in its order")
    func mixed() async throws {
        let baskets = try TwoRoads(BasketsSchema.self)
        try await baskets.merge(
            #"[{"id": 1, "name": "B", "labels": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]}]"#,
            into: Basket.self)
        let json = """
            [{"id": 1, "labels": [{"id": 3, "name": "c"}, 1, {"id": 4, "name": "d"}],
              "guests": [{"id": 8, "name": "g"}, 9], "notes": [{"id": "\(Self.note)", "text": "n"}]},
             {"id": 2, "name": "C", "guests": [{"id": 9, "name": "h"}], "notes": ["\(Self.note)"]}]
            """
        try await baskets.merge(json, into: Basket.self)
        #expect(try await baskets.rows(Self.labels) == ["3 0", "1 1", "4 2"])
        #expect(try await baskets.rows("SELECT id, basket_id FROM guest ORDER BY 1") == ["8 1", "9 2"])
        #expect(try await baskets.rows("SELECT text, basket_id FROM note") == ["\"n\" 2"])
        #expect(try await baskets.merge(json, into: Basket.self).hasChanges == false)
    }

    @Test("M3 R11 A member that is listed as an identity and as a record counts once, at its last place")
    func twice() async throws {
        let baskets = try TwoRoads(BasketsSchema.self)
        let json = #"[{"id": 1, "name": "B", "labels": [1, {"id": 2, "name": "b"}, {"id": 1, "name": "a"}, 2]}]"#
        try await baskets.merge(json, into: Basket.self)
        #expect(try await baskets.rows(Self.labels) == ["1 0", "2 1"])
        #expect(try await baskets.merge(json, into: Basket.self).hasChanges == false)
    }

    @Test("R5 R11 What a mixed list lacks is unlisted")
    func mixedUnlisted() async throws {
        let baskets = try TwoRoads(BasketsSchema.self)
        try await baskets.merge(
            """
            [{"id": 1, "name": "B", "notes": [{"id": "\(Self.note)", "text": "n"},
              {"id": "\(Self.otherNote)", "text": "o"}], "guests": [{"id": 8, "name": "g"}]}]
            """, into: Basket.self)
        try await baskets.merge(#"[{"id": 1, "notes": ["\#(Self.otherNote)"], "guests": []}]"#, into: Basket.self)
        #expect(try await baskets.rows("SELECT text, basket_id FROM note ORDER BY 1") == ["\"n\" NULL", "\"o\" 1"])
        #expect(try await baskets.rows("SELECT id, basket_id FROM guest") == ["8 NULL"])
    }

    // MARK: Representations

    @Test("R11 A representation has the form that is sent, and encodes only that")
    func representation() throws {
        let json = """
            {"id": 1, "name": "B", "items": [{"id": 2, "title": "b"}], "line_ids": [4],
             "guests": [{"id": 8, "name": "g"}, 9], "notes": [{"id": "\(Self.note)", "text": "n"}]}
            """
        let basket = try JSONDecoder().decode(BasketRepresentation.self, from: Data(json.utf8))
        #expect(basket.itemIDs == [2] && basket.guestIDs == [8, 9])
        #expect(basket.lines == nil && basket.notes?.map(\.text) == ["n"])
        #expect(
            try encoded(basket) == """
                {"guests":[8,9],"id":1,"item_ids":[2],"name":"B","notes":[{"id":"\(Self.note.lowercased())","text":"n"}]}
                """)
        let either = try JSONDecoder().decode(
            BasketRepresentation.self, from: Data(#"{"id": 1, "name": "B", "notes": ["\#(Self.note)"]}"#.utf8))
        #expect(either.notes == nil && either.omits(.notes))
        #expect(try encoded(either) == #"{"id":1,"name":"B"}"#)
    }

    private func encoded(_ basket: BasketRepresentation) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(basket), as: UTF8.self)
    }

    @Test("R11 A list that was set in a representation replaces what was decoded")
    func setList() async throws {
        let json = #"{"id": 1, "name": "B", "items": [{"id": 2, "title": "b"}], "line_ids": [4]}"#
        var basket = try JSONDecoder().decode(BasketRepresentation.self, from: Data(json.utf8))
        basket.itemIDs = []
        basket.lines = [try JSONDecoder().decode(LineRepresentation.self, from: Data(#"{"id": 5}"#.utf8))]
        let store = try Store(BasketsSchema.self, at: .inMemory)
        try await store.merge([basket])
        try await store.perform { context in
            let merged = try #require(try Basket.find(1, in: context))
            #expect(merged.items.isEmpty && merged.lines.map(\.id) == [5])
        }
    }

    // MARK: Sending

    private func update(_ changes: String) -> OutgoingChange {
        OutgoingChange(
            kind: .update, entity: RemoteEntity(Basket.entity.plan), identity: RemoteIdentity([.integer(7)]),
            body: Data("{}".utf8), changes: Data(changes.utf8), idempotencyKey: "key-1")
    }

    @Test("P15 R11 A relationship that was changed is in one form only: the server's other one is not true anymore")
    func wholeRecord() throws {
        let record = Data(
            #"{"id":7,"items":[{"id":1}],"item_ids":[1],"lines":[{"id":3,"by":"Bo"}],"line_ids":[3],"labels":[1]}"#.utf8
        )
        let items = update(#"{"item_ids":[2]}"#)
        #expect(
            try JSONValue(json: items.applied(to: record)) == [
                "id": 7, "item_ids": [2], "lines": [["id": 3, "by": "Bo"]], "line_ids": [3], "labels": [1],
            ])
        let lines = update(#"{"lines":[{"id":3},{"id":4}],"labels":[2]}"#)
        #expect(
            try JSONValue(json: lines.applied(to: record)) == [
                "id": 7, "item_ids": [1], "items": [["id": 1]], "lines": [["id": 3, "by": "Bo"], ["id": 4]],
                "labels": [2],
            ])
    }
}
