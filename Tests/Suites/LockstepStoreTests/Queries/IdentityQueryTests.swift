import Foundation
import Journal
import KitchenSink
import LockstepStore
import Testing

@Suite("Identities instead of objects")
struct IdentityQueryTests {
    @Test("ids are those of the fetched objects, in the same order, for every kind of key")
    func sameAsFetch() async throws {
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        try await store.perform { context in
            for (country, number) in [("de", 2), ("de", 1), ("at", 1), ("ch\u{1}", 7)] {
                Person(name: "n\(number)", country: country, number: number, context: context)
            }
            for page in [3, 1, 2] { Scrap(text: "t\(page)", page: page, context: context) }
            for title in ["b", "a"] { Part(localID: UUID(), title: title, context: context) }
            try context.save()

            let people = Person.order { [$0.name.desc, $0.country] }.limit(3)
            let personIDs = try context.ids(people)
            let fetched = try context.fetch(people).map(\.identity)
            #expect(personIDs == fetched)
            #expect(personIDs.count == 3)
            #expect(personIDs.first == Person.Identity(country: "ch\u{1}", number: 7))
            let scraps = Scrap.filter { $0.page > 1 }.order(\.page)
            let scrapIDs = try context.ids(scraps)
            let fetchedScraps = try context.fetch(scraps).map(\.identity)
            #expect(scrapIDs == fetchedScraps && scrapIDs.count == 2)
            let partIDs = try context.ids(Part.order(\.title).distinct())
            let fetchedParts = try context.fetch(Part.order(\.title)).map(\.localID)
            #expect(partIDs == fetchedParts && partIDs.count == 2)
        }
    }

    @Test("Only the key's columns are selected")
    func columns() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            Entry(title: "x", context: context)
            try context.save()
            // An unreadable value in another column is not read.
            try store.writer.write { try $0.execute(sql: "UPDATE entry SET title = x'00', timestamp = 'never'") }
            let count = try context.ids(Entry.all()).count
            #expect(count == 1)
            let error = thrownStoreError { _ = try context.fetch(Entry.all()) }
            #expect(error?.code == .unreadableValue)
        }
    }

    @Test("New and deleted records are not in ids; exists(_:_:) knows both")
    func unsaved() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            let stored = Entry(title: "stored", context: context)
            let gone = Entry(title: "gone", context: context)
            try context.save()
            let new = Entry(title: "new", context: context)
            context.delete(gone)
            let ids = try context.ids(Entry.all())
            #expect(ids == [stored.identifier])
            let found = try [stored, new, gone].map { try context.exists(Entry.self, $0.identifier) }
            #expect(found == [true, true, false])
            let nobody = try context.exists(Entry.self, UUID())
            #expect(!nobody)
        }
        try await store.perform { context in
            let id = try #require(try context.ids(Entry.all()).first)
            let isThere = try context.exists(Entry.self, id)
            #expect(isThere)
            let count = try context.count(Entry.all())
            #expect(count == 2)
        }
    }

    @Test("An unreadable key is an error that names it")
    func unreadable() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.writer.write {
            try $0.execute(sql: "INSERT INTO entry (identifier, title, timestamp) VALUES ('me', 'x', 0)")
        }
        try await store.perform { context in
            let error = thrownStoreError { _ = try context.ids(Entry.all()) }
            #expect(error?.code == .unreadableValue)
            #expect(error?.attribute == "identifier")
        }
    }
}
