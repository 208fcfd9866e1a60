import Foundation
import Journal
import LockstepStore
import RuntimeTestSupport
import Testing
import TestSupport

@MainActor
@Suite("Live results against a brute-force reference")
struct LiveResultsProperties {
    @Test(
        "Random edits: each difference changes the old list to the new one, as table views apply it",
        arguments: Seeds.some(12, of: 0...29))
    func randomEdits(_ seed: Int) async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        var editor = JournalEditor(store: store, seed: UInt64(seed))
        try editor.begin(with: seed % 3 == 0 ? 0 : 12)
        let request = Entry.filter { $0.title != "hidden" }.order { [$0.timestamp, $0.identifier] }
        let order: ((Mood, Mood) -> Bool)? = seed.isMultiple(of: 2) ? nil : { $0.rawValue > $1.rawValue }
        let results = store.results(request, sectionedBy: \.mood, sectionOrder: order)
        let unsectioned = store.results(request)
        var readers = (0..<2).map { _ in Reader(results) }
        for round in 0..<30 {
            try await editor.save(times: 1 + round % 3)
            // The second reader reads only now and then.
            for place in readers.indices where place == 0 || round % 4 == 3 {
                try await readers[place].look(at: reference(store.mainContext, order))
            }
            #expect(unsectioned.items.map(\.identifier) == (try sortedEntries(store.mainContext).map(\.identifier)))
        }
    }

    @Test("Shuffled lists: the number of moves is minimal", arguments: 0..<20)
    func shuffles(_ seed: Int) async throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        let context = store.mainContext
        var random = SeededRandom(seed: UInt64(seed))
        var entries = (0..<40).map { number in
            Entry(title: "\(number)", mood: [.sad, .happy][number % 2], timestamp: Self.date(number), context: context)
        }
        try await context.save()
        var reader = Reader(store.results(Entry.order(\.timestamp), sectionedBy: \.mood))
        try await reader.look(at: reference(context, nil))
        for _ in 0..<5 {
            entries.shuffle(using: &random)
            for (place, entry) in entries.enumerated() { entry.timestamp = Self.date(place) }
            for entry in entries.prefix(3) { entry.title += "'" }
            try await context.save()
            try await reader.look(at: reference(context, nil))
        }
    }

    static func date(_ seconds: Int) -> Date { Date(timeIntervalSince1970: Double(seconds)) }

    // MARK: The reference

    private func sortedEntries(_ context: ManagedObjectContext) throws -> [EntryRepresentation] {
        try context.fetch(Entry.all()).filter { $0.title != "hidden" }
            .sorted { left, right in
                if left.timestamp != right.timestamp { return left.timestamp < right.timestamp }
                return left.identifier.uuidString < right.identifier.uuidString
            }
            .map(\.representation)
    }

    private func reference(_ context: ManagedObjectContext, _ order: ((Mood, Mood) -> Bool)?) throws -> ReferenceList {
        let entries = try sortedEntries(context)
        var moods: [Mood] = []
        for entry in entries where !moods.contains(entry.mood) { moods.append(entry.mood) }
        if let order { moods.sort(by: order) }
        return ReferenceList(moods: moods, rows: moods.map { mood in entries.filter { $0.mood == mood } })
    }
}

/// The expected list.
private struct ReferenceList {
    var moods: [Mood] = []
    var rows: [[EntryRepresentation]] = []

    var identifiers: [[UUID]] { rows.map { $0.map(\.identifier) } }
}

/// One change of a journal.
private enum JournalEdit: Sendable {
    case insert(EntryRepresentation)
    case change(UUID, title: String, mood: Mood?, timestamp: Date?)
    case delete(UUID)

    func make(in context: ManagedObjectContext) throws {
        switch self {
        case .insert(let entry): _ = Entry(representation: entry, context: context)
        case .delete(let identifier): try Entry.find(identifier, in: context).map(context.delete)
        case .change(let identifier, let title, let mood, let timestamp):
            let entry = try #require(try Entry.find(identifier, in: context))
            entry.title = title
            if let mood { entry.mood = mood }
            if let timestamp { entry.timestamp = timestamp }
        }
    }
}

/// Changes a journal by seed: with the main context, another one, and SQL.
@MainActor
private struct JournalEditor {
    let store: Store
    var maker: ValueMaker
    var identifiers: [UUID] = []
    var count = 0

