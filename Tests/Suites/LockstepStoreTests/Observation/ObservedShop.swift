import Foundation
import LockstepStore
import Observation
import Shop
import Testing

/// Two products with what belongs to them, saved.
@MainActor struct ObservedShop {
    let store: Store
    let lamp: Product
    let chair: Product
    let lampReview: ProductReview
    let chairReview: ProductReview

    init() throws {
        store = try Store(ShopSchema.self, at: .inMemory)
        let context = store.mainContext
        lamp = Product(id: 1, name: "Lamp", context: context)
        chair = Product(id: 2, name: "Chair", context: context)
        lampReview = ProductReview(id: 10, name: "Ann", reviewText: "bright", product: lamp, context: context)
        chairReview = ProductReview(id: 20, name: "Ben", reviewText: "soft", product: chair, context: context)
        Shop.Tag(id: 100, name: "home", products: [lamp, chair], context: context)
        try context.save()
    }

    var context: ManagedObjectContext { store.mainContext }

    func tag() throws -> Shop.Tag { try Shop.Tag.find(100, in: context)! }

    /// Changes the store with another context, and lets the main one pick that up.
    func elsewhere(_ change: @escaping @Sendable (ManagedObjectContext) throws -> Void) async throws {
        try await store.perform { context in
            try change(context)
            try context.save()
        }
        _ = try context.count(Product.all())
    }
}

/// Whether something that was read in tracked code has changed since.
@MainActor final class TrackedRead {
    private(set) var runsAgain = false

    init(_ read: () -> Void) {
        withObservationTracking(read, onChange: { MainActor.assumeIsolated { self.runsAgain = true } })
    }
}

/// What is read, what is then changed, and whether a view that has read it runs again.
struct ObservedCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let runsAgain: Bool
    let read: @MainActor (ObservedShop) -> Void
    let change: @MainActor (ObservedShop) async throws -> Void

    init(
        _ description: String, _ runsAgain: Bool, read: @escaping @MainActor (ObservedShop) -> Void,
        change: @escaping @MainActor (ObservedShop) async throws -> Void
    ) {
        testDescription = description
        self.runsAgain = runsAgain
        self.read = read
        self.change = change
    }
}

extension ObservedCase {
    static let all = attributes + relationships + states

    private static let attributes = [
        ObservedCase("an attribute, edited", true, read: { _ = $0.lamp.name }, change: { $0.lamp.name = "Lantern" }),
        ObservedCase(
            "an attribute, set to the same", false, read: { _ = $0.lamp.name }, change: { $0.lamp.name = "Lamp" }),
        ObservedCase("an attribute, another edited", false, read: { _ = $0.lamp.name }, change: { $0.lamp.stock = 5 }),
        ObservedCase(
            "an attribute, of another record", false, read: { _ = $0.lamp.name }, change: { $0.chair.name = "Stool" }),
        ObservedCase(
            "an attribute, saved elsewhere", true, read: { _ = $0.lamp.name },
            change: { try await $0.elsewhere { try Product.find(1, in: $0)?.name = "Lantern" } }),
        ObservedCase(
            "an attribute, another saved elsewhere", false, read: { _ = $0.lamp.name },
            change: { try await $0.elsewhere { try Product.find(1, in: $0)?.stock = 7 } }),
        ObservedCase(
            "an attribute, of another record saved elsewhere", false, read: { _ = $0.lamp.name },
            change: { try await $0.elsewhere { try Product.find(2, in: $0)?.name = "Stool" } }),
        ObservedCase(
            "an attribute, changed by SQL", true, read: { _ = $0.lamp.name },
            change: { shop in
                try await shop.store.writer.write { try $0.execute(sql: "UPDATE product SET name = 'x' WHERE id = 1") }
                _ = try shop.context.count(Product.all())
            }),
        ObservedCase(
            "an attribute, edited in a child", true, read: { _ = $0.lamp.name },
            change: { shop in
                let child = shop.context.makeChild()
                try Product.find(1, in: child)?.name = "Lantern"
                try await child.save()
            }),
        ObservedCase(
            "an attribute, edited in a child that is not saved", false, read: { _ = $0.lamp.name },
            change: { shop in try Product.find(1, in: shop.context.makeChild())?.name = "Lantern" }),
        ObservedCase(
            "a value, edited", true, read: { _ = $0.lamp.representation }, change: { $0.lamp.stock = 5 }),
        ObservedCase(
            "a value, of another record", false, read: { _ = $0.lamp.representation }, change: { $0.chair.stock = 5 }),
    ]

