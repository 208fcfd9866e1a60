import Foundation
import Journal
import LockstepStore
import Observation
import Testing

// The Swift of ObservingResults.md and of the doc comments, compiled and run.

@MainActor
@Suite("The Swift in the documentation of live results")
struct LiveResultsSnippets {
    private func makeStore() throws -> Store {
        let store = try Store(JournalSchema.self, at: .inMemory)
        Entry(title: "Hike", mood: .happy, timestamp: Date(timeIntervalSince1970: 0), context: store.mainContext)
        try store.mainContext.save()
        return store
    }

    @Test("ObservingResults.md: a loop")
    func loop() async throws {
        let store = try makeStore()
        let task = Task { @MainActor in
            // snippet
            for await sections in store.results(Entry.order(\.timestamp.desc), sectionedBy: \.mood) {
                for section in sections {
                    print(section.key.rawValue, section.map(\.title))
                }
            }
            // end
        }
        await Task.yield()
        task.cancel()
        await task.value
    }

    @Test("ObservingResults.md: an object to observe")
    func observable() throws {
        let store = try makeStore()
        // snippet
        let results = store.results(Entry.order(\.title), sectionedBy: { $0.title.prefix(1) }, sectionOrder: <)
        print(results.sections.map(\.key), results.items.count)
        if let error = results.error { print("out of date:", error) }
        // end
        #expect(results.items.count == 1)
        #expect(results.error == nil)
    }

    @Test("ObservingResults.md: another request")
    func change() throws {
        let store = try makeStore()
        let results = store.results(Entry.order(\.timestamp.desc))
        let text = "ike"
        // snippet
        results.change(to: Entry.filter { $0.title.contains(text) }.order(\.timestamp.desc))
        // end
        #expect(results.items.map(\.title) == ["Hike"])
    }

    @Test("ObservingResults.md: values")
    func values() async throws {
        let store = try makeStore()
        let task = Task {
            // snippet
            for try await entries in store.liveRepresentations(Entry.order(\.timestamp.desc).limit(20)) {
                print(entries.map(\.title))
            }
            // end
        }
        await Task.yield()
        task.cancel()
        try await task.value
    }

    @Test("ObservingResults.md: an array that is kept up to date")
    func apply() async throws {
        let store = try makeStore()
        let task = Task { @MainActor in
            // snippet
            var titles: [[String]] = []
            for await snapshot in store.results(Entry.order(\.timestamp.desc), sectionedBy: \.mood) {
                snapshot.apply(to: &titles) { $0.title }  // keeps unchanged elements, makes the others
            }
            // end
            return titles
        }
        await Task.yield()
        task.cancel()
        _ = await task.value
    }

    @Test("ObservingResults.md: a record to observe")
    func record() throws {
        let store = try makeStore()
        let entry = try #require(try store.mainContext.first(Entry.all()))
        // snippet
        withObservationTracking {
            print(entry.title, entry.recordState)
        } onChange: {
            print("the title or the state changes")
        }
        entry.mood = .happy  // nothing was read that changes
        entry.title = "Hike, with a view"
        // end
        #expect(entry.recordState == .changed)
    }

    @Test("Fetching.md: sections, once")
    func sections() async throws {
        let store = try makeStore()
        // snippet
        let counts = try await store.perform { context in
            try context.sections(Entry.order(\.timestamp.desc), by: \.mood).map { ($0.key, $0.count) }
        }
        // end
        #expect(counts.map(\.0) == [.happy])
    }

    @Test("A difference as index paths")
    func indexPaths() throws {
        let store = try makeStore()
        let results = store.results(Entry.order(\.timestamp.desc))
        Entry(title: "Rain", mood: .sad, timestamp: Date(timeIntervalSince1970: 1), context: store.mainContext)
        try store.mainContext.save()
        #expect(results.difference.inserted.map(\.indexPath) == [IndexPath(indexes: [0, 0])])
        #expect(results.difference.inserted.map { results.snapshot[$0].title } == ["Rain"])
    }
}
