import Foundation
import Journal
import LockstepStore
import LockstepSystem
import Testing

@testable import LockstepUI

@MainActor
@Suite("The source of a list on screen")
struct ResultsSourceTests {
    private let source = ResultsSource<Entry, Unsectioned>()
    private let all = ResultsRequest<Entry, Unsectioned>(Entry.order(\.timestamp.desc))

    private var titles: [String] { source.rows.map(\.title) }

    private func titled(_ title: String) -> ResultsRequest<Entry, Unsectioned> {
        ResultsRequest(Entry.filter { $0.title == title })
    }

    // MARK: The store

    @Test("has the rows in the first frame, and follows the store")
    func rows() throws {
        let store = try journal("A", "b")
        source.follow(store, for: all)
        let frames = Frames { titles }
        Entry(title: "c", timestamp: .distantPast, context: store.mainContext)
        try store.mainContext.save()
        frames.draw()
        #expect(frames.values == [["A", "b"], ["A", "b", "c"]])
        #expect(frames.invalidationCount == 1)
    }

    @Test("says what to do if the environment has no store")
    func noStore() {
        source.follow(nil, for: all)
        #expect(titles == [])
        #expect(source.rows.error?.remedy == "Add `.store(store)` to the view, or to one that contains it.")
    }

    @Test("shows nothing of the previous store when the environment gets another one")
    func otherStore() throws {
        let (first, second) = (try journal("A"), try journal("b"))
        source.follow(first, for: all)
        let frames = Frames { titles }
        source.follow(second, for: all)
        #expect(titles == ["b"])
        #expect(frames.invalidationCount == 1)
        Entry(title: "c", timestamp: .distantPast, context: first.mainContext)
        try first.mainContext.save()
        #expect(titles == ["b"])
        source.follow(nil, for: all)
        #expect(titles == [])
    }

    @Test("reports that the rows could not be read")
    func error() throws {
        let store = try journal("A")
        source.follow(store, for: all)
        try store.writer.write { try $0.execute(sql: "ALTER TABLE entry RENAME TO other") }
        source.results?.change(to: Entry.filter { $0.title == "A" })
        #expect(source.rows.error != nil)
        #expect(titles == ["A"])
    }

    @Test("shows in another store what the view asks for there, not what it has asked for in the previous one")
    func otherStoreAndRequest() async throws {
        let (first, second) = (try journal("A", "b"), try journal("A", "b", "c"))
        source.follow(first, for: all)
        await source.load(Entry.filter { $0.title == "A" })
        source.follow(first, for: titled("b"))
        let change = try #require(source.change)
        source.follow(second, for: titled("c"))
        #expect(titles == ["c"])
        await change.value
        #expect(titles == ["c"])
    }

    @Test("shows in another store the request that was loaded")
    func otherStoreLoaded() async throws {
        source.follow(try journal("A", "b"), for: all)
        await source.load(Entry.filter { $0.title == "b" })
        source.follow(try journal("b", "c"), for: all)
        #expect(titles == ["b"])
    }

    @Test("shows in another store the latest request of the view, even if it has not been read yet")
    func otherStoreUnread() async throws {
        let (first, second) = (try journal("A", "b"), try journal("A", "b"))
        source.follow(first, for: all)
        await source.load(Entry.filter { $0.title == "A" })
        let request = titled("b")
        source.follow(first, for: request)
        source.follow(second, for: request)
        #expect(titles == ["b"])
    }

    // MARK: The request

    @Test("keeps the previous rows until those of another request of the view were read, without an empty frame")
    func changes() async throws {
        let store = try journal("A", "b")
        source.follow(store, for: all)
        let frames = Frames { titles }
        source.follow(store, for: titled("b"))
        #expect(titles == ["A", "b"])
        #expect(frames.invalidationCount == 0)
        await source.change?.value
        #expect(titles == ["b"])
        #expect(frames.invalidationCount == 1)
    }

    @Test("reads nothing if the view is initialized again with the same request")
    func sameRequest() async throws {
        let store = try journal("A", "b")
        source.follow(store, for: titled("b"))
        source.follow(store, for: titled("b"))
        #expect(source.change == nil)
        source.follow(store, for: titled("A"))
        await source.change?.value
        #expect(titles == ["A"])
    }

    @Test("keeps a loaded request if the view is initialized again with its own")
    func loaded() async throws {
        let store = try journal("A", "b")
        source.follow(store, for: titled("A"))
        await source.load(Entry.filter { $0.title == "b" })
        source.follow(store, for: titled("A"))
        #expect(source.change == nil)
        #expect(titles == ["b"])
    }

    @Test("reads only the last of several requests")
    func superseded() async throws {
        let store = try journal("A", "b")
        source.follow(store, for: all)
        let second = Task { await source.load(Entry.filter { $0.title == "b" }) }
        await source.load(Entry.filter { $0.title == "A" })
        await second.value
        #expect(titles == ["b"])
        #expect(source.results?.difference.deleted.count == 1)
        #expect(source.results?.difference.inserted.isEmpty == true)
    }

    @Test("does not read the request again that it shows")
    func shown() async throws {
        let counted = Locked(0)
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            database.trace { if "\($0)".contains("FROM \"entry\"") { counted.withLock { $0 += 1 } } }
        }
        let store = try Store(JournalSchema.self, at: .inMemory, configuration: configuration)
        source.follow(store, for: all)
        let count = counted.withLock(\.self)
        #expect(count > 0)
        await source.load(Entry.order(\.timestamp.desc))
        #expect(counted.withLock(\.self) == count)
        await source.load(Entry.order(\.timestamp))
        #expect(counted.withLock(\.self) > count)
    }

    @Test("does not read a request whose task is cancelled")
    func cancelled() async throws {
        let store = try journal("A", "b")
        source.follow(store, for: all)
        let task = Task { await source.load(Entry.filter { $0.title == "b" }) }
        task.cancel()
        await task.value
        #expect(titles == ["A", "b"])
    }

    @Test("shows everything if the text of a search is empty")
    func emptySearch() async throws {
        let store = try journal("A", "b")
        source.follow(store, for: titled("A"))
        await source.load(Entry.filter { $0.title.contains("") }.order(\.timestamp.desc))
        #expect(titles == ["A", "b"])
    }

    @Test("follows the changes that concern the other request")
    func followsOther() async throws {
        let store = try journal("A", "b")
        source.follow(store, for: titled("A"))
        await source.load(Entry.filter { $0.title == "c" })
        #expect(titles == [])
        Entry(title: "c", context: store.mainContext)
        try await store.mainContext.save()
        #expect(titles == ["c"])
    }

    @Test("changes the rows within an animation, and in no other way")
    func animated() async throws {
        let store = try journal("A", "b")
        var counts: [[Int]] = []
        let source = source
        let request = ResultsRequest<Entry, Unsectioned>(Entry.order(\.timestamp.desc)) { change in
            let before = source.rows.count
            change()
            counts.append([before, source.rows.count])
        }
        source.follow(store, for: request)
        #expect(counts == [])
        store.mainContext.delete(try #require(source.rows.first))
        try await store.mainContext.save()
        await source.load(Entry.filter { $0.title == "z" })
        #expect(counts == [[2, 1], [1, 0]])
    }
}
