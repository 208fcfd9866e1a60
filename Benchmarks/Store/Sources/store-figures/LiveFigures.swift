import CStoreFloor
import Contests
import Figures
import Foundation
import GRDB
import LockstepStore
import Notebook

/// What it takes until one saved change is seen in 10,000 rows.
struct LiveFigures {
    let workplace: Workplace
    let rounds: Int
    private let rowCount = 10_000
    private let changeCount = 20

    init(_ workplace: Workplace, rounds: Int) {
        self.workplace = workplace
        self.rounds = rounds
    }

    func print() async throws {
        let store = try workplace.store(try workplace.copy(full: true, "live"))
        let pool = try workplace.pool(try workplace.copy(full: true, "live-grdb", hasOutbox: false))
        let floor: OpaquePointer = floor_open(try workplace.copy(full: true, "live-floor").path)
        defer { floor_close(floor) }
        try await Contest(
            "live results of 10k rows, 1 changed", budget: .live,
            lockstep: { try await lockstep(store) },
            floor: { change(floor) },
            others: [nil, .init { try await observe(pool) }]
        ).print(rounds: rounds)
        try store.close()
        try pool.close()
    }

    @MainActor private func lockstep(_ store: Store) async throws -> Time {
        let results = store.results(Entry.order(\.identifier).limit(rowCount))
        let snapshots = results.makeAsyncIterator()
        guard let first = await snapshots.next(isolation: MainActor.shared) else { fatalError("no snapshot") }
        let entries = first.items
        precondition(entries.count == rowCount)
        let start = Clock()
        for place in 0..<changeCount {
            entries[place * 100].title = Titles.next()
            try await store.mainContext.save()
            guard let next = await snapshots.next(isolation: MainActor.shared), !next.difference.isEmpty
            else { fatalError("no difference") }
        }
        let time = start.time(count: changeCount)
        results.stop()
        return time
    }

    private func change(_ floor: OpaquePointer) -> Time {
        timed(count: changeCount) {
            for place in 0..<changeCount {
                withUnsafeBytes(of: workplace.entries[place * 100].identifier.uuid) {
                    floor_update_title(floor, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), Titles.next())
                }
                floor_free(floor_fetch(floor, rowCount))
            }
        }
    }

    private func observe(_ pool: DatabasePool) async throws -> Time {
        let rowCount = rowCount
        let observation = ValueObservation.tracking { database in
            try CodableEntry.order(Column("identifier")).limit(rowCount).fetchAll(database)
        }
        var values = observation.values(in: pool).makeAsyncIterator()
        guard let entries = try await values.next() else { fatalError("no value") }
        let start = Clock()
        for place in 0..<changeCount {
            let changed = entries[place * 100].titled(Titles.next())
            try await pool.write { try changed.update($0, columns: ["title"]) }
            guard try await values.next() != nil else { fatalError("no value") }
        }
        return start.time(count: changeCount)
    }
}
