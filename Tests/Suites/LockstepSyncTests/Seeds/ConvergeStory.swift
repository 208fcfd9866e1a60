import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import Shop
import TestSupport
import Testing

/// An app of the README: a client with a base URL, and its managed object context.
@MainActor
struct ConvergeClient {
    let store: Store
    let sync: Sync

    init(_ server: FakeRails, _ adapt: (RESTRemote) -> RESTRemote = { $0 }) throws {
        store = try Store(ShopSchema.self, at: .inMemory)
        let remote = adapt(RESTRemote(server.url, client: URLSessionClient()))
        // The order of the requests is checked.
        sync = Sync(
            store: store, remote: remote, maximumConcurrentPushes: 1, clock: ManualClock(), random: { 0.5 })
    }

    var context: ManagedObjectContext { store.mainContext }
}

@Suite("Converge's README, section by section", .unhurried)
@MainActor
struct ConvergeStory {
    private let articles: [JSONValue] = [
        ["id": 1, "title": "Lorem ipsum", "body_text": "Dolor sit amet"],
        ["id": 2, "title": "Consectetur adipiscing elit", "body_text": "Aliquam ac mi ac leo"],
    ]

    private func article(_ id: Int, _ client: ConvergeClient) throws -> Article {
        try #require(try Article.find(id, in: client.context))
    }

    @Test("Basics: the collection, and one record")
    func basicsFetching() async throws {
        try await withServer(FakeRails()) { server in
            server.set(articles, in: "/articles")
            let client = try ConvergeClient(server)
            try await client.sync.pull(Article.self)
            #expect(server.newLog() == ["GET /articles"])
            #expect(try article(1, client).bodyText == "Dolor sit amet")
            #expect(try client.context.count(Article.all()) == 2)

            // The web server's data is The Truth: its values are taken.
            server.edit("1", of: "/articles", ["title": "Lorem"])
            server.edit("2", of: "/articles", ["title": "Consectetur"])
            try await client.sync.pull(Article.self, id: 2)
            try await client.sync.fetch(try article(1, client))
            #expect(server.newLog() == ["GET /articles/2", "GET /articles/1"])
            #expect(try article(1, client).title == "Lorem" && article(2, client).title == "Consectetur")
        }
    }

    @Test("Basics: sendNewRecord, and sendUpdatedRecord with the changes")
    func basicsSending() async throws {
        try await withServer(FakeRails()) { server in
            server.set(articles, in: "/articles")
            let client = try ConvergeClient(server)
            try await client.sync.pull(Article.self)
            let new = Article(id: 3, title: "Third", bodyText: "Text", context: client.context)
            try article(1, client).title = "Edited here"
            try await client.context.save()
            server.clearLog()
            try await client.sync.sendNew(new)
            #expect(
                server.newChanges() == [
                    SentChange(
                        "POST /articles",
                        ["id": 3, "title": "Third", "body_text": "Text"])
                ], "nothing is sent but what the app asked for")
            try await client.sync.sendUpdated(try article(1, client))
            #expect(server.newChanges() == [SentChange("PATCH /articles/1", ["title": "Edited here"])])
            #expect(server.record("1", of: "/articles")?["body_text"] == "Dolor sit amet")
            await #expect { try await client.sync.sendNew(new) } throws: { ($0 as? SyncError)?.code == .nothingToSend }
            #expect(server.log.isEmpty)
        }
    }

    @Test("Foreign keys: reviews are linked to their product, and sent with its id")
    func foreignKeys() async throws {
        try await withServer(FakeRails(RailsRules(wrapKeys: ["/products": "product"]))) { server in
            server.set([["id": 5, "name": "Soap"], ["id": 6, "name": "Vacuum cleaner"]], in: "/products")
            server.set(
                [
                    ["id": 1, "product_id": 5, "name": "Alice", "review_text": "Your products all suck"],
                    ["id": 2, "product_id": 6, "name": "Bob", "review_text": "I'm really satisfied"],
                ], in: "/product_reviews")
            let client = try ConvergeClient(server)
            // Reviews first: the link waits for its product.
            try await client.sync.pull(ProductReview.self)
            try await client.sync.pull(Product.self)
            let (soap, cleaner) = (try product(5, client), try product(6, client))
            #expect(soap.productReviews.map(\.name) == ["Alice"] && cleaner.productReviews.map(\.name) == ["Bob"])
            server.clearLog()

            try #require(soap.productReviews.first).product = cleaner
            try await client.context.save()
            try await client.sync.push()
            #expect(server.newChanges() == [SentChange("PATCH /product_reviews/1", ["product_id": 6])])
        }
    }

    private func product(_ id: Int, _ client: ConvergeClient) throws -> Product {
        try #require(try Product.find(id, in: client.context))
    }

    @Test("Foreign keys: a list of ids is a to-many relationship, in both directions")
    func listsOfIDs() async throws {
        try await withServer(FakeRails(RailsRules(wrapKeys: ["/products": "product"]))) { server in
            server.set([["id": 7, "name": "red"], ["id": 8, "name": "new"], ["id": 9, "name": "soft"]], in: "/tags")
            server.set(["id": 5, "name": "Soap", "tag_ids": [7, 8]], in: "/products")
            let client = try ConvergeClient(server)
            try await client.sync.pull(Tag.self)
            try await client.sync.pull(Product.self)
            let soap = try product(5, client)
            #expect(Set(soap.tags.map(\.name)) == ["red", "new"])
            server.clearLog()

            soap.tags.remove(try #require(try Tag.find(7, in: client.context)))
            soap.tags.insert(try #require(try Tag.find(9, in: client.context)))
            try await client.context.save()
            try await client.sync.push(Product.self)
            #expect(server.newChanges() == [SentChange("PATCH /products/5", ["product": ["tag_ids": [8, 9]]])])
            #expect(server.record("5", of: "/products")?["tag_ids"] == [8, 9])
        }
    }

    @Test("Embedded records: an image and further images are embedded in their product")
    func embedded() async throws {
        try await withServer(FakeRails(RailsRules(wrapKeys: ["/products": "product"]))) { server in
            let roll: JSONValue = ["id": 4, "url": "http://example.com/katamari.jpg", "title": "Roll it up!"]
            let rolling: JSONValue = ["id": 5, "url": "http://example.com/rolling.jpg", "title": "Rollin'"]
            server.set(
                ["id": 1, "name": "Katamari Damacy T-Shirt", "image": roll, "images": [rolling, roll]],
                in: "/products")
            let client = try ConvergeClient(server) { _ in
                RESTRemote(server.url, client: URLSessionClient(), sendsEmbedded: true)
            }
            try await client.sync.pull(Product.self)
            #expect(server.newLog() == ["GET /products"])
            let shirt = try product(1, client)
            #expect(shirt.image?.title == "Roll it up!")
            #expect(shirt.images.map(\.title) == ["Rollin'", "Roll it up!"], "in the server's order")

            shirt.image?.title = "Roll it"
            try await client.context.save()
            try await client.sync.push()
            let sent = server.newChanges()
            #expect(sent.map(\.request) == ["PATCH /products/1"])
            #expect(sent.first?.body?["product"]?["image"]?["title"] == "Roll it")
        }
    }
}
