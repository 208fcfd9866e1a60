import Foundation
import LockstepStore
import Shop
import Testing

@Suite("The shop: foreign keys, embedded records, lists of ids, conversions")
struct ShopTests {
    private func decode<R: Decodable>(_ type: R.Type, _ json: String) throws -> R {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    private func object(_ value: some Encodable) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? [String: Any])
    }

    private static let shirt = """
        {"id": 1, "name": "Katamari Damacy T-Shirt", "price": "19.90", "stock": "12", "weight": "0.25",
         "brand": {"url": "http://example.com/brand"}, "released_at": "2011-07-10 09:51:03 -0700",
         "image": {"id": 4, "url": "http://example.com/katamari.jpg", "title": "Roll it up!"},
         "images": [{"id": 9, "url": "http://example.com/b.jpg", "title": null},
                    {"id": 5, "url": "http://example.com/rolling.jpg", "title": "Rollin'"}],
         "tag_ids": []}
        """

    @Test("body_text becomes bodyText, description becomes summary")
    func articles() throws {
        let article = try decode(
            ArticleRepresentation.self,
            #"{"id": 1, "title": "Lorem", "body_text": "Dolor", "description": "In short", "created_at": "2011-07-10 09:51:03 -0700"}"#
        )
        #expect(article.bodyText == "Dolor")
        #expect(article.summary == "In short")
        #expect(article.createdAt == Date(timeIntervalSince1970: 1_310_316_663))
        #expect(try object(article)["description"] as? String == "In short")
    }

    @Test("Numbers as text are read as numbers and written back as text")
    func numbersAsText() throws {
        let product = try decode(ProductRepresentation.self, Self.shirt)
        #expect(product.price == Decimal(string: "19.90"))
        #expect(product.stock == 12)
        #expect(product.weight == 0.25)
        let written = try object(product)
        #expect(written["price"] as? String == "19.9")
        #expect(written["stock"] as? String == "12")
        #expect(written["weight"] as? String == "0.25")
    }

    @Test("A nested key is read from its path and written back to it")
    func nestedKey() throws {
        let product = try decode(ProductRepresentation.self, Self.shirt)
        #expect(product.brandURL == URL(string: "http://example.com/brand"))
        let brand = try #require(try object(product)["brand"] as? [String: Any])
        #expect(brand["url"] as? String == "http://example.com/brand")
    }

    @Test("An embedded image and embedded pictures are created, stored in order and found again")
    func embedded() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let value = try decode(ProductRepresentation.self, Self.shirt)
        try await store.perform { context in
            let product = try #require(Product(representation: value, context: context))
            #expect(product == value)
            try context.save()
        }
        try await store.perform { context in
            let product = try #require(try Product.find(1, in: context))
            #expect(product.image?.title == "Roll it up!")
            #expect(product.image?.pictured === product)
            #expect(product.images.map(\.id) == [9, 5])
            #expect(product.images.first?.product === product)
            #expect(product == value)
            #expect(value == product)
        }
    }

    @Test("A review finds its product by product_id, even if the product arrives later")
    func foreignKeyBeforeParent() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let review = try decode(
            ProductReviewRepresentation.self, #"{"id": 1, "product_id": 5, "name": "Alice", "review_text": "Good"}"#)
        try await store.perform { context in
            let model = try #require(ProductReview(representation: review, context: context))
            #expect(model.product == nil)
            try context.save()
        }
        try await store.perform { context in
            let model = try #require(try ProductReview.find(1, in: context))
            #expect(model.productID == 5)
            #expect(model.product == nil)
            let product = Product(id: 5, name: "Cleaner", context: context)
            #expect(model.product === product)
            #expect(product.productReviews.map(\.id) == [1])
            try context.save()
        }
    }

    @Test("An embedded product sets the link if no id is sent")
    func linkFromEmbedded() throws {
        let review = try decode(
            ProductReviewRepresentation.self,
            #"{"id": 1, "name": "Alice", "review_text": "Good", "product": {"id": 6, "name": "x"}}"#)
        #expect(review.productID == 6)
        #expect(try object(review)["product_id"] as? Int == 6)
    }

    @Test("A list of ids is the exact membership")
    func listOfIdentities() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.perform { context in
            for (id, name) in [(1, "red"), (2, "soft"), (3, "new")] { Tag(id: id, name: name, context: context) }
            let product = Product(id: 1, name: "Shirt", context: context)
            try context.save()
            var value = product.representation
            value.tagIDs = [1, 3]
            product.update(from: value)
            #expect(Set(product.tags.map(\.name)) == ["red", "new"])
            #expect(product == value)
            try context.save()
            value.tagIDs = [3, 2]
            product.update(from: value)
            try context.save()
        }
        try await store.perform { context in
            let product = try #require(try Product.find(1, in: context))
            #expect(Set(product.tags.map(\.id)) == [2, 3])
            #expect(try Tag.find(2, in: context)?.products.first === product)
            #expect(Set(product.representation.tagIDs ?? []) == [2, 3])
        }
    }

    @Test("A price below zero violates a limit: no model is created")
    func limits() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        var value = try decode(ProductRepresentation.self, Self.shirt)
        value.price = -1
        let wrong = value
        try await store.perform { context in
            #expect(Product(representation: wrong, context: context) == nil)
            #expect(!context.hasChanges)
            Product(id: 2, name: "x", stock: -1, context: context)
            #expect {
                try context.save()
            } throws: { error in
                let text = "\(error)"
                return text.contains("Product") && text.contains("stock")
            }
        }
    }

    @Test("A missing key keeps the value; a key that is set later counts (M1)")
    func missingKeys() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let partial = try decode(ProductRepresentation.self, #"{"id": 1, "name": "Shirt", "weight": null}"#)
        try await store.perform { context in
            let product = Product(id: 1, name: "Old", price: 5, stock: 3, weight: 2, context: context)
            product.update(from: partial)
            #expect(product.name == "Shirt")
            #expect(product.price == 5)
            #expect(product.stock == 3)
            #expect(product.weight == nil)
            #expect(product == partial)
            var edited = partial
            edited.price = 9
            #expect(product != edited)
            product.update(from: edited)
            #expect(product.price == 9)
            #expect(product.stock == 3)
            let keys = try #require(
                try JSONSerialization.jsonObject(with: JSONEncoder().encode(edited)) as? [String: Any]
            ).keys
            #expect(Set(keys) == ["id", "name", "weight", "price"])
        }
    }

    @Test("The representation of another record changes nothing, and the next save reports it")
    func otherRecord() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let other = try decode(ProductRepresentation.self, #"{"id": 77, "name": "Other"}"#)
        try await store.perform { context in
            let product = Product(id: 1, name: "Own", context: context)
            product.update(from: other)
            #expect(product.name == "Own")
            #expect {
                try context.save()
            } throws: { ($0 as? StoreError)?.code == .wrongIdentity }
        }
    }
}
