import Foundation
import LockstepStore
import Shop
import Testing
import TestSupport

/// Parent and child edit the same records in turns, compared with a model of dictionaries.
@Suite("Parent and child edit at the same time: the child's own changes take precedence over the parent's")
struct BothEditTests {
    @Test("Attributes, links to-one and many-to-many", arguments: Seeds.some(25, of: 0...59))
    func edits(seed: UInt64) async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let model = try await store.perform { context in
            var shelf = Shelf(SeededRandom(seed: seed))
            try shelf.fill(context)
            let child = context.makeChild()
            for step in 0..<60 {
                try shelf.edit(context, child)
                let (isParentRight, isChildRight) = (
                    try Shelf.look(context) == shelf.parent, try Shelf.look(child) == shelf.shown
                )
                try #require(isParentRight, "parent, step \(step)")
                try #require(isChildRight, "child, step \(step)")
            }
            try child.save()
            try context.save()
            return shelf.shown
        }
        let stored = try await store.perform { try Shelf.look($0) }
        #expect(stored == model)
    }
}

/// The brute-force reference: the stored values, those of the parent, and the child's changes.
private struct Shelf {
    private var random: SeededRandom
    private var stored: [String: String] = [:]
    private(set) var parent: [String: String] = [:]
    private var changes: [String: String] = [:]

    /// The expected values of the child.
    var shown: [String: String] { parent.merging(changes) { $1 } }

    init(_ random: SeededRandom) { self.random = random }

    private static let ids = 1...3

    mutating func fill(_ context: ManagedObjectContext) throws {
        for id in Self.ids {
            Product(id: id, name: "P", context: context)
            ProductReview(id: id, name: "R", reviewText: "Fine", context: context)
            Shop.Tag(id: id, name: "tag \(id)", context: context)
        }
        try context.save()
        parent = try Self.look(context)
        stored = parent
    }

    mutating func edit(_ context: ManagedObjectContext, _ child: ManagedObjectContext) throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            try child.save()
            parent = shown
            changes = [:]
        case 1:
            child.rollback()
            changes = [:]
        case 2:
            try context.save()
            stored = parent
        case 3:
            context.rollback()
            parent = stored
        case 4...7: parent.merge(try set(in: context, shows: parent)) { $1 }
        default: changes.merge(try set(in: child, shows: shown)) { $1 }
        }
    }

    /// Makes one edit.
    ///
    /// - Returns: What it changes.
    private mutating func set(in context: ManagedObjectContext, shows view: [String: String]) throws -> [String: String]
    {
        let (first, second) = (Int.random(in: Self.ids, using: &random), Int.random(in: Self.ids, using: &random))
        let product = try #require(try Product.find(first, in: context))
        let review = try #require(try ProductReview.find(second, in: context))
        let tag = try #require(try Shop.Tag.find(second, in: context))
        let key: String
        let value: String
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            (key, value) = ("product \(first) name", "N\(Int.random(in: 0..<100, using: &random))")
            product.name = value
        case 1:
            (key, value) = ("review \(second) product", "\(first)")
            review.product = product
        case 2:
            (key, value) = ("review \(second) product", "-")
            review.product = nil
        case 3:
            (key, value) = ("tag \(second) product \(first)", "true")
            product.tags.insert(tag)
        default:
            (key, value) = ("tag \(second) product \(first)", "false")
            tag.products.remove(product)
        }
        return view[key] == value ? [:] : [key: value]
    }

    /// The values shown by a context, with both ends compared.
    static func look(_ context: ManagedObjectContext) throws -> [String: String] {
        var view: [String: String] = [:]
        for id in ids {
            let product = try #require(try Product.find(id, in: context))
            let review = try #require(try ProductReview.find(id, in: context))
            view["product \(id) name"] = product.name
            view["review \(id) product"] = review.product.map { String($0.id) } ?? "-"
            for other in ids {
                let tag = try #require(try Shop.Tag.find(other, in: context))
                let isLinked = product.tags.contains(tag)
                try #require(tag.products.contains(product) == isLinked)
                view["tag \(other) product \(id)"] = String(isLinked)
                let linked = try #require(try ProductReview.find(other, in: context))
                try #require(product.productReviews.contains(linked) == (linked.productID == id))
            }
        }
        return view
    }
}
