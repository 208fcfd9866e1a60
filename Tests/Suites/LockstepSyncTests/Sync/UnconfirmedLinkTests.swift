import LockstepStore
import LockstepSync
import LockstepTesting
import Shop
import Testing

@Suite("P4 Links of a creation without a response")
struct UnconfirmedLinkTests {
    @Test(
        "P4 A link that was sent with a creation and is removed before the response is removed on the server",
        arguments: [true, false], [true, false])
    func removed(hasArrived: Bool, respondsWithBody: Bool) async throws {
        let clock = ManualClock()
        let server = MemoryRemote(traits: RemoteTraits(), clock: clock, respondsWithBody: respondsWithBody)
        let store = try Store(ShopSchema.self, at: .inMemory)
        let sync = Sync(
            store: store, remote: server, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        try await store.perform { context in
            Product(id: 1, name: "Lamp", tags: [Shop.Tag(id: 7, name: "new", context: context)], context: context)
            try context.save()
        }
        try await sync.push(Shop.Tag.self)
        server.respondNext(hasArrived ? .responseLost : .connectionFails, to: .changes)
        _ = try? await sync.push()
        try await store.perform { context in
            let tag = try #require(try Shop.Tag.find(7, in: context))
            try #require(try Product.find(1, in: context)).tags.remove(tag)
            try context.save()
        }
        clock.advance(by: 600)
        try await sync.push()
        #expect(server.record("1", of: "/products")?["tag_ids"] == [])
        #expect(try await store.outbox.count() == 0)
        let tagCount = try await store.perform { try Product.find(1, in: $0)?.tags.count }
        #expect(tagCount == 0)
    }
}
