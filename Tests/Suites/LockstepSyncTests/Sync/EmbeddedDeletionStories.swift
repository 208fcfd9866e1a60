import Foundation
import GRDB
import HTTPTypes
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepTesting
import ServerSamples
import Testing

/// Embedded records that are deleted locally, if the server keeps records that a list lacks, as Rails does.
@Suite("R10 Embedded records deleted locally are deleted on the server too")
struct EmbeddedDeletionStories {
    private typealias Stamp = ServerSamples.Stamp

    private func stage(_ conventions: RESTConventions = RESTConventions()) async throws -> EmbeddedIdentityStage {
        try await .withBoltAndNut(conventions: conventions)
    }

    private func remembered(_ store: Store) throws -> [String] {
        try store.writer.read {
            try String.fetchAll($0, sql: "SELECT entity FROM lockstep_outbox WHERE change = 2 ORDER BY entity")
        }
    }

    @Test("R10.11 A deleted record is sent with its identity and _destroy, once")
    func deletes() async throws {
        let stage = try await stage()
        try await stage.editLine("nut") { $0.context.delete($0) }
        #expect(try await stage.pending() == ["update Order"])
        try await stage.sync.push()
        #expect(try stage.sentLines.last == ["id": 2, "_destroy": true])
        #expect(stage.there == ["1 bolt"])
        try await stage.sync.pull(Order.self)
        #expect(try await stage.here() == ["1 bolt"])
        #expect(try await stage.pending() == [])
        #expect(try remembered(stage.store) == [])

        try await stage.editLine("bolt") { $0.title = "screw" }
        try await stage.sync.push()
        #expect(try stage.sentLines.count == 1)
        #expect(stage.there == ["1 screw"])
    }

    @Test("R10.9 C3 A pull in between neither restores it nor settles the delete")
    func pulledInBetween() async throws {
        let stage = try await stage()
        try await stage.editLine("nut") { $0.context.delete($0) }
        stage.server.edit("1", of: "/orders", ["name": "other"])
        try await stage.sync.pull(Order.self)
        try await stage.sync.pull(Order.self, options: MergeOptions(records: .all))
        #expect(try await stage.here() == ["1 bolt"])
        #expect(try await stage.pending() == ["update Order"])
        try await stage.sync.push()
        #expect(stage.there == ["1 bolt"])
        #expect(try await stage.here() == ["1 bolt"])
    }

    @Test("R10 P4 A record deleted while a response is pending stays deleted, and the delete is sent")
    func meanwhile() async throws {
        let stage = try await stage()
        try await stage.editOrder { $0.name = "second" }
        stage.client.meanwhile { try await stage.editLine("nut") { $0.context.delete($0) } }
        try await stage.sync.push()
        #expect(stage.there == ["1 bolt"])
        #expect(try await stage.here() == ["1 bolt"])
        #expect(try remembered(stage.store) == [])
    }

    @Test("R10.9 P11 The delete is kept across a relaunch")
    func relaunch() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("orders-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = StoreLocation.file(folder.appendingPathComponent("orders.sqlite"))
        let stage = try EmbeddedIdentityStage(at: file)
        try await stage.order("bolt", "nut")
        try await stage.sync.push()
        try await stage.editLine("nut") { $0.context.delete($0) }
        try stage.store.close()

        let store = try Store(OrdersSchema.self, at: file)
        let remote = RESTRemote(stage.server.url, client: stage.server.client)
        let sync = Sync(store: store, remote: remote, clock: stage.clock)
        try await sync.pull(Order.self)
        #expect(try await store.perform { try $0.fetch(Line.all()).map(\.title) } == ["bolt"])
        try await sync.push()
        #expect(stage.there == ["1 bolt"])
        #expect(try remembered(store) == [])
        #expect(try await store.outbox.count() == 0)
        try store.close()
    }

