import Foundation
import Journal
import LockstepStore
import LockstepSystem
import Observation
import Shop
import Testing

@testable import LockstepUI

@MainActor
@Suite("The source of values on screen")
struct RepresentationsSourceTests {
    /// Waits until the source has changed its values this often.
    private func changes<Object: Model>(of source: RepresentationsSource<Object>) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        source.surround = { change in
            change()
            continuation.yield()
        }
        return stream
    }

    @Test("has the values in the first frame, and follows the store")
    func follows() async throws {
        let store = try journal("A", "b")
        let source = RepresentationsSource<Entry>()
        var changes = changes(of: source).makeAsyncIterator()
        source.follow(store, for: ResultsRequest(Entry.order(\.timestamp.desc)))
        #expect(source.values.map(\.title) == ["A", "b"])
        #expect(source.error == nil)
        try await store.perform { context in
            try context.fetch(Entry.filter { $0.title == "b" }).first?.title = "c"
            try context.save()
        }
        await changes.next()
        #expect(source.values.map(\.title) == ["A", "c"])
    }

    @Test("does not include unsaved changes")
    func unsaved() throws {
        let store = try journal("A")
        try #require(try store.mainContext.fetch(Entry.all()).first).title = "B"
        let source = RepresentationsSource<Entry>()
        source.follow(store, for: ResultsRequest(Entry.all()))
        #expect(source.values.map(\.title) == ["A"])
    }

    @Test("follows the records inside the values, and their links")
    func embedded() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let url = try #require(URL(string: "https://example.com/a"))
        let picture = Picture(id: 1, url: url, title: "old", context: store.mainContext)
        let shirt = Product(id: 1, name: "Shirt", images: [picture], context: store.mainContext)
        try await store.mainContext.save()
        let source = RepresentationsSource<Product>()
        var changes = changes(of: source).makeAsyncIterator()
        source.follow(store, for: ResultsRequest(Product.all()))
        picture.title = "new"
        try await store.mainContext.save()
        await changes.next()
        #expect(source.values.first?.images?.map(\.title) == ["new"])
        shirt.tags.insert(Shop.Tag(id: 7, name: "blue", context: store.mainContext))
        try await store.mainContext.save()
        await changes.next()
        #expect(source.values.first?.tagIDs == [7])
    }

    @Test("keeps the previous values until those of another request were read")
    func loads() async throws {
        let store = try journal("A", "b")
        let source = RepresentationsSource<Entry>()
        var changes = changes(of: source).makeAsyncIterator()
        source.follow(store, for: ResultsRequest(Entry.order(\.timestamp.desc)))
        source.load(Entry.filter { $0.title == "b" })
        #expect(source.values.map(\.title) == ["A", "b"])
        await changes.next()
        #expect(source.values.map(\.title) == ["b"])
    }

    @Test("shows nothing that was read for a former request", arguments: 1...20)
    func superseded(_ number: Int) async throws {
        let store = try journal("A", "b")
        let source = RepresentationsSource<Entry>()
        var changes = changes(of: source).makeAsyncIterator()
        source.follow(store, for: ResultsRequest(Entry.order(\.timestamp.desc)))
        for _ in 0..<number { await Task.yield() }
        source.load(Entry.filter { $0.title == "A" })
        source.load(Entry.filter { $0.title == "b" })
        await changes.next()
        #expect(source.values.map(\.title) == ["b"])
        try await store.perform { context in
            try context.fetch(Entry.filter { $0.title == "A" }).first?.bodyText = "changed"
            try context.fetch(Entry.filter { $0.title == "b" }).first?.bodyText = "changed"
            try context.save()
        }
        await changes.next()
        #expect(source.values.map(\.bodyText) == ["changed"])
        #expect(source.values.map(\.title) == ["b"])
    }

    @Test("shows nothing of the previous store when the environment gets another one")
    func otherStore() throws {
        let source = RepresentationsSource<Entry>()
        source.follow(try journal("A"), for: ResultsRequest(Entry.all()))
        source.follow(try journal("b"), for: ResultsRequest(Entry.all()))
        #expect(source.values.map(\.title) == ["b"])
        source.follow(nil, for: ResultsRequest(Entry.all()))
        #expect(source.values == [])
        #expect(source.error != nil)
    }

    @Test("shows in another store the request that was loaded")
    func otherStoreLoaded() async throws {
        let source = RepresentationsSource<Entry>()
        source.follow(try journal("A", "b"), for: ResultsRequest(Entry.all()))
        source.load(Entry.filter { $0.title == "b" })
        source.follow(try journal("b", "c"), for: ResultsRequest(Entry.all()))
        #expect(source.values.map(\.title) == ["b"])
        source.follow(try journal("b", "c"), for: ResultsRequest(Entry.filter { $0.title == "c" }))
        #expect(source.values.map(\.title) == ["c"])
    }

    @Test("keeps the values and says why if they cannot be read, and follows the store again")
    func unreadable() async throws {
        let store = try journal("A")
        let source = RepresentationsSource<Entry>()
        var changes = changes(of: source).makeAsyncIterator()
        source.follow(store, for: ResultsRequest(Entry.order(\.title)))
        let failed = AsyncStream<Void>.makeStream()
        withObservationTracking {
            _ = source.error
        } onChange: {
            failed.continuation.finish()
        }
        try await store.writer.write { database in
            try database.execute(
                sql: "INSERT INTO entry (identifier, title, mood, timestamp) VALUES ('none', 'b', 'happy', 0)")
        }
        for await _ in failed.stream {}
        await Task.yield()
        #expect(source.values.map(\.title) == ["A"])
        #expect((source.error as? StoreError)?.code == .unreadableValue)
        try await store.writer.write { try $0.execute(sql: "UPDATE entry SET title = 'C' WHERE title = 'A'") }
        try await store.writer.write { try $0.execute(sql: "DELETE FROM entry WHERE title = 'b'") }
        await changes.next()
        #expect(source.values.map(\.title) == ["C"])
        #expect(source.error == nil)
    }

    @Test("does not prepare the request again when the view's body is evaluated again")
    func sameRequest() throws {
        let counted = CountedRequest()
        let (store, request) = (try journal("A"), ResultsRequest<Entry, Unsectioned>(counted))
        let source = RepresentationsSource<Entry>()
        source.follow(store, for: request)
        let count = counted.count.withLock(\.self)
        for _ in 0..<3 { source.follow(store, for: request) }
        #expect(count > 0)
        #expect(counted.count.withLock(\.self) == count)
    }
}

/// A request that counts how often it is read.
private struct CountedRequest: ModelRequest {
    let count = Locked(0)

    var request: QueryInterfaceRequest<Entry> {
        count.withLock { $0 += 1 }
        return Entry.all()
    }

    var prefetches: [PrefetchPath] { [] }
}
