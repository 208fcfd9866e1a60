import Foundation
@testable import LockstepStore
import StoreSamples
import Testing

@Suite("Two contexts that changed the same") @MainActor
struct MergePolicyTests {
    private let store: Store
    private let context: ManagedObjectContext
    private let other: ManagedObjectContext

    init() throws {
        store = try Store(LibrarySchema.self, at: .inMemory)
        context = store.mainContext
        other = ManagedObjectContext(context.base)
    }

    private func other<Object: Model>(_ type: Object.Type, _ identity: Object.Identity) throws -> Object {
        try #require(try Object.find(identity, in: other))
    }

    private func books() throws -> [String] { try store.rows("SELECT title, year, author_id FROM book ORDER BY id") }

    /// A book with an unsaved title and year here, and another title saved elsewhere.
    private func conflict() throws -> Book {
        let book = Book(id: 1, title: "A", context: context)
        try context.save()
        book.title = "mine"
        book.year = 1
        try other(Book.self, 1).title = "theirs"
        try other.save()
        return book
    }

    @Test("What each changed of a record stays, whatever the policy", arguments: MergePolicy.allCases)
    func noConflict(_ policy: MergePolicy) throws {
        context.mergePolicy = policy
        let book = Book(id: 1, title: "A", context: context)
        try context.save()
        book.year = 1
        try other(Book.self, 1).title = "theirs"
        try other.save()
        #expect(book.title == "A")
        _ = try context.count(Book.all())
        #expect(book.title == "theirs" && book.year == 1 && book.recordState == .changed)
        try context.save()
        #expect(try books() == ["theirs|1|NULL"])
    }

    @Test("The same value saved elsewhere is no conflict, nor one that came back", arguments: MergePolicy.allCases)
    func sameValue(_ policy: MergePolicy) throws {
        context.mergePolicy = policy
        let book = try conflict()
        try other(Book.self, 1).title = "mine"
        try other.save()
        try context.save()
        #expect(try books() == ["mine|1|NULL"])
        book.title = "B"
        for title in ["C", "mine"] {
            try other(Book.self, 1).title = title
            try other.save()
            if title == "C", policy == .error { _ = try context.count(Book.all()) }
        }
        try context.save()
        #expect(try books() == ["B|1|NULL"])
    }

    @Test("The context's value is saved", arguments: [true, false])
    func contextWins(_ readsBetween: Bool) throws {
        let book = try conflict()
        if readsBetween { _ = try context.count(Book.all()) }
        #expect(book.title == "mine")
        try context.save()
        #expect(try books() == ["mine|1|NULL"])
        #expect(try other(Book.self, 1).title == "mine")
    }

    @Test("The store's value is taken, other changes are saved", arguments: [true, false])
    func storeWins(_ readsBetween: Bool) throws {
        context.mergePolicy = .storeWins
        let book = try conflict()
        if readsBetween {
            _ = try context.count(Book.all())
            #expect(book.title == "theirs" && book.year == 1)
        }
        try context.save()
        #expect(book.title == "theirs" && book.year == 1 && book.recordState == .stored)
        #expect(try books() == ["theirs|1|NULL"])
    }

    @Test("A record whose only change is dropped is as in the store, and can be changed again")
    func nothingLeft() throws {
        context.mergePolicy = .storeWins
        let book = Book(id: 1, title: "A", context: context)
        try context.save()
        book.title = "mine"
        try store.run("UPDATE book SET title = 'theirs'")
        _ = try context.count(Book.all())
        #expect(!context.hasChanges && book.recordState == .stored)
        book.title = "mine again"
        try context.save()
        #expect(try books() == ["mine again|NULL|NULL"])
    }

    @Test("The save throws, and writes nothing, until the app says which value it is")
    func error() throws {
        context.mergePolicy = .error
        let book = try conflict()
        Book(id: 2, title: "new", context: context)
        for _ in 1...2 {
            let error = storeError { try context.save() }
            #expect(error?.code == .conflict)
            #expect(error?.entity == "Book" && error?.record == "1" && error?.attribute == "title")
        }
        #expect(try books() == ["theirs|NULL|NULL"])
        #expect(book.title == "mine" && book.recordState == .changed)
        book.title = "mine, typed on"
        #expect(storeError { try context.save() }?.code == .conflict)
        try context.refresh(book)
        #expect(book.title == "mine, typed on" && book.year == 1)
        try context.save()
        #expect(try books() == ["mine, typed on|1|NULL", "new|NULL|NULL"])
    }