    @Test("R10.16 C4 A 404 for an owner with an unknown embedded record does not mean that the owner is missing")
    func lostResponse() async throws {
        var lines = EmbeddedIdentityStage.lines
        lines.refusesUnknown = true
        let stage = try EmbeddedIdentityStage([lines])
        try await stage.order("bolt", "nut")
        try await stage.sync.push()
        try await stage.editLine("nut") { $0.context.delete($0) }
        stage.server.respondNext(.responseLost)
        await #expect(throws: SyncError.self) { try await stage.sync.push() }
        stage.clock.advance(by: 600)
        #expect(stage.there == ["1 bolt"])
        #expect(try await stage.here() == ["1 bolt"])
        try await stage.sync.push()
        #expect(stage.server.records(of: "/orders").count == 1)
        #expect(stage.there == ["1 bolt"])
        #expect(try await stage.here() == ["1 bolt"])
        #expect(try await stage.pending() == [])

        // A record edited locally and deleted on the server is created there again; the order is not.
        try await stage.editLine("bolt") { $0.title = "screw" }
        stage.server.edit("1", of: "/orders", ["lines": []])
        try await stage.sync.push()
        #expect(stage.server.records(of: "/orders").count == 1)
        #expect(stage.there == ["3 screw"])
        #expect(try await stage.here() == ["3 screw"])
        #expect(try await stage.pending() == [])
        #expect(stage.server.log.filter { $0 == "POST /orders" }.count == 1)
    }

    @Test("R10.17 Discarding the change of its owner restores it with the next pull")
    func discarded() async throws {
        let stage = try await stage()
        try await stage.sync.pull(Order.self)
        try await stage.editLine("nut") { $0.context.delete($0) }
        let change = try #require(try await stage.store.outbox.pending().first)
        try await stage.store.outbox.discard(change)
        #expect(try remembered(stage.store) == [])
        try await stage.sync.pull(Order.self)
        #expect(try await stage.here() == ["1 bolt", "2 nut"])
    }

    @Test("R10.11 A record deleted on the server meanwhile is not sent")
    func deletedThere() async throws {
        let stage = try await stage()
        try await stage.editLine("nut") { $0.context.delete($0) }
        stage.server.edit("1", of: "/orders", ["lines": [["id": 1, "title": "bolt"]]])
        try await stage.sync.pull(Order.self)
        #expect(try remembered(stage.store) == [])
        try await stage.sync.push()
        #expect(try stage.sentLines.allSatisfy { $0["_destroy"] == nil })
        #expect(try await stage.here() == ["1 bolt"])
    }

