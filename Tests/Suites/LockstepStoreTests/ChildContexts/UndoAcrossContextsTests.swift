import Foundation
import KitchenSink
import LockstepStore
import SampleTypes
import Shop
import Testing

@Suite("Undo and child contexts") @MainActor
struct UndoAcrossContextsTests {
    private let context: ManagedObjectContext
    private let history: UndoHistory
    private let shirt: Product

    init() throws {
        context = try Store(ShopSchema.self, at: .inMemory).mainContext
        shirt = Product(id: 1, name: "Shirt", context: context)
        try context.save()
        history = context.enableUndo()
    }

    @Test("a child shows what its parent has undone and redone")
    func childFollows() throws {
        let child = context.makeChild()
        let copy = try #require(try child.find(Product.self, 1))
        shirt.name = "Tee"
        #expect(try child.find(Product.self, 1)?.name == "Tee")
        history.undo()
        #expect(try child.find(Product.self, 1)?.name == "Shirt")
        history.redo()
        #expect(try child.find(Product.self, 1)?.name == "Tee" && copy.name == "Tee")
    }

    @Test("a record undone by its parent is removed from a child, and exists again after a redo")
    func childFollowsRecords() throws {
        let child = context.makeChild()
        Product(id: 2, name: "Shoes", context: context)
        let copy = try #require(try child.find(Product.self, 2))
        history.undo()
        #expect(try child.find(Product.self, 2) == nil)
        #expect(copy.recordState == .deleted)
        history.redo()
        #expect(try child.find(Product.self, 2)?.name == "Shoes")
        context.delete(shirt)
        #expect(try child.find(Product.self, 1) == nil)
        history.undo()
        #expect(try child.find(Product.self, 1)?.name == "Shirt")
    }

    @Test("links undone by its parent are removed from a child")
    func childFollowsLinks() throws {
        let tag = Shop.Tag(id: 1, name: "blue", context: context)
        let child = context.makeChild()
        let copy = try #require(try child.find(Product.self, 1))
        shirt.tags.insert(tag)
        _ = try child.find(Product.self, 1)
        #expect(copy.tags.map(\.id) == [1])
        history.undo()
        _ = try child.find(Product.self, 1)
        #expect(copy.tags.isEmpty)
    }

    @Test("a child's save is one step of its parent, which the child picks up")
    func childSave() throws {
        let child = context.makeChild()
        let copy = try #require(try child.find(Product.self, 1))
        copy.name = "Tee"
        copy.stock = 3
        ProductReview(id: 1, name: "R", reviewText: "", product: copy, context: child)
        try child.save()
        #expect(shirt.name == "Tee" && shirt.productReviews.count == 1)
        history.undo()
        #expect(shirt.name == "Shirt" && shirt.stock == 0 && shirt.productReviews.isEmpty && !context.hasChanges)
        #expect(!history.canUndo)
        #expect(try child.find(Product.self, 1) === copy)
        #expect(copy.name == "Shirt" && copy.stock == 0 && copy.productReviews.isEmpty)
        copy.stock = 4
        try child.save()
        #expect(shirt.name == "Shirt" && shirt.stock == 4)
    }

    @Test("the history of a released child has nothing to undo")
    func goneChild() throws {
        var child: ManagedObjectContext? = context.makeChild()
        let history = try #require(child?.enableUndo())
        let copy = try #require(try child?.find(Product.self, 1))
        copy.name = "Tee"
        history.beginGroup()
        copy.stock = 2
        child = nil
        #expect(copy.recordState == .deleted && !history.canUndo && !history.undo())
        history.endGroup()
        history.group { copy.name = "Gone" }
        #expect(!history.canUndo && !history.canRedo && !history.undo() && !history.redo())
    }

    @Test("the inserts of a failed findOrInsert are not a step")
    func findOrInsert() throws {
        struct Refused: Error {}
        let tags = Shop.Tag.filter { $0.name == "blue" }
        var tag: Shop.Tag?
        #expect(throws: Refused.self) {
            try context.findOrInsert(tags) { context in
                tag = Shop.Tag(id: 1, name: "blue", context: context)
                throw Refused()
            }
        }
        #expect(!context.hasChanges && tag?.recordState == .deleted)
        #expect(!history.canUndo)
        let made = try context.findOrInsert(tags) { context in
            let tag = Shop.Tag(id: 2, name: "red", context: context)
            tag.name = "blue"
            return tag
        }
        history.undo()
        #expect(made.recordState == .deleted && !history.canUndo && !context.hasChanges)
    }
}

@Suite("Orders, and undo of other changes") @MainActor
struct OrdersAcrossContextsTests {
    private let store: Store
    private let context: ManagedObjectContext
    private let thing: Everything

    init() throws {
        store = try Store(KitchenSinkSchema.self, at: .inMemory)
        context = store.mainContext
        let context = context
        let owner = Person(name: "P", country: "CH", number: 1, context: context)
        let labels = ["a", "b", "c"].map { Label(id: $0, context: context) }
        thing = Everything(
            name: "T", id: 1, slug: .init(stored: "s"), days: [], owner: owner, labels: labels, context: context)
        try context.save()
    }

    private func names(_ thing: Everything) -> [String] { thing.labels.map(\.id) }

    @Test("a child saves its order to the parent after an undo of another change")
    func childOrder() throws {
        let child = context.makeChild()
        let copy = try #require(try child.find(Everything.self, 1))
        let history = child.enableUndo()
        copy.labels.replaceAll(with: copy.labels.reversed())
        copy.name = "U"
        history.undo()
        try child.save()
        #expect(names(thing) == ["c", "b", "a"])
        #expect(names(copy) == ["c", "b", "a"])
    }

    @Test("a child saves its order to the parent after a refresh")
    func childOrderAfterRefresh() throws {
        let child = context.makeChild()
        let copy = try #require(try child.find(Everything.self, 1))
        copy.labels.replaceAll(with: copy.labels.reversed())
        try child.refresh(copy)
        try child.save()
        #expect(names(thing) == ["c", "b", "a"])
    }

    @Test("the parent's undo restores the order before the child's")
    func parentOrder() throws {
        let history = context.enableUndo()
        thing.labels.replaceAll(with: [thing.labels[1], thing.labels[0], thing.labels[2]])
        #expect(names(thing) == ["b", "a", "c"])
        let child = context.makeChild()
        let copy = try #require(try child.find(Everything.self, 1))
        #expect(names(copy) == ["b", "a", "c"])
        copy.labels.replaceAll(with: copy.labels.reversed())
        try child.save()
        #expect(names(thing) == ["c", "a", "b"])
        history.undo()
        #expect(names(thing) == ["b", "a", "c"])
        _ = try child.find(Everything.self, 1)
        #expect(names(copy) == ["b", "a", "c"])
        history.redo()
        #expect(names(thing) == ["c", "a", "b"])
        history.undo()
        history.undo()
        #expect(names(thing) == ["a", "b", "c"] && !context.hasChanges)
    }

    @Test("an order is saved after an undo of another change")
    func plainOrder() throws {
        let history = context.enableUndo()
        thing.labels.replaceAll(with: thing.labels.reversed())
        thing.name = "U"
        history.undo()
        try context.save()
        context.reset()
        #expect(names(thing) == ["c", "b", "a"])
    }
}
