import Foundation
import GRDB
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import Testing
import TestSupport

/// What only the device has of records that the server does not list for a while.
@Suite("Values that only the device has")
struct LocalValueStories {
    private let remote = MemoryRemote()
    private let store: Store
    private let sync: Sync
    private let clock = ManualClock(now: Date(timeIntervalSince1970: 1_795_651_200))
    private static let day: TimeInterval = 86_400
    private static let id = UUID(uuidString: "6f1c0000-0000-4000-8000-000000000001")!

    init() throws {
        store = try Store(CrewSchema.self, at: .inMemory)
        sync = Sync(store: store, remote: remote, clock: clock, random: { 0 })
    }

    private let options = MergeOptions(records: .all)

    /// Those of merges without the sync.
    private var optionsWithTime: MergeOptions {
        var options = options
        options.now = { [clock] in clock.now }
        return options
    }

    private func advance(days: Double) { clock.advance(by: days * Self.day) }

    private func list() {
        remote.set(
            ["id": .string(Self.id.uuidString.lowercased()), "title": "Sea"], id: Self.id.uuidString.lowercased(),
            in: "/photos")
    }

    private func unlist() { remote.remove(Self.id.uuidString.lowercased(), from: "/photos") }

    @discardableResult
    private func pull() async throws -> PullSummary { try await sync.pull(Photo.self, options: options) }

    private func rows(_ sql: String) async throws -> [String] {
        try await store.writer.read { try String.fetchAll($0, sql: sql) }
    }

    private func photo() async throws -> [String] {
        try await rows("SELECT title || ' ' || is_favorite || ' ' || ifnull(scroll, 'NULL') FROM photo")
    }

    /// A record with values that only the device has, which the server does not list any more.
    private func lose() async throws {
        list()
        try await pull()
        try await store.perform { context in
            let photo = try #require(try context.fetch(Photo.all()).first)
            (photo.isFavorite, photo.scroll) = (true, 0.5)
            try context.save()
        }
        unlist()
        #expect(try await pull().deleted == 1)
    }

    private func keptCount() async throws -> Int {
        try await store.writer.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM lockstep_local_value") ?? 0 }
    }

    @Test("M7.20 A record that the server lists again has the values again that only the device has")
    func comesBack() async throws {
        try await lose()
        try await pull()
        #expect(try await photo() == [])
        list()
        try await pull()
        #expect(try await photo() == ["Sea 1 0.5"])
        #expect(try await keptCount() == 0)
        #expect(try await store.outbox.count() == 0)
    }

