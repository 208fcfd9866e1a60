import Foundation
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepTesting
import RuntimeTestSupport
import TestSupport
import Testing

/// Values that only the device has, of a record that lists lack and have in any order, under a clock that is changed.
@Suite("M7 Values of deleted records that only the device has")
struct LocalValuePropertyTests {
    @Test(
        "M7.19 M7.20 M7.21 M7.22 A record that comes back has them for as long as they are kept, and not later",
        arguments: Seeds.some(20, of: UInt64(0)...999))
    func comesAndGoes(seed: UInt64) async throws {
        let stage = try LocalValueStage(seed: seed)
        for _ in 1...20 { try await stage.act() }
    }
}

/// A device and a server with one photo at most, and what the rules say of the value that only the device has.
private final class LocalValueStage {
    private static let id = UUID(uuidString: "6f1c0000-0000-4000-8000-000000000001")!
    private static let key = id.uuidString.lowercased()

    private var random: SeededRandom
    private let remote = MemoryRemote()
    private let clock = ManualClock(now: Date(timeIntervalSince1970: 1_795_651_200))
    private let store: Store
    private let sync: Sync
    private var trace: [String] = []
    private let days: Double
    /// Whether the server names the record.
    private let isJob: Bool

    /// Whether the photo here is a favorite; `nil` if it is not here.
    private var here: Bool?
    /// When a favorite was deleted by a merge.
    private var keptAt: Double?
    /// Since when this time has been in the future.
    private var laterSince: Double?

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        days = random.element(of: [30, 30, 3, 90])
        isJob = random.isOne(in: 3)
        store = try Store(CrewSchema.self, at: .inMemory)
        store.localValueRetentionDays = Int(days)
        sync = Sync(store: store, remote: remote, clock: clock, random: { 0 })
    }

    private var now: Double { clock.now.timeIntervalSince1970 / 86_400 }

    func act() async throws {
        switch Int.random(in: 0..<8, using: &random) {
        case ..<2: advance(by: random.element(of: [1, days - 1, days, -days - 2, 20 * days]))
        case ..<4: try await merge(isListed: true)
        case ..<6: try await merge(isListed: false)
        case 6 where here != nil: try await setFavorite()
        case 7 where here == nil && !isJob: try await createHere()
        case 7 where !isJob: try await deleteHere()
        default: try await merge(isListed: true)
        }
        let favorites = try store.rows(isJob ? "SELECT is_pinned FROM job" : "SELECT is_favorite FROM photo")
        try #require(favorites == (here.map { [$0 ? "1" : "0"] } ?? []), "kept for \(days) days: \(trace)")
    }

    private func advance(by days: Double) {
        clock.advance(by: days * 86_400)
        trace.append("\(days) days")
    }

    /// A merge ends what was kept for too long.
    private func expire() {
        guard let time = keptAt else {
            laterSince = nil
            return
        }
        if time <= now {
            laterSince = nil
            if now - time >= days { keptAt = nil }
            return
        }
        let since = laterSince.flatMap { $0 <= now ? $0 : nil } ?? now
        laterSince = since
        if now - since >= days { (keptAt, laterSince) = (nil, nil) }
    }

    private func merge(isListed: Bool) async throws {
        trace.append(isListed ? "listed" : "not listed")
        expire()
        if isListed, here == nil {
            here = keptAt != nil
            keptAt = nil
        } else if !isListed, let isFavorite = here {
            // What an earlier record with this identity had is replaced.
            keptAt = isFavorite ? now : nil
            here = nil
        }
        var options = MergeOptions(records: .all)
        options.now = { [clock] in clock.now }
        let record = isJob ? #"{"id": 7, "name": "Paint"}"# : #"{"id": "\#(Self.key)", "title": "Sea"}"#
        let list = Data("[\(isListed ? record : "")]".utf8)
        if isJob {
            try await store.merge(list, into: Job.self, options: options)
        } else {
            try await store.merge(list, into: Photo.self, options: options)
        }
        if here == false, random.isOne(in: 2) { try await setFavorite() }
    }

    private func setFavorite() async throws {
        trace.append("favorite")
        here = true
        try await store.perform { [isJob] context in
            if isJob {
                try #require(try context.fetch(Job.all()).first).isPinned = true
            } else {
                try #require(try context.fetch(Photo.all()).first).isFavorite = true
            }
            try context.save()
        }
    }

    /// A record that the app makes is another one: it has nothing that was kept.
    private func createHere() async throws {
        trace.append("created here")
        here = false
        try await store.perform { context in
            Photo(id: Self.id, title: "Sky", context: context)
            try context.save()
        }
        try await sync.push()
        expire()
    }

    private func deleteHere() async throws {
        trace.append("deleted here")
        (here, keptAt) = (nil, nil)
        remote.set(["id": .string(Self.key), "title": "Sea"], id: Self.key, in: "/photos")
        try await store.perform { context in
            context.delete(try #require(try context.fetch(Photo.all()).first))
            try context.save()
        }
        try await sync.push()
    }
}
