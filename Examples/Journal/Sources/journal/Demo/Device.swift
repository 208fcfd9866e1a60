import Foundation
import LockstepStore
import LockstepSync

/// A device of the demo: a journal in its own file, and its sync with the server.
@MainActor
final class Device {
    private let file: URL
    private let server: URL
    private(set) var store: Store
    private(set) var sync: Sync

    init(_ name: String, in folder: URL, server: URL) throws {
        file = folder.appending(path: "\(name).sqlite")
        self.server = server
        store = try Store(JournalSchema.self, at: .file(file))
        sync = Sync(journal: store, server: server)
    }

    /// Simulates that the app is terminated and launched again.
    func restart() throws {
        try store.close()
        store = try Store(JournalSchema.self, at: .file(file))
        sync = Sync(journal: store, server: server)
    }

    func write(_ title: String, _ mood: Mood, at time: Date) throws {
        Entry(title: title, mood: mood, timestamp: time, updatedAt: time, context: store.mainContext)
        try store.mainContext.save()
    }

    func edit(_ title: String, at time: Date, _ change: (Entry) -> Void) throws {
        let entry = try entry(title)
        change(entry)
        entry.updatedAt = time
        try store.mainContext.save()
    }

    func delete(_ title: String) throws {
        store.mainContext.delete(try entry(title))
        try store.mainContext.save()
    }

    func entry(_ title: String) throws -> Entry {
        guard let entry = try store.mainContext.first(Entry.filter { $0.title == title }) else {
            throw JournalError.noEntry(title)
        }
        return entry
    }

    /// All entries of the journal, as values.
    func entries() async throws -> [EntryRepresentation] {
        try await store.representations(Entry.order(\.identifier))
    }
}
