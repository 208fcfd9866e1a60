import Foundation
import GRDB
import Journal
import LockstepStore
import LockstepSync
import Shop
import TestSupport
import Testing

@Suite("Merging a payload")
struct MergeTests {
    private let first = """
        [
          {"identifier": "0B4B2C88-2E63-4D5C-9C1A-3D7C8F0E1A11", "title": "One", "mood": "happy",
           "timestamp": "2024-03-01T08:30:00Z"},
          {"identifier": "1b4b2c88-2e63-4d5c-9c1a-3d7c8f0e1a12", "title": "Tw\\u00f6", "bodyText": "A \\"quote\\"",
           "mood": "sad", "timestamp": 1709281800}
        ]
        """

    @Test("M15 A second merge of a payload reports everything as unchanged")
    func twice() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let json = Data(first.utf8)

        let once = try await store.merge(json, into: Entry.self)
        #expect(once.description.contains("2 inserted"))
        let titles = try await store.perform { try $0.fetch(Entry.order(\.title)).map(\.title) }
        #expect(titles == ["One", "Twö"])

        let again = try await store.merge(json, into: Entry.self)
        #expect(again[Entry.self].unchanged == 2)
        #expect(!again[Entry.self].hasChanges)
    }

    @Test("R1 R4 R5 Nested records, links and ID lists are stored in their tables")
    func nested() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let json = """
            [{"images": [{"id": 1, "url": "http://a"}, {"id": 2, "url": "http://b"}], "id": 7, "name": "Lamp",
              "price": "12.50", "stock": "3", "image": {"id": 9, "url": "http://c"}, "tag_ids": [3, 4]}]
            """
        let summary = try await store.merge(Data(json.utf8), into: Product.self)
        #expect(summary[Picture.self].inserted == 2)
        let rows = try await store.writer.read { database in
            try Row.fetchAll(database, sql: "SELECT product_id, images_position FROM picture ORDER BY id").map(
                \.description)
                + Row.fetchAll(database, sql: "SELECT * FROM product_tag").map(\.description)
                + Row.fetchAll(database, sql: "SELECT pictured_id FROM image").map(\.description)
        }
        #expect(
            rows == [
                "[product_id:7 images_position:0]", "[product_id:7 images_position:1]", "[product_id:7 tag_id:3]",
                "[product_id:7 tag_id:4]", "[pictured_id:7]",
            ])
        let again = try await store.merge(Data(json.utf8), into: Product.self)
        #expect(again.inserted == 0 && again.updated == 0 && again.deleted == 0)
    }

    @Test("R3 N6 Members that have not arrived yet are sent back, or the server would unlink them")
    func waitingMembersTravel() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.merge(#"[{"id": 4, "name": "warm"}]"#, into: Tag.self)
        try await store.merge(#"[{"id": 7, "name": "Lamp", "tag_ids": [3, 4]}]"#, into: Product.self)
        let waiting = try await store.perform { try Product.find(7, in: $0)?.representation.tagIDs }
        #expect(waiting.map(Set.init) == [3, 4])

        try await store.merge(#"[{"id": 3, "name": "light"}]"#, into: Tag.self)
        let names = try await store.perform { try Product.find(7, in: $0)?.tags.map(\.name).sorted() }
        #expect(names == ["light", "warm"])
    }
}
