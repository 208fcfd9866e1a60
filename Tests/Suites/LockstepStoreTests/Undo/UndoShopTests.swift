import Foundation
import GRDB
import LockstepStore
import Shop
import Testing
import TestSupport

@Suite("Undo in the shop") @MainActor
struct UndoShopTests {
    struct World: UndoWorld {
        let context: ManagedObjectContext
        var products: [Product] = []
        var reviews: [ProductReview] = []
        var images: [Image] = []
        var pictures: [Picture] = []
        var tags: [Shop.Tag] = []
        var nextID = 1

        init(_ context: ManagedObjectContext, _ random: inout SeededRandom) throws {
            self.context = context
            for _ in 0..<8 { insert(&random) }
            try context.save()
        }

        private mutating func insert(_ random: inout SeededRandom) {
            nextID += 1
            let url = SchemaLiteral.url("https://example.com/\(nextID)")
            let reviewed = products.alive.randomElement(using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: images.append(Image(id: nextID, url: url, pictured: reviewed, context: context))
            case 1: pictures.append(Picture(id: nextID, url: url, context: context))
            case 2: tags.append(Shop.Tag(id: nextID, name: "tag \(nextID)", products: products.alive, context: context))
            case 3:
                reviews.append(
                    ProductReview(id: nextID, name: "R", reviewText: "", product: reviewed, context: context))
            default:
                products.append(
                    Product(
                        id: nextID, name: "product \(nextID)", image: images.alive.last,
                        images: Array(pictures.alive.prefix(2)), tags: tags.alive, context: context))
            }
        }

        mutating func change(_ random: inout SeededRandom) {
            guard let product = products.alive.randomElement(using: &random), Int.random(in: 0..<5, using: &random) > 0
            else { return insert(&random) }
            let image = images.alive.randomElement(using: &random)
            let picture = pictures.alive.randomElement(using: &random)
            let tag = tags.alive.randomElement(using: &random)
            let review = reviews.alive.randomElement(using: &random)
            switch Int.random(in: 0..<14, using: &random) {
            case 0: product.price = Decimal(Int.random(in: 0...99, using: &random))
            case 1: product.weight = Bool.random(using: &random) ? nil : 0.25
            case 2: context.delete(product)
            case 3: if let tag { context.delete(tag) }
            case 4: product.image = image
            case 5: image?.pictured = product
            case 6: if let picture { product.images.insert(picture, at: 0) }
            case 7: product.images.replaceAll(with: pictures.alive.shuffled(using: &random))
            case 8: tag?.products.insert(product)
            case 9: if let tag { product.tags.remove(tag) }
            case 10: review?.product = product
            case 11: if let review { context.delete(review) }
            case 12: tag?.products.replaceAll(with: Array(products.alive.dropFirst()))
            default: merge(product, &random)
            }
        }

        /// A server's representation of a product: embedded records are created, found and deleted.
        private func merge(_ product: Product, _ random: inout SeededRandom) {
            var value = product.representation
            value.images = value.images?.shuffled(using: &random).dropLast()
            value.name += "!"
            product.update(from: value)
        }

        func lines() -> [String] {
            func line(_ object: ManagedObject, _ name: String, _ text: @autoclosure () -> String) -> String {
                "\(name) \(object.recordState)\(object.recordState == .deleted ? "" : " " + text())"
            }
            var lines = products.map { product in
                line(
                    product, "product \(product.id)",
                    """
                    \(product.name) \(product.price) \(product.weight ?? -1) image \(product.image?.id ?? -1) \
                    images \(product.images.map(\.id)) tags \(product.tags.map(\.id).sorted()) \
                    reviews \(product.productReviews.map(\.id))
                    """)
            }
            lines += images.map { image in line(image, "image \(image.id)", "\(image.pictured?.id ?? -1)") }
            lines += pictures.map { picture in line(picture, "picture \(picture.id)", "\(picture.product?.id ?? -1)") }
            lines += tags.map { tag in line(tag, "tag \(tag.id)", "\(tag.products.map(\.id).sorted())") }
            lines += reviews.map { review in
                line(review, "review \(review.id)", "\(review.product?.id ?? -1) \(review.productID ?? -1)")
            }
            return lines
        }
    }

    @Test("Any steps are undone and redone exactly", arguments: Seeds.some(25, of: UInt64(1)...60))
    func walk(seed: UInt64) throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        var walk = try UndoWalk<World>(store, seed: seed)
        try walk.run()
        let before = try store.writer.read { $0.totalChangesCount }
        try walk.context.save()
        #expect(try store.writer.read { $0.totalChangesCount } == before)
    }

    @Test("The steps left after several undos are saved", arguments: Seeds.some(15, of: UInt64(1)...30))
    func saved(seed: UInt64) throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        var walk = try UndoWalk<World>(store, seed: seed)
        for index in 0..<12 { walk.step(index) }
        for _ in 0..<4 where walk.place > 0 { walk.undo() }
        let shown = walk.world.lines()
        try walk.context.save()
        walk.context.reset()
        func withoutState(_ lines: [String]) -> [String] {
            lines.map { line in
                [" inserted", " changed"].reduce(line) { $0.replacing($1, with: " stored") }
            }
        }
        walk.expectSame(withoutState(walk.world.lines()), withoutState(shown), "saved and read anew")
    }
}