    private static let relationships = [
        ObservedCase(
            "a to-one, linked elsewhere", true, read: { _ = $0.lampReview.product },
            change: { $0.lampReview.product = $0.chair }),
        ObservedCase(
            "a to-one, another record's", false, read: { _ = $0.lampReview.product },
            change: { $0.chairReview.product = nil }),
        ObservedCase(
            "a to-one and its name, renamed", true, read: { _ = $0.lampReview.product?.name },
            change: { $0.lamp.name = "Lantern" }),
        ObservedCase(
            "a to-one, deleted", true, read: { _ = $0.lampReview.product }, change: { $0.context.delete($0.lamp) }),
        ObservedCase(
            "a to-one that is not there yet, inserted elsewhere", true,
            read: { shop in
                shop.lampReview.productID = 3
                _ = shop.lampReview.product
            },
            change: { try await $0.elsewhere { Product(id: 3, name: "Desk", context: $0) } }),
        ObservedCase(
            "a to-one that is not there yet, another inserted elsewhere", false,
            read: { shop in
                shop.lampReview.productID = 3
                _ = shop.lampReview.product
            },
            change: { try await $0.elsewhere { Product(id: 4, name: "Desk", context: $0) } }),
        ObservedCase(
            "an inverse to-one, set from the other end", true, read: { _ = $0.lamp.image },
            change: { shop in Image(id: 1, url: URL(filePath: "/a"), pictured: shop.lamp, context: shop.context) }),
        ObservedCase(
            "an inverse to-one, of another record", false, read: { _ = $0.lamp.image },
            change: { shop in Image(id: 1, url: URL(filePath: "/a"), pictured: shop.chair, context: shop.context) }),
        ObservedCase(
            "a to-many, a member added", true, read: { _ = $0.lamp.productReviews.count },
            change: { ProductReview(id: 11, name: "C", reviewText: "", product: $0.lamp, context: $0.context) }),
        ObservedCase(
            "a to-many, a member added to another", false, read: { _ = $0.lamp.productReviews.count },
            change: { ProductReview(id: 11, name: "C", reviewText: "", product: $0.chair, context: $0.context) }),
        ObservedCase(
            "a to-many, a member edited", false, read: { _ = $0.lamp.productReviews.count },
            change: { $0.lampReview.name = "Anna" }),
        ObservedCase(
            "a to-many, a member moved away from its own end", true, read: { _ = $0.lamp.productReviews.map(\.id) },
            change: { $0.lampReview.product = $0.chair }),
        ObservedCase(
            "a to-many, a member deleted", true, read: { _ = $0.lamp.productReviews.isEmpty },
            change: { $0.context.delete($0.lampReview) }),
        ObservedCase(
            "a to-many, a member added elsewhere", true, read: { _ = $0.lamp.productReviews.count },
            change: {
                try await $0.elsewhere {
                    ProductReview(id: 11, name: "C", reviewText: "", product: try Product.find(1, in: $0), context: $0)
                }
            }),
        ObservedCase(
            "a to-many, a member added to another elsewhere", false, read: { _ = $0.lamp.productReviews.count },
            change: {
                try await $0.elsewhere {
                    ProductReview(id: 11, name: "C", reviewText: "", product: try Product.find(2, in: $0), context: $0)
                }
            }),
        ObservedCase(
            "a to-many, something else changed elsewhere", false, read: { _ = $0.lamp.productReviews.count },
            change: { try await $0.elsewhere { try Product.find(2, in: $0)?.stock = 3 } }),
        ObservedCase(
            "an ordered to-many, a member moved", true,
            read: { shop in
                shop.lamp.images.insert(
                    contentsOf: (1...2).map { Picture(id: $0, url: URL(filePath: "/a"), context: shop.context) })
                _ = shop.lamp.images.map(\.id)
            },
            change: { $0.lamp.images.insert($0.lamp.images[1], at: 0) }),
        ObservedCase(
            "a many-to-many, a link removed from the other end", true, read: { _ = $0.lamp.tags.count },
            change: { try $0.tag().products.remove($0.lamp) }),
        ObservedCase(
            "a many-to-many, a link of another removed", false, read: { _ = $0.lamp.tags.count },
            change: { try $0.tag().products.remove($0.chair) }),
        ObservedCase(
            "a many-to-many, a link added elsewhere", true, read: { _ = $0.lamp.tags.count },
            change: {
                try await $0.elsewhere {
                    Shop.Tag(id: 101, name: "b", products: [try Product.find(1, in: $0)!], context: $0)
                }
            }),
    ]

