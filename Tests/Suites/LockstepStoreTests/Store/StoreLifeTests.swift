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
}

extension ManagedObjectContext {
    /// Loads both ends of a link, so that they hold each other.
    fileprivate func loadBothEnds(_ author: Author, _ book: Book) throws {
        _ = author.books.count
        try LinkLoader(self).load(0, of: [book])
        _ = book.author
    }
}
