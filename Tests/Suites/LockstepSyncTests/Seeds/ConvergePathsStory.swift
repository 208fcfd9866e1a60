import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import Shop
import TestSupport
import Testing

@Suite("Converge's README, from URL paths on", .unhurried)
@MainActor
struct ConvergePathsStory {
    @Test("URL paths: Rails' by convention, with an Accept header; a model can have others")
    func paths() async throws {
        try await withServer(FakeRails()) { server in
            let client = try ConvergeClient(server)
            let comment = ArticleComment(id: 1, name: "Ann", text: "Nice", context: client.context)
            try await client.context.save()
            try await client.sync.sendNew(comment)
            try await client.sync.pull(ArticleComment.self)
            try await client.sync.fetch(comment)
            comment.text = "Very nice"
            try await client.context.save()
            try await client.sync.sendUpdated(comment)
            #expect(server.requests.allSatisfy { $0.headers[.accept] == "application/json" })
            #expect(
                server.newLog() == [
                    "POST /article_comments", "GET /article_comments", "GET /article_comments/1",
                    "PATCH /article_comments/1",
                ])

            server.set(["id": 2, "name": "Ben", "text": "Hm"], in: "/remarks")
            let other = try ConvergeClient(server) { remote in
                remote.overriding(ArticleComment.self) { remark in
                    remark.addresses.collectionPath = { _, _ in "/remarks" }
                    remark.addresses.recordPath = { _, identity, _ in "/remarks/\(identity)" }
                }
            }
            try await other.sync.pull(ArticleComment.self)
            let remark = try #require(try ArticleComment.find(2, in: other.context))
            remark.text = "Hm!"
            try await other.context.save()
            try await other.sync.push()
            #expect(server.newLog() == ["GET /remarks", "PATCH /remarks/2"])
            #expect(server.record("2", of: "/remarks")?["text"] == "Hm!")
        }
    }

    @Test("Mapping: a description under another name, and a value from a nested object")
    func mapping() async throws {
        try await withServer(FakeRails(RailsRules(wrapKeys: ["/products": "product"]))) { server in
            server.set(["id": 1, "title": "T", "body_text": "b", "description": "In short"], in: "/articles")
            server.set(
                ["id": 1, "name": "Shirt", "brand": ["url": "http://example.com/namco", "name": "Namco"]],
                in: "/products")
            let client = try ConvergeClient(server)
            try await client.sync.pull()
            let article = try #require(try Article.find(1, in: client.context))
            let shirt = try #require(try Product.find(1, in: client.context))
            #expect(article.summary == "In short")
            #expect(shirt.brandURL?.absoluteString == "http://example.com/namco")
            server.clearLog()

            article.summary = "Shorter"
            shirt.brandURL = URL(string: "http://example.com/bandai")
            try await client.context.save()
            try await client.sync.push()
            #expect(
                server.newChanges() == [
                    SentChange("PATCH /articles/1", ["description": "Shorter"]),
                    SentChange(
                        "PATCH /products/1", ["product": ["brand": ["url": "http://example.com/bandai"]]]),
                ])
        }
    }

    @Test("Format conversions: dates and numbers are received and sent as text")
    func conversions() async throws {
        try await withServer(FakeRails(RailsRules(wrapKeys: ["/products": "product"]))) { server in
            server.set(
                [
                    "id": 1, "title": "Graeme Devine is right", "body_text": "b",
                    "created_at": "2011-07-10 09:51:03 -0700",
                ], in: "/articles")
            server.set(["id": 1, "name": "Shirt", "price": "19.90", "stock": "12", "weight": "0.25"], in: "/products")
            let client = try ConvergeClient(server)
            try await client.sync.pull()
            let article = try #require(try Article.find(1, in: client.context))
            let shirt = try #require(try Product.find(1, in: client.context))
            #expect(article.createdAt == Date(timeIntervalSince1970: 1_310_316_663))
            #expect(shirt.price == Decimal(string: "19.9") && shirt.stock == 12 && shirt.weight == 0.25)
            server.clearLog()

            article.createdAt = Date(timeIntervalSince1970: 1_310_316_664)
            (shirt.price, shirt.stock, shirt.weight) = (Decimal(string: "21.5") ?? 0, 11, 0.5)
            try await client.context.save()
            try await client.sync.push()
            #expect(
                server.newChanges() == [
                    SentChange("PATCH /articles/1", ["created_at": "2011-07-10 16:51:04 +0000"]),
                    SentChange("PATCH /products/1", ["product": ["price": "21.5", "stock": "11", "weight": "0.5"]]),
                ])
        }
    }

    @Test("Caching: the same request gets a 304 without a download; other requests do not")
    func caching() async throws {
        try await withServer(FakeRails()) { server in
            server.set(["id": 1, "title": "T", "body_text": "b"], in: "/articles")
            let client = try ConvergeClient(server)
            try await client.sync.pull(Article.self)
            #expect(try await client.sync.pull(Article.self).notModified == 1)
            #expect(server.requests.map(\.status) == [200, 304])
            #expect(server.requests.first?.headers[.ifModifiedSince] == nil)
            #expect(server.requests.last?.headers[.ifModifiedSince] != nil)

            let query = [URLQueryItem(name: "title", value: "T")]
            #expect(try await client.sync.pull(Article.self, query: query).notModified == 0)
            server.edit("1", of: "/articles", ["title": "New"])
            #expect(try await client.sync.pull(Article.self).updated == 1)
            #expect(server.requests.suffix(2).map(\.status) == [200, 200])
            try await client.sync.forgetValidators()
            #expect(try await client.sync.pull(Article.self).unchanged == 1, "as after deleting the timestamps file")
        }
    }

    @Test("The part that the README leaves open: DELETE")
    func delete() async throws {
        try await withServer(FakeRails()) { server in
            server.set(
                [["id": 1, "title": "T", "body_text": "b"], ["id": 2, "title": "U", "body_text": "c"]],
                in: "/articles")
            server.set(["id": 7, "name": "Ann", "text": "Nice", "article_id": 1], in: "/article_comments")
            let client = try ConvergeClient(server)
            try await client.sync.pull()
            server.clearLog()
            try await client.sync.delete(Article.self, id: 1)
            #expect(server.log.last == "DELETE /articles/1")
            #expect(server.records(of: "/articles").map { $0["id"] } == [2])
            #expect(try client.context.count(Article.all()) == 1)
            #expect(try client.context.count(ArticleComment.all()) == 0, "its comments go with it")
            // Another client deleted the second one first; it is deleted anyway.
            server.remove("2", from: "/articles")
            #expect(try await client.sync.delete(Article.self, id: 2).deleted == 1)
            try await client.sync.push()
            #expect(try await client.store.outbox.count() == 0)
        }
    }
}
