import Foundation
import KitchenSink
import LockstepStore
import SampleTypes
import Shop
import Testing

@Suite("Relationships are prefetched with one query each")
struct PrefetchTests {
    /// A shop of `count` reviews, ten of each product; each product has two of ten tags and a picture.
    private func shop(reviews count: Int, _ counter: StatementCounter) async throws -> Store {
        let store = try Store(ShopSchema.self, at: .inMemory, configuration: counter.configuration)
        try await store.perform { context in
            let tags = (0..<10).map { Shop.Tag(id: $0, name: "tag \($0)", context: context) }
            for id in 0..<(count + 9) / 10 {
                let product = Product(id: id, name: "product \(id)", context: context)
                product.tags.insert(contentsOf: [tags[id % 10], tags[(id + 3) % 10]])
                product.image = Image(id: id, url: URL(fileURLWithPath: "/\(id)"), context: context)
            }
            for id in 0..<count {
                let review = ProductReview(id: id, name: "name", reviewText: "text", context: context)
                review.productID = id / 10
            }
            try context.save()
        }
        return store
    }

    @Test("A thousand reviews and their products take two queries")
    func thousand() async throws {
        let counter = StatementCounter()
        let store = try await shop(reviews: 1000, counter)
        try await store.perform { context in
            var names: Set<String> = []
            let queries = try counter.queries {
                let reviews = try context.fetch(ProductReview.prefetch(\.product))
                for review in reviews { names.insert(review.product?.name ?? "none") }
            }
            #expect(queries.count == 2, "\(queries)")
            #expect(names.count == 100)
        }
    }

    @Test("Thirty thousand keys are one statement, of numbers and of texts alike")
    func manyKeys() async throws {
        let counter = StatementCounter()
        let store = try Store(KitchenSinkSchema.self, at: .inMemory, configuration: counter.configuration)
        try await store.perform { context in
            for index in 0..<30_000 {
                let folder = LocalFolder(id: UUID(), title: "\(index)", context: context)
                LocalNote(id: UUID(), text: "note", folder: folder, context: context)
            }
            try context.save()
        }
        try await store.perform { context in
            var found = 0
            let queries = try counter.queries {
                for note in try context.fetch(LocalNote.prefetch(\.folder)) where note.folder.recordState == .stored {
                    found += 1
                }
            }
            #expect(queries.count == 2)
            #expect(found == 30_000)
        }
    }

    @Test("Keys that JSON cannot represent exactly are arguments: thirty thousand in one statement, too")
    func manyOddKeys() async throws {
        let counter = StatementCounter()
        let store = try Store(KitchenSinkSchema.self, at: .inMemory, configuration: counter.configuration)
        try await store.perform { context in
            for index in 0..<30_000 { Label(id: "\u{1}\(index)", context: context) }
            let person = Person(name: "n", country: "\u{1}", number: 1, context: context)
            Everything(name: "t", id: 1, days: [], owner: person, labels: [], context: context)
            try context.save()
        }
        try await store.perform { context in
            let thing = try #require(try Everything.find(1, in: context))
            let last = try #require(try Label.find("\u{1}29999", in: context))
            thing.labels.insert(last)
            try context.save()
        }
        try await store.perform { context in
            var linked: [Label] = []
            let queries = try counter.queries {
                linked = try context.fetch(Label.prefetch(\.things)).filter { !$0.things.isEmpty }
            }
            #expect(queries.count == 2)
            #expect(linked.map(\.id) == ["\u{1}29999"])
        }
    }

    @Test("Several paths share their common prefix; each level is one query")
    func nested() async throws {
        let counter = StatementCounter()
        let store = try await shop(reviews: 100, counter)
        try await store.perform { context in
            var count = 0
            let queries = try counter.queries {
                let request = ProductReview.order(\.id).prefetch(\.product.tags).prefetch(\.product.image)
                for review in try context.fetch(request) {
                    count += (review.product?.tags.count ?? 0) + (review.product?.image == nil ? 0 : 1)
                }
            }
            #expect(queries.count == 4, "\(queries)")
            #expect(count == 300)
        }
        try await store.perform { context in
            let queries = try counter.queries {
                let tags = try context.fetch(Shop.Tag.prefetch(\.products.productReviews))
                #expect(tags.reduce(0) { $0 + $1.products.reduce(0) { $0 + $1.productReviews.count } } == 200)
            }
            #expect(queries.count == 3, "\(queries)")
        }
    }

    @Test("Relationships of existing objects can be loaded, including new objects")
    func atHand() async throws {
        let counter = StatementCounter()
        let store = try await shop(reviews: 100, counter)
        try await store.perform { context in
            var reviews = try context.fetch(ProductReview.order(\.id))
            reviews.append(ProductReview(id: 100, name: "new", reviewText: "", context: context))
            reviews[100].productID = 3
            try context.prefetch(\.product.tags, of: reviews)
            let queries = counter.queries {
                #expect(reviews.map { $0.product?.id } == reviews.map { $0.id == 100 ? 3 : $0.id / 10 })
                #expect(reviews.allSatisfy { $0.product?.tags.count == 2 })
            }
            #expect(queries.isEmpty)
        }
    }

    @Test("A request can be refined after prefetch as before it")
    func refined() async throws {
        let store = try await shop(reviews: 40, StatementCounter())
        try await store.perform { context in
            let request = ProductReview.prefetch(\.product).filter { $0.id >= 10 }.order(\.id.desc).limit(5, offset: 1)
            let fetched = try context.fetch(request).map(\.id)
            #expect(fetched == [38, 37, 36, 35, 34])
            let reversed = try context.fetch(request.reversed()).map(\.id)
            #expect(reversed == [11, 12, 13, 14, 15])
            let first = try context.first(request)
            #expect(first?.product?.id == 3)
            let count = try context.count(ProductReview.prefetch(\.product).filter { $0.id >= 10 })
            #expect(count == 30)
        }
    }

