import Foundation
import LockstepStore
import StoreSamples
import Testing

@Suite("Relationships") @MainActor
struct RelationshipTests {
    private let store: Store
    private let context: ManagedObjectContext

    init() throws {
        store = try Store(LibrarySchema.self, at: .inMemory)
        context = store.mainContext
    }

    // MARK: To one and to many

    @Test("Both ends agree at once, from whichever end the link is made")
    func bothEnds() throws {
        let author = Author(id: 1, name: "A", context: context)
        let first = Book(id: 1, title: "First", author: author, context: context)
        let second = Book(id: 2, title: "Second", context: context)
        #expect(author.books.map(\.id) == [1])
        author.books.insert(second)
        #expect(second.author === author && second.authorID == 1)
        #expect(author.books.map(\.id) == [1, 2])
        first.author = nil
        #expect(author.books.map(\.id) == [2])
        first.authorID = 1
        #expect(author.books.map(\.id) == [1, 2])
        author.books.remove(second)
        #expect(second.author == nil && second.authorID == nil)
    }

    @Test("A book that changes its author leaves the one and joins the other, saved or not", arguments: Place.allCases)
    func move(place: Place) async throws {
        try await place.withStore(LibrarySchema.self) { store in
            let context = store.mainContext
            let first = Author(id: 1, name: "A", context: context)
            let second = Author(id: 2, name: "B", context: context)
            let book = Book(id: 1, title: "Book", author: first, context: context)
            try await context.save()
            #expect(first.books.count == 1 && second.books.isEmpty)
            book.author = second
            #expect(first.books.isEmpty && second.books.first === book)
            try await context.save()
            #expect(try store.rows("SELECT author_id FROM book") == ["2"])
            let counts = try await store.perform { context in
                try context.fetch(Author.order(Author.Columns.id)).map(\.books.count)
            }
            #expect(counts == [0, 1])
        }
    }

    @Test("Unsaved children count when the relationship is loaded after them")
    func unsavedChildren() throws {
        let author = Author(id: 1, name: "A", context: context)
        let stays = Book(id: 1, title: "Stays", author: author, context: context)
        let leaves = Book(id: 2, title: "Leaves", author: author, context: context)
        let goes = Book(id: 3, title: "Goes", author: author, context: context)
        try context.save()
        store.mainContext.unloadForTest()
        leaves.author = nil
        context.delete(goes)
        let comes = Book(id: 4, title: "Comes", context: context)
        comes.authorID = 1
        #expect(Set(author.books.map(\.id)) == [stays.id, comes.id])
    }

    @Test("A foreign key may come before its parent, and resolves when the parent is there")
    func parentLater() throws {
        let book = Book(id: 1, title: "Early", context: context)
        book.authorID = 7
        try context.save()
        #expect(book.author == nil && book.authorID == 7)
        let author = Author(id: 7, name: "Late", context: context)
        #expect(book.author === author)
        #expect(author.books.first === book)
    }

    @Test("A required to-one that points nowhere yet gives a stand-in that is never saved")
    func standIn() throws {
        let city = try #require(City(representation: CityRepresentation(id: 1, name: "Early"), context: context))
        city.countryID = "XX"
        let standIn = city.country
        #expect(standIn.recordState == .missing && standIn.name == "")
        standIn.name = "Written to nowhere"
        try context.save()
        #expect(try store.rows("SELECT * FROM country").isEmpty)
        Country(code: "XX", name: "Late", context: context)
        #expect(city.country.name == "Late")
    }

    @Test("Members are sorted as declared, and again when what they are sorted by changes")
    func sorted() throws {
        let author = Author(id: 1, name: "A", context: context)
        for (id, title, year) in [(1, "b", 1), (2, "a", 1), (3, "a", 2), (4, "B", nil)] as [(Int, String, Int?)] {
            Book(id: id, title: title, year: year, author: author, context: context)
        }
        #expect(author.books.map(\.id) == [4, 3, 2, 1])
        try context.save()
        author.books[0].title = "z"
        #expect(author.books.map(\.id) == [3, 2, 1, 4])
        Book(id: 5, title: "aa", author: author, context: context)
        #expect(author.books.map(\.id) == [3, 2, 5, 1, 4])
    }

    @Test("A loop may change what it goes through")
    func changeInLoop() throws {
        let author = Author(id: 1, name: "A", context: context)
        for id in 0..<10 { Book(id: id, title: "\(id)", author: author, context: context) }
        for book in author.books { author.books.remove(book) }
        #expect(author.books.isEmpty)
    }

    @Test("A record of another context or a deleted one cannot be linked; saves say so")
    func cannotLink() async throws {
        let other = Author(id: 9, name: "Elsewhere", context: try Store(LibrarySchema.self, at: .inMemory).mainContext)
        let book = Book(id: 1, title: "B", context: context)
        book.author = other
        #expect(book.author == nil && book.authorID == nil)
        #expect(storeError { try context.save() }?.code == .otherContext)
        let gone = Author(id: 1, name: "Gone", context: context)
        context.delete(gone)
        gone.books.insert(book)
        book.author = gone
        #expect(book.authorID == nil)
        #expect(storeError { try context.save() }?.code == .recordGone)
        book.author = nil
        try await context.save()
    }