    @Test("A conflict ends with the store's values, with the store's value set here, with a policy, or with a rollback")
    func ways() throws {
        context.mergePolicy = .error
        let book = try conflict()
        #expect(storeError { try context.save() }?.code == .conflict)
        try context.refresh(book, keepingChanges: false)
        #expect(book.title == "theirs" && book.year == nil && book.recordState == .stored && !context.hasChanges)
        func again(_ title: String) throws {
            book.title = "mine"
            book.year = 5
            try store.run("UPDATE book SET title = '\(title)'")
            #expect(storeError { try context.save() }?.code == .conflict)
        }
        try again("1")
        book.title = "1"
        try context.save()
        try again("2")
        context.mergePolicy = .storeWins
        try context.save()
        #expect(book.title == "2" && book.year == 5)
        context.mergePolicy = .error
        try again("3")
        context.mergePolicy = .contextWins
        try context.save()
        #expect(try books() == ["mine|5|NULL"])
        context.mergePolicy = .error
        book.title = "B"
        try store.run("UPDATE book SET title = '4'")
        #expect(storeError { try context.save() }?.code == .conflict)
        context.rollback()
        try context.save()
        #expect(book.title == "4")
    }

    @Test("What SQL spells in another way is the same value")
    func spelling() throws {
        context.mergePolicy = .error
        let tag = Tag(name: "x", weight: 1.5, context: context)
        try context.save()
        tag.weight = 2
        try store.run("UPDATE tag SET weight = '1.50'")
        try context.save()
        #expect(try store.rows("SELECT weight FROM tag") == ["2"])
    }

    @Test("A store and a call of perform have policies of their own")
    func defaults() async throws {
        let store = try Store(LibrarySchema.self, at: .inMemory, mergePolicy: .storeWins)
        #expect(store.mainContext.mergePolicy == .storeWins)
        #expect(try await store.perform { $0.mergePolicy } == .storeWins)
        #expect(try await store.perform(mergePolicy: .error) { $0.mergePolicy } == .error)
    }

    @Test("A link, and both its ends", arguments: MergePolicy.allCases)
    func links(_ policy: MergePolicy) throws {
        context.mergePolicy = policy
        let authors = (1...3).map { Author(id: $0, name: "\($0)", context: context) }
        let book = Book(id: 1, title: "A", author: authors[0], context: context)
        try context.save()
        #expect(authors.map(\.books.count) == [1, 0, 0])
        book.author = authors[1]
        try other(Book.self, 1).author = try other(Author.self, 3)
        try other.save()
        if policy == .error {
            #expect(storeError { try context.save() }?.attribute == "author")
            try context.refresh(book)
        }
        try context.save()
        let winner = policy == .storeWins ? 2 : 1
        #expect(book.author === authors[winner])
        #expect(authors.indices.filter { authors[$0].books.contains(book) } == [winner])
        #expect(try store.rows("SELECT author_id FROM book") == ["\(winner + 1)"])
    }

    @Test("A link by a key of two columns is one value", arguments: MergePolicy.allCases)
    func compositeKey(_ policy: MergePolicy) throws {
        context.mergePolicy = policy
        let seats = [("a", 1), ("a", 2), ("b", 1)].map { Seat(row: $0, number: $1, context: context) }
        let ticket = Ticket(id: 1, seat: seats[0], context: context)
        try context.save()
        ticket.seat = seats[1]
        try store.run("UPDATE ticket SET seat_row = 'b'")
        if policy == .error {
            #expect(storeError { try context.save() }?.attribute == "seat")
            try context.refresh(ticket)
        }
        try context.save()
        #expect(ticket.seat === seats[policy == .storeWins ? 2 : 1])
        #expect(try store.rows("SELECT seat_row, seat_number FROM ticket") == [policy == .storeWins ? "b|1" : "a|2"])
    }

    @Test("The order of members that hold the key", arguments: MergePolicy.allCases)
    func positions(_ policy: MergePolicy) throws {
        context.mergePolicy = policy
        let book = Book(id: 1, title: "A", context: context)
        for heading in ["a", "b", "c"] { Chapter(heading: heading, book: book, context: context) }
        try context.save()
        book.chapters.replaceAll(with: [book.chapters[2], book.chapters[0], book.chapters[1]])
        let theirs = try other(Book.self, 1).chapters
        theirs.replaceAll(with: Array(theirs.reversed()))
        try other.save()
        if policy == .error {
            #expect(storeError { try context.save() }?.attribute == "book")
            for chapter in book.chapters { try context.refresh(chapter) }
        }
        try context.save()
        let expected = policy == .storeWins ? ["c", "b", "a"] : ["c", "a", "b"]
        #expect(book.chapters.map(\.heading) == expected)
        #expect(try store.rows("SELECT heading FROM chapter ORDER BY chapters_position") == expected)
    }

