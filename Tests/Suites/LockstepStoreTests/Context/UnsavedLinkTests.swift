import Foundation
@testable import LockstepStore
import StoreSamples
import Testing

@Suite("Unsaved links of many to many, and what others save meanwhile") @MainActor
struct UnsavedLinkTests {
    private let store: Store
    private let context: ManagedObjectContext
    private let product: Product
    private let tags: [Tag]

    init() throws {
        store = try Store(LibrarySchema.self, at: .inMemory)
        context = store.mainContext
        product = Product(id: 1, name: "P", context: context)
        tags = ["a", "b"].map { [context] in Tag(name: $0, context: context) }
        try context.save()
    }

    private func links() throws -> [String] { try store.rows("SELECT tag_id FROM product_tag ORDER BY 1") }

    @Test("A link that was made here and elsewhere can be taken away here")
    func madeTwice() throws {
        product.tags.insert(tags[0])
        try store.run("INSERT INTO product_tag VALUES (1, 'a', 0)")
        #expect(try context.count(Tag.all()) == 2)
        #expect(product.tags.map(\.name) == ["a"])
        product.tags.remove(tags[0])
        try context.save()
        #expect(try links() == [])
        context.unloadForTest()
        #expect(product.tags.isEmpty)
    }

    @Test("A link that was taken away here and elsewhere can be made again here")
    func takenAwayTwice() throws {
        product.tags.insert(tags[0])
        try context.save()
        product.tags.remove(tags[0])
        try store.run("DELETE FROM product_tag")
        _ = try context.count(Tag.all())
        product.tags.insert(tags[0])
        try context.save()
        #expect(try links() == ["a"])
    }

    @Test("A refresh that keeps no changes drops a record's unsaved links")
    func refreshed() throws {
        product.tags.insert(tags[0])
        try context.save()
        product.tags.remove(tags[0])
        product.tags.insert(tags[1])
        tags[1].weight = 7
        try context.refresh(product, keepingChanges: false)
        #expect(product.tags.map(\.name) == ["a"])
        #expect(tags[0].products.map(\.id) == [1] && tags[1].products.isEmpty)
        try context.save()
        #expect(try links() == ["a"])
        #expect(tags[1].recordState == .stored && tags[1].weight == 7)
    }

    @Test("Seen from the other end too")
    func refreshedOtherEnd() throws {
        product.tags.insert(tags[0])
        let other = Product(id: 2, name: "Q", tags: [tags[0], tags[1]], context: context)
        try context.refresh(tags[0], keepingChanges: false)
        #expect(product.tags.isEmpty && other.tags.map(\.name) == ["b"])
        try context.save()
        #expect(try links() == ["b"])
    }
}
