import Foundation
import Checklist
import Journal
import KitchenSink
import LockstepStore
import Shop
import Testing
import TestSupport

@Suite("One record: only, findOrInsert")
struct SingleTests {
    @Test("only returns one record, nil for none, and throws for several")
    func only() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            for title in ["a", "b", "b"] { Entry(title: title, context: context) }
            try context.save()
            let one = try context.only(Entry.filter { $0.title == "a" })
            #expect(one?.title == "a")
            let none = try context.only(Entry.filter { $0.title == "c" })
            #expect(none == nil)
            let error = thrownStoreError { _ = try context.only(Entry.filter { $0.title == "b" }) }
            #expect(error?.code == .moreThanOne)
            #expect(error?.entity == "Entry")
            let limited = try context.only(Entry.filter { $0.title == "b" }.limit(1))
            #expect(limited?.title == "b")
            context.delete(try #require(limited))
            let other = try context.only(Entry.filter { $0.title == "b" })
            #expect(other?.title == "b" && other !== limited)
        }
    }

    @Test("findOrInsert by a condition finds a record just created, unsaved")
    func confident() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.perform { context in
            let words = ["red", "blue", "red", "green", "blue", "red"]
            for word in words {
                let tag = try context.findOrInsert(Shop.Tag.filter { $0.name == word }) {
                    Shop.Tag(id: word.count, name: word, context: $0)
                }
                #expect(tag.name == word)
            }
            try context.save()
            let names = try context.fetch(Shop.Tag.order(\.name)).map(\.name)
            #expect(names == ["blue", "green", "red"])
            let found = try context.findOrInsert(Shop.Tag.filter { $0.name == "red" }) {
                Shop.Tag(id: 99, name: "never", context: $0)
            }
            #expect(found.id == 3 && !context.hasChanges)
        }
    }

    @Test("A changed record is matched by its current values, a deleted one is not")
    func changedRecords() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.perform { context in
            let red = Shop.Tag(id: 1, name: "red", context: context)
            let blue = Shop.Tag(id: 2, name: "blue", context: context)
            try context.save()
            red.name = "crimson"
            context.delete(blue)
            let crimson = try context.findOrInsert(Shop.Tag.filter { $0.name == "crimson" }) {
                Shop.Tag(id: 3, name: "never", context: $0)
            }
            #expect(crimson === red)
            let newRed = try context.findOrInsert(Shop.Tag.filter { $0.name == "red" }) {
                Shop.Tag(id: 4, name: "red", context: $0)
            }
            let newBlue = try context.findOrInsert(Shop.Tag.filter { $0.name == "blue" }) {
                Shop.Tag(id: 5, name: "blue", context: $0)
            }
            #expect(newRed.id == 4 && newBlue.id == 5)
            try context.save()
            let names = try context.fetch(Shop.Tag.order(\.id)).map(\.name)
            #expect(names == ["crimson", "red", "blue"])
        }
    }

    @Test("Stored and unsaved records count together")
    func moreThanOne() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            Entry(title: "a", context: context)
            try context.save()
            Entry(title: "a", context: context)
            let error = thrownStoreError {
                _ = try context.findOrInsert(Entry.filter { $0.title == "a" }) { Entry(title: "a", context: $0) }
            }
            #expect(error?.code == .moreThanOne)
            Entry(title: "n\u{0}", bodyText: nil, context: context)
            let odd = try context.findOrInsert(Entry.filter { $0.title == "n\u{0}" && $0.bodyText == nil }) {
                Entry(title: "never", context: $0)
            }
            #expect(odd.title == "n\u{0}")
        }
    }

    @Test("An error of make is rethrown, and its inserts are undone")
    func throwing() async throws {
        struct Failure: Error {}
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            #expect(throws: Failure.self) {
                _ = try context.findOrInsert(Entry.filter { $0.title == "a" }) { context -> Entry in
                    Entry(title: "a", context: context)
                    throw Failure()
                }
            }
            #expect(!context.hasChanges)
        }
    }

    @Test("Thousands of unsaved records, every type, unusual names: the condition sees them all")
    func many() async throws {
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        try await store.perform { context in
            var random = SeededRandom(seed: 9)
            QuerySamples.insertThings(700, &random, context)
            let thing = try #require(try Everything.find(699, in: context))
            let request = Everything.filter { $0.token == thing.token }.filter { $0.price == thing.price }
                .filter { $0.createdAt == thing.createdAt }.filter { $0.optionalExact == thing.optionalExact }
                .filter { $0.optionalDay == thing.optionalDay }
            let found = try context.findOrInsert(request) { _ in throw CancellationError() }
            #expect(found === thing)
            let keyword = Keyword(id: 1, protocol: "x", context: context)
            let odd = try context.findOrInsert(Keyword.filter { $0.protocol == "x" }) { Keyword(id: 2, context: $0) }
            #expect(odd === keyword)
        }
    }
}
