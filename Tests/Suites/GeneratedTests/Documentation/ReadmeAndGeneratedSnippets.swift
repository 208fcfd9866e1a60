import Foundation
public import Journal
public import LockstepStore
import Shop
import Testing

// The Swift of README.md, Generated.md, Undo.md and Validation.md, compiled and run.

@Suite("The Swift in README.md and Generated.md")
struct ReadmeAndGeneratedSnippets {
    @MainActor
    @Test("README: the first entry")
    func readme() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let fileURL = folder.appendingPathComponent("Journal.sqlite")
        // snippet
        let store = try Store(JournalSchema.self, at: .file(fileURL))
        let context = store.mainContext
        let entry = Entry(title: "Hello", context: context)  // its identifier is a new UUID
        try context.save()  // one transaction

        let happy = try context.fetch(Entry.filter { $0.mood == Mood.happy }.order(\.timestamp.desc))
        let json = try JSONEncoder().encode(entry)  // {…, "timestamp": "2026-01-05T10:00:00Z"}
        entry.update(from: try JSONDecoder().decode(EntryRepresentation.self, from: json))  // an edit like any other
        // end
        #expect(happy.isEmpty)
        #expect(String(decoding: json, as: UTF8.self).contains(#""title":"Hello""#))
        #expect(!context.hasChanges)
    }

    @Test("Generated.md: a model")
    func model() async throws {
        // snippet
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await store.perform { context in
            let entry = Entry(title: "Hello", context: context)  // with the schema's defaults
            entry.mood = .happy
            try context.save()  // one transaction

            let happy = try context.fetch(Entry.filter { $0.mood == Mood.happy }.order(\.timestamp.desc).limit(10))
            let one = try Entry.find(entry.identifier, in: context)
            let same = try Entry.findOrInsert(entry.identifier, in: context) {
                Entry(identifier: entry.identifier, title: "New", context: $0)
            }
            print(happy.count, one === entry, same === entry)
        }
        // end
    }

    @Test("Generated.md: days")
    func days() throws {
        // snippet
        let auckland = TimeZone(identifier: "Pacific/Auckland")!
        let honolulu = TimeZone(identifier: "Pacific/Honolulu")!
        let birthday = Day(year: 2026, month: 11, day: 27)!
        let json = try JSONEncoder().encode(birthday)  // "2026-11-27", on both devices and on the server

        // For a screen: the day begins 23 hours later in Honolulu, and each device shows 27 November.
        let shown = [auckland, honolulu].map { birthday.start(in: $0) }
        // From a date picker, or the current time: the day that it is in a time zone.
        let picked = Day(shown[0].addingTimeInterval(3600), in: auckland)
        print(picked == birthday, Day(shown[0], in: honolulu) == birthday.advanced(by: -1))

        let today = Day(.now, in: .current)
        print(today.distance(to: birthday), birthday < today, String(decoding: json, as: UTF8.self))
        // end
        #expect(picked == birthday && Day(shown[0], in: honolulu) == birthday.advanced(by: -1))
        #expect(shown[1].timeIntervalSince(shown[0]) == 23 * 3600)
    }

    @Test("Generated.md: relationships")
    func relationships() async throws {
        // snippet
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.perform { context in
            let review = ProductReview(id: 1, name: "Alice", reviewText: "Good", context: context)
            review.productID = 5  // its product is not in the store yet
            print(review.product == nil)

            let product = Product(id: 5, name: "Cleaner", context: context)
            print(review.product === product, product.productReviews.count)

            product.tags.insert(Tag(id: 1, name: "clean", context: context))
            product.images.insert(Picture(id: 1, url: URL(fileURLWithPath: "/front.jpg"), context: context), at: 0)
            try context.save()
        }
        // end
    }

    @Test("Generated.md: prefetched relationships")
    func prefetching() async throws {
        // snippet
        let store = try Store(ShopSchema.self, at: .inMemory)
        let counted = try await store.perform { context in
            let reviews = try context.fetch(ProductReview.order(\.id).prefetch(\.product.tags))
            return reviews.reduce(0) { $0 + ($1.product?.tags.count ?? 0) }  // three queries in all
        }
        let products = try await store.representations(Product.filter { $0.stock > 0 }.limit(20))
        print(counted, products.count)
        // end
        #expect(counted == 0 && products.isEmpty)
    }

    @Test("Generated.md: a representation")
    func representation() async throws {
        // snippet
        let json = Data(#"{"id": 1, "name": "Shirt", "price": "19.90", "stock": "12", "tag_ids": [1, 3]}"#.utf8)
        let value = try JSONDecoder().decode(ProductRepresentation.self, from: json)
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.perform { context in
            guard let product = Product(representation: value, context: context) else { return }  // breaks a limit
            print(product == value, value != product)
            product.update(from: value)  // sets the values that differ; does not save
            let text = String(decoding: try JSONEncoder().encode(product), as: UTF8.self)
            print(text)
        }
        // end
    }

    @MainActor
    @Test("Undo.md: steps")
    func undo() throws {
        let context = try Store(JournalSchema.self, at: .inMemory).mainContext
        let entry = Entry(title: "Hello", context: context)
        try context.save()
        // snippet
        let history = context.enableUndo()  // context.undoHistory from now on
        entry.title = "Monday"
        history.group("Change Mood") {
            entry.mood = .happy
            entry.bodyText = "All well."
        }
        history.undo()  // the mood and the text
        history.undo()  // the title: there are no unsaved changes left
        history.redo()
        // end
        #expect(entry.title == "Monday" && entry.mood == .neutral && entry.bodyText == nil)
        #expect(history.redoName == "Change Mood")
    }

    @MainActor
    @Test("Undo.md: groups that fail")
    func failingGroup() throws {
        let context = try Store(JournalSchema.self, at: .inMemory).mainContext
        let history = context.enableUndo()
        let entries = [Entry(title: "Hello", context: context)]
        struct Cancelled: Error {}
        let isCancelled = true
        // snippet
        try? history.group("Rename All") {
            for entry in entries { entry.title += "!" }
            if isCancelled { throw Cancelled() }  // every title is as it was, and there is no step
        }
        // end
        #expect(entries[0].title == "Hello" && history.undoName == nil)
    }

    @MainActor
    @Test("Validation.md")
    func validation() throws {
        let context = try Store(JournalSchema.self, at: .inMemory).mainContext
        let entry = Entry(title: "", context: context)
        entry.mood = .happy
        entry.bodyText = ""
        // snippet
        for problem in context.validate() {
            print(problem.entity ?? "", problem.record ?? "", problem.attribute ?? "", problem.reason)
        }
        do { try entry.validate() } catch let problem as StoreError where problem.code == .validation {
            print(problem.reason)  // a happy entry says why
        }
        // end
        // snippet
        func text(for problem: StoreError) -> String {
            switch (problem.code, problem.attribute) {
            case (.limit, "title"): "The title must have 1 to 200 characters."
            case (.validation, _): problem.reason  // your own text
            default: "This entry cannot be saved."
            }
        }
        // end
        #expect(context.validate().map(text) == ["a happy entry says why"])
        #expect(context.validate().map(\.reason) == ["a happy entry says why"] && entry.title == "")
        entry.bodyText = nil
        try context.save()
        #expect(entry.title == "Untitled")
    }
}

// snippet
struct Celsius: CustomAttribute {
    var degrees: Double

    init(stored: Double) {
        degrees = stored
    }

    var stored: Double { degrees }
}
// end

// snippet
extension Entry: Validatable {
    public func validateForSave() throws {
        if title.isEmpty { title = "Untitled" }
        if mood == .happy, bodyText == "" {
            throw ValidationError("a happy entry says why", attribute: "bodyText")
        }
    }
}
// end
