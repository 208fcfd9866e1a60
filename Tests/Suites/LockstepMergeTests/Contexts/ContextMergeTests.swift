import Foundation
import LockstepSync
import Shop
import Testing

@testable import LockstepStore

@MainActor
@Suite("Contexts see one consistent change per merge")
struct ContextMergeTests {
    let shop: ShopFixture
    var context: ManagedObjectContext { shop.context }

    init() throws { shop = try ShopFixture() }

    private static let articles = """
        [{"id": 1, "title": "Tea", "body_text": "Hot."}, {"id": 2, "title": "Ale", "body_text": "Cold."}]
        """
    private static let comments = """
        [{"id": 1, "name": "Ada", "text": "Yes.", "article_id": 1}, {"id": 2, "name": "Bob", "text": "No.", "article_id": 1}]
        """

    private var deleting: MergeOptions { MergeOptions(records: .all) }

    // MARK: One change

    @Test("M10 Objects, to-many links and live results change together, in one snapshot per merge")
    func oneChange() async throws {
        try await shop.mergeArticles(Self.articles)
        let results = shop.store.results(Article.order(\.id))
        let tea = try shop.article(1)
        #expect(results.items.map(\.title) == ["Tea", "Ale"])
        let before = (refreshes: try shop.refreshes(), snapshot: results.snapshot.number)

        try await shop.mergeArticles(
            """
            [{"id": 1, "title": "Green tea", "body_text": "Hot."}, {"id": 3, "title": "Sun", "body_text": "Up."},
             {"id": 2, "title": "Pale ale", "body_text": "Cold."}]
            """)
        #expect(try shop.refreshes() == before.refreshes + 1)
        #expect(results.snapshot.number == before.snapshot + 1)
        #expect(results.items.map(\.title) == ["Green tea", "Pale ale", "Sun"])
        #expect(results.items.first === tea)
        #expect(results.snapshot.difference.updated.count == 2)
        #expect(results.snapshot.difference.inserted.count == 1)
        #expect(!context.hasChanges)
    }

    @Test("M10 Live results deliver one snapshot for a merge of many rows")
    func oneSnapshot() async throws {
        let results = shop.store.results(Article.order(\.id))
        let loop = results.makeAsyncIterator()
        #expect(await loop.next(isolation: #isolation)?.sections.first?.count == 0)
        let values = (1...3000).map { ArticleRepresentation(id: $0, title: "T\($0)", bodyText: "") }
        try await shop.store.merge(values)
        let snapshot = try #require(await loop.next(isolation: #isolation))
        #expect(snapshot.difference.inserted.count == 3000)
        #expect(results.items.count == 3000)
    }

    @Test("M6 M15 A merge that changes nothing notifies no observer")
    func unchanged() async throws {
        try await shop.mergeArticles(Self.articles)
        try await shop.mergeComments(Self.comments)
        let results = shop.store.results(Article.order(\.id))
        let tea = try shop.article(1)
        #expect(tea.comments.count == 2)
        let before = (refreshes: try shop.refreshes(), snapshot: results.snapshot.number)
        let epoch = context.linkEpoch
        let articles = try await shop.mergeArticles(Self.articles, deleting)
        let comments = try await shop.mergeComments(Self.comments, deleting)
        #expect(articles.unchanged == 2 && !articles.hasChanges)
        #expect(comments.unchanged == 2 && !comments.hasChanges)
        #expect(try shop.refreshes() == before.refreshes)
        #expect(results.snapshot.number == before.snapshot)
        #expect(context.linkEpoch == epoch)
    }

