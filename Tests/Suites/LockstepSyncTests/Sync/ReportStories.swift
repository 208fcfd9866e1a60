import Foundation
import Journal
import LockstepStore
import LockstepSystem
import LockstepTesting
import Shop
import TestSupport
import Testing

@testable import LockstepSync

/// What the merges report while keeping in sync.
@Suite("The reports of merges")
struct ReportStories {
    private let clock = ManualClock()

    private func sync(_ store: Store, _ remote: any Remote) -> Sync {
        Sync(store: store, remote: remote, clock: clock, random: { 0.5 })
    }

    /// The reports that a subscriber receives.
    private final class Reports: Sendable {
        private let values = Locked<[MergeSummary]>([])
        private let reader: _Concurrency.Task<Void, Never>

        init(_ sync: Sync) {
            let merges = sync.merges
            reader = _Concurrency.Task { [values] in
                for await summary in merges { values.withLock { $0.append(summary) } }
            }
        }

        var all: [MergeSummary] { values.withLock { $0 } }
        func end() { reader.cancel() }
    }

    @Test("Records that a live stream deletes are reported")
    func deletions() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasEvents: true))
        let store = try Store(JournalSchema.self, at: .inMemory)
        let id = UUID().uuidString.lowercased()
        remote.set(["identifier": .string(id), "title": "theirs"], id: id, in: "/entries")
        let sync = sync(store, remote)
        let reports = Reports(sync)
        let run = _Concurrency.Task { try await sync.run() }
        #expect(try await soon { reports.all.contains { $0.inserted == 1 } })
        remote.remove(id, from: "/entries")
        #expect(try await soon { reports.all.contains { $0.deleted == 1 } })
        reports.end()
        run.cancel()
        try await run.value
    }

    @Test("A note is reported once in a run, although each pull has it; another one is reported")
    func notes() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(ShopSchema.self, at: .inMemory)
        remote.set(["id": 1, "name": "Cup", "tags_ids": [1]], id: "1", in: "/products")
        let sync = sync(store, remote)
        let followers = sync.syncedTypes.count
        let reports = Reports(sync)
        for count in 1...2 {
            // A list that has not changed is not merged.
            remote.edit("1", of: "/products", ["tags_ids": [.integer(Int64(count))]])
            let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: 1)) }
            try await clock.waitForSleepers(followers)
            for number in 10..<15 {
                remote.edit("1", of: "/products", ["tags_ids": [.integer(Int64(count * number))]])
                clock.advance(by: 1)
                try await clock.waitForSleepers(followers)
            }
            if count == 2 {
                remote.edit("1", of: "/products", ["product_reviews": [["id": 1]]])
                clock.advance(by: 1)
                try await clock.waitForSleepers(followers)
            }
            run.cancel()
            try await run.value
            #expect(try await soon { reports.all.count >= count + count / 2 })
        }
        #expect(reports.all.map(\.notes.count) == [1, 1, 2])
        #expect(reports.all.map(\.hasChanges) == [true, false, false])
        reports.end()
    }
}