    @Test("Links of a many to many: what each made and took away stays", arguments: MergePolicy.allCases)
    func manyToMany(_ policy: MergePolicy) throws {
        context.mergePolicy = policy
        let tags = ["x", "y", "z", "v"].map { Tag(name: $0, context: context) }
        let product = Product(id: 1, name: "P", tags: Array(tags[0...1]), context: context)
        try context.save()
        product.tags.insert(tags[2])
        product.tags.remove(tags[0])
        let theirs = try other(Product.self, 1)
        theirs.tags.insert(try other(Tag.self, "v"))
        theirs.tags.remove(try other(Tag.self, "y"))
        try other.save()
        _ = try context.count(Tag.all())
        #expect(product.tags.map(\.name).sorted() == ["v", "z"])
        try context.save()
        #expect(tags.map { $0.products.contains(product) } == [false, false, true, true])
        #expect(try store.rows("SELECT tag_id FROM product_tag ORDER BY 1") == ["v", "z"])
        #expect(
            try store.rows("SELECT tag_id FROM product_tag ORDER BY tags_position") == product.tags.map(\.name))
    }

    @Test("The order of a many to many", arguments: MergePolicy.allCases)
    func manyToManyOrder(_ policy: MergePolicy) throws {
        context.mergePolicy = policy
        let tags = ["x", "y", "z"].map { Tag(name: $0, context: context) }
        let product = Product(id: 1, name: "P", tags: tags, context: context)
        try context.save()
        product.tags.insert(tags[2], at: 0)
        let theirs = try other(Product.self, 1).tags
        theirs.replaceAll(with: Array(theirs.reversed()))
        try other.save()
        if policy == .error {
            let error = storeError { try context.save() }
            #expect(error?.code == .conflict && error?.attribute == "tags" && error?.record == "1")
            try context.refresh(product)
        }
        try context.save()
        let expected = policy == .storeWins ? ["z", "y", "x"] : ["z", "x", "y"]
        #expect(product.tags.map(\.name) == expected)
        #expect(try store.rows("SELECT tag_id FROM product_tag ORDER BY tags_position") == expected)
        product.tags.insert(tags[1], at: 0)
        try context.save()
        #expect(product.tags.first === tags[1])
    }

    @Test("A record that was deleted elsewhere and changed here", arguments: MergePolicy.allCases, [true, false])
    func deletedElsewhere(_ policy: MergePolicy, _ readsBetween: Bool) throws {
        context.mergePolicy = policy
        let author = Author(id: 1, name: "A", context: context)
        let book = Book(id: 1, title: "A", year: 7, author: author, context: context)
        try context.save()
        #expect(author.books.count == 1)
        book.title = "mine"
        other.delete(try other(Book.self, 1))
        try other.save()
        if readsBetween {
            _ = try context.count(Book.all())
            #expect(book.recordState == (policy == .storeWins ? .deleted : .changed))
        }
        switch policy {
        case .contextWins:
            try context.save()
            #expect(book.recordState == .stored)
            #expect(try books() == ["mine|7|1"])
            #expect(author.books.first === book)
            _ = try other.count(Book.all())
            #expect(try other(Author.self, 1).books.count == 1)
        case .storeWins:
            try context.save()
            #expect(book.recordState == .deleted)
            #expect(try books() == [] && author.books.isEmpty)
        case .error:
            for _ in 1...2 {
                let error = storeError { try context.save() }
                #expect(error?.code == .recordGone && error?.record == "1")
            }
            #expect(book.title == "mine" && book.recordState == .changed)
            try context.refresh(book, keepingChanges: false)
            #expect(book.recordState == .deleted)
            try context.save()
            #expect(try books() == [] && author.books.isEmpty)
        }
    }

    @Test("A record that was changed elsewhere and deleted here stays deleted", arguments: MergePolicy.allCases)
    func deletedHere(_ policy: MergePolicy) throws {
        context.mergePolicy = policy
        let book = Book(id: 1, title: "A", context: context)
        try context.save()
        context.delete(book)
        try store.run("UPDATE book SET title = 'B'")
        try context.save()
        #expect(try books() == [])
    }
}
