import LockstepStore
import LockstepSync
import LockstepTesting
import ServerSamples
import Testing

@Suite("C2 C3 R10 Embedded records are merged and sent by themselves, not as parts of their owner")
struct EmbeddedEditStories {
    private func stage(_ policies: ConflictPolicies = ConflictPolicies()) async throws -> EmbeddedIdentityStage {
        try await .withBoltAndNut(policies: policies)
    }

    @Test("C2 R10.10 An edit of an embedded record sends neither its neighbors nor its unchanged values")
    func neighbours() async throws {
        let stage = try await stage()
        try await stage.editLine("nut") { $0.title = "washer" }
        stage.server.edit(
            "1", of: "/orders",
            ["lines": [["id": 1, "title": "screw", "count": 1], ["id": 2, "title": "nut", "count": 5]]])
        try await stage.sync.push()
        #expect(try stage.sentLines == [["id": 2, "title": "washer"]])
        #expect(stage.there == ["1 screw", "2 washer"])
        #expect(try await stage.here() == stage.there)
        #expect(try await stage.store.perform { try $0.fetch(Line.all()).map(\.count).contains(5) })
        #expect(try await stage.pending() == [])
    }

    @Test("C2 A pull merges edits, additions and deletes by others next to a local edit")
    func pulled() async throws {
        let stage = try await stage()
        try await stage.editLine("nut") { $0.title = "washer" }
        stage.server.edit(
            "1", of: "/orders", ["lines": [["id": 2, "title": "nut", "count": 5], ["id": 3, "title": "pin"]]])
        try await stage.sync.pull(Order.self)
        #expect(try await Set(stage.here()) == ["2 washer", "3 pin"])
        #expect(try await stage.pending() == ["update Order"])
        try await stage.sync.push()
        #expect(stage.there == ["2 washer", "3 pin"])
    }

    @Test("P1 R10.13 A moved record is first removed from its old owner, and then created in the new one")
    func moved() async throws {
        let stage = try await stage()
        try await stage.edit { context in _ = Order(name: "second", context: context) }
        try await stage.sync.push()
        try await stage.editLine("nut") { line in
            line.order = try line.context.fetch(Order.all()).first { $0.name == "second" }
        }
        #expect(try await stage.pending() == ["update Order", "update Order"])
        try await stage.sync.push()
        #expect(stage.server.record("1", of: "/orders")?["lines"]?[1] == nil)
        #expect(stage.server.record("2", of: "/orders")?["lines"]?[0]?["title"] == "nut")
        #expect(try await Set(stage.here()) == Set(stage.there))
        #expect(try await stage.pending() == [])
        try await stage.sync.pull(Order.self, options: MergeOptions(records: .all))
        #expect(try await stage.lineCount() == 2)
    }

    @Test("C2 An edit of a record that others have moved is sent with its new owner")
    func movedByOthers() async throws {
        let stage = try await stage()
        try await stage.edit { context in _ = Order(name: "second", context: context) }
        try await stage.sync.push()
        try await stage.editLine("nut") { $0.title = "washer" }
        stage.server.edit("1", of: "/orders", ["lines": [["id": 1, "title": "bolt", "count": 1]]])
        stage.server.edit("2", of: "/orders", ["lines": [["id": 2, "title": "nut", "count": 1]]])
        try await stage.sync.pull(Order.self)
        #expect(try await Set(stage.here()) == ["1 bolt", "2 washer"])
        try await stage.sync.push()
        #expect(stage.there == ["1 bolt", "2 washer"])
        #expect(try await stage.pending() == [])
    }

    @Test("C3 A record edited locally and deleted on the server is created there again")
    func deletedThere() async throws {
        let stage = try await stage()
        try await stage.editLine("nut") { $0.title = "washer" }
        stage.server.edit("1", of: "/orders", ["lines": [["id": 1, "title": "bolt", "count": 1]]])
        try await stage.sync.pull(Order.self)
        try await stage.sync.push()
        #expect(stage.there == ["1 bolt", "3 washer"])
        #expect(try await stage.here() == stage.there)
        #expect(try await stage.pending() == [])
    }

    @Test("C3 It is created again with its owner, with new identities")
    func ownerDeletedThere() async throws {
        let stage = try await stage()
        try await stage.editLine("nut") { $0.title = "washer" }
        stage.server.remove("1", from: "/orders")
        try await stage.sync.pull(Order.self, options: MergeOptions(records: .all))
        try await stage.sync.push()
        #expect(stage.there == ["3 bolt", "4 washer"])
        #expect(try await stage.here() == stage.there)
        #expect(try await stage.pending() == [])
    }

    @Test("C3 So is a record with its own path that is sent with its owner")
    func ownPath() async throws {
        let server = FakeRails(RailsRules(nested: ["/baskets": [RailsNesting("items", requestKey: "items")]]))
        let store = try Store(OrdersSchema.self, at: .inMemory)
        let remote = RESTRemote(server.url, client: server.client, sendsEmbedded: true)
        let sync = Sync(store: store, remote: remote, clock: ManualClock())
        server.set([["id": 1, "name": "one", "items": [["id": 5, "title": "a"]]]], in: "/baskets")
        try await sync.pull(Basket.self)
        try await store.perform { context in
            try #require(try context.fetch(Item.all()).first).title = "b"
            try context.save()
        }
        server.remove("1", from: "/baskets")
        try await sync.pull(Basket.self, options: MergeOptions(records: .all))
        #expect(try await store.perform { try $0.fetch(Item.all()).map(\.basket?.name) } == ["one"])
        try await sync.push()
        #expect(server.records(of: "/baskets").first?["items"]?[0]?["title"] == "b")
        #expect(try await store.outbox.count() == 0)
    }

    @Test("R10.17 Discarding the owner's change undoes the edits, inserts and deletes in it")
    func discarded() async throws {
        let stage = try await stage()
        try await stage.editLine("nut") { line in
            line.title = "washer"
            let order = try #require(line.order)
            order.lines.insert(Line(title: "pin", context: line.context))
            line.context.delete(try #require(order.lines.first { $0.title == "bolt" }))
        }
        let change = try #require(try await stage.store.outbox.pending().first)
        try await stage.store.outbox.discard(change)
        #expect(try await Set(stage.here()) == ["1 bolt", "2 nut"])
        #expect(try await stage.pending() == [])
    }

    @Test("C1 The owner's policy applies, unless the embedded entity has its own")
    func policies() async throws {
        let serverWins = ConflictPolicies().using(.serverWins, for: Order.self)
        for (policies, title) in [
            (serverWins, "screw"), (serverWins.using(.localChangesWin, for: Line.self), "washer"),
        ] {
            let stage = try await stage(policies)
            try await stage.editLine("nut") { $0.title = "washer" }
            stage.server.edit(
                "1", of: "/orders",
                ["lines": [["id": 1, "title": "bolt", "count": 1], ["id": 2, "title": "screw", "count": 1]]])
            try await stage.sync.pull(Order.self)
            #expect(try await stage.here() == ["1 bolt", "2 \(title)"])
        }
    }
}
