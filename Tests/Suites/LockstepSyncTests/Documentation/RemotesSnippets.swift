import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting
import Shop
import TestSupport
import Testing

// The Swift of Remotes.md, compiled and run.

@Suite("The Swift in Remotes.md")
struct RemotesSnippets {
    private func send(_ change: OutgoingChange, to remote: some Remote) async throws -> String {
        try await remote.send(change).text
    }

    @Test("Firebase")
    func firebase() async throws {
        let client = ScriptedClient()
        let user = SignedInUser()
        // snippet
        let url = URL(string: "https://journal-1234.firebaseio.com")!
        let remote = FirebaseRemote(url, client: client) { isFresh in
            try await user.idToken(forcingRefresh: isFresh)
        }
        // end
        #expect(remote.traits.payload == .map)
    }

    private struct SignedInUser {
        func idToken(forcingRefresh: Bool) async throws -> String { "token" }
    }

    @Test("REST: what acknowledges a write")
    func acknowledgements() async throws {
        var conventions = RESTConventions()
        // snippet
        conventions.writes.acknowledgements.texts = ["OK", #"{"status":"ok"}"#]  // 200 text/plain, or an envelope
        conventions.writes.acknowledgements.emptyStatuses.insert(202)  // “accepted”, processed later
        conventions.writes.acknowledgements.includeErrorPages = true  // the API's own 404 is HTML
        // end
        let client = ScriptedClient(.init(body: "OK"))
        let remote = RESTRemote(URL(string: "https://shop.test")!, client: client, conventions: conventions)
        #expect(try await send(.delete(Article.self, 7), to: remote) == "accepted nothing, no version, no identity")
    }

    @Test("REST: only what has changed")
    func changes() async throws {
        var conventions = RESTConventions()
        // snippet
        conventions.reads.changes = .updatedSince(deletions: .marked(by: "deleted_at"))
        // end
        let server = FakeRails(RailsRules(changes: RailsChanges(deletions: .marked(by: "deleted_at"))))
        let remote = RESTRemote(server.url, client: server.client, conventions: conventions)
        let sync = Sync(store: try Store(ShopSchema.self, at: .inMemory), remote: remote)
        for _ in 1...2 { try await sync.pull(Article.self) }
        #expect(server.requests.map { $0.parameter("updated_since") != nil } == [false, true])
    }

    @Test("REST")
    func rest() async throws {
        let client = ScriptedClient(.init(body: "[]"), .init(body: "{}"), .init(body: "{}"))
        // snippet
        var conventions = RESTConventions()
        conventions.headers[.acceptLanguage] = "de"
        conventions.reads.paging = .pages(size: ("per_page", 100))  // ?page=1&per_page=100, until a page is empty

        let remote = RESTRemote(
            URL(string: "https://example.com/api")!, client: client, conventions: conventions, usesVersions: true
        )
        .overriding(Article.self) { article in
            article.reads.collections = .wrapped(key: "data")
            article.addresses.collectionPath = { entity, method in "/v2" + entity.path }
            article.addresses.recordPath = { entity, identity, method in "/v2/article/\(identity)" }
        }
        // end
        _ = try await remote.fetch(RemoteRequest(entity: RemoteEntity(Tag.self)))
        _ = try await remote.fetch(RemoteRequest(entity: RemoteEntity(Article.self), target: .record([7])))
        let asked = await client.requests.compactMap { $0.split(separator: "\n").first }
        #expect(asked[0] == "GET https://example.com/api/tags?page=1&per_page=100")
        #expect(asked[1] == "GET https://example.com/api/v2/article/7")
    }

    @Test("A file")
    func file() async throws {
        try await withTemporaryFolder { folder in
            // snippet
            let remote = FileRemote(folder.appendingPathComponent("remote.json"))
            // end
            let made = try await send(.create(Article.self, "{}"), to: remote)
            #expect(made.hasSuffix(" 1"))
        }
    }
}
