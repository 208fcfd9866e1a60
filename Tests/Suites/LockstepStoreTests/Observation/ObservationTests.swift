import KitchenSink
@_spi(Generated) import LockstepStore
import Observation
import Shop
import Testing

@MainActor @Suite("What a view has read makes it run again if it changes, and nothing else does")
struct ObservationTests {
    @Test("Each read and each change", arguments: ObservedCase.all)
    func observed(_ example: ObservedCase) async throws {
        let shop = try ObservedShop()
        // The saved records of the store are all that the context knows.
        try await shop.context.save()
        let read = TrackedRead { example.read(shop) }
        #expect(!read.runsAgain)
        try await example.change(shop)
        #expect(read.runsAgain == example.runsAgain)
    }

    @Test("A view that runs again sees the next change, too")
    func again() throws {
        let shop = try ObservedShop()
        for name in ["a", "b", "c"] {
            let attribute = TrackedRead { _ = shop.lamp.name }
            let members = TrackedRead { _ = shop.lamp.productReviews.count }
            shop.lamp.name = name
            ProductReview(
                id: shop.lamp.productReviews.count + 30, name: "", reviewText: "", product: shop.lamp,
                context: shop.context)
            #expect(attribute.runsAgain && members.runsAgain)
        }
    }

    @Test("Models can be bound, and transient attributes are followed")
    func bindable() throws {
        func observe<Object: Observable>(_ object: Object) -> Object { object }
        let shop = try ObservedShop()
        #expect(observe(shop.lamp) === shop.lamp)
        #expect(observe(shop.context) === shop.context)
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        let owner = KitchenSink.Person(name: "P", country: "ch", number: 1, context: store.mainContext)
        let everything = Everything(name: "E", id: 1, days: [], owner: owner, context: store.mainContext)
        let read = TrackedRead { _ = everything.draft }
        everything.draft = "x"
        #expect(read.runsAgain)
    }

    @Test("A record that was read through a relationship is followed, though the view does not have it")
    func readThroughRelationship() async throws {
        let shop = try ObservedShop()
        let review = ProductReview(id: 40, name: "", reviewText: "", product: shop.lamp, context: shop.context)
        try await shop.context.save()
        let store = shop.store
        let context = store.mainContext
        for name in ["Lantern", "Torch"] {
            let read = TrackedRead { _ = review.product?.name }
            try await store.perform { context in
                try #require(try Product.find(1, in: context)).name = name
                try context.save()
            }
            _ = try context.count(Product.all())
            #expect(read.runsAgain && review.product?.name == name)
        }
    }

    @Test("A child's objects are followed, those of a context off the main actor are not")
    func contexts() async throws {
        let shop = try ObservedShop()
        let child = shop.context.makeChild()
        let lamp = try #require(try Product.find(1, in: child))
        let read = TrackedRead { _ = lamp.name }
        lamp.name = "Lantern"
        #expect(read.runsAgain)
        let isTold = try await shop.store.perform { context in
            let lamp = try #require(try Product.find(1, in: context))
            let isTold = Flag()
            withObservationTracking {
                _ = lamp.name
            } onChange: {
                isTold.isRaised = true
            }
            lamp.name = "Lantern"
            return isTold.isRaised
        }
        #expect(!isTold)
    }

    @Test("What is called when something changes goes away with the object, even if nothing has changed")
    func closures() throws {
        let shop = try ObservedShop()
        weak var screen: Flag?
        do {
            let draft = shop.context.makeChild()
            let lamp = try #require(try Product.find(1, in: draft))
            let flag = Flag()
            screen = flag
            withObservationTracking {
                _ = (lamp.name, lamp.productReviews.count, draft.hasChanges)
            } onChange: {
                flag.isRaised = true
            }
        }
        #expect(screen == nil)
    }

    @Test("A change that an observer makes is told to other observers")
    func changesOfObservers() throws {
        let shop = try ObservedShop()
        let reviews = TrackedRead { _ = shop.chair.productReviews.count }
        withObservationTracking {
            _ = shop.lamp.productReviews.count
        } onChange: {
            MainActor.assumeIsolated { shop.chairReview.product = nil }
        }
        shop.lampReview.product = nil
        #expect(reviews.runsAgain)
    }

    @Test("What a view shows counts until it runs again, even if another one reads the changed relationship before")
    func twoReaders() throws {
        let shop = try ObservedShop()
        let first = TrackedRead { _ = shop.lamp.productReviews.count }
        shop.context.beginChange()
        shop.lampReview.product = nil
        let second = TrackedRead { _ = shop.lamp.productReviews.count }
        shop.context.endChange()
        #expect(first.runsAgain)
        _ = second
    }

    @Test("What was observed keeps no context alive")
    func lifetime() throws {
        let shop = try ObservedShop()
        weak var child: ManagedObjectContext?
        do {
            let draft = shop.context.makeChild()
            child = draft
            let lamp = try #require(try Product.find(1, in: draft))
            let read = TrackedRead { _ = lamp.productReviews.map(\.product?.name) }
            lamp.name = "Lantern"
            #expect(read.runsAgain)
        }
        #expect(child == nil)
    }
}
