import Foundation
import GRDB
import LockstepStore
import Observation
import Shop
import Testing

@Suite("The undo history") @MainActor
struct UndoHistoryTests {
    private let store: Store
    private let context: ManagedObjectContext
    private let history: UndoHistory
    private let shirt: Product
    private let shoes: Product
    private static let url = SchemaLiteral.url("https://example.com/a")

    init() throws {
        store = try Store(ShopSchema.self, at: .inMemory)
        context = store.mainContext
        shirt = Product(id: 1, name: "Shirt", context: context)
        shoes = Product(id: 2, name: "Shoes", context: context)
        try context.save()
        history = context.enableUndo()
    }

    private var changesSoFar: Int { get throws { try store.writer.read { $0.totalChangesCount } } }

    @Test("exists only if it was enabled")
    func off() throws {
        let other = try Store(ShopSchema.self, at: .inMemory).mainContext
        #expect(other.undoHistory == nil)
        let history = other.enableUndo(levels: 3)
        #expect(other.undoHistory === history && other.enableUndo(levels: 5) === history && history.levels == 5)
        Shop.Tag(id: 1, name: "blue", context: other)
        other.disableUndo()
        #expect(other.undoHistory == nil && other.hasChanges)
    }

    @Test("undoes an attribute, and leaves nothing to save")
    func attribute() throws {
        let before = try changesSoFar
        shirt.name = "Tee"
        shirt.price = 9.5
        #expect(history.undo())
        #expect(shirt.name == "Tee" && shirt.price == 0 && shirt.recordState == .changed)
        #expect(history.undo())
        #expect(shirt.name == "Shirt" && shirt.recordState == .stored && !context.hasChanges)
        #expect(!history.canUndo && history.canRedo && !history.undo())
        #expect(history.redo() && history.redo() && !history.redo())
        #expect(shirt.name == "Tee" && shirt.price == 9.5 && context.hasChanges)
        history.undo()
        history.undo()
        try context.save()
        #expect(try changesSoFar == before)
    }

    @Test("undoes only columns, so that the next save writes only the others")
    func columns() throws {
        shirt.name = "Tee"
        shirt.stock = 3
        history.undo()
        try store.writer.write { try $0.execute(sql: "UPDATE product SET stock = 7 WHERE id = 1") }
        try context.save()
        let rows = try store.writer.read { try Row.fetchAll($0, sql: "SELECT name, stock FROM product WHERE id = 1") }
        #expect(rows == [["name": "Tee", "stock": 7]])
    }

    @Test("undoes a new record with its links, and redoes the same one")
    func insertion() throws {
        let tag = Shop.Tag(id: 1, name: "blue", products: [shirt, shoes], context: context)
        #expect(history.undo())
        #expect(tag.recordState == .deleted && shirt.tags.isEmpty && !context.hasChanges)
        #expect(try context.find(Shop.Tag.self, 1) == nil)
        #expect(!history.canUndo)
        #expect(history.redo())
        #expect(try context.find(Shop.Tag.self, 1) === tag)
        #expect(shirt.tags.map(\.id) == [1] && tag.products.count == 2)
        try context.save()
        #expect(try store.writer.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM product_tag") } == 2)
    }

    @Test("undoes a delete with all its cascades, as one step")
    func cascade() throws {
        for id in 1...3 { ProductReview(id: id, name: "R", reviewText: "", product: shirt, context: context) }
        let image = Image(id: 1, url: Self.url, pictured: shirt, context: context)
        Shop.Tag(id: 1, name: "blue", products: [shirt], context: context)
        try context.save()
        context.delete(shirt)
        #expect(image.recordState == .deleted && shoes.recordState == .stored)
        #expect(history.undo())
        #expect(!context.hasChanges && !history.canUndo)
        #expect(shirt.image === image && shirt.productReviews.map(\.id) == [1, 2, 3] && shirt.tags.count == 1)
        #expect(try context.find(Product.self, 1) === shirt)
        history.redo()
        try context.save()
        #expect(try store.writer.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM product_review") } == 0)
        #expect(image.recordState == .deleted)
    }