    @Test("M7.20 So does a record whose identity the server gives, whatever deletes it and brings it again")
    func remoteIdentity() async throws {
        let job = Data(#"[{"id": 7, "name": "Paint"}]"#.utf8)
        try await store.merge(job, into: Job.self)
        try await store.perform { context in
            try #require(try context.fetch(Job.all()).first).isPinned = true
            try context.save()
        }
        _ = try await store.applyServerDeletes(of: Job.self, identities: [RemoteIdentity([.integer(7)])])
        #expect(try await store.representations(Job.all()).isEmpty)
        try await store.merge(Data(#"[{"id": 8, "name": "Sand"}]"#.utf8), into: Job.self)
        try await store.merge(job, into: Job.self)
        #expect(try await rows("SELECT name || ' ' || is_pinned FROM job ORDER BY name") == ["Paint 1", "Sand 0"])
    }

    @Test("M7.19 They are kept for 30 days, however the clock is changed", arguments: [false, true])
    func expires(isExpired: Bool) async throws {
        try await lose()
        advance(days: isExpired ? 30 : 29)
        list()
        try await pull()
        #expect(try await photo() == [isExpired ? "Sea 0 NULL" : "Sea 1 0.5"])
        #expect(try await keptCount() == 0)
    }

    @Test("M7.22 If the clock was ahead, they are kept from the first merge after it was corrected")
    func clockAhead() async throws {
        advance(days: 3_650)
        try await lose()
        // Not a pull: nothing is merged if nothing was modified.
        func merge() async throws {
            try await store.merge(Data("[]".utf8), into: Photo.self, options: optionsWithTime)
        }
        advance(days: -3_650)
        try await merge()
        advance(days: 29)
        try await merge()
        #expect(try await keptCount() == 2)
        advance(days: 1)
        try await merge()
        #expect(try await keptCount() == 0)
    }

    @Test("M7.22 If the clock is behind for one merge, they are still kept for 30 days", arguments: [40.0, 20_000])
    func clockBehind(days: Double) async throws {
        try await lose()
        // Not a pull: nothing is merged if nothing was modified.
        func merge() async throws {
            try await store.merge(Data("[]".utf8), into: Photo.self, options: optionsWithTime)
        }
        advance(days: -days)
        try await merge()
        advance(days: days + 29)
        try await merge()
        #expect(try await keptCount() == 2)
        advance(days: 1)
        try await merge()
        #expect(try await keptCount() == 0)
    }

    @Test("M7 F1 Times that cannot have been written keep them for 30 days", arguments: ["9e999", "'x'"])
    func absurdTime(time: String) async throws {
        try await lose()
        try await store.writer.write { try $0.execute(sql: "UPDATE lockstep_local_value SET deleted_at = \(time)") }
        func merge(after days: Double) async throws {
            advance(days: days)
            try await store.merge(Data("[]".utf8), into: Photo.self, options: optionsWithTime)
        }
        try await merge(after: 0)
        try await store.writer.write {
            try $0.execute(
                sql: "UPDATE lockstep_metadata SET value = '-inf' WHERE key = 'local_values_later_since'")
        }
        try await merge(after: 1)
        try await merge(after: 29)
        #expect(try await keptCount() == 2)
        try await merge(after: 1)
        #expect(try await keptCount() == 0)
    }

    @Test("M7 F1 A kept value that is none of the attribute's type counts as missing")
    func otherType() async throws {
        try await lose()
        try await store.writer.write { try $0.execute(sql: "UPDATE lockstep_local_value SET value = 'abc'") }
        list()
        try await pull()
        #expect(try await photo() == ["Sea 0 NULL"])
        #expect(try await store.perform { try $0.fetch(Photo.all()).map(\.isFavorite) } == [false])
    }

    @Test("M7.19 They are kept for as long as the store says, also by the merge that confirms a change")
    func storeDecides() async throws {
        store.localValueRetentionDays = 90
        try await lose()
        advance(days: 40)
        try await store.perform { context in
            Photo(title: "Sky", context: context)
            try context.save()
        }
        #expect(try await sync.push().created == 1)
        list()
        try await pull()
        #expect(try await photo().contains("Sea 1 0.5"))
    }

    @Test("M7 A store that keeps none keeps none when a response to a change says that the record was deleted")
    func storeKeepsNone() async throws {
        let sync = Sync(store: store, remote: remote, conflicts: .serverWins, clock: clock, random: { 0 })
        store.localValueRetentionDays = 0
        list()
        try await pull()
        try await store.perform { context in
            let photo = try #require(try context.fetch(Photo.all()).first)
            (photo.title, photo.isFavorite) = ("Sky", true)
            try context.save()
        }
        unlist()
        try await sync.push()
        #expect(try await photo() == [])
        #expect(try await keptCount() == 0)
    }

    @Test("M7 The values that are kept of one record cost nothing for others")
    func others() async throws {
        try await lose()
        let records = (0..<1_000).map { _ in #"{"id": "\#(UUID())", "title": "Sky"}"# }
        let payload = Data("[\(records.joined(separator: ","))]".utf8)
        let statements = try await store.statements(naming: "lockstep_local_value") {
            let summary = try await store.merge(payload, into: Photo.self, options: optionsWithTime)
            #expect(summary.inserted == 1_000)
        }
        #expect(statements.count < 10, "\(Set(statements))")
        #expect(try await keptCount() == 2)
    }

    @Test("M7.21 What the user deletes is not kept, even if a merge had deleted an earlier record with its identity")
    func deletedLocallyLater() async throws {
        try await lose()
        try await store.perform { context in
            Photo(id: Self.id, title: "Sky", context: context)
            try context.save()
        }
        #expect(try await sync.push().created == 1)
        try await store.perform { context in
            context.delete(try #require(try context.fetch(Photo.all()).first))
            try context.save()
        }
        #expect(try await sync.push().deleted == 1)
        #expect(try await keptCount() == 0)
        list()
        try await pull()
        #expect(try await photo() == ["Sea 0 NULL"])
    }

    @Test("M7 A store that keeps none deletes those that were kept")
    func none() async throws {
        try await lose()
        store.localValueRetentionDays = 0
        list()
        try await pull()
        #expect(try await photo() == ["Sea 0 NULL"])
        unlist()
        try await store.perform { context in
            try #require(try context.fetch(Photo.all()).first).scroll = 1
            try context.save()
        }
        #expect(try await pull().deleted == 1)
        #expect(try await keptCount() == 0)
    }

    @Test("M7.21 What the user deletes, and defaults, are not kept")
    func deletedLocally() async throws {
        list()
        try await pull()
        unlist()
        try await pull()
        #expect(try await keptCount() == 0)
        list()
        try await pull()
        try await store.perform { context in
            let photo = try #require(try context.fetch(Photo.all()).first)
            photo.isFavorite = true
            try context.save()
            context.delete(photo)
            try context.save()
        }
        try await sync.push()
        list()
        try await pull()
        #expect(try await photo() == ["Sea 0 NULL"])
        #expect(try await keptCount() == 0)
    }

    @Test("M7 A dry run keeps nothing and gives nothing back")
    func dryRun() async throws {
        try await lose()
        var options = MergeOptions(isDryRun: true)
        options.now = optionsWithTime.now
        let payload = Data(#"[{"id": "\#(Self.id.uuidString)", "title": "Sea"}]"#.utf8)
        try await store.merge(payload, into: Photo.self, options: options)
        #expect(try await keptCount() == 2)
    }
}
