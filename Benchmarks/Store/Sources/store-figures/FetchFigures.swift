import CStoreFloor
import Contests
import Figures
import Foundation
import GRDB
import LockstepStore
import Notebook
import Synchronization

/// Reading many, and one.
struct FetchFigures {
    let workplace: Workplace
    let rounds: Int
    let store: Store
    let pool: DatabasePool
    /// The C floor's connection.
    let floor: OpaquePointer

    init(_ workplace: Workplace, rounds: Int) throws {
        self.workplace = workplace
        self.rounds = rounds
        let url = try workplace.copy(full: true, "read")
        store = try workplace.store(url)
        pool = try workplace.pool(url)
        floor = floor_open(url.path)
    }

    private var thousands: String { "\(fixed(Double(workplace.count) / 1_000, 0))k" }

    func print(_ wanted: Set<String>) async throws {
        if wanted.contains("fetch") { try await fetchContest.print(rounds: rounds) }
        if wanted.contains("known") { try await knownContest.print(rounds: rounds) }
        if wanted.contains("representations") { try await representationsContest.print(rounds: rounds) }
        if wanted.contains("find") {
            try await findContest(known: true).print(rounds: rounds)
            try await findContest(known: false).print(rounds: rounds)
        }
        if wanted.contains("authors") { try await printAuthors() }
        try store.close()
        try pool.close()
        floor_close(floor)
    }

    private var fetchContest: Contest {
        Contest(
            "fetch \(thousands) models", budget: .fetch,
            lockstep: {
                try await store.perform { context in
                    var entries: [Entry] = []
                    let time = try timed { entries = try context.fetch(Entry.all()) }
                    precondition(!entries.isEmpty)
                    return time
                }
            }, floor: fetchInC, others: [.init(name: "GRDB Codable", fetchCodable)])
    }

    private var knownContest: Contest {
        Contest(
            "fetch the same again, known already",
            lockstep: {
                try await store.perform { context in
                    let entries = try context.fetch(Entry.all())
                    var again: [Entry] = []
                    let time = try timed { again = try context.fetch(Entry.all()) }
                    precondition(again.first === entries.first)
                    return time
                }
            }, floor: fetchInC, others: [nil])
    }

    private var representationsContest: Contest {
        Contest(
            "fetch \(thousands) as representations", budget: .representations,
            lockstep: {
                try await store.perform { context in
                    var values: [EntryRepresentation] = []
                    let time = try timed { values = try context.representations(Entry.all()) }
                    precondition(!values.isEmpty)
                    return time
                }
            }, floor: fetchInC, others: [.init(fetchCodable)])
    }

    private func fetchCodable() throws -> Time {
        var entries: [CodableEntry] = []
        let time = try timed { entries = try pool.read { try CodableEntry.fetchAll($0) } }
        precondition(!entries.isEmpty)
        return time
    }

    private func fetchInC() -> Time {
        var entries = floor_entries()
        let time = timed { entries = floor_fetch(floor, -1) }
        floor_free(entries)
        return time
    }

    // MARK: Find

    private func findContest(known: Bool) -> Contest {
        let wanted = stride(from: 0, to: workplace.count, by: max(1, workplace.count / 10_000)).map {
            workplace.entries[$0].identifier
        }
        return Contest(
            known ? "find by id, known already" : "find by id", budget: known ? nil : .find,
            lockstep: {
                try await store.perform { context in
                    let held = known ? try context.fetch(Entry.all()) : []
                    return try withExtendedLifetime(held) {
                        try timed(count: wanted.count) {
                            for identifier in wanted {
                                guard try context.find(Entry.self, identifier) != nil else { fatalError("not found") }
                            }
                        }
                    }
                }
            },
            floor: {
                timed(count: wanted.count) {
                    for identifier in wanted {
                        var entry = floor_entry()
                        let found = withUnsafeBytes(of: identifier.uuid) {
                            floor_find(floor, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), &entry)
                        }
                        precondition(found == 1)
                        floor_free_texts(&entry)
                    }
                }
            },
            others: [
                .init {
                    try timed(count: wanted.count) {
                        for identifier in wanted {
                            let key = identifier.uuidString.lowercased()
                            guard try pool.read({ try CodableEntry.fetchOne($0, key: key) }) != nil else {
                                fatalError("not found")
                            }
                        }
                    }
                }
            ])
    }

    // MARK: Authors

    private func printAuthors() async throws {
        let floor = { timed { _ = floor_fetch_with_authors(self.floor, 1_000) } }
        let grdb = {
            var sum = 0
            let time = try timed {
                let request = CodableEntry.including(optional: CodableEntry.author.forKey("author")).limit(1_000)
                let found = try pool.read { try CodableEntryWithAuthor.fetchAll($0, request) }
                for entry in found { sum += entry.author?.name.utf8.count ?? 0 }
            }
            precondition(sum > 0)
            return time
        }
        let lazily: @Sendable (ManagedObjectContext) throws -> [Entry] = { try $0.fetch(Entry.limit(1_000)) }
        let prefetched: @Sendable (ManagedObjectContext) throws -> [Entry] = {
            try $0.fetch(Entry.limit(1_000).prefetch(\.author))
        }
        let counts = try await (statements(of: lazily), statements(of: prefetched))
        try await Contest(
            "1,000 entries and their authors, lazily: \(counts.0) statements",
            lockstep: { try await Self.authors(store, lazily) }, floor: floor, others: [.init(grdb)]
        ).print(rounds: rounds)
        try await Contest(
            "the same, prefetched: \(counts.1) statements", budget: .prefetch,
            lockstep: { try await Self.authors(store, prefetched) }, floor: floor, others: [.init(grdb)]
        ).print(rounds: rounds)
    }

    @discardableResult
    private static func authors(
        _ store: Store, _ fetch: @escaping @Sendable (ManagedObjectContext) throws -> [Entry]
    ) async throws -> Time {
        try await store.perform { context in
            var sum = 0
            let time = try timed { for entry in try fetch(context) { sum += entry.author?.name.utf8.count ?? 0 } }
            precondition(sum > 0)
            return time
        }
    }

    /// How many statements reading the entries and their authors takes.
    private func statements(of fetch: @escaping @Sendable (ManagedObjectContext) throws -> [Entry]) async throws -> Int
    {
        let count = Counter()
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            database.trace { event in if "\(event)".hasPrefix("SELECT") { count.add() } }
        }
        let url = workplace.folder.appendingPathComponent("read.sqlite")
        let store = try Store(NotebookSchema.self, at: .file(url), configuration: configuration)
        try await Self.authors(store, fetch)
        let before = count.value
        try await Self.authors(store, fetch)
        let after = count.value
        try store.close()
        return after - before
    }
}

/// Counts, from whichever thread.
private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
}
