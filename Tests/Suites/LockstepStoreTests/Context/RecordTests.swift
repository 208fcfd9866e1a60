import Foundation
@testable import LockstepStore
import StoreSamples
import TestSupport
import Testing

@Suite("Records in a context") @MainActor
struct RecordTests {
    @Test("A saved entry is the same entry when another context loads it", arguments: Place.allCases)
    func saveAndLoad(place: Place) async throws {
        try await place.withStore(JournalSchema.self) { store in
            let context = store.mainContext
            let entry = Entry(title: "Hello", bodyText: "World 👩‍👩‍👧\u{0}!", mood: .unknown("bored"), context: context)
            #expect(entry.recordState == .inserted)
            try await context.save()
            #expect(entry.recordState == .stored)
            let representation = entry.representation

            let (loaded, matches) = try await store.perform { context in
                let loaded = try #require(try Entry.find(representation.identifier, in: context))
                return (loaded.representation, loaded == representation)
            }
            #expect(loaded == representation)
            #expect(matches)
        }
    }

    @Test("A store on disk is there when it is opened again")
    func reopen() async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("journal.sqlite")
            let entry = Entry(title: "Kept", context: try Store(JournalSchema.self, at: .file(url)).mainContext)
            try entry.context.save()
            let store = try Store(JournalSchema.self, at: .file(url))
            let found = try #require(try Entry.find(entry.identifier, in: store.mainContext))
            #expect(found !== entry)
            #expect(found == entry.representation)
        }
    }

    @Test("A context has one object for each record", arguments: Place.allCases)
    func identityMap(place: Place) async throws {
        try await place.withStore(JournalSchema.self) { store in
            let context = store.mainContext
            let entry = Entry(title: "One", context: context)
            #expect(try Entry.find(entry.identifier, in: context) === entry)
            try context.save()
            #expect(try Entry.find(entry.identifier, in: context) === entry)
            #expect(try context.fetch(Entry.all()).first === entry)
        }
    }

    @Test("A reset releases an unchanged object that nobody holds; a changed one stays until it is saved")
    func release() throws {
        let context = try Store(JournalSchema.self, at: .inMemory).mainContext
        let identifier = UUID()
        Entry(identifier: identifier, title: "One", context: context)
        try context.save()
        weak var weakEntry: Entry?
        try autoreleasingScope {
            weakEntry = try Entry.find(identifier, in: context)
        }
        #expect(try Entry.find(identifier, in: context) === weakEntry)
        context.identityMap.removeUnused()
        #expect(weakEntry == nil)
        try autoreleasingScope {
            let entry = try #require(try Entry.find(identifier, in: context))
            entry.title = "Two"
            weakEntry = entry
        }
        context.identityMap.removeUnused()
        #expect(weakEntry?.title == "Two")
        try context.save()
        context.reset()
        #expect(weakEntry == nil)
    }

    @Test("A store goes away when nobody holds it or its records, main context and all")
    func releaseStore() async throws {
        weak var weakStore: Store?
        weak var weakContext: ManagedObjectContext?
        try autoreleasingScope {
            let store = try Store(LibrarySchema.self, at: .inMemory)
            let author = Author(id: 1, name: "A", context: store.mainContext)
            Book(id: 1, title: "B", author: author, context: store.mainContext)
            try store.mainContext.save()
            #expect(author.books.first?.author === author)
            (weakStore, weakContext) = (store, store.mainContext)
        }
        #expect(weakStore == nil)
        #expect(try await soon { weakContext == nil }, "waited for the context to go away")
    }

    private func autoreleasingScope(_ body: () throws -> Void) rethrows { try body() }

    @Test("Only changed columns are written")
    func changedColumns() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let entry = Entry(title: "One", bodyText: "kept", context: store.mainContext)
        try await store.mainContext.save()
        try store.run("UPDATE entry SET body_text = 'changed elsewhere'")
        entry.title = "Two"
        #expect(entry.recordState == .changed)
        try await store.mainContext.save()
        #expect(try store.rows("SELECT title, body_text FROM entry") == ["Two|changed elsewhere"])
    }

    @Test("Setting an equal value changes nothing")
    func equalValues() throws {
        let context = try Store(JournalSchema.self, at: .inMemory).mainContext
        let entry = Entry(title: "One", timestamp: Date(timeIntervalSince1970: 1.25), context: context)
        try context.save()
        entry.title = "One"
        entry.timestamp = Date(timeIntervalSince1970: 1.250_000_1)
        entry.update(from: entry.representation)
        #expect(entry.recordState == .stored)
        #expect(!context.hasChanges)
    }

    @Test("findOrInsert finds, or inserts what is made")
    func findOrInsert() throws {
        let context = try Store(JournalSchema.self, at: .inMemory).mainContext
        let identifier = UUID()
        let made = try Entry.findOrInsert(identifier, in: context) {
            Entry(identifier: identifier, title: "New", context: $0)
        }
        let found = try Entry.findOrInsert(identifier, in: context) { Entry(title: "Never made", context: $0) }
        #expect(made === found)
        let error = storeError {
            _ = try Entry.findOrInsert(UUID(), in: context) { Entry(title: "Other", context: $0) }
        }
        #expect(error?.code == .wrongIdentity)
    }

    @Test("A deleted entry is gone at once, and from the store when it is saved", arguments: Place.allCases)
    func delete(place: Place) async throws {
        try await place.withStore(JournalSchema.self) { store in
            let context = store.mainContext
            let entry = Entry(title: "One", context: context)
            try context.save()
            context.delete(entry)
            #expect(context.isDeleted(entry))
            #expect(try Entry.find(entry.identifier, in: context) == nil)
            #expect(try context.fetch(Entry.all()).isEmpty)
            #expect(try store.rows("SELECT title FROM entry") == ["One"])
            try context.save()
            #expect(try store.rows("SELECT title FROM entry") == [])
            #expect(try Entry.find(entry.identifier, in: context) == nil)
        }
    }

    @Test("A new entry that is deleted before a save never was")
    func deleteUnsaved() throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let entry = Entry(title: "One", context: store.mainContext)
        store.mainContext.delete(entry)
        #expect(!store.mainContext.hasChanges)
        try store.mainContext.save()
        #expect(try store.rows("SELECT * FROM entry").isEmpty)
    }

    @Test("A record can be deleted and made anew in one save")
    func replace() throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let old = Entry(title: "Old", context: store.mainContext)
        try store.mainContext.save()
        store.mainContext.delete(old)
        let new = Entry(identifier: old.identifier, title: "New", context: store.mainContext)
        #expect(try Entry.find(old.identifier, in: store.mainContext) === new)
        try store.mainContext.save()
        #expect(try Entry.find(old.identifier, in: store.mainContext) === new)
        #expect(try store.rows("SELECT title FROM entry") == ["New"])
    }

    @Test("A rollback undoes inserts, changes and deletes")
    func rollback() throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let context = store.mainContext
        let changed = Entry(title: "Changed", context: context)
        let deleted = Entry(title: "Deleted", context: context)
        try context.save()
        changed.title = "Other"
        changed.mood = .happy
        deleted.title = "Changed, then deleted"
        context.delete(deleted)
        let inserted = Entry(title: "Inserted", context: context)
        context.rollback()
        #expect(!context.hasChanges)
        #expect(changed.title == "Changed" && changed.mood == .neutral && changed.recordState == .stored)
        #expect(deleted.title == "Deleted" && deleted.recordState == .stored)
        #expect(try Entry.find(deleted.identifier, in: context) === deleted)
        #expect(inserted.recordState == .deleted)
        #expect(try Entry.find(inserted.identifier, in: context) == nil)
    }

    @Test("What another context has saved is there with the next fetch, unsaved edits kept", arguments: Place.allCases)
    func refresh(place: Place) async throws {
        try await place.withStore(JournalSchema.self) { store in
            let context = store.mainContext
            let entry = Entry(title: "One", bodyText: "One", context: context)
            try await context.save()
            let identifier = entry.identifier
            entry.bodyText = "Mine"
            try await store.perform { context in
                let entry = try #require(try Entry.find(identifier, in: context))
                entry.title = "Theirs"
                entry.bodyText = "Theirs"
                try context.save()
            }
            #expect(try context.fetch(Entry.all()).first === entry)
            #expect(entry.title == "Theirs")
            #expect(entry.bodyText == "Mine")
            try await context.save()
            #expect(try store.rows("SELECT title, body_text FROM entry") == ["Theirs|Mine"])
        }
    }

    @Test("What perform does not save is thrown away, and its errors come out")
    func perform() async throws {
        struct Refusal: Error {}
        let store = try Store(JournalSchema.self, at: .inMemory)
        let title = try await store.perform { Entry(title: "Unsaved", context: $0).title }
        #expect(title == "Unsaved")
        #expect(try store.rows("SELECT * FROM entry").isEmpty)
        await #expect(throws: Refusal.self) { try await store.perform { _ in throw Refusal() } }
    }

    @Test("An entity without identity gets a key of its own, in the order of making")
    func surrogateKeys() throws {
        let store = try Store(LibrarySchema.self, at: .inMemory)
        let chapters = (0..<100).map { Chapter(heading: "\($0)", context: store.mainContext) }
        try store.mainContext.save()
        let keys = chapters.map(\.lockstepID)
        #expect(keys == keys.sorted() && Set(keys).count == 100)
        #expect(chapters[0].wireIdentity == nil)
    }
}
