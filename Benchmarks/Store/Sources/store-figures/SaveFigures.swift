import CStoreFloor
import Contests
import Figures
import Foundation
import GRDB
import LockstepStore
import Notebook

/// Writing many, and one.
struct SaveFigures {
    let workplace: Workplace
    let rounds: Int

    func print(_ wanted: Set<String>) async throws {
        if wanted.contains("save") { try await printNew() }
        if wanted.contains("change") {
            for live in [1_000, 10_000, 100_000] where live <= workplace.count { try await printChange(live: live) }
        }
    }

    // MARK: New records

    private func printNew() async throws {
        let entries = workplace.entries
        let full = floor_open(try workplace.copy(full: true, "floor-full").path)
        let structs = floor_fetch(full, -1)
        defer {
            floor_free(structs)
            floor_close(full)
        }
        let thousands = "\(fixed(Double(workplace.count) / 1_000, 0))k"
        try await newContest("save \(thousands) new", budget: .save, structs) { context in
            Self.make(entries, context)
            return try timed { try context.save() }
        }.print(rounds: rounds)
        expectSameOutbox()
        try await newContest("make \(thousands) new and save them", structs) { context in
            try timed {
                Self.make(entries, context)
                try context.save()
            }
        }.print(rounds: rounds)
        expectSameOutbox()
        for name in ["new", "new-floor"] { workplace.remove(workplace.url(name)) }
    }

    /// Each has noted every entry by itself.
    private func expectSameOutbox() {
        DatabaseOutbox.expectSame(
            workplace.url("new").path, workplace.url("new-floor").path, table: "entry", pending: workplace.count)
    }

    private func newContest(
        _ title: String, budget: Budget? = nil, _ structs: floor_entries,
        save: @escaping @Sendable (ManagedObjectContext) throws -> Time
    ) -> Contest {
        Contest(
            title, budget: budget,
            lockstep: {
                let url = try workplace.copy(full: false, "new")
                let store = try workplace.store(url)
                let time = try await store.perform(save)
                try store.close()
                return time
            },
            floor: {
                let url = try workplace.copy(full: false, "new-floor")
                let floor = floor_open(url.path)
                defer { floor_close(floor) }
                return timed { floor_insert(floor, structs.entries, structs.count) }
            },
            others: [
                .init(name: "GRDB Codable, same triggers") { try insertCodable(hasOutbox: true) },
                .init(name: "GRDB Codable, no outbox") { try insertCodable(hasOutbox: false) },
            ])
    }

    private func insertCodable(hasOutbox: Bool) throws -> Time {
        let url = try workplace.copy(full: false, "new-grdb", hasOutbox: hasOutbox)
        defer { workplace.remove(url) }
        let pool = try workplace.pool(url)
        defer { try? pool.close() }
        return try timed {
            try pool.write { database in for entry in workplace.entries { try entry.insert(database) } }
        }
    }

    private static func make(_ entries: [CodableEntry], _ context: ManagedObjectContext) {
        for entry in entries {
            let made = Entry(
                identifier: entry.identifier, title: entry.title, bodyText: entry.bodyText,
                mood: Mood(rawValue: entry.mood.rawValue), timestamp: entry.timestamp, wordCount: entry.wordCount,
                temperature: entry.temperature, place: entry.place, context: context)
            made.authorID = entry.authorID
        }
    }

    // MARK: One change

    private static let changeCount = 500

    private func printChange(live: Int) async throws {
        let store = try workplace.store(try workplace.copy(full: true, "change"))
        let pool = try workplace.pool(try workplace.copy(full: true, "change-grdb", hasOutbox: false))
        let floor = floor_open(try workplace.copy(full: true, "change-floor").path)
        let step = max(1, live / Self.changeCount)
        let changed = stride(from: 0, to: live, by: step).prefix(Self.changeCount).map { workplace.entries[$0] }
        defer { floor_close(floor) }
        try await Contest(
            "save 1 change, \(fixed(Double(live) / 1_000, 0))k live", budget: live == 1_000 ? .saveChange : nil,
            lockstep: {
                try await store.perform { context in
                    let entries = try context.fetch(Entry.limit(live))
                    return try timed(count: changed.count) {
                        for place in changed.indices {
                            entries[place * step].title = Titles.next()
                            try context.save()
                        }
                    }
                }
            },
            floor: {
                timed(count: changed.count) {
                    for place in changed.indices {
                        withUnsafeBytes(of: changed[place].identifier.uuid) {
                            floor_update_title(
                                floor, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), Titles.next())
                        }
                    }
                }
            },
            others: [
                nil,
                .init {
                    try timed(count: changed.count) {
                        for place in changed.indices {
                            let entry = changed[place].titled(Titles.next())
                            try pool.write { try entry.update($0, columns: ["title"]) }
                        }
                    }
                },
            ]
        ).print(rounds: rounds)
        try store.close()
        try pool.close()
        DatabaseOutbox.expectSame(
            workplace.url("change").path, workplace.url("change-floor").path, table: "entry", pending: changed.count)
    }
}
