import Foundation
import GRDB
import Journal
import LockstepStore
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import TestSupport
import Testing

// The Swift of AppLife.md.

@Suite("The page about the life of an app") @MainActor
struct AppLifeSnippets {
    // snippet
    func save(_ context: ManagedObjectContext) {
        Task {
            do { try await context.save() } catch let error as StoreError {
                print(error)  // show it; the context keeps its changes
            }
        }
    }
    // end

    @Test("A save in a screen")
    func saving() async throws {
        let context = try Store(JournalSchema.self, at: .inMemory).mainContext
        Entry(title: "Hello", context: context)
        save(context)
        #expect(try await soon { !context.hasChanges }, "waited for the save")
        #expect(try context.count(Entry.all()) == 1)
    }

    @Test("Work in the background")
    func background() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let remote = MemoryRemote()
        let sync = Sync(store: store, remote: remote)
        Entry(title: "Hello", context: store.mainContext)
        try await store.mainContext.save()
        // snippet
        try await withExpiringActivity("Sending changes") {
            try await sync.push()
        }
        // end
        #expect(try await store.outbox.count() == 0)
    }

    @Test("A store that is suspended")
    func suspension() async throws {
        try await announcingSuspensions { _ in
            try await withTemporaryFolder { folder in
                let url = folder.appendingPathComponent("journal.sqlite")
                // snippet
                var configuration = Configuration()
                configuration.observesSuspensionNotifications = true
                let store = try Store(JournalSchema.self, at: .file(url), configuration: configuration)
                // end
                Entry(title: "Hello", context: store.mainContext)
                // snippet
                // In the background, when nothing is left to do:
                NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
                // Active again, before the store is used:
                NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
                try await store.refreshFromOtherProcesses()
                // end
                NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
                let error = await #expect(throws: StoreError.self) { try await store.mainContext.save() }
                #expect(error?.code == .interrupted)
                #expect(try store.mainContext.count(Entry.all()) == 0)
                NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
                try await store.mainContext.save()
                #expect(try store.mainContext.count(Entry.all()) == 1)
                // snippet
                store.excludesDownloadableAttachmentsFromBackup = false  // before anything is transferred
                try store.removeUnusedAttachments()  // applies it to the files that exist
                // end
                try store.close()
            }
        }
    }
}
