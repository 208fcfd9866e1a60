import Foundation
public import LockstepStore
import Shop

extension Bookkeeping {
    /// The article whose title is the number of the last step.
    private static let ledger = 0

    /// Makes the shop as it is opened, unsaved.
    public static func open(in context: ManagedObjectContext) {
        let books = opened
        for tag in tagNumbers { Tag(id: tag, name: "tag \(tag)", context: context) }
        for product in products {
            let pictures = (books.pictures[product] ?? []).map { picture($0, context) }
            Product(id: product, name: "product \(product)", stock: stockOfEach, images: pictures, context: context)
        }
        Article(id: ledger, title: "0", bodyText: "", summary: "0", context: context)
    }

    private static func picture(_ id: Int, _ context: ManagedObjectContext) -> Picture {
        Picture(id: id, url: URL(fileURLWithPath: "/pictures/\(id)"), context: context)
    }

    /// Makes the changes of a step with models, unsaved.
    public func make(_ changes: [Change], in context: ManagedObjectContext) throws {
        for change in changes { try Self.make(change, in: context) }
        try context.find(Article.self, Self.ledger)?.title = String(step)
    }

    private static func make(_ change: Change, in context: ManagedObjectContext) throws {
        switch change {
        case .move(let from, let to, let count):
            try context.find(Product.self, from)?.stock -= count
            try context.find(Product.self, to)?.stock += count
        case .publish(let article, let numbers):
            let comments = numbers.map {
                ArticleComment(
                    id: $0, name: "reader \($0)", text: String(repeating: "x", count: $0 % 700), context: context)
            }
            Article(
                id: article, title: "article", bodyText: "", summary: String(comments.count), comments: comments,
                context: context)
        case .retract(let article): try context.find(Article.self, article).map { context.delete($0) }
        case .tag(let product, let tag):
            if let tag = try context.find(Tag.self, tag) { try context.find(Product.self, product)?.tags.insert(tag) }
        case .untag(let product, let tag):
            if let tag = try context.find(Tag.self, tag) { try context.find(Product.self, product)?.tags.remove(tag) }
        case .show(let picture, let from, let to):
            guard let picture = try context.find(Picture.self, picture) else { return }
            try context.find(Product.self, from)?.images.remove(picture)
            try context.find(Product.self, to)?.images.insert(picture, at: 0)
        }
    }

    /// What the database holds, read by SQL alone; `nil` where the shop is not open yet.
    public init?(_ database: Database) throws {
        self.init()
        let steps = try String.fetchOne(
            database, sql: "SELECT title FROM article WHERE id = ?", arguments: [Self.ledger])
        guard let steps else { return nil }
        step = Int(steps) ?? -1
        for row in try Row.fetchAll(database, sql: "SELECT id, stock FROM product") {
            let product: Int = row[0]
            stock[product] = row[1]
            pictures[product] = try Int.fetchAll(
                database, sql: "SELECT id FROM picture WHERE product_id = ? ORDER BY images_position",
                arguments: [product])
            tags[product] = try Int.fetchAll(
                database, sql: "SELECT tag_id FROM product_tag WHERE product_id = ? ORDER BY 1", arguments: [product])
        }
        for article in try Int.fetchAll(database, sql: "SELECT id FROM article WHERE id <> ?", arguments: [Self.ledger])
        {
            comments[article] = try Int.fetchAll(
                database, sql: "SELECT id FROM article_comment WHERE article_id = ? ORDER BY id", arguments: [article])
        }
    }

    /// What a context shows, read through models and their relationships.
    public init(_ context: ManagedObjectContext) throws {
        self.init()
        for product in try context.fetch(Product.all()) {
            stock[product.id] = product.stock
            pictures[product.id] = product.images.map(\.id)
            tags[product.id] = product.tags.map(\.id).sorted()
        }
        for article in try context.fetch(Article.all()) {
            guard article.id != Self.ledger else {
                step = Int(article.title) ?? -1
                continue
            }
            comments[article.id] = article.comments.map(\.id).sorted()
        }
    }

    /// What SQLite and the rules of the shop find wrong with the database: nothing, where it is whole.
    public static func findings(_ database: Database) throws -> [String] {
        var findings = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        findings += try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { "foreign key: \($0)" }
        let rules = [
            "the sum of the stock": "SELECT SUM(stock) <> \(products.count * stockOfEach) FROM product",
            "a comment without its article":
                "SELECT COUNT(*) FROM article_comment WHERE article_id IS NULL OR article_id NOT IN (SELECT id FROM article)",
            "an article with some of its comments": """
            SELECT COUNT(*) FROM article WHERE summary <> CAST(
                (SELECT COUNT(*) FROM article_comment WHERE article_id = article.id) AS TEXT)
            """,
            "a picture without a product": "SELECT COUNT(*) FROM picture WHERE product_id IS NULL",
            "a tag's link to nothing": """
            SELECT COUNT(*) FROM product_tag
            WHERE product_id NOT IN (SELECT id FROM product) OR tag_id NOT IN (SELECT id FROM tag)
            """,
        ]
        for (name, sql) in rules.sorted(by: { $0.key < $1.key }) {
            if try Int.fetchOne(database, sql: sql) ?? 0 != 0 { findings.append(name) }
        }
        return findings
    }
}
