import Foundation
import GRDB
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepTesting
import ServerSamples
import Testing

/// Records that were created in other records, and whose change is discarded.
@Suite("R10.17 Embedded records created locally are discarded with the change of their owner")
struct EmbeddedDiscardStories {
    private typealias Stamp = ServerSamples.Stamp

    private func counts(_ store: Store) async throws -> [Int] {
        try await store.perform { try [$0.count(Order.all()), $0.count(Line.all()), $0.count(Stamp.all())] }
    }

    @Test("R10.17 Discarding a change discards records created in it, and restores the rest", arguments: [false, true])
    func discarded(isEverything: Bool) async throws {
        let stage = try EmbeddedIdentityStage()
        try await stage.order("bolt", "nut")
        try await stage.sync.push()
        try await stage.sync.pull(Order.self)
        try await stage.editLine("bolt") { bolt in
            bolt.title = "screw"
            bolt.stamps.insert(Stamp(text: "a", context: bolt.context))
            let washer = Line(title: "washer", context: bolt.context)
            washer.stamps.insert(Stamp(text: "b", context: bolt.context))
            bolt.order?.lines.insert(washer)
        }
        if isEverything {
            try await stage.store.outbox.discardAll()
        } else {
            try await stage.store.outbox.discard(#require(try await stage.store.outbox.pending().first))
        }
        #expect(try await counts(stage.store) == [1, 2, 0])
        #expect(try await stage.pending() == [])
        // Nothing has changed on the server, and yet the list is read.
        try await stage.sync.pull(Order.self)
        #expect(try await stage.here() == ["1 bolt", "2 nut"])
    }

    @Test(
        "R10 C3 A moved record is deleted with its former owner if the server has deleted that",
        arguments: [true, false])
    func movedOutOfDeleted(isEverything: Bool) async throws {
        let stage = try EmbeddedIdentityStage()
        try await stage.order("bolt", "nut", "cog")
        try await stage.sync.push()
        try await stage.edit { _ = Order(name: "second", context: $0) }
        try await stage.editLine("bolt") { $0.title = "screw" }
        try await stage.edit { context in
            let second = try #require(try context.fetch(Order.all()).first { $0.name == "second" })
            try #require(try context.fetch(Line.all()).first { $0.title == "nut" }).order = second
        }
        stage.server.remove("1", from: "/orders")
        try await stage.sync.pull(Order.self, options: MergeOptions(records: .all))
        #expect(try await counts(stage.store) == [2, 3, 0])
        if isEverything {
            try await stage.store.outbox.discardAll()
        } else {
            for change in try await stage.store.outbox.pending().reversed() {
                try await stage.store.outbox.discard(change)
            }
        }
        #expect(try await counts(stage.store) == [0, 0, 0])
        #expect(try await stage.pending() == [])
    }

    @Test("Restoring a record also restores its owner", arguments: [false, true])
    func comesBackWithOwner(isMoved: Bool) async throws {
        let store = try Store(OrdersSchema.self, at: .inMemory)
        let items = #"[{"id": 5, "title": "a"}, {"id": 6, "title": "b"}]"#
        try await store.merge(Data(#"[{"id": 1, "name": "one", "items": \#(items)}]"#.utf8), into: Basket.self)
        try await store.perform { context in
            let basket = try #require(try context.fetch(Basket.all()).first)
            if isMoved {
                try #require(try context.fetch(Item.all()).first { $0.title == "a" }).basket = Basket(
                    name: "two", context: context)
            }
            context.delete(basket)
            try context.save()
        }
        let pending = try await store.outbox.pending()
        let change = pending.first { $0.entity == "Item" && $0.kind == (isMoved ? .update : .delete) }
        try await store.outbox.discard(#require(change))
        let owners = try await store.perform { context in
            try context.fetch(Item.all()).map { "\($0.title) of \($0.basket?.name ?? "none")" }
        }
        #expect(owners.contains("a of one") || !isMoved && owners.contains("b of one"), "\(owners)")
        #expect(try await store.outbox.pending().allSatisfy { $0.entity != "Basket" || $0.kind == .create })
    }

    @Test("C3 Records deleted in an owner stay deleted if the owner is not created again")
    func deletedInDeleted() async throws {
        let store = try Store(OrdersSchema.self, at: .inMemory)
        _ = Sync(store: store, remote: MemoryRemote(), conflicts: ConflictPolicies(.localChangesWin))
        let items = #"[{"id": 5, "title": "a"}, {"id": 6, "title": "b"}]"#
        try await store.merge(Data(#"[{"id": 1, "name": "one", "items": \#(items)}]"#.utf8), into: Basket.self)
        try await store.perform { context in
            try #require(try context.fetch(Basket.all()).first).name = "two"
            context.delete(try #require(try context.fetch(Item.all()).first { $0.title == "a" }))
            try context.save()
        }
        try await store.merge(Data("[]".utf8), into: Basket.self, options: MergeOptions(records: .all))
        #expect(try await store.perform { try $0.fetch(Basket.all()).map(\.name) } == ["two"])
        try await store.outbox.discardAll()
        #expect(try await store.perform { try $0.fetch(Item.all()).map(\.title) } == [])
        #expect(try await store.perform { try $0.fetch(Basket.all()).map(\.name) } == [])
    }

    @Test("Restoring a record also restores all of its owners, however many there are")
    func comesBackWithAllOwners() async throws {
        let store = try Store(ForestSchema.self, at: .inMemory)
        let count = 900
        let nodes = (1...count).map { id in
            #"{"id": \#(id), "title": "n", "parent_id": \#(id == 1 ? "null" : String(id - 1))}"#
        }
        try await store.merge(Data("[\(nodes.joined(separator: ","))]".utf8), into: Node.self)
        try await store.writer.write { try $0.execute(sql: "DELETE FROM node WHERE id = 1") }
        #expect(try await store.perform { try $0.count(Node.all()) } == 0)
        let change = try await store.outbox.pending().first { $0.record == "\(count)" }
        try await store.outbox.discard(#require(change))
        #expect(try await store.perform { try $0.count(Node.all()) } == count)
        #expect(try await store.outbox.count() == 0)
    }

    @Test("R10.17 Records that the server has accepted without an identity are kept if a later change is discarded")
    func taken() async throws {
        let stage = try EmbeddedIdentityStage(respondsWithBody: false)
        try await stage.order("bolt")
        try await stage.sync.push()
        try await stage.editOrder { $0.lines.insert(Line(title: "nut", context: $0.context)) }
        try await stage.store.outbox.discardAll()
        #expect(try await stage.here() == ["0 bolt"])
        try await stage.sync.pull(Order.self)
        #expect(try await stage.here() == ["1 bolt"])
    }

    @Test("R10.17 Discarding the delete of a record restores its nested records with the next pull")
    func discardedDelete() async throws {
        let stage = try EmbeddedIdentityStage()
        try await stage.order("bolt")
        try await stage.sync.push()
        try await stage.sync.pull(Order.self)
        try await stage.editOrder { $0.context.delete($0) }
        try await stage.store.outbox.discardAll()
        try await stage.sync.pull(Order.self)
        #expect(try await stage.here() == ["1 bolt"])
    }

    @Test("M7.4 C3 Records created in a record that the server has deleted are deleted with it if the server wins")
    func deletedThere() async throws {
        let stage = try EmbeddedIdentityStage(policies: ConflictPolicies(.serverWins))
        try await stage.order("bolt")
        try await stage.sync.push()
        try await stage.editLine("bolt") { bolt in
            bolt.stamps.insert(Stamp(text: "a", context: bolt.context))
            bolt.order?.lines.insert(Line(title: "nut", context: bolt.context))
        }
        stage.server.remove("1", from: "/orders")
        try await stage.sync.pull(Order.self, options: MergeOptions(records: .all))
        #expect(try await counts(stage.store) == [0, 0, 0])
        #expect(try await stage.pending() == [])
    }

    @Test("M7.4 Records that the server has accepted without an identity are deleted with their owner")
    func takenAndDeletedThere() async throws {
        let stage = try EmbeddedIdentityStage(respondsWithBody: false)
        try await stage.order("bolt")
        try await stage.sync.push()
        stage.server.remove("1", from: "/orders")
        try await stage.sync.pull(Order.self, options: MergeOptions(records: .all))
        #expect(try await counts(stage.store) == [0, 0, 0])
    }

    @Test("R10 A record discarded after it was sent with its owner is restored if the request arrives")
    func discardedAfterSending() async throws {
        let items = RailsNesting("items", requestKey: "items")
        let server = FakeRails(RailsRules(nested: ["/baskets": [items]]))
        let store = try Store(OrdersSchema.self, at: .inMemory)
        let clock = ManualClock()
        let remote = RESTRemote(server.url, client: server.client, sendsEmbedded: true)
        let sync = Sync(store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock)
        try await store.perform { context in
            let basket = Basket(name: "one", context: context)
            basket.items.insert(Item(title: "a", context: context))
            try context.save()
        }
        server.respondNext(.responseLost)
        await #expect(throws: SyncError.self) { try await sync.push() }
        let item = try await store.outbox.pending().first { $0.entity == "Item" }
        try await store.outbox.discard(#require(item))
        clock.advance(by: 600)
        try await sync.push()
        #expect(try await store.perform { try $0.fetch(Item.all()).map(\.remoteID) } == [1])
        #expect(try await store.outbox.count() == 0)
    }

    @Test("R10 A record that moves after a failed request is matched in its new owner")
    func movedAfterSending() async throws {
        let stage = try EmbeddedIdentityStage()
        try await stage.order("nut")
        stage.server.respondNext(.connectionFails)
        await #expect(throws: SyncError.self) { try await stage.sync.push() }
        try await stage.editLine("nut") { $0.order = Order(name: "second", context: $0.context) }
        stage.clock.advance(by: 600)
        // The first order is rejected.
        stage.server.respondNext(.status(422), to: .changes)
        _ = try await stage.sync.push()
        #expect(stage.there == ["1 nut"])
        #expect(try await stage.here() == ["1 nut"])
        #expect(try await stage.lineCount() == 1)
    }
}