    @Test("R10.11 The delete of a record nested in an embedded record is sent, and that of an embedded to-one")
    func nested() async throws {
        let stage = try EmbeddedIdentityStage()
        try await stage.edit { context in
            let order = Order(name: "first", context: context)
            order.address = Address(city: "Ulm", context: context)
            let line = Line(title: "nut", context: context)
            for text in ["a", "b"] { line.stamps.insert(Stamp(text: text, context: context)) }
            order.lines.insert(line)
        }
        try await stage.sync.push()
        try await stage.edit { context in
            context.delete(try #require(try context.fetch(Stamp.all()).first { $0.text == "a" }))
            context.delete(try #require(try context.fetch(Address.all()).first))
        }
        try await stage.sync.pull(Order.self)
        try await stage.sync.push()
        let order = stage.server.record("1", of: "/orders")
        #expect(order?["lines"]?[0]?["stamps"] == [["id": 2, "text": "b"]])
        #expect(order?["address"] == .null)
        #expect(try remembered(stage.store) == [])
        // Records deleted with their owner are not sent by themselves.
        try await stage.editLine("nut") { $0.context.delete($0) }
        #expect(try remembered(stage.store) == ["Line", "Stamp"])
        try await stage.editOrder { $0.context.delete($0) }
        stage.server.clearLog()
        try await stage.sync.push()
        #expect(stage.server.log == ["DELETE /orders/1"])
        #expect(try remembered(stage.store) == [])
    }

    @Test("R10.12 The key can be configured; lists that are replaced simply lack the record")
    func conventions() async throws {
        var conventions = RESTConventions()
        conventions.writes.nestedDeletion = NestedDeletion("deleted", listSuffix: nil)
        let marked = try await stage(conventions)
        try await marked.editLine("nut") { $0.context.delete($0) }
        try await marked.sync.push()
        #expect(try marked.sentLines.last == ["id": 2, "deleted": true])

        conventions.writes.nestedDeletion = nil
        let replaced = try await stage(conventions)
        try await replaced.editLine("nut") { $0.context.delete($0) }
        try await replaced.sync.push()
        #expect(try replaced.sentLines.map { $0["id"] } == [1])
        // This server keeps what a list lacks, as its response shows (P21).
        #expect(try remembered(replaced.store) == ["Line"])
    }

    @Test("R10 If the server takes embedded records, a record with its own path is deleted in its owner's list")
    func ownPath() async throws {
        let items = RailsNesting("items", requestKey: "items")
        let server = FakeRails(RailsRules(nested: ["/baskets": [items]]))
        var conventions = RESTConventions()
        conventions.writes.nestedDeletion = NestedDeletion("_destroy", listSuffix: nil)
        let store = try Store(OrdersSchema.self, at: .inMemory)
        let remote = RESTRemote(
            server.url, client: server.client, conventions: conventions, sendsEmbedded: true)
        let sync = Sync(store: store, remote: remote, clock: ManualClock())
        let json = Data(
            #"[{"id": 1, "name": "one", "items": [{"id": 5, "title": "a"}, {"id": 6, "title": "b"}]}]"#.utf8)
        try await store.merge(json, into: Basket.self)
        server.set(
            [["id": 1, "name": "one", "items": [["id": 5, "title": "a"], ["id": 6, "title": "b"]]]], in: "/baskets")
        try await store.perform { context in
            context.delete(try #require(try context.fetch(Item.all()).first { $0.title == "b" }))
            try context.save()
        }
        try await sync.push()
        let request = try #require(server.requests.last { !$0.body.isEmpty })
        #expect(request.method == .patch)
        let sent = try JSONValue(json: request.body)
        #expect(sent["items"] == [["id": 6, "_destroy": true]], "\(sent)")
        #expect(server.requests.allSatisfy { $0.method != .delete })
        let pending = try await store.outbox.pending().map { "\($0.kind) \($0.entity): \($0.lastError ?? "")" }
        #expect(pending == [])
        #expect(try remembered(store) == [])
    }

    /// Bolt's stamps, with the one that others may have moved into nut.
    private func lines(ofBolt bolt: String, ofNut nut: String?) -> Data {
        let line = { (id: Int, title: String, stamps: String) in
            #"{"id": \#(id), "title": "\#(title)", "stamps": [\#(stamps)]}"#
        }
        let lines = [line(1, "bolt", bolt)] + (nut.map { [line(2, "nut", $0)] } ?? [])
        return Data(#"{"id": 1, "name": "first", "lines": [\#(lines.joined(separator: ", "))]}"#.utf8)
    }

    @Test("C3 R5 Records that others added to a locally deleted record are deleted with it", arguments: [false, true])
    func movedIntoDeleted(isEdited: Bool) async throws {
        let stage = try EmbeddedIdentityStage()
        let stamp = #"{"id": 5, "text": "rare"}"#
        try await stage.store.merge(lines(ofBolt: stamp, ofNut: ""), into: Order.self)
        try await stage.editLine("nut") { $0.context.delete($0) }
        if isEdited {
            try await stage.edit { try #require(try $0.fetch(Stamp.all()).first).text = "mine" }
        }
        let stamps = {
            try await stage.store.perform { context in
                try context.fetch(Stamp.all()).map { "\($0.remoteID ?? 0) \($0.text) of \($0.line?.title ?? "none")" }
            }
        }
        let moved = lines(ofBolt: "", ofNut: stamp)
        try await stage.store.merge(moved, into: Order.self)
        // The local edit is created again where it was.
        #expect(try await stamps() == (isEdited ? ["5 mine of bolt"] : []))
        #expect(try await !stage.store.merge(moved, into: Order.self).hasChanges)
        if isEdited {
            try await stage.store.merge(lines(ofBolt: "", ofNut: nil), into: Order.self)
            return #expect(try await stamps() == ["5 mine of bolt"])
        }

        // The delete is discarded: the record is where others have moved it.
        let change = try #require(try await stage.store.outbox.pending().first)
        try await stage.store.outbox.discard(change)
        try await stage.store.merge(moved, into: Order.self)
        #expect(try await stamps() == ["5 rare of nut"])
    }

    @Test("C3 M16 A record that is also elsewhere in the payload is kept")
    func movedOutOfDeleted() async throws {
        let stage = try EmbeddedIdentityStage()
        let stamp = #"{"id": 5, "text": "rare"}"#
        try await stage.store.merge(lines(ofBolt: stamp, ofNut: ""), into: Order.self)
        try await stage.editLine("nut") { $0.context.delete($0) }
        let both =
            Data("[".utf8) + lines(ofBolt: "", ofNut: stamp) + Data(",".utf8)
            + Data(#"{"id": 2, "name": "second", "lines": [{"id": 3, "title": "cog", "stamps": [\#(stamp)]}]}]"#.utf8)
        try await stage.store.merge(both, into: Order.self)
        let stamps = try await stage.store.perform { context in
            try context.fetch(Stamp.all()).map { "\($0.remoteID ?? 0) \($0.text) of \($0.line?.title ?? "none")" }
        }
        #expect(stamps == ["5 rare of cog"])
    }

    @Test(
        "C3 M11 M16 So is a record that is also in a skipped record, with any batch size",
        arguments: [1, 100])
    func skippedElsewhere(batch: Int) async throws {
        let stage = try EmbeddedIdentityStage()
        let stamp = #"{"id": 5, "text": "rare"}"#
        try await stage.store.merge(lines(ofBolt: stamp, ofNut: ""), into: Order.self)
        try await stage.editLine("nut") { $0.context.delete($0) }
        let skipped = #"{"id": 2, "name": "second", "lines": [{"id": 3, "title": null, "stamps": [\#(stamp)]}]}"#
        let payload = Data("[".utf8) + lines(ofBolt: "", ofNut: stamp) + Data(",\(skipped)]".utf8)
        var options = MergeOptions()
        options.batchRecordLimit = batch
        try await stage.store.merge(payload, into: Order.self, options: options)
        let stamps = try await stage.store.perform { context in
            try context.fetch(Stamp.all()).map { "\($0.remoteID ?? 0) of \($0.line?.title ?? "none")" }
        }
        #expect(stamps == ["5 of none"])
    }

    @Test("C3 M16 So is a record whose copy at the top level is skipped")
    func skippedAtTop() async throws {
        let store = try Store(MuseumSchema.self, at: .inMemory)
        let tree =
            #"[{"id": 1, "title": "a", "wings": [{"id": 5, "title": "e"}]}, {"id": 2, "title": "b", "wings": []}]"#
        try await store.merge(Data(tree.utf8), into: Wing.self)
        try await store.perform { context in
            context.delete(try #require(try Wing.find(2, in: context)))
            try context.save()
        }
        let moved = """
            [{"id": 1, "title": "a", "wings": []}, {"id": 2, "title": "b", "wings": [{"id": 5, "title": "e"}]}, \
            {"id": 5, "title": null}]
            """
        try await store.merge(Data(moved.utf8), into: Wing.self)
        #expect(try await store.perform { try $0.fetch(Wing.order(\.id)).map(\.id) } == [1, 5])
    }

    @Test("C3 A record only referred to by a locally deleted record is kept", arguments: ["notes", "quote"])
    func shownInDeleted(key: String) async throws {
        let store = try Store(Threads.self, at: .inMemory)
        let topic = { (under: String, shown: String) in
            Data(
                """
                {"id": 1, "name": "t", "replies": [{"id": 1, "text": "one", "replies": [\(under)]}, \
                {"id": 2, "text": "two"\(shown)}]}
                """.utf8)
        }
        let reply = #"{"id": 5, "text": "five"}"#
        try await store.merge(topic(reply, ""), into: Word<Threads.Topics>.self)
        try await store.writer.write { try $0.execute(sql: "DELETE FROM reply WHERE remote_id = 2") }
        let shown = key == "notes" ? #", "notes": [\#(reply)]"# : #", "quote": \#(reply)"#
        try await store.merge(topic("", shown), into: Word<Threads.Topics>.self)
        let texts = try await store.writer.read { try String.fetchAll($0, sql: "SELECT text FROM reply ORDER BY text") }
        #expect(texts == ["five", "one"])
    }

    @Test("C3 So is a record that another owner lost and only a locally deleted record refers to")
    func shownInDeletedAlone() async throws {
        let store = try Store(Boards.self, at: .inMemory)
        try await store.merge(
            Data(#"{"id": 1, "cards": [{"id": 5}, {"id": 6}], "lanes": [{"id": 2}]}"#.utf8),
            into: Word<Boards.Board>.self)
        try await store.writer.write { try $0.execute(sql: "DELETE FROM lane") }
        try await store.merge(
            Data(#"{"id": 1, "cards": [], "lanes": [{"id": 2, "shown": [{"id": 5}]}]}"#.utf8),
            into: Word<Boards.Board>.self)
        let cards = try await store.writer.read { try Int.fetchAll($0, sql: "SELECT id FROM card") }
        #expect(cards == [5])
    }
}