    @Test("M10 M12 An aborted merge or a dry run notifies no observer")
    func rolledBack() async throws {
        try await shop.mergeArticles(Self.articles)
        let results = shop.store.results(Article.order(\.id))
        let before = (refreshes: try shop.refreshes(), snapshot: results.snapshot.number)
        var options = MergeOptions()
        options.isDryRun = true
        let summary = try await shop.mergeArticles(#"[{"id": 1, "title": "Mate", "body_text": "Hot."}]"#, options)
        #expect(summary.updated == 1 && summary.isDryRun)
        options = MergeOptions()
        options.invalidRecords = .abort
        let products = [
            ProductRepresentation(id: 1, name: "Cup", price: 1, stock: 1),
            ProductRepresentation(id: 2, name: "Pot", price: -1, stock: 1),
        ]
        await #expect(throws: MergeError.self) { try await shop.store.merge(products, options: options) }
        #expect(try shop.refreshes() == before.refreshes)
        #expect(results.snapshot.number == before.snapshot)
        #expect(try context.fetch(Product.all()).isEmpty)
        #expect(try shop.article(1).title == "Tea")
    }

    // MARK: Links

    @Test("M1 R1 Loaded and prefetched members are updated by the merge")
    func links() async throws {
        try await shop.mergeArticles(Self.articles)
        try await shop.mergeComments(Self.comments)
        let articles = try context.fetch(Article.order(\.id).prefetch(\.comments))
        let first = try shop.comment(1)
        #expect(articles.map { $0.comments.map(\.id) } == [[1, 2], []])
        try await shop.mergeComments(
            """
            [{"id": 1, "name": "Ada", "text": "Yes.", "article_id": 2}, {"id": 2, "name": "Bob", "text": "No.", "article_id": null},
             {"id": 3, "name": "Eve", "text": "Oh.", "article_id": 1}]
            """)
        try context.showCommits()
        #expect(articles.map { $0.comments.map(\.id) } == [[3], [1]])
        #expect(first.article === articles[1])
        #expect(try shop.comment(2).article == nil)
    }

    @Test("R2 A link that came before its parent resolves as soon as the parent is merged")
    func parentComesLater() async throws {
        try await shop.mergeComments(Self.comments)
        let comments = try context.fetch(ArticleComment.order(\.id).prefetch(\.article))
        #expect(comments.map { $0.article?.title } == [nil, nil])
        #expect(comments.map(\.articleID) == [1, 1])
        try await shop.mergeArticles(Self.articles)
        try context.showCommits()
        #expect(comments.map { $0.article?.title } == ["Tea", "Tea"])
        #expect(try shop.article(1).comments.map(\.id) == [1, 2])
        #expect(!context.hasChanges)
    }

    @Test("R3 R5 Embedded records and id lists keep their order")
    func embedded() async throws {
        try await shop.mergeProducts(
            """
            [{"id": 1, "name": "Cup", "tag_ids": [1, 2], "images": [{"id": 1, "url": "https://a.b/1"}, {"id": 2, "url": "https://a.b/2"}]}]
            """)
        try await shop.store.merge([
            TagRepresentation(id: 1, name: "new"), TagRepresentation(id: 2, name: "old"),
            TagRepresentation(id: 3, name: "red"),
        ])
        let cup = try #require(try Product.find(1, in: context))
        #expect(Set(cup.tags.map(\.name)) == ["new", "old"])
        #expect(cup.images.map(\.id) == [1, 2])
        let pictures = Array(cup.images)
        try await shop.mergeProducts(
            """
            [{"id": 1, "name": "Cup", "tag_ids": [3], "image": {"id": 9, "url": "https://a.b/9"},
              "images": [{"id": 3, "url": "https://a.b/3"}, {"id": 1, "url": "https://a.b/1"}]}]
            """)
        try context.showCommits()
        #expect(cup.tags.map(\.name) == ["red"])
        #expect(cup.image?.id == 9)
        #expect(cup.images.map(\.id) == [3, 1])
        #expect(cup.images.last === pictures[0])
        #expect(pictures[1].recordState == .deleted)
        #expect(!context.hasChanges)
    }

    @Test("M7 A record that the server no longer lists is deleted, also from results and members")
    func deleted() async throws {
        try await shop.mergeArticles(Self.articles)
        try await shop.mergeComments(Self.comments)
        let results = shop.store.results(Article.order(\.id))
        let tea = try shop.article(1)
        let comments = Array(tea.comments)
        let before = try shop.refreshes()
        let summary = try await shop.mergeArticles(#"[{"id": 2, "title": "Ale", "body_text": "Cold."}]"#, deleting)
        #expect(summary[Article.self].deleted == 1)
        #expect(try shop.refreshes() == before + 1)
        #expect(tea.recordState == .deleted)
        #expect(comments.map(\.recordState) == [.deleted, .deleted])
        #expect(results.items.map(\.id) == [2])
    }
}
