import Foundation
import LockstepStore
import StoreSamples
import Testing

@Suite("Queries with typed columns") @MainActor
struct QueryTests {
    private let store: Store
    private let context: ManagedObjectContext

    init() throws {
        store = try Store(JournalSchema.self, at: .inMemory)
        context = store.mainContext
        let moods: [Mood] = [.sad, .happy, .unknown("bored"), .happy]
        for (index, mood) in moods.enumerated() {
            Entry(
                identifier: try #require(UUID(uuidString: "ABCDEF00-0000-0000-0000-00000000000\(index)")),
                title: "Entry \(index)", bodyText: index == 0 ? nil : "Text_\(index)%", mood: mood,
                timestamp: Date(timeIntervalSince1970: Double(index) + 0.1), context: context)
        }
        try context.save()
    }

    private func titles(_ request: QueryInterfaceRequest<Entry>) throws -> [String] {
        try context.fetch(request.order(Entry.Columns.title)).map { String($0.title.last ?? "?") }
    }

    @Test("As an app writes them")
    func asInAnApp() throws {
        let happy = try context.fetch(Entry.filter { $0.mood == Mood.happy }.order(\.timestamp.desc).limit(10))
        #expect(happy.map(\.title) == ["Entry 3", "Entry 1"])
        #expect(try context.first(Entry.order(\.timestamp))?.title == "Entry 0")
        #expect(try context.count(Entry.all()) == 4)
        #expect(try context.exists(Entry.filter { $0.title == "Entry 9" }) == false)
    }

    @Test("Values are compared as columns keep them")
    func values() throws {
        let identifier = try #require(UUID(uuidString: "abcdef00-0000-0000-0000-000000000002"))
        #expect(try titles(Entry.filter { $0.identifier == identifier }) == ["2"])
        #expect(try titles(Entry.filter { $0.identifier != identifier }) == ["0", "1", "3"])
        #expect(try titles(Entry.filter { [identifier].contains($0.identifier) }) == ["2"])
        #expect(try titles(Entry.filter { $0.mood == Mood.unknown("bored") }) == ["2"])
        #expect(try titles(Entry.filter { $0.mood.isIn([.sad, .unknown("bored")]) }) == ["0", "2"])
        #expect(try titles(Entry.filter { $0.timestamp == Date(timeIntervalSince1970: 1.1) }) == ["1"])
        #expect(try titles(Entry.filter { $0.timestamp >= Date(timeIntervalSince1970: 2.1) }) == ["2", "3"])
        let range = Date(timeIntervalSince1970: 0.5)...Date(timeIntervalSince1970: 2.5)
        #expect(try titles(Entry.filter { $0.timestamp.between(range) }) == ["1", "2"])
        #expect(try titles(Entry.filter { $0.bodyText == nil }) == ["0"])
        #expect(try titles(Entry.filter { $0.bodyText != nil && $0.title < "Entry 2" }) == ["1"])
    }

    @Test("Texts are searched for as they are, without wildcards")
    func texts() throws {
        #expect(try titles(Entry.filter { $0.bodyText.contains("_2%") }) == ["2"])
        #expect(try titles(Entry.filter { $0.bodyText.hasPrefix("Text_3") }) == ["3"])
        #expect(try titles(Entry.filter { $0.bodyText.hasPrefix("text") }) == [])
    }

    @Test("Decimals are compared as numbers though they are kept as digits")
    func decimals() throws {
        let store = try Store(LibrarySchema.self, at: .inMemory)
        for (name, weight) in [("a", "9"), ("b", "10.5"), ("c", "-3")] {
            Tag(name: name, weight: try #require(Decimal(string: weight)), context: store.mainContext)
        }
        try store.mainContext.save()
        let heavy = try store.mainContext.fetch(Tag.filter { $0.weight > 8.5 }.order(\.name))
        #expect(heavy.map(\.name) == ["a", "b"])
        let range = Decimal(-3)...Decimal(9)
        #expect(
            try store.mainContext.fetch(Tag.filter { $0.weight.between(range) }.order(\.name)).map(\.name) == [
                "a", "c",
            ])
        #expect(try store.mainContext.first(Tag.filter { $0.weight == Decimal(string: "10.50") })?.name == "b")
    }

    @Test("A request that selects other columns is refused")
    func otherColumns() throws {
        let request = Entry.select(Entry.Columns.title)
        #expect(storeError { _ = try context.fetch(request) }?.code == .wrongColumns)
    }
}