    private static let states = [
        ObservedCase(
            "unsaved changes, an edit", true, read: { _ = $0.context.hasChanges }, change: { $0.lamp.name = "x" }),
        ObservedCase(
            "unsaved changes, one more edit", false,
            read: { shop in
                shop.lamp.name = "x"
                _ = shop.context.hasChanges
            }, change: { $0.lamp.stock = 3 }),
        ObservedCase(
            "unsaved changes, saved", true,
            read: { shop in
                shop.lamp.name = "x"
                _ = shop.context.hasChanges
            }, change: { try await $0.context.save() }),
        ObservedCase(
            "unsaved changes, rolled back", true,
            read: { shop in
                shop.lamp.name = "x"
                _ = shop.context.hasChanges
            }, change: { $0.context.rollback() }),
        ObservedCase(
            "unsaved changes, saved elsewhere", false, read: { _ = $0.context.hasChanges },
            change: { try await $0.elsewhere { try Product.find(1, in: $0)?.stock = 7 } }),
        ObservedCase(
            "an attribute, rolled back", true,
            read: { shop in
                shop.lamp.name = "x"
                _ = shop.lamp.name
            }, change: { $0.context.rollback() }),
        ObservedCase(
            "an attribute, saved as it is", false,
            read: { shop in
                shop.lamp.name = "x"
                _ = shop.lamp.name
            }, change: { try await $0.context.save() }),
        ObservedCase(
            "an attribute, undone", true,
            read: { shop in
                shop.context.enableUndo()
                shop.lamp.name = "x"
                _ = shop.lamp.name
            }, change: { $0.context.undoHistory?.undo() }),
        ObservedCase(
            "a to-many, undone", true,
            read: { shop in
                shop.context.enableUndo()
                shop.lampReview.product = nil
                _ = shop.lamp.productReviews.count
            }, change: { $0.context.undoHistory?.undo() }),
        ObservedCase(
            "a to-many, rolled back", true,
            read: { shop in
                shop.lampReview.product = nil
                _ = shop.lamp.productReviews.count
            }, change: { $0.context.rollback() }),
        ObservedCase(
            "a record's state, deleted", true, read: { _ = $0.lamp.recordState }, change: { $0.context.delete($0.lamp) }
        ),
        ObservedCase(
            "a record's state, deleted elsewhere", true, read: { _ = $0.lamp.recordState },
            change: { try await $0.elsewhere { $0.delete(try Product.find(1, in: $0)!) } }),
        ObservedCase(
            "a record's state, of another", false, read: { _ = $0.lamp.recordState }, change: { $0.chair.stock = 2 }),
        ObservedCase(
            "whether a record is synced, edited", true, read: { _ = $0.lamp.isSynced }, change: { $0.lamp.stock = 2 }),
        ObservedCase(
            "whether a record is synced, with a link removed and saved", true, read: { _ = $0.lamp.isSynced },
            change: { shop in
                try shop.lamp.tags.remove(shop.tag())
                try await shop.context.save()
            }),
        ObservedCase(
            "whether a record is synced, with a link of another removed and saved", false,
            read: { _ = $0.chair.isSynced },
            change: { shop in
                try shop.lamp.tags.remove(shop.tag())
                try await shop.context.save()
            }),
        ObservedCase(
            "whether a record is synced, with a link removed elsewhere", true, read: { _ = $0.lamp.isSynced },
            change: { shop in
                try await shop.elsewhere { context in
                    let lamp = try Product.find(1, in: context)
                    lamp?.tags.removeAll()
                }
            }),
        ObservedCase(
            "an attribute, read again after it was changed elsewhere", true, read: { _ = $0.lamp.name },
            change: { shop in
                try await shop.store.writer.write { try $0.execute(sql: "UPDATE product SET name = 'x' WHERE id = 1") }
                try shop.context.refresh(shop.lamp)
            }),
    ]
}
