import Foundation
import LockstepStore
import Observation

/// A view model.
@MainActor @Observable
final class DiaryModel {
    private(set) var entries: [Entry] = []
    private(set) var moods: [Mood: Int] = [:]
    var problem: (any Error)?
    let results: LiveResults<Entry, Mood>
    private let store: Store

    init(_ store: Store) throws {
        self.store = store
        results = store.results(Entry.order(\.timestamp.desc), sectionedBy: \.mood)
        try load()
    }

    func load() throws {
        let context = store.mainContext
        entries = try context.fetch(Entry.filter { $0.mood == Mood.happy }.order(\.timestamp.desc).prefetch(\.tags))
        moods = try context.counts(Entry.all(), by: \.mood)
    }

    func add(_ title: String) async {
        do {
            let entry = Entry(title: title, context: store.mainContext)
            entry.mood = .happy
            entry.tags.insert(Tag(id: 1, name: "new", context: store.mainContext))
            try await store.mainContext.save()
            let count = try await store.perform { context in try context.count(Entry.filter { $0.mood == .happy }) }
            print(count, entry.tags.map(\.name), entry.place?.country ?? "")
        } catch {
            problem = error
        }
    }

    func follow() async {
        for await sections in store.results(Entry.order(\.timestamp.desc), sectionedBy: \.mood) {
            for section in sections { print(section.key.rawValue, section.map(\.title)) }
        }
    }

    func rename(_ entry: Entry) { entry.title = entry.title.uppercased() }
}

/// In extensions of models.
extension Entry {
    var heading: String { tags.isEmpty ? title : "\(title) (\(tags.map(\.name).joined(separator: ", ")))" }

    static func newest(in context: ManagedObjectContext) throws -> Entry? {
        try context.first(Entry.order(\.timestamp.desc).prefetch(\.tags))
    }

    @discardableResult
    convenience init(copying other: Entry, context: ManagedObjectContext) {
        self.init(title: other.title, mood: other.mood, context: context)
        tags.replaceAll(with: Array(other.tags))
    }
}

extension Mood {
    var symbol: String { self == .happy ? ":)" : ":(" }
}

/// In actors.
actor Statistics {
    private let store: Store
    private var last: [Mood: Int] = [:]

    init(store: Store) { self.store = store }

    func moods() async throws -> [Mood: Int] {
        last = try await store.perform { context in try context.counts(Entry.all(), by: \.mood) }
        return last
    }

    func titles() async throws -> [String] {
        try await store.representations(Entry.filter { $0.mood == .happy }.order(\.timestamp)).map(\.title)
    }
}

/// On no actor.
nonisolated func collect(from store: Store) async throws -> [UUID] {
    try await store.perform { context in
        let happy = try context.fetch(
            Entry.filter { $0.mood == .happy && $0.timestamp > Date(timeIntervalSince1970: 0) }
                .order(\.timestamp.desc).limit(10).prefetch(\.tags).prefetch(\.place))
        happy.first?.mood = .sad
        try context.save()
        let one = try Entry.find(UUID(), in: context)
        let places = try context.fetch(Place.order(\.number.desc).prefetch(\.entries.tags))
        let titles = try context.distinctValues(Entry.all(), of: \.title)
        let newest = try context.maximum(Entry.all(), of: \.timestamp)
        print(one?.title ?? "", places.first?.country ?? "", titles, newest ?? Date(), happy.map(\.heading))
        return happy.map(\.identifier)
    }
}

nonisolated func page(in context: ManagedObjectContext) throws -> [Entry] {
    try context.page(of: Entry.all(), sortedBy: [\.timestamp.desc], size: 50).items
}

nonisolated func encoded(_ entry: Entry) throws -> Data {
    let representation = entry.representation
    let received = try JSONDecoder().decode(EntryRepresentation.self, from: JSONEncoder().encode(representation))
    if entry != received { entry.update(from: received) }
    return try JSONEncoder().encode(entry)
}

/// Key paths as values.
nonisolated let attributes: [any PartialKeyPath<Entry> & Sendable] = [\Entry.title, \Entry.timestamp]

struct Screen {
    var sorted = \Entry.timestamp

    @MainActor func titles(of model: DiaryModel) -> [String] { model.entries.map(\.heading) }
}

nonisolated func inBackground(_ store: Store) {
    Task.detached {
        try await store.perform { context in
            for entry in try context.fetch(Entry.filter { $0.mood == .sad }) { entry.mood = .neutral }
            try context.save()
        }
    }
    Task { try await store.perform { try $0.fetch(Entry.order(\.timestamp.desc)).count } }
}

nonisolated func open(at url: URL) throws -> Store { try Store(DiarySchema.self, at: .file(url)) }