    init(store: Store, seed: UInt64) {
        self.store = store
        maker = ValueMaker(random: SeededRandom(seed: seed))
    }

    mutating func begin(with count: Int) throws {
        for _ in 0..<count { try insert().make(in: store.mainContext) }
        try store.mainContext.save()
    }

    mutating func save(times: Int) async throws {
        for _ in 0..<times {
            // One that is certain to be visible, so that it can be waited for.
            var edits = [insert()]
            for _ in 0..<Int.random(in: 0...6, using: &maker.random) { edits.append(edit()) }
            if maker.flag() {
                for edit in edits { try edit.make(in: store.mainContext) }
                try await store.mainContext.save()
            } else {
                try await store.perform { [edits] context in
                    for edit in edits { try edit.make(in: context) }
                    try context.save()
                }
            }
            if maker.flag() { try await runSQL() }
        }
    }

    /// Writes the newest entry again, in one of several ways of SQL.
    private mutating func runSQL() async throws {
        let statement = maker.element([
            "UPDATE entry SET title = ? WHERE identifier = (SELECT max(identifier) FROM entry)",
            """
            REPLACE INTO entry (identifier, title, mood, timestamp)
            SELECT identifier, ?, mood, timestamp - 7 FROM entry ORDER BY identifier DESC LIMIT 1
            """,
            "UPDATE entry SET title = ? || identifier, mood = 'sad' WHERE mood = 'happy'",
        ])
        let title = title()
        try await store.writer.write { try $0.execute(sql: statement, arguments: [title]) }
    }

    private mutating func title() -> String {
        count += 1
        return "Entry \(count)"
    }

    private mutating func mood() -> Mood { maker.element([.sad, .neutral, .happy, .unknown("hungry")]) }

    private mutating func timestamp() -> Date {
        LiveResultsProperties.date(Int.random(in: 0...60, using: &maker.random))
    }

    private mutating func insert() -> JournalEdit {
        var bytes = [UInt8](repeating: 0, count: 16)
        for place in bytes.indices { bytes[place] = UInt8.random(in: 0...255, using: &maker.random) }
        let identifier = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        identifiers.append(identifier)
        return .insert(
            EntryRepresentation(
                identifier: identifier, title: title(), bodyText: nil, mood: mood(), timestamp: timestamp()))
    }

    /// Every edit sets a title not used before, so that each is visible. The newest entry is kept.
    private mutating func edit() -> JournalEdit {
        let place = Int.random(in: identifiers.indices, using: &maker.random)
        let kind = Int.random(in: 0...5, using: &maker.random)
        let isNewest = place == identifiers.count - 1
        if kind == 0, !isNewest { return .delete(identifiers.remove(at: place)) }
        let title = kind == 1 && !isNewest ? "hidden" : title()
        return .change(
            identifiers[place], title: title, mood: kind % 2 == 0 ? mood() : nil,
            timestamp: kind > 3 ? timestamp() : nil)
    }
}

/// Reads live results as an app would, and compares each difference with the reference.
@MainActor
private struct Reader {
    let loop: LiveResults<Entry, Mood>.Iterator
    var seen = ReferenceList()
    /// A separate list updated by `apply(to:make:)`.
    var list: [[EntryRepresentation]] = []

    init(_ results: LiveResults<Entry, Mood>) { loop = results.makeAsyncIterator() }

    mutating func look(at expected: ReferenceList) async throws {
        let snapshot = try #require(await loop.next(isolation: #isolation))
        #expect(snapshot.map(\.key) == expected.moods)
        #expect(snapshot.map { $0.map(\.representation) } == expected.rows)
        let difference = snapshot.difference
        #expect(try TableView.batchUpdate(seen.identifiers, difference, expected.identifiers) == expected.identifiers)
        #expect(difference.moved.count == movesNeeded(difference, expected))
        #expect(difference.insertedSections.count == expected.moods.count - sectionsThatStay(expected))
        #expect(difference.updated == updates(difference, expected))
        snapshot.apply(to: &list) { $0.representation }
        #expect(list == expected.rows)
        seen = expected
    }

