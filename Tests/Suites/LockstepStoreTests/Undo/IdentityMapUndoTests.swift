import Foundation
import KitchenSink
import LockstepStore
import SampleTypes
import Shop
import Testing

@Suite("One object per record, whatever was undone") @MainActor
struct IdentityMapUndoTests {
    private let store: Store
    private let context: ManagedObjectContext
    private let history: UndoHistory
    private var shirt: Product?

    init() throws {
        store = try Store(ShopSchema.self, at: .inMemory)
        context = store.mainContext
        shirt = Product(id: 1, name: "Shirt", context: context)
        try context.save()
        history = context.enableUndo()
    }

    private func stored() throws -> [String] {
        try store.writer.read { try String.fetchAll($0, sql: "SELECT id || name FROM product ORDER BY id") }
    }

    @Test("a key that was deleted, reused, undone and rolled back leads to the stored record", arguments: 0..<4)
    func replaced(way: Int) throws {
        let shirt = try #require(shirt)
        history.group {
            context.delete(shirt)
            Product(id: 1, name: "Other", context: context)
        }
        history.undo()
        #expect(try context.find(Product.self, 1) === shirt)
        #expect(try context.fetch(Product.all()).first === shirt)
        if way == 0 { return }
        history.redo()
        let other = try #require(try context.find(Product.self, 1))
        #expect(other !== shirt && shirt.recordState == .deleted)
        switch way {
        case 1:
            try context.save()
            #expect(try context.find(Product.self, 1) === other && context.fetch(Product.all()).first === other)
            #expect(try stored() == ["1Other"])
        case 2:
            context.rollback()
            #expect(try context.find(Product.self, 1) === shirt && context.fetch(Product.all()).first === shirt)
            #expect(other.recordState == .deleted && shirt.recordState == .stored)
        default:
            context.reset()
            shirt.name = "Held"
            try context.save()
            #expect(try context.find(Product.self, 1) === shirt)
            #expect(try stored() == ["1Held"])
        }
    }

    @Test("a new record with an existing identity is found after the existing one was deleted")
    func twice() throws {
        let shirt = try #require(shirt)
        let other = Product(id: 1, name: "Other", context: context)
        #expect(try context.find(Product.self, 1) === shirt)
        context.delete(shirt)
        #expect(try context.find(Product.self, 1) === other)
        history.undo()
        #expect(try context.find(Product.self, 1) === shirt)
        history.redo()
        #expect(try context.find(Product.self, 1) === other)
        try context.save()
        #expect(try context.find(Product.self, 1) === other)
        #expect(try stored() == ["1Other"])
    }

    @Test("a save that fails late keeps each key with its object")
    func failsLate() throws {
        let shirt = try #require(shirt)
        context.delete(shirt)
        let other = Product(id: 1, name: "Other", context: context)
        let first = Shop.Tag(id: 1, name: "blue", context: context)
        let second = Shop.Tag(id: 2, name: "blue", context: context)
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.code == .notUnique && error?.entity == "Tag" && error?.record == "2")
            #expect(try context.find(Product.self, 1) === other && context.find(Shop.Tag.self, 2) === second)
            #expect(shirt.recordState == .deleted && other.recordState == .inserted)
        }
        second.name = "red"
        try context.save()
        #expect(try context.find(Product.self, 1) === other && context.find(Shop.Tag.self, 1) === first)
        #expect(try stored() == ["1Other"])
    }

    @Test("a record deleted and inserted again by others is one object")
    func goneAndThere() throws {
        let shirt = try #require(shirt)
        try store.writer.write { try $0.execute(sql: "DELETE FROM product") }
        #expect(try context.find(Product.self, 1) == nil && shirt.recordState == .deleted)
        try store.writer.write {
            try $0.execute(sql: "INSERT INTO product (id, name, price, stock) VALUES (1, 'New', '0', 0)")
        }
        let other = try #require(try context.find(Product.self, 1))
        #expect(try other !== shirt && context.fetch(Product.all()).first === other)
        other.name = "Newer"
        history.undo()
        try context.refresh(shirt)
        #expect(try context.find(Product.self, 1) === other)
    }

    @Test("reading 10,000 records again in an open group keeps their unsaved changes")
    func many() throws {
        for id in 2...10_001 { Product(id: id, name: "P", context: context) }
        try context.save()
        let products = try context.fetch(Product.all())
        let stocks = products.map { $0.stock + 2 }
        func refresh(_ price: Int) throws {
            for product in products { product.stock += 1 }
            try store.writer.write { try $0.execute(sql: "UPDATE product SET price = ?", arguments: ["\(price)"]) }
            try context.refreshAll()
        }
        try refresh(1)
        history.beginGroup()
        try refresh(2)
        history.endGroup()
        #expect(!history.canUndo)
        #expect(products.map(\.stock) == stocks)
        #expect(products.allSatisfy { $0.price == 2 && $0.recordState == .changed })
    }
}
