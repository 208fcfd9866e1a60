import Journal
import LockstepStore
import LockstepSync
import LockstepTesting
import Testing

@Suite("C1 Merging into a title that was edited locally and not pushed")
struct PendingEditsTests {
    private static let id = "0e5a1c1a-6a4e-4f5b-9b57-3c1f6a8a2d11"

    private static func json(_ title: String) -> String { #"[{"identifier": "\#(id)", "title": "\#(title)"}]"# }

    /// A store with one entry, titled "Here", whose edit is pending; the server has another title.
    private func edited() async throws -> Store {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.merge(Self.json("Monday"), into: Entry.self)
        try await store.perform { context in
            for entry in try context.fetch(Entry.all()) { entry.title = "Here" }
            try context.save()
        }
        #expect(try await store.outbox.count() == 1)
        return store
    }

    private func expect(
        _ title: String, pending: Int, in store: Store, at location: SourceLocation = #_sourceLocation
    ) async throws {
        let titles = try await store.perform { try $0.fetch(Entry.all()).map(\.title) }
        #expect(titles == [title], sourceLocation: location)
        #expect(try await store.outbox.count() == pending, sourceLocation: location)
    }

    @Test("C1 Once a sync was created for the store, the edit is kept and stays pending")
    func withSync() async throws {
        let store = try await edited()
        _ = Sync(store: store, remote: MemoryRemote())
        try await store.merge(Self.json("There"), into: Entry.self)
        try await expect("Here", pending: 1, in: store)
    }

    @Test("C1 With a policy passed to the merge, the edit is kept and stays pending")
    func withOptions() async throws {
        let store = try await edited()
        var options = MergeOptions()
        options.conflicts = .localChangesWin
        try await store.merge(Self.json("There"), into: Entry.self, options: options)
        try await expect("Here", pending: 1, in: store)
    }

    @Test("C1 Without either, the edit is kept and stays pending")
    func withNeither() async throws {
        let store = try await edited()
        try await store.merge(Self.json("There"), into: Entry.self)
        try await expect("Here", pending: 1, in: store)
    }
}
