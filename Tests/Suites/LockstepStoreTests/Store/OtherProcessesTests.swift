import Foundation
import Journal
import LockstepStore
import TestSupport
import Testing

/// What another process saves: here, another store of the same file, with connections of its own.
@Suite("Changes of other processes")
@MainActor
struct OtherProcessesTests {
    @MainActor
    private final class Counts {
        var values: [Int] = []
    }

    @Test("They are shown when the store looks: in contexts, in live results, and in the outbox")
    func shown() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "journal.sqlite")
            let store = try Store(JournalSchema.self, at: .file(file))
            let entry = Entry(title: "Monday", context: store.mainContext)
            try await store.mainContext.save()
            let id = entry.identifier
            var updates = store.outbox.updates.makeAsyncIterator()
            #expect(await updates.next()?.count == 1)
            let counts = Counts()
            let reader = Task { @MainActor in
                for await snapshot in store.results(Entry.all()) {
                    counts.values.append(snapshot.items.count)
                }
            }
            #expect(try await soon { !counts.values.isEmpty }, "waited for the first results")
            #expect(try await store.refreshFromOtherProcesses() == false)

            let other = try Store(JournalSchema.self, at: .file(file))
            try await other.perform { context in
                try Entry.find(id, in: context)?.title = "Tuesday"
                Entry(title: "theirs", context: context)
                try context.save()
            }
            #expect(entry.title == "Monday")
            #expect(try await store.refreshFromOtherProcesses())
            let isShown = try await soon { counts.values.last == 2 }
            reader.cancel()
            try #require(isShown, "waited for results with two entries")
            #expect(entry.title == "Tuesday")
            #expect(await updates.next()?.count == 2)
            #expect(try await store.refreshFromOtherProcesses() == false)
            // Its own commits are not those of others.
            entry.title = "Wednesday"
            try await store.mainContext.save()
            #expect(try await store.refreshFromOtherProcesses() == false)
            try other.close()
        }
    }
}
