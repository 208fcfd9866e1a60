import LockstepStore
import StoreSamples
import Testing

@Suite("A context beside others, and after its store") @MainActor
struct SharedStoreTests {
    private let store: Store
    private let context: ManagedObjectContext

    init() throws {
        store = try Store(LibrarySchema.self, at: .inMemory)
        context = store.mainContext
    }

    @Test("After another context's save both ends of a relationship agree")
    func bothEnds() async throws {
        let authors = [1, 2].map { Author(id: $0, name: "\($0)", context: context) }
        let book = Book(id: 1, title: "B", author: authors[0], context: context)
        try await context.save()
        #expect(authors[0].books.count == 1 && authors[1].books.isEmpty)
        try await store.perform { context in
            try Book.find(1, in: context)?.author = try Author.find(2, in: context)
            try context.save()
        }
        _ = try context.fetch(Author.all())
        #expect(authors[0].books.isEmpty)
        #expect(book.author === authors[1])
        #expect(authors[1].books.first === book)
    }

    @Test("A record that another context has deleted is found no more")
    func deletedElsewhere() async throws {
        let author = Author(id: 1, name: "A", context: context)
        try await context.save()
        try await store.perform { context in
            if let author = try Author.find(1, in: context) { context.delete(author) }
            try context.save()
        }
        #expect(try Author.find(1, in: context) == nil)
        #expect(author.recordState == .deleted)
    }

    @Test("An unsaved order of a many to many survives another context's save")
    func unsavedOrder() async throws {
        let tags = ["x", "y"].map { Tag(name: $0, context: context) }
        let product = Product(id: 1, name: "P", tags: tags, context: context)
        try await context.save()
        product.tags.insert(tags[1], at: 0)
        try await store.perform { context in
            Author(id: 1, name: "A", context: context)
            try context.save()
        }
        _ = try context.fetch(Author.all())
        try await context.save()
        #expect(try store.rows("SELECT tag_id FROM product_tag ORDER BY tags_position") == ["y", "x"])
    }

    @Test("Members linked from their own end are kept in the order of linking")
    func orderFromTheOtherEnd() async throws {
        let books = [1, 2].map { Book(id: $0, title: "\($0)", context: context) }
        let chapters = ["a", "b", "c"].map { Chapter(heading: $0, context: context) }
        let product = Product(id: 1, name: "P", context: context)
        let tags = ["x", "y", "z"].map { Tag(name: $0, context: context) }
        try await context.save()
        context.unloadForTest()
        for index in [2, 0, 1] {
            chapters[index].book = books[0]
            tags[index].products.insert(product)
        }
        chapters[1].book = books[1]
        chapters[1].book = books[0]
        try await context.save()
        Chapter(heading: "d", book: books[0], context: context)
        try await context.save()
        #expect(
            try store.rows("SELECT heading, chapters_position FROM chapter ORDER BY chapters_position")
                == ["c|0", "a|1", "b|2", "d|3"])
        let names = try await store.perform { try Product.find(1, in: $0)?.tags.map(\.name) }
        #expect(names == ["z", "x", "y"])
    }

    @Test("A refused link stays an error of the saves until it is set again, whatever is fetched meanwhile")
    func refused() throws {
        let author = Author(id: 1, name: "A", context: context)
        let book = Book(id: 1, title: "B", context: context)
        try context.save()
        let elsewhere = Author(id: 1, name: "A", context: try Store(LibrarySchema.self, at: .inMemory).mainContext)
        book.title = "C"
        book.author = elsewhere
        #expect(try context.fetch(Book.all()).count == 1)
        for _ in 1...2 { #expect(storeError { try context.save() }?.code == .otherContext) }
        book.author = author
        try context.save()
        #expect(try store.rows("SELECT title, author_id FROM book") == ["C|1"])
        let foreign = Book(id: 2, title: "D", context: elsewhere.context)
        author.books.insert(foreign)
        #expect(storeError { try context.save() }?.code == .otherContext)
        context.rollback()
        try context.save()
    }

    @Test("A passport that is replaced is deleted with a merge only, whichever end it is set from")
    func replacedHolder() throws {
        let person = Person(id: 1, name: "P", passport: Passport(number: "1", context: context), context: context)
        try context.save()
        person.passport = Passport(number: "2", context: context)
        try context.save()
        #expect(try store.rows("SELECT number, person_id FROM passport ORDER BY 1") == ["1|NULL", "2|1"])
        person.update(from: PersonRepresentation(id: 1, name: "P", passport: PassportRepresentation(number: "1")))
        try context.save()
        #expect(try store.rows("SELECT number, person_id FROM passport") == ["1|1"])
    }

    @Test("A closed store answers with an error")
    func close() throws {
        Author(id: 1, name: "A", context: context)
        try context.save()
        try store.close()
        #expect(storeError { _ = try context.fetch(Author.all()) } != nil)
    }

    @Test("A context that is reset lets go of what relationships have loaded")
    func reset() throws {
        weak var tag: Tag?
        weak var product: Product?
        func load() throws {
            let tags = ["x", "y"].map { Tag(name: $0, context: context) }
            tag = tags[0]
            let made = Product(id: 1, name: "P", tags: tags, context: context)
            product = made
            try context.save()
            #expect(tags.flatMap { $0.products.map(\.id) } == [1, 1] && made.tags.count == 2)
        }
        try load()
        #expect(tag != nil && product != nil)
        context.reset()
        #expect(tag == nil && product == nil)
        #expect(try Product.find(1, in: context)?.tags.map(\.name) == ["x", "y"])
    }

    @Test("A store goes when nobody holds it")
    func released() throws {
        weak var released: Store?
        func use() throws {
            let store = try Store(LibrarySchema.self, at: .inMemory)
            released = store
            Author(id: 1, name: "A", context: store.mainContext)
            try store.mainContext.save()
            _ = try store.mainContext.fetch(Author.all()).map { $0.books.count }
        }
        try use()
        #expect(released == nil)
    }
}
