import Foundation
import KitchenSink
import LockstepStore
import LockstepSync
import LockstepSystem
import SchematicCapture
import Shop
import Testing

@Suite("The rules of merging hold for representations, and result in the same rows as bytes")
struct TypedRuleTests {
    // MARK: Values

    @Test("M1 A missing key keeps, null clears or sets the default, [] clears a membership")
    func presence() async throws {
        let shop = try TwoRoads(ShopSchema.self)
        let full = """
            [{"id": 1, "name": "Cup", "price": "2.50", "stock": "4", "weight": "0.5", "brand": {"url": "https://a.b"},
              "tag_ids": [1, 2], "images": [{"id": 1, "url": "https://a.b/1", "title": "Front"}]}]
            """
        #expect(try await shop.merge(full, into: Product.self)[Product.self].inserted == 1)
        let missing = try await shop.merge(#"[{"id": 1, "name": "Cup"}]"#, into: Product.self)
        #expect(missing[Product.self].unchanged == 1)
        let null = try await shop.merge(
            #"[{"id": 1, "name": "Cup", "weight": null, "price": null, "brand": null, "tag_ids": null, "images": null}]"#,
            into: Product.self)
        #expect(null[Product.self].updated == 1)
        #expect(try await shop.rows("SELECT price, stock, weight, brand_url FROM product") == [#""0" 4 NULL NULL"#])
        #expect(try await shop.rows("SELECT * FROM product_tag").isEmpty)
        #expect(try await shop.rows("SELECT * FROM picture").isEmpty)
        try await shop.merge(full, into: Product.self)
        #expect(try await shop.rows("SELECT * FROM product_tag").count == 2)
        try await shop.merge(#"[{"id": 1, "name": "Cup", "tag_ids": [], "images": []}]"#, into: Product.self)
        #expect(try await shop.rows("SELECT * FROM product_tag").isEmpty)
        #expect(try await shop.rows("SELECT * FROM picture").isEmpty)
    }

    @Test("M1 N6 Null in place of a list is written back as null; a list that is set in code counts")
    func nullList() async throws {
        let json = #"{"id": 1, "name": "Cup", "price": "1", "stock": 0, "tag_ids": null, "images": null}"#
        var product = try decoded(json, as: ProductRepresentation.self)
        #expect(product.tagIDs == nil && product.images == nil)
        let written = try JSONValue(json: JSONEncoder().encode(product))
        #expect(written["tag_ids"] == .null && written["images"] == .null)
        product.tagIDs = [1]
        #expect(try JSONValue(json: JSONEncoder().encode(product))["tag_ids"] == [1])
        product.tagIDs = nil
        #expect(try JSONValue(json: JSONEncoder().encode(product))["tag_ids"] == nil)
    }

    @Test("M1 Null for a required date that defaults to now keeps the value: merging twice changes nothing")
    func volatileDefault() async throws {
        let sink = try TwoRoads(KitchenSinkSchema.self)
        let json = #"[{"country": "uk", "number": 1, "name": "Ada", "created_at": null}]"#
        let first = #"[{"country": "uk", "number": 1, "name": "Ada", "created_at": "2020-01-01T00:00:00Z"}]"#
        try await sink.merge(first, into: Person.self)
        #expect(try await sink.merge(json, into: Person.self)[Person.self].unchanged == 1)
        #expect(try await sink.rows("SELECT created_at FROM person") == ["1577836800.0"])
    }

    @Test("M1 A record without a required value is neither inserted nor updated")
    func required() async throws {
        let shop = try TwoRoads(ShopSchema.self)
        let summary = try await shop.typed.merge(
            decoded(#"[{"id": 1}, {"id": 2, "name": "Pot"}]"#, as: LossyRepresentations<Product>.self))
        #expect(summary[Product.self].inserted == 1)
        let skipped = try #require(summary.skipped.first)
        #expect(skipped.index == 0 && skipped.keyPath == "name" && skipped.identity == "1")
        #expect(skipped.reason == "is required; it is missing")
    }

    @Test("M3 If two records have one identity, the last wins, and counts once")
    func duplicates() async throws {
        let shop = try TwoRoads(ShopSchema.self)
        let json = #"[{"id": 1, "name": "Cup", "stock": 3}, {"id": 2, "name": "Pot"}, {"id": 1, "name": "Mug"}]"#
        let summary = try await shop.merge(json, into: Product.self)
        #expect(summary[Product.self].inserted == 2)
        #expect(try await shop.rows("SELECT name, stock FROM product ORDER BY id") == [#""Mug" 3"#, #""Pot" 0"#])
        #expect(try await shop.merge(json, into: Product.self)[Product.self].inserted == 0)
    }

    @Test("M4 A record without identity is skipped, its neighbors are not")
    func identityMissing() async throws {
        let sink = try TwoRoads(KitchenSinkSchema.self)
        let part = try await sink.merge(
            #"[{"title": "a"}, {"id": 1, "title": "b"}, {"id": null, "title": "c"}]"#, into: Part.self)
        #expect(part[Part.self].inserted == 1)
        #expect(part.skipped.map(\.index) == [0, 2])
        let screw = try await sink.merge(
            #"[{"length": 1, "part_id": 1}, {"id": "01020304-0506-0708-090A-0B0C0D0E0F10", "length": 1, "part_id": 1}]"#,
            into: Screw.self)
        #expect(screw[Screw.self].inserted == 1)
        #expect(screw.skipped.map(\.index) == [0])
        let plain = try await sink.typed.merge([
            PartRepresentation(title: "d"), PartRepresentation(remoteID: 1, title: "e"),
        ])
        #expect(plain.skipped.map(\.index) == [0])
        #expect(plain[Part.self].updated == 1)
    }

    @Test("M6 M15 A second merge changes nothing, for every kind of value")
    func twice() async throws {
        let sink = try TwoRoads(KitchenSinkSchema.self)
        let json = """
            [{"id": 1, "name": "All", "days": ["2020-01-01T00:00:00.25Z"], "exact": 10.50, "ratio": 0.1, "mood": "odd",
              "token": "01020304-0506-0708-090A-0B0C0D0E0F10", "extra": {"b": null, "a": [1.0, 2]}, "price": 3.10,
              "optional_exact": "7.0", "optional_day": 1577836800250, "links": {"self": "https://a.b/c"},
              "owner_country": "uk", "owner_number": 7, "label_ids": ["x", "y"], "cover": {"id": 3, "caption": "C"},
              "parts": [{"id": 5, "title": "p"}], "scraps": [{"text": "s", "page": 2}, {"text": "t"}]}]
            """
        #expect(try await sink.merge(json, into: Everything.self)[Everything.self].inserted == 1)
        let again = try await sink.merge(json, into: Everything.self)
        #expect(!again.hasChanges, "\(again)")
        #expect(again[Everything.self].unchanged == 1)
    }

    // MARK: Invalid records

    @Test("M12 A representation that exceeds a limit is skipped, or ends the merge")
    func limits() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let products = [
            ProductRepresentation(id: 1, name: "Cup", price: 1, stock: 1),
            ProductRepresentation(id: 2, name: "Pot", price: -1, stock: 1),
        ]
        let summary = try await store.merge(products)
        #expect(summary[Product.self].inserted == 1)
        let skipped = try #require(summary.skipped.first)
        #expect(skipped.index == 1 && skipped.keyPath == "price" && skipped.identity == "2")
        #expect(skipped.reason == "it must be at least 0")

        var options = MergeOptions()
        options.invalidRecords = .abort
        let error = await #expect(throws: MergeError.self) {
            try await store.merge(
                [ProductRepresentation(id: 3, name: "Can", price: 1, stock: 1)] + products, options: options)
        }
        #expect(error?.code == .invalidRecord && error?.index == 2 && error?.keyPath == "price")
        #expect(try await store.representations(Product.all()).map(\.id) == [1])
    }

    @Test("M12 A nested record that exceeds a limit is skipped, its owner is not")
    func nestedLimits() async throws {
        let sink = try TwoRoads(KitchenSinkSchema.self)
        let json = """
            [{"id": 1, "name": "All", "days": [], "owner_country": "uk", "owner_number": 7,
              "scraps": [{"text": "s", "page": 0}, {"text": "t", "page": 1}]}]
            """
        let summary = try await sink.merge(json, into: Everything.self)
        #expect(summary.skipped.map(\.keyPath) == ["scraps[0].page"])
        #expect(try await sink.rows("SELECT text FROM scrap") == [#""t""#])
    }

    @Test("M12 A list is decoded element by element; the summary reports the invalid ones")
    func lossy() async throws {
        let shop = try TwoRoads(ShopSchema.self)
        let json = """
            [{"id": 1, "name": "Cup", "stock": 1.5}, 7, {"id": 2, "name": "Pot"}, {"id": "x", "name": "Can"},
             {"id": 3, "name": "Jug", "images": [{"id": 1, "url": "https://a.b"}, {"id": 2}]}, null]
            """
        let list = try decoded(json, as: LossyRepresentations<Product>.self)
        #expect(list.representations.map(\.id) == [2])
        #expect(list.skipped.map(\.index) == [0, 1, 3, 4, 5])
        #expect(list.skipped.map(\.keyPath) == ["stock", "", "id", "images[1].url", ""])
        #expect(list.skipped.map(\.identity) == ["1", nil, nil, "3", nil])
        #expect(list.skipped[0].reason == "is not a whole number that fits into 64 bits")
        let summary = try await shop.typed.merge(list)
        #expect(summary.skipped.map(\.index) == list.skipped.map(\.index))
        #expect(summary.skipped.map(\.keyPath) == list.skipped.map(\.keyPath))
        // Of the jug, only a picture is skipped.
        #expect(summary[Product.self].inserted == 2 && summary[Picture.self].inserted == 1)
        var options = MergeOptions()
        options.invalidRecords = .abort
        let error = await #expect(throws: MergeError.self) { try await shop.typed.merge(list, options: options) }
        #expect(error?.index == 0 && error?.keyPath == "stock")
    }

    @Test("M7 M12 An invalid record that the server still lists is not deleted")
    func badIsListed() async throws {
        let shop = try TwoRoads(ShopSchema.self)
        try await shop.merge(#"[{"id": 1, "name": "Cup"}, {"id": 2, "name": "Pot"}]"#, into: Product.self)
        let summary = try await shop.merge(#"[{"id": 1, "name": []}]"#, into: Product.self) { $0.records = .all }
        #expect(summary[Product.self].deleted == 1)
        #expect(try await shop.rows("SELECT name FROM product") == [#""Cup""#])
    }

    @Test("M12 An invalid record in a list is skipped; its owner and its neighbors are not")
    func nestedInvalid() async throws {
        let capture = try TwoRoads(SchematicCaptureSchema.self)
        let json = """
            [{"id": 1, "name": "P", "companyName": "C", "clientId": 1, "jobsheet": [
                {"id": 1, "name": "A", "components": [
                    {"id": 1, "componentId": "x"}, {"id": 2, "componentId": {}}, {"componentId": "z"}, 7]},
                {"name": "B", "components": [{"id": 4, "componentId": "w"}]}]}]
            """
        let summary = try await capture.merge(json, into: Project.self)
        #expect(
            summary.skipped.map(\.keyPath) == [
                "jobsheet[0].components[1].componentId", "jobsheet[0].components[2].id",
                "jobsheet[0].components[3]", "jobsheet[1].id",
            ])
        #expect(try await capture.rows("SELECT id FROM component") == ["1"])
        #expect(try await capture.merge(json, into: Project.self).hasChanges == false)
    }

    @Test("M7 What is nested in an invalid record is listed, and not deleted")
    func nestedInInvalid() async throws {
        let capture = try TwoRoads(SchematicCaptureSchema.self)
        func component(_ id: String, _ text: String) -> String {
            #"{"id": \#(id), "componentId": \#(text), "photo": {"id": 5, "name": "front"}}"#
        }
        try await capture.merge("[\(component("1", #""c""#))]", into: Component.self)
        try await capture.merge(
            #"[\#(component("2", "{}")), {"id": 1, "componentId": "c", "photo": null}]"#, into: Component.self)
        #expect(try await capture.rows("SELECT id, component_id FROM photo") == ["5 NULL"])
    }

    @Test("R1 A record in place of the key of a to-one is merged and linked; beside the key, the key decides")
    func objectForKey() async throws {
        let shop = try TwoRoads(ShopSchema.self)
        let summary = try await shop.merge(
            """
            [{"id": 1, "name": "n", "text": "a", "article": {"id": 5, "title": "T", "body_text": "b"}},
             {"id": 2, "name": "n", "text": "b", "article_id": 6, "article": {"id": 7, "title": "U", "body_text": "b"}},
             {"id": 3, "name": "n", "text": "c", "article": {"id": 8, "title": {}}},
             {"id": 4, "name": "n", "text": "d", "article": {"title": "V"}}]
            """, into: ArticleComment.self)
        #expect(summary[Article.self].inserted == 2)
        #expect(summary.skipped.map(\.keyPath) == ["article.title", "article.id"])
        let keys = try await shop.rows("SELECT id, article_id FROM article_comment ORDER BY id")
        #expect(keys.prefix(3) == ["1 5", "2 6", "3 8"])
    }

    @Test("M14 R1 Hooks get the record in place of a key on both roads, and it is merged")
    func hooks() async throws {
        let shop = try TwoRoads(ShopSchema.self)
        let seen = Locked<[JSONValue?]>([])
        for store in [shop.bytes, shop.typed] {
            store.customizeMerge(
                of: ArticleComment.self,
                MergeCustomization(willInsert: { json, _ in
                    seen.withLock { $0.append(json["article"]?["title"]) }
                    return json
                }))
        }
        let summary = try await shop.merge(
            """
            [{"id": 1, "name": "n", "text": "a", "article": {"id": 5, "title": "T", "body_text": "b"}, "articles": [{"id": 7}]}]
            """, into: ArticleComment.self)
        #expect(summary[Article.self].inserted == 1)
        #expect(summary.notes.map(\.code) == [.unreadRelationship])
        #expect(seen.withLock { $0 } == ["T", "T"])
    }

    @Test("R1 A key that is set in code replaces the record that came with it")
    func editedKey() async throws {
        let shop = try TwoRoads(ShopSchema.self)
        var comment = try decoded(
            #"{"id": 1, "name": "n", "text": "a", "article": {"id": 5, "title": "T", "body_text": "b"}}"#,
            as: ArticleCommentRepresentation.self)
        comment.articleID = 9
        let summary = try await shop.typed.merge([comment])
        #expect(summary[Article.self].inserted == 0)
        #expect(try await shop.rows("SELECT article_id FROM article_comment") == ["9"])
    }

    // MARK: Links

    @Test("R2 The server's number for a part that has not arrived is kept, and sent when the screw is written back")
    func reservedIdentity() async throws {
        let sink = try TwoRoads(KitchenSinkSchema.self)
        let json = #"[{"id": "01020304-0506-0708-090a-0b0c0d0e0f10", "length": 1, "part_id": 7}]"#
        #expect(try await sink.merge(json, into: Screw.self)[Screw.self].inserted == 1)
        #expect(try await sink.typed.representations(Screw.all()).map(\.partID) == [7])
        #expect(try await sink.typed.merge(sink.typed.representations(Screw.all()))[Screw.self].unchanged == 1)
        try await sink.merge(#"[{"id": 7, "title": "axle"}]"#, into: Part.self)
        try await sink.typed.perform { context in
            let screw = try #require(try context.fetch(Screw.all()).first)
            #expect(screw.part.title == "axle")
            #expect(screw.representation.partID == 7)
        }
        #expect(try await sink.merge(json, into: Screw.self)[Screw.self].unchanged == 1)
    }

    @Test("R4 An embedded to-one is matched, linked and, by null, unlinked or deleted")
    func embeddedOne() async throws {
        let capture = try TwoRoads(SchematicCaptureSchema.self)
        func component(_ photo: String) -> String { #"[{"id": 1, "componentId": "c"\#(photo)}]"# }
        try await capture.merge(component(#", "photo": {"id": 5, "name": "front"}"#), into: Component.self)
        #expect(try await capture.merge(component(""), into: Component.self).hasChanges == false)
        let renamed = try await capture.merge(component(#", "photo": {"id": 5, "name": "back"}"#), into: Component.self)
        #expect(renamed[Photo.self].updated == 1)
        try await capture.merge(component(#", "photo": {"id": 6, "name": "side"}"#), into: Component.self)
        #expect(try await capture.rows("SELECT id FROM photo") == ["6"])
        try await capture.merge(component(#", "photo": null"#), into: Component.self)
        #expect(try await capture.rows("SELECT id FROM photo").isEmpty)
    }

    @Test("R5 Embedded to-many over three levels: matched, moved, left out")
    func embeddedMany() async throws {
        let capture = try TwoRoads(SchematicCaptureSchema.self)
        func project(_ id: Int, _ sheets: String) -> String {
            #"{"id": \#(id), "name": "P", "companyName": "C", "clientId": 1, "jobsheet": \#(sheets)}"#
        }
        let sheets = """
            [{"id": 1, "name": "A", "components": [{"id": 1, "componentId": "x", "photo": {"id": 1, "name": "f"}}, {"id": 2, "componentId": "y"}]},
             {"id": 2, "name": "B", "components": []}]
            """
        let both = "[\(project(1, sheets)), \(project(2, "[]"))]"
        try await capture.merge(both, into: Project.self)
        #expect(try await capture.merge(both, into: Project.self).hasChanges == false)
        let moved = """
            [\(project(1, #"[{"id": 2, "name": "B"}]"#)),
             \(project(2, #"[{"id": 1, "name": "A", "components": [{"id": 2, "componentId": "z"}]}]"#))]
            """
        try await capture.merge(moved, into: Project.self)
        #expect(try await capture.rows("SELECT id, project_id FROM job_sheet ORDER BY id") == ["1 2", "2 1"])
        #expect(try await capture.rows("SELECT id, component_id FROM component") == [#"2 "z""#])
        #expect(try await capture.rows("SELECT id FROM photo").isEmpty)
    }

    @Test("R6 Embedded without identity: merging the same again changes nothing, another list replaces it")
    func owned() async throws {
        let sink = try TwoRoads(KitchenSinkSchema.self)
        func everything(_ scraps: String) -> String {
            #"[{"id": 1, "name": "All", "days": [], "owner_country": "uk", "owner_number": 7\#(scraps)}]"#
        }
        let first = everything(#", "scraps": [{"text": "s", "page": 2}, {"text": "t"}]"#)
        try await sink.merge(first, into: Everything.self)
        #expect(try await sink.merge(first, into: Everything.self).hasChanges == false)
        #expect(try await sink.merge(everything(""), into: Everything.self).hasChanges == false)
        try await sink.merge(everything(#", "scraps": [{"text": "u"}]"#), into: Everything.self)
        #expect(try await sink.rows("SELECT text, page FROM scrap") == [#""u" NULL"#])
    }

    // MARK: The run

    @Test("Progress is reported, and a cancelled merge leaves nothing")
    func progressAndCancellation() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let values = (1...25_000).map { ArticleRepresentation(id: $0, title: "T\($0)", bodyText: "") }
        let current = Locked<Task<MergeSummary, any Error>?>(nil)
        let task = current.withLock { running in
            let task = Task {
                var options = MergeOptions()
                options.progress = { _ in current.withLock { $0?.cancel() } }
                return try await store.merge(values, options: options)
            }
            running = task
            return task
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await store.representations(Article.all()).isEmpty)
        let told = Locked<[Int]>([])
        var options = MergeOptions()
        options.progress = { progress in told.withLock { $0.append(progress.recordsRead) } }
        #expect(try await store.merge(values, options: options).inserted == 25_000)
        #expect(told.withLock { $0.prefix(3) } == [10_000, 20_000, 25_000])
    }
}