    @Test("Prefetched objects are retained, and the key remains authoritative")
    func keyIsTheTruth() async throws {
        let counter = StatementCounter()
        let store = try await shop(reviews: 40, counter)
        try await store.perform { context in
            let review = try #require(try context.first(ProductReview.filter { $0.id == 0 }.prefetch(\.product)))
            weak let first = review.product
            let held = counter.queries { #expect(review.product === first && first != nil) }
            #expect(held.isEmpty)

            review.productID = 2
            #expect(review.product?.id == 2)
            review.productID = 0
            let again = counter.queries { #expect(review.product === first && first != nil) }
            #expect(again.isEmpty)

            context.delete(try #require(review.product))
            #expect(review.product == nil)
            context.rollback()
            review.productID = 77
            #expect(review.product == nil)
        }
    }

    @MainActor
    @Test("Objects that retain each other are released by reset")
    func circles() async throws {
        let context = try await shop(reviews: 20, StatementCounter()).mainContext
        weak var review: ProductReview?
        weak var product: Product?
        do {
            let reviews = try context.fetch(ProductReview.prefetch(\.product.productReviews))
            (review, product) = (reviews.first, reviews.first?.product)
        }
        #expect(review != nil && product != nil)
        context.reset()
        #expect(review == nil && product == nil)
    }

    @MainActor
    @Test("The next fetch sees saves of others, whatever was prefetched before")
    func othersWrite() async throws {
        let store = try await shop(reviews: 30, StatementCounter())
        let context = store.mainContext
        let request = ProductReview.order(\.id).prefetch(\.product.productReviews).prefetch(\.product.tags)
        let before = try context.fetch(request)
        try await store.perform { context in
            let reviews = try context.fetch(ProductReview.order(\.id))
            reviews[0].productID = 2
            reviews[1].productID = 70
            reviews[29].product.map(context.delete)
            reviews[2].product?.tags.removeAll()
            Product(id: 80, name: "new", context: context)
            try context.save()
            reviews[10].productID = 80
            try context.save()
        }
        let after = try context.fetch(request)
        // The deleted product has cascaded to its reviews, including the new one.
        #expect(after.map(\.id) == Array(1..<20))
        #expect(zip(before.dropFirst(), after).allSatisfy { $0 === $1 })
        let expected = [nil] + Array(repeating: 0, count: 8) + [80] + Array(repeating: 1, count: 9)
        #expect(after.map { $0.product?.id } == expected)
        #expect(after[1].product?.tags.count == 0)
        #expect(after[1].product?.productReviews.map(\.id) == [2, 3, 4, 5, 6, 7, 8, 9])
        #expect(after[10].product?.productReviews.map(\.id) == [11, 12, 13, 14, 15, 16, 17, 18, 19])
    }

    @Test("A missing record is found once it was inserted")
    func absent() async throws {
        let counter = StatementCounter()
        let store = try await shop(reviews: 1, counter)
        try await store.perform { context in
            for id in 1...50 {
                ProductReview(id: id, name: "a", reviewText: "b", context: context).productID = 1000 + id
            }
            try context.save()
        }
        try await store.perform { context in
            var reviews: [ProductReview] = []
            let queries = try counter.queries {
                reviews = try context.fetch(ProductReview.filter { $0.id > 0 }.prefetch(\.product))
                for review in reviews { #expect(review.product == nil) }
            }
            #expect(queries.count == 2)
            let review = try #require(reviews.first { $0.id == 7 })
            let made = Product(id: 1007, name: "late", context: context)
            #expect(review.product === made)
            try context.save()
            #expect(review.product === made)
        }
    }

    @Test("Embedded trees, composite keys and texts with NUL in them")
    func keys() async throws {
        let counter = StatementCounter()
        let store = try Store(KitchenSinkSchema.self, at: .inMemory, configuration: counter.configuration)
        try await store.perform { context in
            for index in 0..<6 {
                let country = index % 2 == 0 ? "a\u{1}b\(index)" : "é\u{301}"
                let person = Person(name: "n\(index)", country: country, number: index, context: context)
                let thing = Everything(name: "t", id: index, days: [], owner: person, context: context)
                thing.slug = Slug(stored: "s\(index)")
                thing.labels.insert(Label(id: "l\u{1}\(index)", context: context))
                thing.labels.insert(Label(id: "m\(index)", context: context))
            }
            try context.save()
        }
        try await store.perform { context in
            let queries = try counter.queries {
                let things = try context.fetch(Everything.order(\.id).prefetch(\.owner).prefetch(\.labels))
                for (index, thing) in things.enumerated() {
                    #expect(thing.owner.number == index)
                    #expect(thing.owner.recordState == .stored)
                    #expect(thing.labels.map(\.id) == ["l\u{1}\(index)", "m\(index)"])
                }
            }
            #expect(queries.count == 3, "\(queries)")
        }
        try await store.perform { context in
            let queries = try counter.queries {
                let people = try context.fetch(Person.prefetch(\.things))
                #expect(people.map(\.things.count) == [1, 1, 1, 1, 1, 1])
                let labels = try context.fetch(Label.prefetch(\.things))
                #expect(labels.allSatisfy { $0.things.count == 1 })
            }
            #expect(queries.count == 4, "\(queries)")
        }
    }
}
