import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import Shop
import TestSupport
import Testing

/// Records of a feed that want the unique value of another one.
@Suite("H3 Unique values in a feed")
struct FeedUniqueStories {
    private let feed = ScriptedFeed()
    private let store: Store
    private let sync: Sync

    init() throws {
        store = try Store(ShopSchema.self, at: .inMemory)
        sync = Sync(store: store, remote: feed, clock: ManualClock(), random: { 0.5 })
    }

    private func page(
        _ cursor: String, more: Bool = false, _ tags: [(id: Int, name: String, version: Int)] = [],
        in scope: String = "shop", deleted: [(id: Int, version: Int, movedTo: String?)] = [], lost: [String] = []
    ) -> FeedPage {
        FeedPage(
            cursor: cursor, hasMore: more,
            changes: [
                .feed(
                    "Tag", tags.map { (["id": .integer(Int64($0.id)), "name": .string($0.name)], $0.version) },
                    in: scope, deleted: deleted)
            ], lostScopes: lost)
    }

    private func tags() async throws -> [String] {
        try await store.representations(Tag.order(\.id)).map { "\($0.id) \($0.name)" }
    }

    @Test("H3.4 A record takes the unique value of one that is deleted in the same page")
    func deletion() async throws {
        feed.add(page("a", [(1, "new", 1)]))
        try await sync.pull()
        feed.add(page("b", [(2, "new", 3)], deleted: [(1, 2, nil)]))
        let summary = try await sync.pull()
        #expect(try await tags() == ["2 new"])
        #expect(summary.skipped.isEmpty && summary.merges.flatMap(\.notes).isEmpty)
        _ = feed.asked()
        try await sync.pull()
        #expect(feed.asked() == ["b"])
    }

    @Test("H3.7 Records exchange their unique values on different pages")
    func exchange() async throws {
        feed.add(page("a", [(1, "one", 1), (2, "two", 2)]))
        try await sync.pull()
        feed.add(page("b", more: true, [(1, "two", 3)]), page("c", [(2, "one", 4)]))
        try await sync.pull()
        #expect(try await tags() == ["1 two", "2 one"])
        _ = feed.asked()
        try await sync.pull()
        #expect(feed.asked() == ["c"])
    }

    @Test("H3.7 The pages since a record that was refused are requested again, and the others are merged")
    func refused() async throws {
        feed.add(page("a", [(1, "one", 1), (2, "two", 2)]))
        try await sync.pull()
        feed.add(page("b", more: true, [(2, "one", 3)]), page("c", [(3, "three", 4)]))
        let summary = try await sync.pull()
        #expect(!summary.skipped.isEmpty)
        #expect(try await tags() == ["1 one", "2 two", "3 three"])
        _ = feed.asked()
        feed.add(page("d", [(2, "one", 3), (3, "three", 4)], deleted: [(1, 5, nil)]))
        try await sync.pull()
        #expect(feed.asked() == ["a"])
        #expect(try await tags() == ["2 one", "3 three"])
    }

    @Test("H3.7 A record that came twice before it was refused comes again")
    func refusedTwice() async throws {
        feed.add(page("a", [(1, "one", 1)]))
        try await sync.pull()
        feed.add(page("b", more: true, [(2, "two", 2)]), page("c", more: true, [(2, "one", 3)]))
        feed.addFailure()
        await #expect(throws: SyncError.self) { try await sync.pull() }
        feed.add(page("b", more: true, [(2, "two", 2)]), page("c", [(2, "one", 3)], deleted: [(1, 4, nil)]))
        try await sync.pull()
        #expect(try await tags() == ["2 one"])
    }

    @Test("H3.7 What is merged once more brings no record of a scope back that was lost since")
    func lostSince() async throws {
        feed.add(page("a", [(1, "one", 1), (2, "two", 2)]))
        try await sync.pull()
        feed.add(page("b", more: true, [(2, "one", 3)]), page("c", more: true, [(5, "five", 4)], in: "club"))
        feed.add(page("d", more: true, lost: ["club"]), page("e"))
        try await sync.pull()
        #expect(try await tags() == ["1 one", "2 two"])
    }
}
