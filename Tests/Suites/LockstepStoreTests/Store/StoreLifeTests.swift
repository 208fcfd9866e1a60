@testable import LockstepStore
import StoreSamples
import TestSupport
import Testing

@Suite("What goes away with a store") @MainActor
struct StoreLifeTests {
    @Test("A store that the app lets go of takes its main context with it, loaded relationships or not")
    func released() async throws {
        weak var base: StoreBase?
        weak var context: ManagedObjectContext?
        do {
            let store = try Store(LibrarySchema.self, at: .inMemory)
            base = store.base
            context = store.mainContext
            let author = Author(id: 1, name: "A", context: store.mainContext)
            let book = Book(id: 1, title: "B", author: author, context: store.mainContext)
            try await store.mainContext.save()
            try store.mainContext.loadBothEnds(author, book)
        }
        #expect(try await soon { base == nil }, "waited for the store to go away")
        #expect(context == nil)
    }

    @Test("A context of `perform` goes away with its unsaved changes")
    func unsaved() async throws {
        weak var base: StoreBase?
        do {
            let store = try Store(LibrarySchema.self, at: .inMemory)
            base = store.base
            try await store.perform { context in
                let author = Author(id: 1, name: "A", context: context)
                Book(id: 1, title: "B", author: author, context: context)
                try context.save()
            }
            await #expect(throws: CancellationError.self) {
                try await store.perform { context in
                    context.delete(try #require(try context.find(Book.self, 1)))
                    Book(id: 2, title: "C", author: try context.find(Author.self, 1), context: context)
                    Book(id: 2, title: "D", author: nil, context: context)
                    throw CancellationError()
                }
            }
        }
        #expect(try await soon { base == nil }, "waited for the store to go away")
    }

    @Test("A record that the app still has works without the store, and takes the context with it")
    func outlived() async throws {
        weak var base: StoreBase?
        do {
            var author: Author?
            do {
                let store = try Store(LibrarySchema.self, at: .inMemory)
                base = store.base
                author = Author(id: 1, name: "A", context: store.mainContext)
                Book(id: 1, title: "B", author: author, context: store.mainContext)
                try await store.mainContext.save()
            }
            let context = try #require(author?.context)
            #expect(author?.books.map(\.title) == ["B"])
            #expect(try context.find(Author.self, 1) === author)
            author?.name = "A2"
            try await context.save()
            let books = try context.fetch(Book.all())
            #expect(try context.fetch(Book.all()).first === books.first)
            #expect(books.first?.author?.name == "A2")
            context.reset()
        }
        #expect(try await soon { base == nil }, "waited for the store to go away")
    }
}

extension ManagedObjectContext {
    /// Loads both ends of a link, so that they hold each other.
    fileprivate func loadBothEnds(_ author: Author, _ book: Book) throws {
        _ = author.books.count
        try LinkLoader(self).load(0, of: [book])
        _ = book.author
    }
}
