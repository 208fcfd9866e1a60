import Foundation
import Journal
import LockstepStore
import Observation
import Shop
import TestSupport
import Testing

@MainActor
@Suite("Live results")
struct LiveResultsTests {
    let store: Store
    let context: ManagedObjectContext

    init() throws {
        store = try Store(JournalSchema.self, at: .inMemory)
        context = store.mainContext
    }

    /// Entries of these titles, the first one the newest.
    @discardableResult
    private func write(_ entries: (title: String, mood: Mood)...) throws -> [Entry] {
        let made = entries.enumerated().map { index, entry in
            Entry(
                title: entry.title, mood: entry.mood, timestamp: Date(timeIntervalSince1970: Double(1000 - index)),
                context: context)
        }
        try context.save()
        return made
    }

    private func byMood() -> LiveResults<Entry, Mood> {
        store.results(Entry.order(\.timestamp.desc), sectionedBy: \.mood)
    }

    private func story(_ sections: some Sequence<ResultsSection<Mood, Entry>>) -> [String] {
        sections.map { section in "\(section.key): \(section.map(\.title).joined(separator: ", "))" }
    }

    // MARK: Another request

    @Test("show the records of another request, with the difference, and follow its changes")
    func otherRequest() async throws {
        try write(("Hike", .happy), ("Rain", .sad), ("Sun", .happy))
        let results = byMood()
        let loop = results.makeAsyncIterator()
        _ = await loop.next(isolation: #isolation)
        results.change(to: Entry.filter { $0.title != "Hike" }.order(\.timestamp.desc))
        #expect(story(results.sections) == ["sad: Rain", "happy: Sun"])
        try write(("Snow", .sad))
        #expect(story(results.sections) == ["sad: Snow, Rain", "happy: Sun"])
        let snapshot = try #require(await loop.next(isolation: #isolation))
        #expect(story(snapshot) == ["sad: Snow, Rain", "happy: Sun"])
        #expect(snapshot.difference.insertedSections.count + snapshot.difference.deletedSections.count == 2)
    }

    @Test("keep the rows if another request cannot be read, and read it again with the next change")
    func unreadableRequest() throws {
        try write(("Hike", .happy))
        let results = byMood()
        results.change(to: Entry.filter(literal: "missing = 1"))
        #expect(results.error != nil)
        #expect(story(results.sections) == ["happy: Hike"])
        results.change(to: Entry.all())
        #expect(results.error == nil)
        results.stop()
        results.change(to: Entry.filter { $0.title == "Rain" })
        #expect(story(results.sections) == ["happy: Hike"])
    }

    // MARK: What is read

    @Test("After a change, only the keys are read of records that the context knows")
    func readsKeys() async throws {
        let counter = StatementCounter()
        let store = try Store(JournalSchema.self, at: .inMemory, configuration: counter.configuration)
        let entries = (0..<100).map { number in
            Entry(
                title: "\(number)", timestamp: Date(timeIntervalSince1970: Double(number)), context: store.mainContext)
        }
        try await store.mainContext.save()
        let results = store.results(Entry.order(\.timestamp))
        let loop = results.makeAsyncIterator()
        #expect(await loop.next(isolation: #isolation)?.items.count == 100)
        counter.clear()
        entries[50].timestamp = Date(timeIntervalSince1970: 1_000)
        try await store.mainContext.save()
        #expect(await loop.next(isolation: #isolation)?.items.last === entries[50])
        // One that it does not know is read alone.
        try await store.perform { context in
            Entry(title: "theirs", timestamp: Date(timeIntervalSince1970: 2_000), context: context)
            try context.save()
        }
        #expect(await loop.next(isolation: #isolation)?.items.last?.title == "theirs")
        let lists = counter.queries.filter { $0.contains("ORDER BY") }
        #expect(lists.count == 2 && !lists.contains { $0.contains("title") }, "\(lists)")
    }

    // MARK: The journal

    @Test("An entry whose mood changes moves to the section of its new mood once it is saved")
    func changesMood() async throws {
        let entries = try write(("Hike", .happy), ("Rain", .sad), ("Tea", .happy))
        let results = byMood()
        let loop = results.makeAsyncIterator()
        let first = try #require(await loop.next(isolation: #isolation))
        #expect(story(first) == ["happy: Hike, Tea", "sad: Rain"])
        #expect(first.difference.insertedSections == [0, 1])

        entries[2].mood = .sad
        #expect(story(results.sections) == ["happy: Hike, Tea", "sad: Rain"])
        try await context.save()
        let second = try #require(await loop.next(isolation: #isolation))
        #expect(story(second) == ["happy: Hike", "sad: Rain, Tea"])
        #expect(second.difference.moved.map(\.from) == [ResultsPosition(section: 0, item: 1)])
        #expect(second.difference.moved.map(\.to) == [ResultsPosition(section: 1, item: 1)])
        #expect(second.difference.updated == [ResultsPosition(section: 1, item: 1)])
        #expect(second.difference == results.difference)
        #expect(!second.difference.isEmpty && second.difference.deleted.isEmpty && second.difference.inserted.isEmpty)

        entries[0].mood = .neutral
        try await context.save()
        let third = try #require(await loop.next(isolation: #isolation))
        #expect(story(third) == ["neutral: Hike", "sad: Rain, Tea"])
        #expect(third.difference.deletedSections == [0])
        #expect(third.difference.insertedSections == [0])
        #expect(third.difference.updated.isEmpty)
    }

    @Test("A loop over the store's results works as documented")
    func loop() async throws {
        try write(("Hike", .happy))
        var seen: [[String]] = []
        for await sections in store.results(Entry.order(\.timestamp.desc), sectionedBy: \.mood) {
            seen.append(story(sections))
            if seen.count == 2 { break }
            Entry(title: "Rain", mood: .sad, timestamp: Date(timeIntervalSince1970: 0), context: context)
            try await context.save()
        }
        #expect(seen == [["happy: Hike"], ["happy: Hike", "sad: Rain"]])
    }

    @Test("Sections are in the order of their first rows, or in the requested order")
    func sectionOrder() throws {
        try write(("Rain", .sad), ("Hike", .happy), ("Tea", .neutral), ("Sun", .happy))
        let order: [Mood] = [.happy, .neutral, .sad]
        let request = Entry.order(\.timestamp.desc)
        #expect(story(byMood().sections) == ["sad: Rain", "happy: Hike, Sun", "neutral: Tea"])
        let ordered = store.results(request, sectionedBy: \.mood) { left, right in
            (order.firstIndex(of: left) ?? 3) < (order.firstIndex(of: right) ?? 3)
        }
        #expect(story(ordered.sections) == ["happy: Hike, Sun", "neutral: Tea", "sad: Rain"])
        let byLetter = store.results(request, sectionedBy: { $0.title.prefix(1) }, sectionOrder: >)
        #expect(byLetter.sections.map(\.key) == ["T", "S", "R", "H"])
        #expect(byLetter.items.map(\.title) == ["Tea", "Sun", "Rain", "Hike"])
        #expect(story(try context.sections(request, by: \.mood)) == story(byMood().sections))
    }

    @Test("Results without sections have one section, empty or not")
    func unsectioned() async throws {
        let results = store.results(Entry.filter { $0.mood == Mood.happy }.order(\.timestamp.desc).limit(2))
        #expect(results.sections.count == 1)
        #expect(results.items.isEmpty)
        try write(("A", .happy), ("B", .happy), ("C", .happy), ("D", .sad))
        #expect(results.items.map(\.title) == ["A", "B"])
        #expect(results.difference.inserted.map(\.item) == [0, 1])
        context.delete(results.items[0])
        try await context.save()
        #expect(results.items.map(\.title) == ["B", "C"])
        #expect(results.difference.deleted == [ResultsPosition(section: 0, item: 0)])
        #expect(results.difference.inserted == [ResultsPosition(section: 0, item: 1)])
    }

    // MARK: Saved and unsaved

    @Test("New entries appear with the save, deleted ones disappear with it, and a rollback changes nothing")
    func unsaved() throws {
        let entries = try write(("Hike", .happy), ("Rain", .sad))
        let results = byMood()
        let fresh = Entry(title: "Fresh", mood: .sad, timestamp: Date(timeIntervalSince1970: 5000), context: context)
        context.delete(entries[0])
        #expect(story(results.sections) == ["happy: Hike", "sad: Rain"])
        // Results created meanwhile show the saved state, too.
        #expect(story(byMood().sections) == ["happy: Hike", "sad: Rain"])
        // A list fetched once omits records about to be deleted, as a fetch does.
        #expect(story(try context.sections(Entry.order(\.timestamp.desc), by: \.mood)) == ["sad: Rain"])
        context.rollback()
        #expect(story(results.sections) == ["happy: Hike", "sad: Rain"])
        #expect(fresh.recordState == .deleted)

        Entry(title: "Late", mood: .sad, timestamp: Date(timeIntervalSince1970: 0), context: context)
        context.delete(entries[0])
        try context.save()
        #expect(story(results.sections) == ["sad: Rain, Late"])
    }

    @Test("An entry with unsaved changes stays in the section of its saved mood")
    func unsavedMood() throws {
        let entries = try write(("Hike", .happy), ("Rain", .sad))
        entries[0].mood = .sad
        let results = byMood()
        #expect(story(results.sections) == ["happy: Hike", "sad: Rain"])
        #expect(results.sections[0][0] === entries[0])
        try context.save()
        #expect(story(results.sections) == ["sad: Hike, Rain"])
    }

    // MARK: Others

    @Test("Saves of other contexts and SQL writes appear by themselves")
    func others() async throws {
        let entry = try #require(try write(("Hike", .happy), ("Rain", .sad)).first)
        let loop = byMood().makeAsyncIterator()
        _ = await loop.next(isolation: #isolation)
        try await store.perform { [identifier = entry.identifier] context in
            try Entry.find(identifier, in: context)?.mood = .sad
            try context.save()
        }
        let moved = try #require(await loop.next(isolation: #isolation))
        #expect(story(moved) == ["sad: Hike, Rain"])
        #expect(moved[0][0] === entry)
        #expect(moved.difference.deletedSections == [0])
        #expect(moved.difference.inserted == [ResultsPosition(section: 0, item: 0)])
        try await store.writer.write { try $0.execute(sql: "UPDATE entry SET title = 'Walk' WHERE title = 'Hike'") }
        let updated = try #require(await loop.next(isolation: #isolation))
        #expect(story(updated) == ["sad: Walk, Rain"])
        #expect(updated.difference.updated == [ResultsPosition(section: 0, item: 0)])
        #expect(!updated.difference.changesPositions)
        try await store.writer.write { try $0.execute(sql: "DELETE FROM entry WHERE title = 'Walk'") }
        let deleted = try #require(await loop.next(isolation: #isolation))
        #expect(story(deleted) == ["sad: Rain"])
        #expect(deleted.difference.deleted == [ResultsPosition(section: 0, item: 0)])
    }

    @Test("An unsaved mood survives saves of others, and does not move the entry")
    func unsavedAndOthers() async throws {
        let entry = try #require(try write(("Hike", .happy), ("Rain", .sad)).first)
        let loop = byMood().makeAsyncIterator()
        _ = await loop.next(isolation: #isolation)
        entry.mood = .sad
        try await store.writer.write { try $0.execute(sql: "UPDATE entry SET title = 'Walk' WHERE title = 'Hike'") }
        let updated = try #require(await loop.next(isolation: #isolation))
        #expect(story(updated) == ["happy: Walk", "sad: Rain"])
        #expect(entry.mood == .sad)
        try await context.save()
        #expect(story(try #require(await loop.next(isolation: #isolation))) == ["sad: Walk, Rain"])
    }

    // MARK: Loops

    @Test("A slow loop gets the latest state with the difference from its last; a quick one gets each state")
    func coalesces() async throws {
        let entries = try write(("Hike", .happy), ("Rain", .sad))
        let results = byMood()
        let slow = results.makeAsyncIterator()
        let quick = results.makeAsyncIterator()
        _ = await slow.next(isolation: #isolation)
        _ = await quick.next(isolation: #isolation)
        var quickStories: [[String]] = []
        for (entry, mood) in [(entries[0], Mood.sad), (entries[1], .neutral), (entries[0], .happy)] {
            entry.mood = mood
            entry.title += "!"
            try await context.save()
            quickStories.append(story(try #require(await quick.next(isolation: #isolation))))
        }
        #expect(
            quickStories == [
                ["sad: Hike!, Rain"], ["sad: Hike!", "neutral: Rain!"], ["happy: Hike!!", "neutral: Rain!"],
            ])
        let latest = try #require(await slow.next(isolation: #isolation))
        #expect(story(latest) == ["happy: Hike!!", "neutral: Rain!"])
        #expect(latest.difference.deletedSections == [1])
        #expect(latest.difference.insertedSections == [1])
        #expect(latest.difference.updated == [ResultsPosition(section: 0, item: 0)])
        #expect(latest.difference.moved.isEmpty)
    }

    @Test("A record inserted and deleted between two iterations is not a change")
    func cameAndWent() async throws {
        try write(("Hike", .happy))
        let loop = byMood().makeAsyncIterator()
        _ = await loop.next(isolation: #isolation)
        let brief = Entry(title: "Brief", mood: .sad, context: context)
        try await context.save()
        context.delete(brief)
        try await context.save()
        // The loop would deliver this one first if it reported the other.
        let pending = Task { @MainActor in
            await loop.next(isolation: #isolation).map(story)
        }
        await Task.yield()
        Entry(title: "Rain", mood: .happy, timestamp: Date(timeIntervalSince1970: 0), context: context)
        try await context.save()
        #expect(await pending.value == ["happy: Hike, Rain"])
    }

    @Test("A save that touches none of the request's tables does not query the store")
    func otherTables() async throws {
        let shop = try Store(ShopSchema.self, at: .inMemory)
        let context = shop.mainContext
        Product(id: 5, name: "Cleaner", context: context)
        try await context.save()
        let questions = Counter()
        let results = shop.results(Product.order(\.name)) { product in
            questions.count += 1
            return product.name
        }
        #expect(questions.count == 1)
        Shop.Tag(id: 1, name: "clean", context: context)
        try await context.save()
        #expect(questions.count == 1)
        Product(id: 6, name: "Soap", context: context)
        try await context.save()
        #expect(questions.count == 3)
        #expect(results.sections.map(\.key) == ["Cleaner", "Soap"])
    }

    @Test("A row is also updated if its prefetched record is")
    func prefetched() async throws {
        let shop = try Store(ShopSchema.self, at: .inMemory)
        let context = shop.mainContext
        Product(id: 5, name: "Cleaner", context: context)
        for id in 1...3 {
            let review = ProductReview(id: id, name: "Review \(id)", reviewText: "Good", context: context)
            review.productID = id == 2 ? 5 : id == 3 ? 6 : nil
        }
        try await context.save()
        let reviews = shop.results(ProductReview.order(\.id).prefetch(\.product))
        let products = shop.results(Product.order(\.id).prefetch(\.productReviews))
        let unrelated = shop.results(ProductReview.order(\.id))
        let number = unrelated.snapshot.difference
        let loop = reviews.makeAsyncIterator()
        _ = await loop.next(isolation: #isolation)
        try await shop.writer.write { try $0.execute(sql: "UPDATE product SET name = 'Soap' WHERE id = 5") }
        let renamed = try #require(await loop.next(isolation: #isolation))
        #expect(renamed.difference.updated == [ResultsPosition(section: 0, item: 1)])
        #expect(renamed[0][1].product?.name == "Soap")
        #expect(unrelated.difference == number)

        // The product that a review refers to.
        Product(id: 6, name: "Brush", context: context)
        try await context.save()
        #expect(reviews.difference.updated == [ResultsPosition(section: 0, item: 2)])
        #expect(reviews.items[2].product?.name == "Brush")

        reviews.items[0].reviewText = "Bad"
        try await context.save()
        #expect(reviews.difference.updated == [ResultsPosition(section: 0, item: 0)])
        #expect(products.difference.updated == [0, 1].map { ResultsPosition(section: 0, item: $0) })
    }

    @Test("A record returned several times by a join is shown once")
    func joins() throws {
        let shop = try Store(ShopSchema.self, at: .inMemory)
        let context = shop.mainContext
        for id in 1...3 { Product(id: id, name: "Product \(id)", context: context) }
        try context.save()
        let pair = CommonTableExpression(named: "pair", sql: "SELECT 1 UNION ALL SELECT 2")
        let request = Product.all().with(pair).joining(required: Product.association(to: pair)).order(\.id)
        #expect(try context.fetch(request).map(\.id) == [1, 1, 2, 2, 3, 3])
        #expect(shop.results(request).items.map(\.id) == [1, 2, 3])
    }

    // MARK: The end

    @Test("A loop ends when its task is cancelled, and releases the results")
    func cancellation() async throws {
        try write(("Hike", .happy))
        weak var results: LiveResults<Entry, Mood>?
        let counter = Counter()
        let task = Task { @MainActor in
            let made = byMood()
            results = made
            for await _ in made { counter.count += 1 }
            return counter.count
        }
        #expect(try await soon { counter.count > 0 }, "waited for the first results of the loop")
        #expect(results != nil)
        task.cancel()
        #expect(await task.value == 1)
        #expect(results == nil)
    }

    @Test("A task that is cancelled already receives nothing")
    func cancelledBefore() async throws {
        let results = byMood()
        let task = Task { @MainActor in
            while !Task.isCancelled { await Task.yield() }
            var count = 0
            for await _ in results { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value == 0)
    }

    @Test("Loops end when the results are stopped or the store is closed", arguments: ["stopped", "closed"])
    func ends(_ how: String) async throws {
        try write(("Hike", .happy))
        let results = byMood()
        let counter = Counter()
        let task = Task { @MainActor in
            for await _ in results { counter.count += 1 }
        }
        #expect(try await soon { counter.count > 0 }, "waited for the first results of the loop")
        if how == "stopped" { results.stop() } else { try store.close() }
        await task.value
        #expect(counter.count == 1)
        #expect(story(results.sections) == ["happy: Hike"])
        for await _ in results { Issue.record("There is nothing to wait for any more.") }
    }

    @Test("Results of a closed store report that it is closed, and are empty", arguments: [true, false])
    func closedStore(_ isInMemory: Bool) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "closed.sqlite")
        let store = try Store(JournalSchema.self, at: isInMemory ? .inMemory : .file(file))
        try store.close()
        let results = store.results(Entry.all())
        #expect(results.items.isEmpty)
        #expect(results.error?.reason == "the store is closed")
    }

    @Test("Results of a background context update with its saves, and stop when its block ends")
    func lentContext() async throws {
        let titles = try await store.perform { context in
            let results = context.results(Entry.order(\.title))
            Entry(title: "B", context: context)
            Entry(title: "A", context: context)
            try context.save()
            return results.items.map(\.title)
        }
        #expect(titles == ["A", "B"])
    }

    @Test("A loop on older systems has the same results")
    func withoutIsolation() async throws {
        let entries = try write(("Hike", .happy))
        nonisolated(unsafe) let loop = byMood().makeAsyncIterator()
        nonisolated(unsafe) let first = await loop.next()
        #expect(story(try #require(first)) == ["happy: Hike"])
        entries[0].mood = .sad
        try await context.save()
        nonisolated(unsafe) let second = await loop.next()
        #expect(story(try #require(second)) == ["sad: Hike"])
    }

    // MARK: Observation and errors

    @Test("A view that reads the sections is notified of their changes, and of no others")
    func observation() throws {
        let entries = try write(("Hike", .happy))
        let results = byMood()
        let heard = Flag()
        func look() {
            withObservationTracking {
                _ = results.sections.count
            } onChange: {
                heard.isRaised = true
            }
        }
        look()
        entries[0].title = "Walk"
        #expect(!heard.isRaised)
        try context.save()
        #expect(heard.isRaised)
        heard.isRaised = false
        look()
        try context.save()
        #expect(!heard.isRaised)
    }

    @Test("A read error is reported; the previous rows are kept, and the next change fixes it")
    func errors() async throws {
        try write(("Hike", .happy), ("Rain", .sad))
        let results = store.results(Entry.filter { $0.title != "Hike" }.order(\.timestamp.desc), sectionedBy: \.mood)
        #expect(results.error == nil)
        try await store.writer.write { database in
            try database.execute(
                sql: """
                    INSERT INTO entry (identifier, title, mood, timestamp)
                    VALUES ('no identifier', 'Broken', 'happy', 0)
                    """)
        }
        try write(("Tea", .happy))
        let error = try #require(results.error)
        #expect(error.code == .unreadableValue)
        #expect(error.attribute == "identifier")
        #expect(story(results.sections) == ["sad: Rain"])
        try await store.writer.write { try $0.execute(sql: "DELETE FROM entry WHERE title = 'Broken'") }
        try write(("Sun", .neutral))
        #expect(results.error == nil)
        #expect(Set(results.items.map(\.title)) == ["Tea", "Sun", "Rain"])
    }

    @Test("Results of a closed store report why they are empty")
    func closed() throws {
        try store.close()
        let results = byMood()
        #expect(results.items.isEmpty)
        #expect(results.error != nil)
    }

    @Test("An error of an accessor is reported by the app's next save")
    func pendingErrors() throws {
        let entry = try #require(try write(("Hike", .happy)).first)
        let other = EntryRepresentation(
            identifier: UUID(), title: "Other", bodyText: nil, mood: .sad, timestamp: entry.timestamp)
        entry.update(from: other)
        let results = byMood()
        #expect(results.error == nil)
        #expect(results.items.count == 1)
        #expect(throws: StoreError.self) { try context.save() }
    }
}

@MainActor
final class Counter {
    var count = 0
}

/// Set in one isolation domain only; unchecked, because the closure that sets it is `Sendable`.
final class Flag: @unchecked Sendable {
    var isRaised = false
}