    @Test("undoes a record that replaced a deleted one, and then the delete")
    func replaced() throws {
        context.delete(shirt)
        let other = Product(id: 1, name: "Other", context: context)
        #expect(try context.find(Product.self, 1) === other)
        history.undo()
        #expect(try context.find(Product.self, 1) == nil)
        #expect(try context.fetch(Product.order(\.id)).map(\.id) == [2])
        history.undo()
        #expect(try context.find(Product.self, 1) === shirt)
        history.redo()
        history.redo()
        #expect(try context.find(Product.self, 1) === other)
        try context.save()
        #expect(
            try store.writer.read { try String.fetchOne($0, sql: "SELECT name FROM product WHERE id = 1") } == "Other")
    }

    @Test("counts all effects of one call as one step")
    func oneCall() throws {
        let pictures = (1...4).map { Picture(id: $0, url: Self.url, context: context) }
        shirt.images.insert(contentsOf: pictures)
        try context.save()
        shirt.images.insert(pictures[3], at: 0)
        #expect(shirt.images.map(\.id) == [4, 1, 2, 3])
        history.undo()
        #expect(shirt.images.map(\.id) == [1, 2, 3, 4] && !context.hasChanges && !history.canUndo)

        // From one owner to another: both ends, and the position.
        pictures[0].product = shoes
        history.undo()
        #expect(shirt.images.map(\.id) == [1, 2, 3, 4] && shoes.images.isEmpty && !history.canUndo)

        var value = shirt.representation
        value.name = "Tee"
        value.price = 3
        value.images?.removeLast()
        shirt.update(from: value)
        history.undo()
        #expect(shirt.name == "Shirt" && shirt.images.count == 4 && !context.hasChanges && !history.canUndo)
    }

    @Test("groups several changes under a name")
    func groups() {
        history.group("Rename All") {
            shirt.name = "A"
            history.group("Inner") { shoes.name = "B" }
            #expect(!history.canUndo && !history.undo())
        }
        history.beginGroup()
        shirt.stock = 1
        history.endGroup()
        #expect(history.undoName == nil && history.redoName == nil)
        history.undo()
        #expect(history.undoName == "Rename All")
        history.undo()
        #expect(shirt.name == "Shirt" && shoes.name == "Shoes" && history.redoName == "Rename All")
        history.endGroup()
        history.group("Nothing") {}
        #expect(!history.canUndo && history.redoName == "Rename All")
    }

    @Test("undoes a whole group if it throws, and only the inner group of nested ones")
    func throwing() throws {
        #expect(throws: Abandoned.self) {
            try history.group {
                shirt.name = "A"
                context.delete(shoes)
                Shop.Tag(id: 1, name: "blue", context: context)
                throw Abandoned()
            }
        }
        #expect(!context.hasChanges && !history.canUndo && !history.canRedo)
        #expect(shirt.name == "Shirt" && shoes.recordState == .stored)
        history.group {
            shirt.name = "A"
            try? history.group {
                shirt.name = "B"
                shirt.stock = 5
                throw Abandoned()
            }
            #expect(shirt.name == "A" && shirt.stock == 0)
        }
        history.undo()
        #expect(shirt.name == "Shirt" && !context.hasChanges)
    }

    @Test("drops the redo steps at a new change, and the oldest step beyond its levels")
    func limits() {
        history.levels = 2
        for stock in 1...4 { shirt.stock = stock }
        #expect(history.undo() && history.undo() && !history.undo())
        #expect(shirt.stock == 2 && history.canRedo)
        shirt.stock = 9
        #expect(!history.canRedo)
        history.undo()
        #expect(shirt.stock == 2 && context.hasChanges)
    }

    @Test(
        "is cleared by a save, a rollback and a reset, even in a group",
        arguments: ["save", "rollback", "reset", "clear"])
    func cleared(by call: String) throws {
        func clear() throws {
            switch call {
            case "save": try context.save()
            case "rollback": context.rollback()
            case "reset": context.reset()
            default: history.clear()
            }
        }
        shirt.stock = 1
        shirt.stock = 2
        history.undo()
        try clear()
        #expect(!history.canUndo && !history.canRedo)

        try history.group("Both") {
            shirt.stock = 3
            try clear()
            shirt.name = "Tee"
        }
        history.undo()
        #expect(shirt.name == "Shirt")
        #expect(shirt.stock == (call == "save" || call == "clear" ? 3 : 0))
    }

    @Test("is unchanged if a save fails")
    func failedSave() throws {
        shirt.name = "Tee"
        shoes.stock = -1
        #expect(throws: StoreError.self) { try context.save() }
        history.undo()
        #expect(shoes.stock == 0 && history.canRedo)
        try context.save()
        #expect(
            try store.writer.read { try String.fetchOne($0, sql: "SELECT name FROM product WHERE id = 1") } == "Tee")
    }

    @Test("is cleared if others have changed one of its records, rather than overwriting their values")
    func changedUnderneath() throws {
        shoes.name = "Boots"
        shirt.stock = 1
        try store.writer.write { try $0.execute(sql: "UPDATE product SET name = 'Theirs' WHERE id = 1") }
        _ = try context.fetch(Product.order(\.id))
        #expect(!history.canUndo && shirt.stock == 1 && shoes.name == "Boots" && shirt.name == "Theirs")
    }

    @Test("is cleared if others have deleted one of its records")
    func deletedUnderneath() throws {
        shirt.stock = 1
        history.undo()
        try store.writer.write { try $0.execute(sql: "DELETE FROM product WHERE id = 1") }
        #expect(try context.find(Product.self, 1) == nil)
        #expect(!history.canRedo && shirt.recordState == .deleted)
    }

    @Test("keeps values stored by others if a group throws afterwards")
    func changedUnderneathGroup() throws {
        #expect(throws: Abandoned.self) {
            try history.group {
                shirt.stock = 1
                try store.writer.write { try $0.execute(sql: "UPDATE product SET stock = 7 WHERE id = 1") }
                shirt.name = "Tee"
                _ = try context.fetch(Product.order(\.id))
                throw Abandoned()
            }
        }
        #expect(shirt.stock == 7 && shirt.name == "Shirt" && !context.hasChanges && !history.canUndo)
        history.group {
            shirt.stock = 8
            history.group { shoes.stock = 8 }
        }
        history.undo()
        #expect(shirt.stock == 7 && shoes.stock == 0)
    }

    @Test("is kept if others have changed other records, or the same values were read again")
    func othersUnderneath() throws {
        shirt.stock = 1
        try store.writer.write { try $0.execute(sql: "UPDATE product SET name = 'Theirs' WHERE id = 2") }
        #expect(try context.fetch(Product.order(\.id)).map(\.name) == ["Shirt", "Theirs"])
        #expect(history.undo())
        #expect(shirt.stock == 0 && !context.hasChanges)
    }

    @Test("undoes a rejected change with its step")
    func refused() throws {
        let gone = Shop.Tag(id: 1, name: "blue", context: context)
        context.delete(gone)
        try context.save()
        history.group {
            shirt.stock = 1
            shirt.tags.insert(gone)
        }
        #expect(throws: StoreError.self) { try context.save() }
        history.undo()
        try context.save()
        #expect(!context.hasChanges)
    }

    @Test("records no step for a record that could not be created")
    func notMade() {
        #expect(throws: Abandoned.self) {
            _ = try Shop.Tag.findOrInsert(1, in: context) { context in
                Shop.Tag(id: 1, name: "blue", context: context)
                throw Abandoned()
            }
        }
        #expect(!history.canUndo && !context.hasChanges)
    }

    @Test("can be observed: a button follows it")
    func observed() {
        let seen = Count()
        withObservationTracking {
            _ = history.canUndo
        } onChange: {
            MainActor.assumeIsolated { seen.value += 1 }
        }
        shirt.stock = 1
        #expect(seen.value == 1)
        withObservationTracking {
            _ = history.redoName
        } onChange: {
            MainActor.assumeIsolated { seen.value += 1 }
        }
        history.undo()
        #expect(seen.value == 2)
    }

    @Test("stays correct after many changes outside of any group")
    func many() {
        for stock in 1...5_000 { shirt.stock = stock }
        for stock in (4_900...4_999).reversed() {
            history.undo()
            #expect(shirt.stock == stock)
        }
        #expect(!history.canUndo)
    }
}

/// A count modified by an observation's closure, which is called where the change is made.
@MainActor
private final class Count {
    var value = 0
}
