import Foundation
import Journal
import LockstepStore
import LockstepSync
import LockstepTesting
import Shop
import TestSupport
import Testing

/// Pulling, and responses that change nothing; with a server in memory.
@Suite("Pulling")
struct PullStories {
    private func shop(_ remote: MemoryRemote) throws -> (Store, Sync) {
        let store = try Store(ShopSchema.self, at: .inMemory)
        return (store, Sync(store: store, remote: remote, clock: ManualClock()))
    }

    private func titles(_ store: Store) async throws -> [String] {
        try await store.representations(Article.order(\.id)).map(\.title)
    }

    private func fill(_ remote: MemoryRemote, _ ids: ClosedRange<Int>) {
        for id in ids {
            remote.set(
                ["id": .integer(Int64(id)), "title": .string("T\(id)"), "body_text": "b"], id: "\(id)", in: "/articles")
        }
    }

    @Test("A pull of several collections says once that there was nothing to merge")
    func pulls() async throws {
        let remote = MemoryRemote()
        let sync = Sync(store: try Store(ShopSchema.self, at: .inMemory), remote: remote)
        #expect(try await sync.pull().description == "nothing to merge")
        remote.set(["id": 1, "name": "vegan"], id: "1", in: "/tags")
        let second = try await sync.pull().description
        #expect(second.hasPrefix("Tag: 1 inserted") && !second.contains("nothing"))
    }

    @Test("All pages of a collection are merged")
    func pages() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(), pageSize: 3)
        fill(remote, 1...8)
        let (store, sync) = try shop(remote)
        let summary = try await sync.pull(Article.self)
        #expect(summary.inserted == 8)
        #expect(summary.requests == 3)
        #expect(try await titles(store).count == 8)
    }

    @Test("M7 M8 Records are deleted only on request, and page 2 does not delete page 1")
    func deletes() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(), pageSize: 3)
        fill(remote, 1...8)
        let (store, sync) = try shop(remote)
        try await sync.pull(Article.self)
        remote.remove("5", from: "/articles")
        try await sync.pull(Article.self)
        #expect(try await titles(store).count == 8)
        let summary = try await sync.pull(Article.self, options: MergeOptions(records: .all))
        #expect(summary.deleted == 1)
        #expect(try await titles(store) == ["T1", "T2", "T3", "T4", "T6", "T7", "T8"])
    }

    @Test("M7.2 A collection whose last page fails deletes and changes nothing")
    func lastPageFails() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(), pageSize: 3)
        fill(remote, 1...8)
        let (store, sync) = try shop(remote)
        try await sync.pull(Article.self)
        fill(remote, 9...9)
        remote.remove("1", from: "/articles")
        remote.respondNext(.truncated, to: RemoteCallFilter { $0.page != nil })
        await #expect(throws: (any Error).self) {
            try await sync.pull(Article.self, options: MergeOptions(records: .all))
        }
        #expect(try await titles(store).count == 8)
    }

    @Test("H1 An unchanged collection is not downloaded or merged again")
    func notModified() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        fill(remote, 1...3)
        let (_, sync) = try shop(remote)
        #expect(try await sync.pull(Article.self).inserted == 3)
        let again = try await sync.pull(Article.self)
        #expect(again.notModified == 1 && again.merges.isEmpty)
        fill(remote, 4...4)
        #expect(try await sync.pull(Article.self).inserted == 1)
        try await sync.forgetValidators()
        #expect(try await sync.pull(Article.self).unchanged == 4)
    }

    @Test("H1 Validators of an earlier pull without deletes do not prevent a later one from deleting")
    func notModifiedIsOfItsKind() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        fill(remote, 1...3)
        let (store, sync) = try shop(remote)
        try await sync.pull(Article.self)
        remote.remove("2", from: "/articles")
        try await sync.pull(Article.self)
        let summary = try await sync.pull(Article.self, options: MergeOptions(records: .all))
        #expect(summary.deleted == 1)
        #expect(try await titles(store) == ["T1", "T3"])
    }

    @Test("One record is fetched by its id; if it was deleted on the server, it is deleted locally")
    func oneRecord() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        fill(remote, 1...3)
        let clock = ManualClock()
        let store = try shop(remote).0
        let sync = Sync(store: store, remote: remote, clock: clock)
        try await sync.pull(Article.self, id: 2)
        #expect(try await titles(store) == ["T2"])
        remote.remove("2", from: "/articles")
        // The response was a confirmation (M7).
        clock.advance(by: 301)
        #expect(try await sync.pull(Article.self, id: 2).deleted == 1)
        #expect(try await titles(store).isEmpty)
    }

    @Test("H1 Records deleted with their parent are restored, although the server reports no change")
    func cascadeForgets() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        fill(remote, 1...1)
        let comment: JSONValue = ["id": 7, "name": "n", "text": "t", "article_id": 1]
        remote.set(comment, id: "7", in: "/article_comments")
        let (store, sync) = try shop(remote)
        let options = MergeOptions(records: .all)
        try await sync.pull(Article.self, options: options)
        try await sync.pull(ArticleComment.self, options: options)
        // This server does not delete comments with their article.
        remote.remove("1", from: "/articles")
        try await sync.pull(Article.self, options: options)
        #expect(try await store.representations(ArticleComment.all()).isEmpty)

        try await sync.pull(ArticleComment.self, options: options)
        #expect(try await store.representations(ArticleComment.all()).count == 1)
        #expect(try await sync.pull(ArticleComment.self, options: options).notModified == 1)
    }

    @Test("A missing collection does not keep the others from being pulled, and is reported at the end")
    func missingCollection() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try shop(remote)
        fill(remote, 1...2)
        remote.set(["id": 1, "name": "red"], id: "1", in: "/tags")
        for path in ["/articles", "/products"] {
            let error = SyncError(.notFound, reason: "no \(path)", remedy: "Create it.")
            remote.respondNext(.fails(error), to: .kind(.fetch, path: path))
        }
        let error = await #expect(throws: SyncError.self) { try await sync.pull() }
        #expect(error?.code == .notFound && error?.reason == "no /articles")
        #expect(try await store.representations(Tag.all()).count == 1)
        #expect(try await store.representations(Article.all()).isEmpty)
        #expect(remote.log.contains { $0.path == "/products" })

        // Any other error would be the same for the others.
        remote.clearLog()
        remote.respondNext(.connectionFails, to: .fetches)
        await #expect(throws: SyncError.self) { try await sync.pull() }
        #expect(remote.log.count == 1)
    }
}
