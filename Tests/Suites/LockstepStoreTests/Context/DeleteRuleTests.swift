import Foundation
import LockstepStore
import StoreSamples
import Testing

@Suite("Delete rules, in memory as in SQL") @MainActor
struct DeleteRuleTests {
    private let store: Store
    private let context: ManagedObjectContext

    init() throws {
        store = try Store(LibrarySchema.self, at: .inMemory)
        context = store.mainContext
    }

    @Test("nullify: books stay without their author")
    func nullify() throws {
        let author = Author(id: 1, name: "A", context: context)
        let book = Book(id: 1, title: "B", author: author, context: context)
        try context.save()
        context.delete(author)
        #expect(book.authorID == nil && book.author == nil)
        try context.save()
        #expect(try store.rows("SELECT id, author_id FROM book") == ["1|NULL"])
    }

    @Test("cascade: a tree goes with its root, saved and unsaved parts alike")
    func cascade() throws {
        let root = Node(id: 1, name: "root", context: context)
        let child = Node(id: 2, name: "child", parent: root, context: context)
        let grandchild = Node(id: 3, name: "grandchild", parent: child, context: context)
        try context.save()
        context.unloadForTest()
        let unsaved = Node(id: 4, name: "unsaved", parent: grandchild, context: context)
        let moved = Node(id: 5, name: "moved", context: context)
        context.delete(root)
        for node in [child, grandchild, unsaved] { #expect(node.recordState == .deleted) }
        #expect(moved.recordState == .inserted)
        try context.save()
        #expect(try store.rows("SELECT name FROM node") == ["moved"])
    }

    @Test("cascade in a circle ends")
    func circle() throws {
        let first = Node(id: 1, name: "1", context: context)
        let second = Node(id: 2, name: "2", parent: first, context: context)
        first.parent = second
        try context.save()
        context.delete(second)
        #expect(first.recordState == .deleted)
        try context.save()
        #expect(try store.rows("SELECT * FROM node").isEmpty)
    }

    @Test("A child that was moved away before its parent is deleted stays")
    func movedAway() throws {
        let old = Node(id: 1, name: "old", context: context)
        let new = Node(id: 2, name: "new", context: context)
        let child = Node(id: 3, name: "child", parent: old, context: context)
        try context.save()
        child.parent = new
        context.delete(old)
        try context.save()
        #expect(try store.rows("SELECT id, parent_id FROM node ORDER BY id") == ["2|NULL", "3|2"])
        #expect(child.recordState == .stored)
    }

    @Test("deny: the save refuses while the other end stays, and takes it when that goes too")
    func deny() throws {
        let country = Country(code: "DE", name: "Germany", context: context)
        let city = City(id: 1, name: "Berlin", country: country, context: context)
        try context.save()
        context.delete(country)
        let error = storeError { try context.save() }
        #expect(error?.code == .deleteDenied)
        #expect(error?.entity == "Country" && error?.record == "DE" && error?.attribute == "cities")
        #expect(try store.rows("SELECT code FROM country") == ["DE"])
        context.delete(city)
        try context.save()
        #expect(try store.rows("SELECT code FROM country").isEmpty)
    }

    @Test("deny in SQL is the same error")
    func denyInSQL() throws {
        let country = Country(code: "DE", name: "Germany", context: context)
        try context.save()
        #expect(throws: DatabaseError.self) {
            try store.run("INSERT INTO city VALUES (1, 'Berlin', 'DE'); DELETE FROM country")
        }
        try store.run("INSERT INTO city VALUES (1, 'Berlin', 'DE')")
        context.delete(country)
        #expect(storeError { try context.save() }?.code == .deleteDenied)
        context.rollback()
        #expect(country.recordState == .stored)
        #expect(country.cities.map(\.name) == ["Berlin"])
    }

    @Test("Links of a many to many go with either end")
    func manyToMany() throws {
        let tag = Tag(name: "x", context: context)
        let first = Product(id: 1, name: "1", tags: [tag], context: context)
        let second = Product(id: 2, name: "2", tags: [tag], context: context)
        try context.save()
        context.delete(first)
        #expect(tag.products.map(\.id) == [2])
        try context.save()
        #expect(try store.rows("SELECT product_id FROM product_tag") == ["2"])
        context.delete(tag)
        #expect(second.tags.isEmpty)
        try context.save()
        #expect(try store.rows("SELECT product_id FROM product_tag").isEmpty)
    }

    @Test("What a trigger deletes or clears behind the context's back does not look alive after the save")
    func triggers() throws {
        let root = Node(id: 1, name: "root", context: context)
        let author = Author(id: 1, name: "A", context: context)
        try context.save()
        let (child, book) = (try insertedNode(parent: root), try insertedBook())
        #expect(root.children.isEmpty && author.books.isEmpty, "loaded before the rows below")
        try store.run("UPDATE node SET parent_id = 1 WHERE id = 2; UPDATE book SET author_id = 1")
        context.delete(root)
        context.delete(author)
        #expect(child.recordState == .stored)
        try context.save()
        #expect(child.recordState == .deleted)
        #expect(try Node.find(2, in: context) == nil)
        #expect(book.authorID == nil && book.recordState == .stored)
    }

    private func insertedNode(parent: Node) throws -> Node {
        _ = parent.children.count
        let node = Node(id: 2, name: "child", context: context)
        try context.save()
        return node
    }

    private func insertedBook() throws -> Book {
        let author = try #require(try Author.find(1, in: context))
        _ = author.books.count
        let book = Book(id: 1, title: "B", context: context)
        try context.save()
        return book
    }

    @Test("one to one: the passport goes with its person, by REFERENCES too")
    func oneToOne() throws {
        let person = Person(id: 1, name: "P", passport: Passport(number: "1", context: context), context: context)
        try context.save()
        context.delete(person)
        try context.save()
        #expect(try store.rows("SELECT * FROM passport").isEmpty)
    }
}
