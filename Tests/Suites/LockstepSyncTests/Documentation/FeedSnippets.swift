import Foundation
import LockstepStore
import LockstepSync
import Shop
import Testing

/// A server with a feed, in an API of its own.
private struct FeedServer: Sendable {
    struct Page: Sendable {
        var cursor: String
        var hasMore = false
        var records: Data
        var versions: [Int64]
        var deleted: [(id: Int64, version: Int64)]
    }

    let pages: [String: Page]

    func changes(after cursor: String?) async throws -> Page { try #require(pages[cursor ?? ""]) }
}

private struct FeedRemote: Remote {
    let server: FeedServer

    // snippet
    var traits: RemoteTraits { RemoteTraits(hasFeed: true) }

    func feed(after cursor: String?) async throws -> FeedPage {
        let page = try await server.changes(after: cursor)
        let deletions = page.deleted.map { FeedPage.Deletion(RemoteIdentity([.integer($0.id)]), version: $0.version) }
        return FeedPage(
            cursor: page.cursor, hasMore: page.hasMore,
            changes: [
                FeedPage.Changes(
                    of: "Article", in: "magazine:7", records: page.records, versions: page.versions,
                    deletions: deletions)
            ])
    }
    // end

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse { .absent }

    func send(_ change: OutgoingChange) async throws -> SendResponse { .absent }
}

/// The Swift of the section about feeds in WritingARemote.md, compiled and run.
struct FeedSnippets {
    @Test("H3.1 A remote with a feed")
    func feed() async throws {
        let articles = #"[{"id": 1, "title": "One", "body_text": ""}, {"id": 2, "title": "Two", "body_text": ""}]"#
        let server = FeedServer(pages: [
            "": FeedServer.Page(cursor: "a", records: Data(articles.utf8), versions: [1, 2], deleted: []),
            "a": FeedServer.Page(cursor: "b", records: Data("[]".utf8), versions: [], deleted: [(1, 3)]),
        ])
        let store = try Store(ShopSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: FeedRemote(server: server))
        #expect(try await sync.pull().inserted == 2)
        #expect(try await sync.pull().deleted == 1)
    }
}
