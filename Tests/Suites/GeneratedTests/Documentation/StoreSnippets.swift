import Foundation
import Journal
import LockstepStore
import SchematicCapture
import Testing

// The Swift of Contexts.md, Relationships.md, Fetching.md and ChildContexts.md.

@MainActor
@Suite("The Swift on the pages about contexts")
struct StoreSnippets {
    @Test("Contexts")
    func contexts() async throws {
        let folder = try SnippetFolder()
        defer { folder.remove() }
        let url = folder.url.appendingPathComponent("Journal.sqlite")
        let id = UUID()
        // snippet
        let store = try Store(JournalSchema.self, at: .file(url))
        let context = store.mainContext  // bound to the main actor
        let entry = Entry(title: "Hello", context: context)
        try await context.save()

        let count = try await store.perform { context in  // a new context, off the main actor
            try context.find(Entry.self, id)?.mood = .happy
            try context.save()
            return try context.count(Entry.all())
        }
        // end
        #expect(entry.recordState == .stored && count == 1)
    }

    @Test("A conflict, thrown and resolved")
    func conflict() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let context = store.mainContext
        let entry = Entry(title: "Hello", context: context)
        try await context.save()
        let id = entry.identifier
        // snippet
        context.mergePolicy = .error
        entry.title = "Ours"
        try await store.perform { context in
            try context.find(Entry.self, id)?.title = "Theirs"
            try context.save()
        }
        do { try await context.save() } catch let error as StoreError where error.code == .conflict {
            try context.refresh(entry, keepingChanges: false)  // theirs; with keepingChanges: true, ours is saved next
        }
        // end
        #expect(entry.title == "Theirs" && !context.hasChanges)
    }

    @Test("Prefetched relationships, and values instead of models")
    func relationships() async throws {
        let store = try Store(SchematicCaptureSchema.self, at: .inMemory)
        let context = store.mainContext
        let sheet = JobSheet(id: 1, name: "Pumps", context: context)
        Component(id: 2, componentId: "C-2", jobSheet: sheet, context: context)
        try await context.save()
        context.reset()
        // snippet
        let sheets = try context.fetch(JobSheet.order(\.id).prefetch(\.project).prefetch(\.components.photo))
        for sheet in sheets {
            print(sheet.project?.name ?? "none", sheet.components.map { $0.photo?.name ?? "none" })  // no further query
        }
        // end
        // snippet
        let representations = try await store.representations(JobSheet.order(\.id))
        // end
        #expect(sheets.count == 1 && representations.first?.components?.count == 1)
    }

    @Test("Fetching")
    func queries() async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let context = store.mainContext
        Entry(title: "Monday", mood: .happy, context: context)
        try await context.save()
        // snippet
        let happy = try context.fetch(Entry.filter { $0.mood == Mood.happy }.order(\.timestamp.desc).limit(10))
        let first = try context.first(Entry.order(\.timestamp))
        let ids = try context.ids(Entry.filter { $0.title.hasPrefix("Mon") })
        let moods = try context.counts(Entry.all(), by: \.mood)  // [.happy: 3, .sad: 1]
        let newest = try context.maximum(Entry.all(), of: \.timestamp)
        let byHand = try context.fetch(Entry.self, sql: "SELECT * FROM entry WHERE mood = ?", arguments: [Mood.happy])

        let page = try context.page(of: Entry.all(), sortedBy: [\.timestamp.desc], size: 50)
        if let cursor = page.next {  // Codable
            print(try context.page(of: Entry.all(), sortedBy: [\.timestamp.desc], size: 50, after: cursor).items)
        }
        // end
        #expect(happy.count == 1 && first === happy[0] && ids == [happy[0].identifier] && moods == [.happy: 1])
        #expect(newest == happy[0].timestamp && byHand.count == 1 && page.items.count == 1)
    }

    @Test("A child context")
    func child() throws {
        let store = try Store(SchematicCaptureSchema.self, at: .inMemory)
        // snippet
        let list = store.mainContext
        let sheet = JobSheet(id: 1, name: "Pump room", context: list)  // not saved yet

        let editor = list.makeChild()
        if let edited = try JobSheet.find(1, in: editor) {  // the child's own object of the same record
            edited.name = "Pump hall"
            Component(id: 10, componentId: "C-10", jobSheet: edited, context: editor)
        }
        try editor.save()  // Done: `sheet` has the name and the component now, unsaved
        try list.save()  // the store has them
        // end
        #expect(sheet.name == "Pump hall" && sheet.components.count == 1)
        sheet.name = "Unsaved"
        // snippet
        let scratch = store.mainContext.makeScratch()
        let stored = try JobSheet.find(1, in: scratch)?.name  // as the store has it, whatever the main context changed
        // end
        #expect(stored == "Pump hall")
    }
}

/// A temporary folder for the stores of a snippet.
struct SnippetFolder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    func remove() { try? FileManager.default.removeItem(at: url) }
}
