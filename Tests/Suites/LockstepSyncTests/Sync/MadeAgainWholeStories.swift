import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import ServerSamples
import Testing

/// Records deleted on the server of which only links, or only embedded records, were changed locally: they are created
/// there again with values of which none is new.
@Suite("Created again without a changed value")
struct MadeAgainWholeStories {
    private let clock = ManualClock()
    private let id = UUID()
    private var key: String { id.uuidString.lowercased() }

    private func sync(_ store: Store, _ remote: MemoryRemote) -> Sync {
        Sync(store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
    }

    private func put(_ remote: MemoryRemote, title: String) {
        remote.set(["id": .string(key), "title": .string(title), "skillIds": []], id: key, in: "/job-sheets")
    }

    /// A job sheet that got a skill locally, and was deleted on the server meanwhile.
    private func linkedSheet(_ remote: MemoryRemote) async throws -> (Store, Sync) {
        let store = try Store(WorkshopSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        remote.set(["id": 1, "name": "Welding"], id: "1", in: "/skills")
        put(remote, title: "Roof")
        try await sync.pull(Skill.self)
        try await sync.pull(JobSheet.self)
        try await store.perform { [id] context in
            try #require(try JobSheet.find(id, in: context)).skills.insert(try #require(try Skill.find(1, in: context)))
            try context.save()
        }
        remote.remove(key, from: "/job-sheets")
        try await sync.handle(.deleted([RemoteIdentity([.string(key)])]), of: JobSheet.self, options: MergeOptions())
        #expect(try await store.outbox.pending().map(\.kind) == [.create])
        return (store, sync)
    }

    private func expectTheirTitleAndOurSkill(_ store: Store, _ remote: MemoryRemote) async throws {
        let record = remote.record(key, of: "/job-sheets")
        #expect(record?["title"] == "Bridge")
        #expect(record?["skillIds"] == [1])
        let here = try await store.perform { try $0.fetch(JobSheet.all()).map { "\($0.title) \($0.skills.map(\.id))" } }
        #expect(here == ["Bridge [1]"])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test(
        "C2 C3 Of a record whose links alone were changed, the values are those of others who have created it again",
        arguments: [true, false])
    func links(hasVersions: Bool) async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: hasVersions))
        let (store, sync) = try await linkedSheet(remote)
        put(remote, title: "Bridge")
        try await sync.push()
        try await expectTheirTitleAndOurSkill(store, remote)
    }

    @Test("C2 P8 So they are if the creation was rejected")
    func rejected() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try await linkedSheet(remote)
        remote.respondNext(.refused(status: 422), to: .changes)
        _ = try? await sync.push()
        put(remote, title: "Bridge")
        try await sync.pull(JobSheet.self)
        try await store.outbox.retryAll()
        try await sync.push()
        try await expectTheirTitleAndOurSkill(store, remote)
    }

    @Test("C2 P10.3 So they are if the creation was sent twice, and the record of others is not taken for its response")
    func repeated() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let (store, sync) = try await linkedSheet(remote)
        remote.respondNext(.connectionFails, to: .changes)
        _ = try? await sync.push()
        clock.advance(by: 600)
        put(remote, title: "Bridge")
        try await sync.push()
        try await expectTheirTitleAndOurSkill(store, remote)
    }

    @Test("C2 C3 So they are if they are received before a response, and the identity is a number")
    func unconfirmed() async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(SocialSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        func put(_ id: Int64, name: String) {
            remote.set(
                ["id": .integer(id), "name": .string(name), "friend_ids": [], "favorite_ids": []], id: "\(id)",
                in: "/people")
        }
        put(1, name: "Ada")
        put(2, name: "Bob")
        try await sync.pull(Person.self)
        try await store.perform { context in
            try #require(try Person.find(1, in: context)).friends.insert(try #require(try Person.find(2, in: context)))
            try context.save()
        }
        remote.remove("1", from: "/people")
        try await sync.handle(.deleted([RemoteIdentity([1])]), of: Person.self, options: MergeOptions())
        remote.respondNext(.connectionFails, to: .changes)
        _ = try? await sync.push()
        clock.advance(by: 600)

        put(1, name: "Eve")
        try await sync.pull(Person.self)
        try await sync.push()
        #expect(remote.record("1", of: "/people")?["name"] == "Eve")
        #expect(remote.record("1", of: "/people")?["friend_ids"] == [2])
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("C2 C3 Of a record in which embedded records alone were changed, the values are those of others")
    func members() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(sendsEmbedded: true, hasVersions: true))
        let store = try Store(OrdersSchema.self, at: .inMemory)
        let sync = sync(store, remote)
        func put(name: String, lines: JSONValue) {
            remote.set(["id": 7, "name": .string(name), "lines_attributes": lines], id: "7", in: "/orders")
        }
        put(name: "first", lines: [["id": 1, "title": "bolt"]])
        try await sync.pull(Order.self)
        try await store.perform { context in
            try #require(try context.fetch(Line.all()).first).title = "nut"
            try context.save()
        }
        remote.remove("7", from: "/orders")
        try await sync.handle(.deleted([RemoteIdentity([7])]), of: Order.self, options: MergeOptions())
        #expect(try await store.outbox.pending().map(\.kind).contains(.create))

        put(name: "theirs", lines: [])
        try await sync.push()
        #expect(remote.record("7", of: "/orders")?["name"] == "theirs")
        #expect(try await store.perform { try $0.fetch(Order.all()).map(\.name) } == ["theirs"])
        #expect(try await store.perform { try $0.fetch(Line.all()).map(\.title) } == ["nut"])
        #expect(try await store.outbox.pending().isEmpty)
    }
}
