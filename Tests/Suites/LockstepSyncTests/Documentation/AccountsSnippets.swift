import Foundation
import Journal
import LockstepReport
import LockstepStore
import LockstepSync
import LockstepTesting
import TestSupport
import Testing

// Swift of Syncing.md and WhenSomethingGoesWrong.md, compiled and run.

@Suite("The Swift of the pages on accounts and on diagnosing")
struct AccountsSnippets {
    @Test("An account, and leaving it")
    func account() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appending(path: "journal.sqlite")
            // snippet
            let store = try Store(JournalSchema.self, at: .file(url), account: "user-17")
            // end
            let sync = Sync(store: store, remote: MemoryRemote())
            // snippet
            try await sync.signOut(pending: .push)
            // end
            #expect(!FileManager.default.fileExists(atPath: url.path))
        }
    }

    @Test("Other processes")
    func otherProcesses() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: MemoryRemote())
        // snippet
        let hasChanges = try await store.refreshFromOtherProcesses()
        // end
        #expect(!hasChanges)
        let run = Task {
            // snippet
            try await sync.run(RunOptions(otherProcessesSeconds: 2))
            // end
        }
        run.cancel()
        try await run.value
    }

    @Test("Leaving the screen")
    func background() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: MemoryRemote())
        // snippet
        let run = Task { try await sync.run() }
        // The app leaves the screen.
        run.cancel()
        try await run.value
        // end
    }

    @Test("A report")
    func report() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: MemoryRemote())
        // snippet
        let text = try await sync.report()
        // end
        #expect(text.contains("Status: idle"))
    }
}
