import Foundation
import Journal
import LockstepStore
import Testing

// The Swift of SwiftDataModels.md.

@Suite("Coming from SwiftData")
struct SwiftDataSnippets {
    @MainActor
    @Test("The calls of a container, a context, a fetch and undo")
    func calls() async throws {
        // snippet
        let store = try Store(JournalSchema.self, at: .inMemory)  // ModelContainer(for:configurations:)
        let context = store.mainContext  // container.mainContext
        let history = context.enableUndo()  // undoManager
        let entry = Entry(title: "Monday", context: context)  // context.insert(Entry(title: "Monday"))
        try await context.save()

        let request =  // FetchDescriptor(predicate:sortBy:), fetchLimit
            Entry
            .filter { $0.mood == Mood.neutral && $0.title.contains("day") }  // #Predicate
            .order { $0.timestamp.desc }  // SortDescriptor(\.timestamp, order: .reverse)
            .limit(20)
        let recent = try context.fetch(request)
        let count = try context.count(request)  // fetchCount
        let results = store.results(request)  // @Query; in a view, @Results(request) var entries

        entry.title = "Tuesday"
        history.undo()
        print(recent.count, count, results.items.count, entry.title)  // 1 1 1 Monday
        // end
        #expect(recent.count == 1 && count == 1 && results.items.count == 1 && entry.title == "Monday")
    }

    private struct RealmEntry {
        let id = UUID()
        let title: String
    }

    @Test("Records that another SDK has read are stored once")
    func firstLaunch() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let old = [RealmEntry(title: "Monday"), RealmEntry(title: "Friday")]
        for _ in 0..<2 {
            // snippet
            let values = old.map { entry in  // realm.objects(RealmEntry.self)
                EntryRepresentation(identifier: entry.id, title: entry.title, mood: .neutral, timestamp: .now)
            }
            try await store.perform { context in
                for value in values where try context.find(Entry.self, value.identifier) == nil {
                    Entry(representation: value, context: context)
                }
                try context.save()  // one transaction
            }
            // end
        }
        let titles = try await store.perform { try $0.fetch(Entry.order(\.title)).map(\.title) }
        #expect(titles == ["Friday", "Monday"])
    }
}