    /// The sections that are kept, by their old and new indexes.
    private func kept(_ difference: ResultsDifference) -> [(old: Int, new: Int, mood: Mood)] {
        seen.moods.indices.filter { !difference.deletedSections.contains($0) }.enumerated().compactMap { rank, old in
            var left = rank
            for new in 0... {
                if difference.insertedSections.contains(new) { continue }
                if left == 0 { return (old, new, seen.moods[old]) }
                left -= 1
            }
            return nil
        }
    }

    private func sectionsThatStay(_ expected: ReferenceList) -> Int {
        longestIncrease(expected.moods.compactMap { seen.moods.firstIndex(of: $0) })
    }

    private func movesNeeded(_ difference: ResultsDifference, _ expected: ReferenceList) -> Int {
        let kept = kept(difference)
        var moves = 0
        for (_, new, mood) in kept {
            let stayers = expected.identifiers[new].compactMap { row in
                kept.first { $0.mood == mood }.flatMap { seen.identifiers[$0.old].firstIndex(of: row) }
            }
            moves += stayers.count - longestIncrease(stayers)
            moves += expected.identifiers[new].count { row in
                kept.contains { $0.mood != mood && seen.identifiers[$0.old].contains(row) }
            }
        }
        return moves
    }

    private func updates(_ difference: ResultsDifference, _ expected: ReferenceList) -> [ResultsPosition] {
        let kept = kept(difference)
        let old = Dictionary(kept.flatMap { seen.rows[$0.old] }.map { ($0.identifier, $0) }) { $1 }
        return kept.sorted { $0.new < $1.new }.flatMap { _, section, _ in
            expected.rows[section].enumerated().compactMap { item, row in
                guard let before = old[row.identifier], before != row else { return nil }
                return ResultsPosition(section: section, item: item)
            }
        }
    }

    /// The length of the longest increasing subsequence, by comparing every pair.
    private func longestIncrease(_ values: [Int]) -> Int {
        var lengths: [Int] = []
        for (place, value) in values.enumerated() {
            lengths.append(
                1 + (values.indices.prefix(place).filter { values[$0] < value }.map { lengths[$0] }.max() ?? 0))
        }
        return lengths.max() ?? 0
    }
}

/// The result of a table view that applies a difference: deletes are indexes of the old list, inserts of the
/// new one, and all other rows fill the remaining indexes in their old order.
private enum TableView {
    struct Mistake: Error {}

    static func batchUpdate(_ old: [[UUID]], _ difference: ResultsDifference, _ new: [[UUID]]) throws -> [[UUID]] {
        let leavers = difference.deleted + difference.moved.map(\.from)
        let comers = difference.inserted + difference.moved.map(\.to)
        guard Set(leavers).count == leavers.count, Set(comers).count == comers.count,
            leavers.allSatisfy({ old.indices.contains($0.section) && old[$0.section].indices.contains($0.item) }),
            !leavers.contains(where: { difference.deletedSections.contains($0.section) }),
            !comers.contains(where: { difference.insertedSections.contains($0.section) }),
            difference.deleted == difference.deleted.sorted(), difference.inserted == difference.inserted.sorted(),
            difference.moved.map(\.to) == difference.moved.map(\.to).sorted()
        else { throw Mistake() }
        var staying = old.indices.filter { !difference.deletedSections.contains($0) }[...]
        var result: [[UUID]] = []
        while !staying.isEmpty || difference.insertedSections.contains(result.count) {
            let section = result.count
            if difference.insertedSections.contains(section) {
                result.append(new[section])
                continue
            }
            let source = staying.removeFirst()
            var rest = old[source].indices.filter { !leavers.contains(ResultsPosition(section: source, item: $0)) }
                .map { old[source][$0] }[...]
            let arrivals = Dictionary(
                uniqueKeysWithValues: difference.inserted.filter { $0.section == section }.map {
                    ($0.item, new[section][$0.item])
                }
                    + difference.moved.filter { $0.to.section == section }.map {
                        ($0.to.item, old[$0.from.section][$0.from.item])
                    })
            var rows: [UUID] = []
            for item in 0..<(rest.count + arrivals.count) {
                if let row = arrivals[item] {
                    rows.append(row)
                } else {
                    guard !rest.isEmpty else { throw Mistake() }
                    rows.append(rest.removeFirst())
                }
            }
            result.append(rows)
        }
        return result
    }
}
