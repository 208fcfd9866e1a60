@testable import LockstepStore
import StoreSamples
import Testing

@Suite("A record that is deleted") @MainActor
struct DeletedRecordTests {
    private let store: Store
    private let context: ManagedObjectContext

    init() throws {
        store = try Store(LibrarySchema.self, at: .inMemory)
        context = store.mainContext
    }

    /// The next save says what was set, the one after goes through.
    private func expectLost(_ entity: String, _ attribute: String) throws {
        Author(id: 99, name: "kept", context: context)
        let error = storeError { try context.save() }
        #expect(error?.code == .recordGone)
        #expect(error?.entity == entity && error?.attribute == attribute && error?.record == "1")
        #expect(try store.rows("SELECT * FROM author WHERE id = 99") == [])
        try context.save()
        #expect(try store.rows("SELECT name FROM author WHERE id = 99") == ["kept"])
        try store.run("DELETE FROM author WHERE id = 99")
        try context.save()
    }

    @Test("gives its last values, and says when it is changed", arguments: [true, false])
    func values(_ isSaved: Bool) throws {
        let author = Author(id: 1, name: "A", context: context)
        try context.save()
        context.delete(author)
        if isSaved { try context.save() }
        #expect(author.name == "A" && author.recordState == .deleted && author.books.isEmpty)
        author.name = "A"
        try context.save()
        author.name = "B"
        try expectLost("Author", "name")
    }

    @Test("says when it is linked, from its own end")
    func links() throws {
        let author = Author(id: 1, name: "A", context: context)
        let person = Person(id: 1, name: "P", context: context)
        let book = Book(id: 1, title: "B", context: context)
        let product = Product(id: 1, name: "P", context: context)
        let tag = Tag(name: "x", context: context)
        let passport = Passport(number: "1", context: context)
        let other = Author(id: 2, name: "C", context: context)
        let free = Book(id: 2, title: "D", context: context)
        try context.save()
        try store.run("DELETE FROM author WHERE id = 1; DELETE FROM person; DELETE FROM product")
        try store.run("DELETE FROM book WHERE id = 1")
        _ = try context.count(Author.all())
        author.books.insert(free)
        try expectLost("Author", "books")
        book.author = other
        try expectLost("Book", "author")
        person.passport = passport
        try expectLost("Person", "passport")
        product.tags.insert(tag)
        try expectLost("Product", "tags")
        #expect(free.author == nil && passport.person == nil && tag.products.isEmpty && other.books.isEmpty)
    }

    @Test("that was never saved says so too; a rollback forgets what was set")
    func neverSaved() throws {
        let author = Author(id: 1, name: "A", context: context)
        context.rollback()
        #expect(author.recordState == .deleted)
        author.name = "B"
        try expectLost("Author", "name")
        author.name = "C"
        context.rollback()
        try context.save()
    }

    @Test("Deletes that clear links and cascade in circles say nothing")
    func ownClearing() throws {
        let author = Author(id: 1, name: "A", context: context)
        let books = (1...3).map { Book(id: $0, title: "\($0)", author: author, context: context) }
        for book in books { Chapter(heading: "c", book: book, context: context) }
        let root = Node(id: 1, name: "root", context: context)
        root.parent = Node(id: 2, name: "child", parent: root, context: context)
        let person = Person(id: 1, name: "P", passport: Passport(number: "1", context: context), context: context)
        let product = Product(id: 1, name: "P", tags: [Tag(name: "x", context: context)], context: context)
        try context.save()
        context.delete(books[0])
        for object in [author, root, person, product] { context.delete(object) }
        Author(id: 5, name: "new", books: [books[1]], context: context)
        try context.save()
        #expect(try store.rows("SELECT id, author_id FROM book ORDER BY id") == ["2|5", "3|NULL"])
        #expect(try store.rows("SELECT id FROM node UNION SELECT id FROM person") == [])
    }
}
