import Foundation
import Journal
import LockstepStore
import Testing

// The Swift on the journal in ComingFromCoreData.md.

@Suite("Coming from Core Data: the journal")
struct CoreDataJournalSnippets {
    @MainActor
    @Test("Stack, contexts and saves")
    func stack() async throws {
        // snippet
        let store = try Store(JournalSchema.self, at: .inMemory)  // NSPersistentContainer; .file(url) in an app
        let context = store.mainContext  // viewContext
        let entry = Entry(title: "Hello", context: context)
        try await context.save()

        let count = try await store.perform { context in  // performBackgroundTask
            Entry(title: "From elsewhere", mood: .happy, context: context)
            try context.save()
            return try context.count(Entry.all())
        }
        entry.title = "Changed"
        context.rollback()
        print(count, entry.title)  // 2 Hello
        // end
        #expect(count == 2 && entry.title == "Hello")
    }

    @Test("Day 3: entries from a server, merged manually")
    func dayThree() async throws {
        let json = Data(
            """
            {"a": {"identifier": "01020304-0506-0708-090a-0b0c0d0e0f10", "title": "Monday", "mood": "happy",
                   "timestamp": "2020-01-01T00:00:00Z", "bodyText": "It rained."}}
            """.utf8)
        let store = try Store(JournalSchema.self, at: .inMemory)
        for _ in 0..<2 {
            // snippet
            let received = try JSONDecoder().decode([String: EntryRepresentation].self, from: json)
            try await store.perform { context in
                for representation in received.values {
                    // fetchSingleEntryFromPersistentStore(identifier:)
                    if let entry = try context.find(Entry.self, representation.identifier) {
                        if entry != representation { entry.update(from: representation) }
                    } else {
                        Entry(representation: representation, context: context)
                    }
                }
                try context.save()  // saveToPersistentStore()
            }
            // end
        }
        let titles = try await store.perform { try $0.fetch(Entry.all()).map(\.title) }
        #expect(titles == ["Monday"])
    }

    @Test("A fetch request, step by step")
    func requests() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            for mood in [Mood.happy, .sad, .happy] { Entry(title: "Day", mood: mood, context: context) }
            try context.save()
            // snippet
            let request =
                Entry
                .filter { $0.mood == Mood.happy && $0.title.contains("Day") }  // predicate
                .order { [$0.timestamp.desc, $0.title.asc] }  // sortDescriptors
                .limit(20, offset: 0)  // fetchLimit, fetchOffset
            let entries = try context.fetch(request)
            let first = try context.first(request)
            let count = try context.count(request)
            let identifiers = try context.ids(request)  // managedObjectIDResultType
            let moods = try context.distinctValues(Entry.all()) { $0.mood }  // returnsDistinctResults
            let counts = try context.counts(Entry.all(), by: \.mood)  // propertiesToGroupBy
            let latest = try context.maximum(Entry.all(), of: \.timestamp)  // max:
            print(entries.count, first === entries.first, count, identifiers.count, moods, counts, latest as Any)
            // end
            #expect(entries.count == 2 && count == 2 && identifiers.count == 2)
            #expect(moods == [.happy, .sad] && counts == [.happy: 2, .sad: 1])
        }
    }

    @Test("Keyset paging")
    func pages() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            for number in 0..<5 { Entry(title: "\(number)", context: context) }
            try context.save()
            // snippet
            var page = try context.page(of: Entry.all(), sortedBy: [\.timestamp.desc], size: 2)
            while let next = page.next {  // Codable: store it to continue after a relaunch
                page = try context.page(of: Entry.all(), sortedBy: [\.timestamp.desc], size: 2, after: next)
            }
            // end
            #expect(page.items.count == 1)
        }
    }

    @Test("SQL that returns models")
    func sql() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            Entry(title: "Day", mood: .happy, context: context)
            try context.save()
            let since = Date(timeIntervalSince1970: 0)
            // snippet
            let sql = "SELECT entry.*, length(title) FROM entry WHERE mood = ? AND timestamp > ?"
            let recent = try context.fetch(Entry.self, sql: sql, arguments: [Mood.happy, since])

            let request: SQLRequest<Entry> = """
                SELECT * FROM entry WHERE mood IN \([Mood.happy, .sad]) AND timestamp > \(since)
                """
            let same = try context.fetch(request)
            print(recent.count, same.count)
            // end
            #expect(recent.count == 1 && same.count == 1)
        }
    }

    @Test("Batch updates and deletes, as in GRDB")
    func batches() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            for mood in [Mood.happy, .sad] { Entry(title: "Day", mood: mood, context: context) }
            try context.save()
        }
        // snippet
        try await store.writer.write { database in
            // NSBatchUpdateRequest, NSBatchDeleteRequest
            try Entry.filter { $0.mood == Mood.sad }.updateAll(database) { [$0.title.set(to: "Never mind")] }
            try Entry.filter { $0.mood == Mood.happy }.deleteAll(database)
        }
        // end
        let titles = try await store.perform { try $0.fetch(Entry.all()).map(\.title) }
        #expect(titles == ["Never mind"])
    }

    @Test("Predicates, operator by operator")
    func predicates() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            let entry = Entry(title: "Monday", context: context)
            try context.save()
            let (start, end) = (Date(timeIntervalSince1970: 0), Date.distantFuture)
            // snippet
            let requests = [
                Entry.filter { $0.title == "Monday" },  // title == %@
                Entry.filter { $0.bodyText == nil },  // bodyText == nil
                Entry.filter { $0.mood != Mood.sad },  // mood != %@
                Entry.filter { $0.timestamp >= start },  // timestamp >= %@
                Entry.filter { $0.timestamp.between(start...end) },  // timestamp BETWEEN {%@, %@}
                Entry.filter { $0.mood.isIn([.happy, .neutral]) },  // mood IN %@
                Entry.filter { $0.title.contains("ond") },  // title CONTAINS %@
                Entry.filter { $0.title.hasPrefix("Mon") },  // title BEGINSWITH %@
                Entry.filter { $0.title.like("%DAY") },  // title ENDSWITH[c] %@, LIKE[c]; ASCII only
                Entry.filter { $0.title.collating(.nocase) == "monday" },  // title ==[c] %@; ASCII only
                Entry.filter { $0.title == "Monday" && !($0.mood == Mood.sad) },  // AND, NOT
                Entry.filter { $0.title == "Monday" || $0.title == "Friday" },  // OR
                Entry.filter { $0.title == "Monday" }.filter { $0.bodyText == nil },  // NSCompoundPredicate
                Entry.filter { $0.identifier.isIn([entry.identifier]) },  // SELF IN %@
                Entry.all(),  // TRUEPREDICATE
                Entry.none(),  // FALSEPREDICATE
            ]
            // end
            let counts = try requests.map { try context.count($0) }
            #expect(counts == Array(repeating: 1, count: 15) + [0])
        }
    }

    @MainActor
    @Test("Sections, once and live")
    func sections() throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let context = store.mainContext
        for mood in [Mood.happy, .sad, .happy] { Entry(title: "Day", mood: mood, context: context) }
        try context.save()
        // snippet
        for section in try context.sections(Entry.order(\.timestamp.desc), by: \.mood) {
            print(section.key, section.map(\.title))
        }
        // NSFetchedResultsController: observable, and `for await sections in results`
        let results = store.results(Entry.order(\.timestamp.desc), sectionedBy: \.mood)
        print(results.sections.map(\.key), results.items.count)
        // end
        #expect(results.sections.count == 2 && results.items.count == 3)
        results.stop()
    }
}
