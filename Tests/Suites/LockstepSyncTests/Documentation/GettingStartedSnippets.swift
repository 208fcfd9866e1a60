import Foundation
import Journal
import LockstepStore
import LockstepSync
import LockstepTesting
import OfflineTasks
import Shop
import TestSupport
import Testing

// The Swift of GettingStarted.md and ComingFromSyncAndConverge.md that no other page has, compiled and run.

@Suite("The Swift for new users and for users of other libraries")
@MainActor
struct GettingStartedSnippets {
    /// Not asynchronous, as the statements of a `main.swift` are not.
    private func begin(in folder: URL) throws -> (Store, ManagedObjectContext, Entry) {
        // snippet
        let store = try Store(JournalSchema.self, at: .file(folder.appendingPathComponent("journal.sqlite")))
        let context = store.mainContext  // bound to the main actor

        let entry = Entry(title: "Monday", context: context)
        entry.bodyText = "It rained."
        try context.save()  // one transaction
        // end
        return (store, context, entry)
    }

    @Test("Getting started: a store, a list, a server")
    func gettingStarted() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (store, context, entry) = try begin(in: folder)

        // snippet
        let rainy = try context.fetch(Entry.filter { $0.bodyText.contains("rain") }.order(\.timestamp.desc))
        let sameEntry = try context.find(Entry.self, entry.identifier)
        print(rainy.count, sameEntry === entry)  // 1 true
        // end
        #expect(rainy.count == 1 && sameEntry === entry)

        // snippet
        let entries = store.results(Entry.order(\.timestamp.desc))
        print(entries.items.map(\.title))
        // end
        #expect(entries.items.map(\.title) == ["Monday"])

        // snippet
        let remote = FileRemote(folder.appendingPathComponent("server.json"))
        let sync = Sync(store: store, remote: remote)
        print(try await sync.push())  // 1 created
        print(try await sync.pull(Entry.self))  // Entry: 1 unchanged
        // end

        // snippet
        let phone = try Store(JournalSchema.self, at: .inMemory)
        let phoneSync = Sync(store: phone, remote: remote)
        print(try await phoneSync.pull(Entry.self))  // Entry: 1 inserted
        print(try await phone.perform { try $0.fetch(Entry.all()).map(\.title) })  // ["Monday"]
        // end
        #expect(try await phone.perform { try $0.fetch(Entry.all()).map(\.title) } == ["Monday"])
        #expect(try await sync.push().description == "nothing to push")
        #expect(try await sync.pull(Entry.self).description == "Entry: 1 unchanged")
        #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("server.json").path))
    }

    @Test("Working offline, as in OfflineCRUDDemo")
    func offline() async throws {
        let server = FakeRails()
        let (url, client) = (server.url, server.client)
        server.set(["id": 5, "title": "Bread", "completed": false, "created_at": "2026-01-05T10:00:00Z"], in: "/tasks")
        let store = try Store(OfflineTasksSchema.self, at: .inMemory)
        _ = Task(title: "Milk", context: store.mainContext)
        try await store.mainContext.save()
        // snippet
        let sync = Sync(store: store, remote: RESTRemote(url, client: client))
        try await sync.push()  // sends all local changes; new records get their remoteID
        try await sync.pull(Task.self, options: MergeOptions(records: .all))  // inserts, updates, deletes
        // end
        let tasks = try store.mainContext.fetch(Task.order(\.title))
        #expect(tasks.map(\.title) == ["Bread", "Milk"])
        #expect(tasks.allSatisfy { $0.remoteID != nil && $0.isSynced })
        await server.stop()
    }

    @Test("Converge, call by call")
    func converge() async throws {
        let server = FakeRails()
        let (url, client) = (server.url, server.client)
        server.set(["id": 3, "title": "News", "body_text": "None."], in: "/articles")
        server.set(["id": 9, "article_id": 3, "name": "Ann", "text": "I agree."], in: "/article_comments")
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.merge(#"{"id": 3, "title": "Old", "body_text": "None."}"#, into: Article.self)
        let context = store.mainContext
        let article = try #require(try context.find(Article.self, 3))
        article.title = "Newer"
        let fresh = Article(id: 4, title: "More", bodyText: "Some.", context: context)
        try await context.save()
        // snippet
        let sync = Sync(store: store, remote: RESTRemote(url, client: client))  // initWithBaseURL:context:
        try await sync.pull(Article.self)  // fetchRecordsOfClass:
        try await sync.pull(
            ArticleComment.self, query: [URLQueryItem(name: "article_id", value: "3")])  // parameters:
        try await sync.pull(Article.self, id: 3)  // fetchRecordOfClass:withID:
        try await sync.fetch(article)  // fetchRecord:
        try await sync.sendNew(fresh)  // sendNewRecord:
        try await sync.sendUpdated(article)  // sendUpdatedRecord:
        try await sync.delete(Article.self, id: article.id)  // DELETE
        // end
        #expect(server.log.contains("PATCH /articles/3") && server.log.contains("POST /articles"))
        #expect(server.log.contains("DELETE /articles/3"), "\(server.log)")
        #expect(try context.fetch(Article.order(\.id)).map(\.id) == [4])
        await server.stop()
    }

    @Test("Errors: handling one of a push")
    func errors() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: MemoryRemote())
        // snippet
        do {
            try await sync.push()
        } catch let error as SyncError where error.isTransient {
            // No network, or the server is busy. The changes are still in the outbox; the next push continues.
        } catch let error as SyncError where error.code == .unauthorized {
            // Ask the user to sign in again.
        }
        // end
    }
}
