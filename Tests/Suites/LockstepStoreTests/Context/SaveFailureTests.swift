import Foundation
import LockstepStore
import StoreSamples
import Testing

@Suite("A save that fails") @MainActor
struct SaveFailureTests {
    @Test("names entity, record, attribute and rule, and leaves store and context as they were")
    func limits() throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let context = store.mainContext
        let stored = Entry(title: "Stored", context: context)
        try context.save()
        stored.title = "Changed"
        let good = Entry(title: "Good", context: context)
        let bad = Entry(title: "", context: context)
        let error = storeError { try context.save() }
        #expect(error?.code == .limit)
        #expect(error?.entity == "Entry")
        #expect(error?.attribute == "title")
        #expect(error?.record == bad.identifier.uuidString.lowercased())
        #expect(error?.reason == "its length must be at least 1 (minLength: 1)")
        #expect(try store.rows("SELECT title FROM entry") == ["Stored"])
        #expect(stored.recordState == .changed && good.recordState == .inserted && bad.recordState == .inserted)

        bad.title = "Better"
        try context.save()
        #expect(try store.rows("SELECT title FROM entry ORDER BY title") == ["Better", "Changed", "Good"])
    }

    @Test("because of numbers out of range or none at all", arguments: [-1, .nan, .infinity] as [Double])
    func numbers(price: Double) throws {
        let context = try Store(LibrarySchema.self, at: .inMemory).mainContext
        Seat(row: "A", number: 1, price: price, context: context)
        let error = storeError { try context.save() }
        #expect(error?.code == .limit)
        #expect(error?.attribute == "price")
        #expect(error?.record == "A, 1")
    }

    @Test("because another record has the identity", arguments: Place.allCases)
    func duplicateIdentity(place: Place) async throws {
        try await place.withStore(LibrarySchema.self) { store in
            let context = store.mainContext
            let first = Author(id: 1, name: "First", context: context)
            let second = Author(id: 1, name: "Second", context: context)
            let error = storeError { try context.save() }
            #expect(error?.code == .duplicateIdentity)
            #expect(error?.entity == "Author" && error?.record == "1" && error?.attribute == "id")
            #expect(try Author.find(1, in: context) === first)
            context.delete(second)
            try context.save()
            #expect(try store.rows("SELECT name FROM author") == ["First"])
        }
    }

    @Test("because another record has a unique value; freed values can be taken in the same save")
    func unique() throws {
        let store = try Store(LibrarySchema.self, at: .inMemory)
        let context = store.mainContext
        let first = Book(id: 1, title: "First", isbn: "X", context: context)
        try context.save()
        let second = Book(id: 2, title: "Second", isbn: "X", context: context)
        let error = storeError { try context.save() }
        #expect(error?.code == .notUnique)
        #expect(error?.attribute == "isbn" && error?.record == "2")
        context.delete(first)
        try context.save()
        #expect(try store.rows("SELECT id, isbn FROM book") == ["2|X"])
        #expect(second.recordState == .stored)
    }

    @Test("because a required to-one points at nothing")
    func requiredToOne() throws {
        let context = try Store(LibrarySchema.self, at: .inMemory).mainContext
        City(representation: CityRepresentation(id: 1, name: "Nowhere"), context: context)
        let error = storeError { try context.save() }
        #expect(error?.code == .missingValue)
        #expect(error?.entity == "City" && error?.attribute == "country")
    }

    @Test("because the record was deleted meanwhile")
    func recordGone() throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let entry = Entry(title: "One", context: store.mainContext)
        try store.mainContext.save()
        store.mainContext.mergePolicy = .error
        try store.run("DELETE FROM entry")
        entry.title = "Two"
        let error = storeError { try store.mainContext.save() }
        #expect(error?.code == .recordGone)
        #expect(entry.recordState == .changed)
        store.mainContext.rollback()
        #expect(entry.recordState == .deleted)
    }

    @Test("because REFERENCES point nowhere")
    func references() throws {
        let store = try Store(LibrarySchema.self, at: .inMemory)
        let passport = Passport(number: "P", context: store.mainContext)
        passport.personID = 99
        let error = storeError { try store.mainContext.save() }
        #expect(error?.code == .missingReference)
        Person(id: 99, name: "Made after its passport", context: store.mainContext)
        try store.mainContext.save()
        #expect(passport.person?.id == 99)
    }

    @Test("A value that cannot be read is an error of the fetch, not a wrong value")
    func unreadable() throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try store.run("INSERT INTO entry VALUES ('not a uuid', 'title', NULL, 'happy', 0)")
        let error = storeError { _ = try store.mainContext.fetch(Entry.all()) }
        #expect(error?.code == .unreadableValue)
        #expect(error?.entity == "Entry" && error?.attribute == "identifier")
    }

    @Test("What an accessor cannot read is thrown by the next fetch or save, once")
    func remembered() throws {
        let store = try Store(LibrarySchema.self, at: .inMemory)
        let context = store.mainContext
        let author = Author(id: 1, name: "A", context: context)
        let book = Book(id: 1, title: "B", author: author, context: context)
        try context.save()
        try store.run("DROP TABLE chapter")
        #expect(book.chapters.isEmpty)
        #expect(storeError { _ = try context.fetch(Book.all()) }?.code == .database)
        #expect(try context.fetch(Book.all()).count == 1)
    }
}
