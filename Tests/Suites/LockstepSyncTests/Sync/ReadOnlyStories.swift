import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import ServerSamples
import Testing

/// Attributes that only the server sets.
@Suite("`readOnly: true` is read and never sent")
struct ReadOnlyStories {
    private let clock = ManualClock()
    private let remote = MemoryRemote(
        traits: RemoteTraits(sendsEmbedded: true),
        fill: { record, _, _ in record["updated_at"] = "2024-03-01T08:30:00Z" })
    private let store: Store
    private let sync: Sync

    init() throws {
        store = try Store(OrdersSchema.self, at: .inMemory)
        sync = Sync(store: store, remote: remote, clock: clock, random: { 0.5 })
    }

    private func edit(_ change: @escaping @Sendable (ManagedObjectContext) throws -> Void) async throws {
        try await store.perform { context in
            try change(context)
            try context.save()
        }
    }

    @Test("No request has it, and the server's value is taken from the response")
    func creation() async throws {
        try await edit { context in
            let order = Order(name: "A", updatedAt: Date(timeIntervalSince1970: 7), context: context)
            Line(title: "bolt", order: order, stock: 9, context: context)
        }
        try await sync.push()
        let body = try #require(remote.log.last?.body)
        #expect(body["name"] == "A")
        #expect(body["updated_at"] == nil)
        #expect(body["lines_attributes"]?[0]?["title"] == "bolt")
        #expect(body["lines_attributes"]?[0]?["stock"] == nil)
        let order = try #require(try await store.representations(Order.all()).first)
        #expect(order.updatedAt == Date(timeIntervalSince1970: 1_709_281_800))
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("A local change to it is not pending, and a pull replaces it, even if others are")
    func localChange() async throws {
        try await edit { Order(name: "A", context: $0) }
        try await sync.push()
        try await edit { try #require(try $0.fetch(Order.all()).first).updatedAt = nil }
        #expect(try await store.outbox.pending().isEmpty)

        try await edit { context in
            let order = try #require(try context.fetch(Order.all()).first)
            (order.name, order.updatedAt) = ("B", Date(timeIntervalSince1970: 7))
        }
        try await sync.pull(Order.self)
        let order = try #require(try await store.representations(Order.all()).first)
        #expect(order.name == "B")
        #expect(order.updatedAt == Date(timeIntervalSince1970: 1_709_281_800))
        try await sync.push()
        #expect(remote.log.last?.changes == ["name": "B"])
    }

    @Test("A representation has it, and is written back with it")
    func representation() throws {
        let json = Data(#"{"id":1,"name":"A","updated_at":"2024-03-01T08:30:00Z"}"#.utf8)
        let order = try JSONDecoder().decode(OrderRepresentation.self, from: json)
        #expect(try JSONValue(json: JSONEncoder().encode(order))["updated_at"] == "2024-03-01T08:30:00Z")
    }
}
