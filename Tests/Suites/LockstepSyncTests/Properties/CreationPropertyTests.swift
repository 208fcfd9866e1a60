import Foundation
import Journal
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import RuntimeTestSupport
import ServerSamples
import Shop
import TestSupport
import Testing

/// Creations that are repeated and rejected, on a server that knows no idempotency keys.
@Suite("P10 Creations take effect once, whatever becomes of their requests")
struct CreationPropertyTests {
    @Test(
        "P5 P10.2 P10.3 P10.4 P10.5 A record is there once, with the last values of each side, and others' records stay",
        arguments: Seeds.some(25, of: UInt64(0)...999))
    func creations(seed: UInt64) async throws {
        let stage = try await CreationStage(seed: seed)
        for number in 1...Int.random(in: 2...10, using: &stage.random) { try await stage.act(number) }
        try await stage.end()
    }

    @Test(
        "P10.7 A rejection counts when the creation has failed four times, if the server responds with errors to requests",
        arguments: Seeds.some(6, of: UInt64(0)...199))
    func uselessResponses(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let (remote, clock) = (MemoryRemote(traits: RemoteTraits()), ManualClock())
        let store = try Store(JournalSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        try await store.perform { context in
            Entry(title: "mine", context: context)
            try context.save()
        }
        let status = random.element(of: [400, 409, 422])
        let lostCount = Int.random(in: 0...4, using: &random)
        for number in 1...5 {
            let isLost = number <= lostCount
            remote.respondNext(isLost ? .connectionFails : .refused(status: status), to: .changes)
            remote.respondNext(.unavailable(status: random.element(of: [500, 502, 504])), to: .fetches)
            _ = try? await sync.push()
            remote.clearScripts()
            clock.advance(by: 100_000)
            let parked = try await store.outbox.pending().first?.parked
            #expect(parked?.status == (number == 5 ? status : nil), "\(number) of which \(lostCount) were lost")
        }
    }

    @Test(
        "P3 A creation contains what is set, and what has a default", arguments: Seeds.some(8, of: UInt64(0)...199))
    func unset(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let remote = RespondingRemote(traits: RemoteTraits(sendsUnset: random.isOne(in: 4)))
        let store = try Store(CrewSchema.self, at: .inMemory)
        let (note, rating) = (random.element(of: [nil, "n"]), random.element(of: [nil, 3, 5] as [Int?]))
        try await store.perform { context in
            Album(title: "A", note: note, rating: rating, context: context)
            try context.save()
        }
        try await Sync(store: store, remote: remote, clock: ManualClock(), random: { 0.5 }).push()
        let body = try JSONValue(json: try #require(remote.sent.first).body)
        #expect(body["note"] == (note.map { .string($0) } ?? (remote.traits.sendsUnset ? .null : nil)))
        #expect(body["rating"] == rating.map { .integer(Int64($0)) } ?? .null)
    }

    @Test(
        "P10.9 A creation that the server has accepted without naming its record is not sent again, except by a retry",
        arguments: Seeds.some(6, of: UInt64(0)...199))
    func unnamed(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let (remote, clock) = (RespondingRemote(), ManualClock())
        let store = try Store(OrdersSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        try await store.perform { context in
            Order(name: "first", context: context)
            try context.save()
        }
        remote.respond(json: random.element(of: [["name": "first"], ["id": .null, "name": "first"]]))
        let key = { remote.sent.last?.idempotencyKey }
        #expect(try await sync.push().parked.count == 1)
        let first = key()
        for number in 1...Int.random(in: 1...3, using: &random) {
            if random.isOne(in: 2) {
                try await store.perform { context in
                    try #require(try context.fetch(Order.all()).first).name = "name \(number)"
                    try context.save()
                }
            }
            clock.advance(by: 1_000)
            try await sync.push()
            #expect(remote.sent.count == 1)
        }
        try await store.outbox.retryAll()
        remote.respond(json: ["id": 7, "name": "first"])
        try await sync.push()
        #expect(remote.sent.count > 1 && remote.sent[1].idempotencyKey == first)
        try await sync.push()
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test(
        "P10.8 If a pull has brought the record as a second row, the two become one, with what was edited in either",
        arguments: Seeds.some(10, of: UInt64(0)...299))
    func secondRow(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let clock = ManualClock()
        let server = FakeRails(RailsRules(wrapKeys: ["/orders": "order"], nested: ["/orders": [RailsNesting("lines")]]))
        let store = try Store(OrdersSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: RESTRemote(server.url, client: server.client),
            retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        try await store.perform { context in
            Order(name: "first", context: context)
            try context.save()
        }
        server.respondNext(.responseLost, to: .changes)
        _ = try? await sync.push()
        clock.advance(by: 100_000)
        if random.isOne(in: 2) { server.edit("1", of: "/orders", ["name": "theirs"]) }
        // A list has nothing by which the device could find its own record.
        try await sync.pull(Order.self)
        var name = server.record("1", of: "/orders").map { $0["name"] } ?? .null
        let (editsFirst, editsSecond) = (random.isOne(in: 2), random.isOne(in: 2))
        let isOne = try await store.perform { context in
            let orders = try context.fetch(Order.all()).sorted { ($0.remoteID ?? 0) < ($1.remoteID ?? 0) }
            if editsSecond, let second = orders.last { second.name = "second row" }
            if editsFirst, orders.count > 1 { Line(title: "nut", order: orders[0], context: context) }
            try context.save()
            return orders.count == 1
        }
        if editsSecond { name = "second row" }
        for _ in 1...3 {
            _ = try? await sync.push()
            clock.advance(by: 100_000)
        }
        let state: Comment = "first \(editsFirst), second \(editsSecond), one \(isOne): \(server.log)"
        #expect(try await store.outbox.pending().isEmpty, state)
        #expect(server.records(of: "/orders").map { $0["name"] } == [name], state)
        #expect(try store.rows("SELECT remote_id FROM \"order\"") == ["1"], state)
        let lines = try store.rows("SELECT title FROM line")
        #expect(lines == (editsFirst && !isOne ? ["nut"] : []), state)
    }
}
