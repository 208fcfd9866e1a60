import Journal
import LockstepStore
import LockstepSync
import LockstepTesting
import Observation
import Testing

@MainActor @Suite("What a view shows of a sync")
struct ObservedSyncTests {
    @Test("A view that has read `isSynced` runs again when the server has confirmed the record")
    func confirmation() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let entry = Entry(title: "Hello", context: store.mainContext)
        let other = Entry(title: "Other", context: store.mainContext)
        try await store.mainContext.save()
        var runsAgain = false
        withObservationTracking {
            #expect(!entry.isSynced)
        } onChange: {
            MainActor.assumeIsolated { runsAgain = true }
        }
        other.title = "Changed"
        #expect(!runsAgain)
        try await Sync(store: store, remote: MemoryRemote()).push()
        _ = try store.mainContext.count(Entry.all())
        #expect(runsAgain && entry.isSynced)
    }
}
