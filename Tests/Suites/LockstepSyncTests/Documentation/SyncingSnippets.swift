import Foundation
import Journal
import LockstepStore
import LockstepSync
import LockstepTesting
import Logging
import Shop
import TestSupport
import Testing

// The Swift of Syncing.md, compiled and run.

@Suite("The Swift of the page on syncing")
@MainActor
struct SyncingSnippets {
    @Test("Pull and push")
    func first() async throws {
        let server = FakeFirebase()
        try await server.listen()
        let url = server.url
        let store = try Store(JournalSchema.self, at: .inMemory)
        // snippet
        let sync = Sync(store: store, remote: FirebaseRemote(url))
        try await sync.pull(Entry.self)  // fetch the server's records
        try await sync.push()  // send local changes
        // end
        _ = Entry(title: "one", context: store.mainContext)
        try await store.mainContext.save()
        // snippet
        let summary = try await sync.push()
        print(summary)  // 3 created, 1 updated, 1 parked
        for change in summary.parked { print(change.record, change.parked?.status ?? 0) }
        // end
        #expect(summary.created == 1 && summary.parked.isEmpty)
        await server.stop()
    }

    @Test("README: a REST server")
    func readme() async throws {
        let server = FakeRails()
        try await server.listen()
        let serverURL = server.url
        let store = try Store(JournalSchema.self, at: .inMemory)
        _ = Entry(title: "one", context: store.mainContext)
        try await store.mainContext.save()
        // snippet
        let sync = Sync(store: store, remote: RESTRemote(serverURL))
        try await sync.pull(Entry.self)  // GET /entries
        try await sync.push()  // POST, PATCH and DELETE what was changed
        // end
        #expect(server.requests.map { "\($0.method) \($0.path)" } == ["GET /entries", "POST /entries"])
        await server.stop()
    }

    @Test("All the ways to pull")
    func pulls() async throws {
        let store = try Store(ShopSchema.self, at: .inMemory)
        let remote = MemoryRemote(traits: RemoteTraits())
        remote.set(["id": 3, "title": "A", "body_text": "b"], id: "3", in: "/articles")
        remote.set(["id": 9, "article_id": 3, "name": "Ann", "text": "t"], id: "9", in: "/article_comments")
        remote.set(["id": 8, "name": "Ben", "text": "u"], id: "8", in: "/articles/3/comments")
        let sync = Sync(store: store, remote: remote)
        // snippet
        try await sync.pull()  // every entity that has a collection of its own
        try await sync.pull(Article.self, options: MergeOptions(records: .all))  // also delete what the server deleted
        try await sync.pull(Article.self, id: 3)  // one record
        try await sync.pull(ArticleComment.self, query: [URLQueryItem(name: "article_id", value: "3")])
        try await sync.pull(
            ArticleComment.self, scope: .children(of: 3, in: Article.Relationships.comments),
            path: "/articles/3/comments")
        // end
        let article = try #require(try Article.find(3, in: store.mainContext))
        #expect(article.comments.count == 2)
    }

    @Test("Several at the same time")
    func concurrency() throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let remote = MemoryRemote(maximumConcurrentChanges: nil)
        // snippet
        let eager = Sync(store: store, remote: remote, maximumConcurrentPushes: 8)
        let patient = Sync(store: store, remote: remote, maximumConcurrentPushes: 1)  // one after the other
        // end
        #expect(eager.maximumConcurrentPushes == 8 && patient.maximumConcurrentPushes == 1)
    }

    @Test("Step by step")
    func steps() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let remote = MemoryRemote(traits: RemoteTraits(hasEvents: true))
        let sync = Sync(store: store, remote: remote)
        let context = store.mainContext
        let entry = Entry(title: "one", context: context)
        let other = Entry(title: "two", context: context)
        try await context.save()
        try await sync.sendNew(entry)
        entry.title = "changed"
        try await context.save()
        // snippet
        try await sync.put(entry)  // the whole record, changed or not
        try await sync.sendNew(other)  // only if the server does not have it yet
        // end
        entry.mood = .happy
        try await context.save()
        // snippet
        try await sync.sendUpdated(entry)  // only the changed members
        try await sync.delete(Entry.self, id: other.identifier)  // locally and on the server
        try await sync.fetch(entry)  // this record again
        // end
        #expect(remote.records(of: "/entries").map { $0["mood"] } == ["happy"])
    }

    @Test("Keeping in sync")
    func running() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: MemoryRemote(traits: RemoteTraits(hasEvents: true)))
        // snippet
        let task = Task { try await sync.run() }
        for await status in sync.status {
            print(status)
            if case .upToDate = status { break }
        }
        task.cancel()
        // end
        try await task.value
    }

    @Test("Retrying now, and the network")
    func retrying() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: MemoryRemote(traits: RemoteTraits()))
        // snippet
        let path = ManualNetworkPath()  // SystemNetworkPath() on Apple platforms
        let running = Task { try await sync.run(RunOptions(network: path)) }
        try await sync.retryNow()  // for a button
        // end
        running.cancel()
        try await running.value
    }

    @Test("Diagnostics and a log")
    func diagnostics() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: MemoryRemote(traits: RemoteTraits()))
        // snippet
        let watching = Task {
            for await diagnostic in sync.diagnostics { print(diagnostic) }
        }
        // end
        // snippet
        sync.log(to: Logger(label: "app.sync"))
        // end
        watching.cancel()
        await watching.value
    }

    @Test("Skipped records")
    func merges() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: MemoryRemote(traits: RemoteTraits(hasEvents: true)))
        // snippet
        let skips = Task {
            for await summary in sync.merges {
                for record in summary.skipped { print(record.entity, record.identity ?? "", record.reason) }
            }
        }
        // end
        skips.cancel()
        await skips.value
    }
}
