import Foundation
import GRDB
import LockstepStore
import LockstepSystem
import StoreSamples
import TestSupport
import Testing

@Suite("A save that is awaited") @MainActor
struct AsyncSaveTests {
    private static let titles = "SELECT title FROM entry ORDER BY title"

    /// Keeps the writer of a store busy, as a long merge does.
    private struct BusyWriter {
        private let end = TestSignal()
        private let task: Task<Void, any Error>

        init(_ store: Store) async {
            let begin = TestSignal()
            task = Task { [end] in
                try await store.writer.write { _ in
                    begin.fire()
                    end.wait()
                }
            }
            await begin.fired()
        }

        func finish() async throws {
            end.fire()
            try await task.value
        }
    }

    /// Starts a save, and returns when it waits.
    private func waitingSave(of context: ManagedObjectContext) async throws -> Task<Void, any Error> {
        final class Flag { var isSet = false }
        let begin = Flag()
        let save = Task {
            begin.isSet = true
            try await context.save()
        }
        #expect(try await soon { begin.isSet }, "waited for the save to begin")
        return save
    }

    @Test("waits for the writer, with its actor free, and stores what has changed by then", arguments: Place.allCases)
    func waits(place: Place) async throws {
        try await place.withStore(JournalSchema.self) { store in
            let context = store.mainContext
            let entry = Entry(title: "First", context: context)
            let writer = await BusyWriter(store)
            let save = try await waitingSave(of: context)
            entry.title = "Second"
            let other = Entry(title: "Third", context: context)
            #expect(entry.recordState == .inserted)
            try await writer.finish()
            try await save.value
            #expect(!context.hasChanges && entry.recordState == .stored && other.recordState == .stored)
            #expect(try store.rows(Self.titles) == ["Second", "Third"])
        }
    }

    @Test("stores nothing if everything was rolled back meanwhile, or saved by another save")
    func nothingLeft() async throws {
        try await Place.file.withStore(JournalSchema.self) { store in
            let context = store.mainContext
            Entry(title: "Lost", context: context)
            let writer = await BusyWriter(store)
            let save = try await waitingSave(of: context)
            context.rollback()
            let entry = Entry(title: "Kept", context: context)
            let second = try await waitingSave(of: context)
            try await writer.finish()
            try await save.value
            try await second.value
            #expect(entry.recordState == .stored)
            #expect(try store.rows(Self.titles) == ["Kept"])
        }
    }

    @Test("that is cancelled while it waits stores nothing, and the context keeps its changes")
    func cancelled() async throws {
        try await Place.file.withStore(JournalSchema.self) { store in
            let context = store.mainContext
            Entry(title: "Entry", context: context)
            let writer = await BusyWriter(store)
            let save = try await waitingSave(of: context)
            // It waits for the first one, and not for the writer.
            let next = try await waitingSave(of: context)
            next.cancel()
            await #expect(throws: CancellationError.self) { try await next.value }
            save.cancel()
            try await writer.finish()
            await #expect(throws: CancellationError.self) { try await save.value }
            #expect(context.hasChanges)
            #expect(try store.rows(Self.titles) == [])
            try await context.save()
            #expect(try store.rows(Self.titles) == ["Entry"])
        }
    }

    @Test("fails as any other: nothing is stored, and the next one begins")
    func fails() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let context = store.mainContext
        Entry(title: "Good", context: context)
        let bad = Entry(title: "", context: context)
        let error = await #expect(throws: StoreError.self) { try await context.save() }
        #expect(error?.code == .limit)
        #expect(context.hasChanges)
        #expect(try store.rows(Self.titles) == [])
        bad.title = "Better"
        try await context.save()
        #expect(try store.rows(Self.titles) == ["Better", "Good"])
    }

    @Test("does not wait if there is nothing to write, or if it saves to a parent")
    func doesNotWait() async throws {
        try await Place.file.withStore(JournalSchema.self) { store in
            let context = store.mainContext
            let writer = await BusyWriter(store)
            try await context.save()
            let child = context.makeChild()
            Entry(title: "Child", context: child)
            try await child.save()
            #expect(!child.hasChanges && context.hasChanges)
            try await writer.finish()
            try await context.save()
            #expect(try store.rows(Self.titles) == ["Child"])
        }
    }

    @Test("into a store that cannot be written says so")
    func readOnly() async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("store.sqlite")
            try Store(JournalSchema.self, at: .file(url)).close()
            var configuration = Configuration()
            configuration.readonly = true
            let store = try Store(JournalSchema.self, at: .file(url), configuration: configuration)
            Entry(title: "Entry", context: store.mainContext)
            let error = await #expect(throws: StoreError.self) { try await store.mainContext.save() }
            #expect(error?.code == .readOnly)
        }
    }
}