    @Test("A rollback brings loaded relationships back")
    func rollback() throws {
        let author = Author(id: 1, name: "A", context: context)
        let book = Book(id: 1, title: "B", author: author, context: context)
        let tag = Tag(name: "t", context: context)
        let product = Product(id: 1, name: "P", tags: [tag], context: context)
        try context.save()
        #expect(author.books.count == 1)
        book.author = nil
        Book(id: 2, title: "C", author: author, context: context)
        product.tags.removeAll()
        context.rollback()
        #expect(author.books.map(\.id) == [1])
        #expect(book.author === author)
        #expect(product.tags.first === tag && tag.products.first === product)
    }

    // MARK: Ordered

    @Test("An ordered relationship keeps the order in which it was put", arguments: Place.allCases)
    func ordered(place: Place) async throws {
        try await place.withStore(LibrarySchema.self) { store in
            let context = store.mainContext
            let chapters = ["one", "two", "three", "four"].map { Chapter(heading: $0, context: context) }
            let book = Book(id: 1, title: "B", chapters: chapters, context: context)
            try await context.save()
            book.chapters.insert(chapters[3], at: 0)
            book.chapters.insert(Chapter(heading: "between", context: context), at: 2)
            book.chapters.remove(chapters[1])
            chapters[2].book = nil
            chapters[2].book = book
            let expected = ["four", "one", "between", "three"]
            #expect(book.chapters.map(\.heading) == expected)
            try await context.save()
            let loaded = try await store.perform { try #require(try Book.find(1, in: $0)).chapters.map(\.heading) }
            #expect(loaded == expected)
        }
    }

    @Test("Putting a member last writes that member only")
    func appendWritesOne() throws {
        let book = Book(
            id: 1, title: "B", chapters: (0..<5).map { Chapter(heading: "\($0)", context: context) }, context: context)
        try context.save()
        book.chapters.insert(Chapter(heading: "last", context: context))
        #expect(book.chapters.filter { $0.recordState == .changed }.isEmpty)
        #expect(book.chapters.map(\.chaptersPosition) == [0, 1, 2, 3, 4, 5])
    }

    // MARK: Many to many

    @Test("A many to many agrees at both ends and keeps its order", arguments: Place.allCases)
    func manyToMany(place: Place) async throws {
        try await place.withStore(LibrarySchema.self) { store in
            let context = store.mainContext
            let tags = ["x", "y", "z"].map { Tag(name: $0, context: context) }
            let first = Product(id: 1, name: "First", tags: [tags[2], tags[0]], context: context)
            let second = Product(id: 2, name: "A second", context: context)
            tags[0].products.insert(second)
            second.tags.insert(tags[1], at: 0)
            #expect(tags[0].products.map(\.id) == [2, 1])
            #expect(second.tags.map(\.name) == ["y", "x"])
            try await context.save()
            first.tags.replaceAll(with: [tags[0], tags[1], tags[2]])
            second.tags.remove(tags[1])
            #expect(tags[1].products.map(\.id) == [1])
            try await context.save()
            #expect(
                try store.rows("SELECT * FROM product_tag ORDER BY 1, 3") == ["1|x|0", "1|y|1", "1|z|2", "2|x|0"])
            let loaded = try await store.perform { context in
                try context.fetch(Product.order(Product.Columns.id)).map { $0.tags.map(\.name) }
            }
            #expect(loaded == [["x", "y", "z"], ["x"]])
        }
    }

    @Test("Unsaved links of a many to many count at the end that is loaded after them, and undoing them leaves nothing")
    func unsavedLinks() throws {
        let tag = Tag(name: "x", context: context)
        let products = (1...3).map { Product(id: $0, name: "\($0)", context: context) }
        tag.products.replaceAll(with: [products[0], products[1]])
        try context.save()
        context.unloadForTest()
        products[0].tags.remove(tag)
        products[2].tags.insert(tag)
        context.unloadForTest()
        #expect(tag.products.map(\.id) == [2, 3])
        products[0].tags.insert(tag)
        products[2].tags.remove(tag)
        try context.save()
        #expect(try store.rows("SELECT product_id FROM product_tag ORDER BY 1") == ["1", "2"])
    }

    // MARK: One to one

    @Test("One to one: a new holder takes the place of the former")
    func oneToOne() throws {
        let person = Person(id: 1, name: "P", context: context)
        let old = Passport(number: "old", person: person, context: context)
        #expect(person.passport === old)
        try context.save()
        let new = Passport(number: "new", context: context)
        person.passport = new
        #expect(old.person == nil && new.person === person)
        try context.save()
        #expect(try store.rows("SELECT number, person_id FROM passport ORDER BY 1") == ["new|1", "old|NULL"])
        context.unloadForTest()
        old.person = person
        #expect(person.passport === old && new.person == nil)
        try context.save()
        #expect(try store.rows("SELECT number, person_id FROM passport ORDER BY 1") == ["new|NULL", "old|1"])
    }

    // MARK: Composite keys

    @Test("A foreign key of several columns works as one", arguments: Place.allCases)
    func compositeKey(place: Place) async throws {
        try await place.withStore(LibrarySchema.self) { store in
            let context = store.mainContext
            let seat = Seat(row: "A", number: 1, context: context)
            let ticket = Ticket(id: 1, seat: seat, context: context)
            #expect(seat.tickets.first === ticket)
            try await context.save()
            #expect(try store.rows("SELECT * FROM ticket") == ["1|A|1"])
            let price = try await store.perform { try Ticket.find(1, in: $0)?.seat?.price }
            #expect(price == 10)
            ticket.seat = nil
            try await context.save()
            #expect(try store.rows("SELECT * FROM ticket") == ["1|NULL|NULL"])
            #expect(try Seat.find(Seat.Identity(row: "A", number: 1), in: context) === seat)
        }
    }
}
