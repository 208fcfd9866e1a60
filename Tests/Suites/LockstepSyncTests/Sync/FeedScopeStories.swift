import Checklist
import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import Shop
import TestSupport
import Testing

/// What a server withdraws from a device: lost scopes, and what a new reading of everything does not contain.
@Suite("H3 What a feed withdraws")
struct FeedScopeStories {
    private static func task(_ id: Int, _ title: String, list: Int? = nil) -> JSONObject {
        [
            "id": .integer(Int64(id)), "title": .string(title), "status": 0,
            "checklistID": list.map { .integer(Int64($0)) } ?? .null,
        ]
    }

    /// A device with two lists of two tasks: 11 and 12 in 1, 21 and 22 in 2.
    private func stage(_ feed: ScriptedFeed) async throws -> FeedStage {
        let stage = try FeedStage(feed)
        feed.add(
            FeedPage(
                cursor: "a",
                changes: [1, 2].flatMap { list -> [FeedPage.Changes] in
                    [
                        .feed("List", [(["id": .integer(Int64(list)), "name": "L"], list)], in: "list:\(list)"),
                        .feed(
                            "Task",
                            [1, 2].map { (Self.task(list * 10 + $0, "T", list: list), list * 10 + $0) },
                            in: "list:\(list)"),
                    ]
                }))
        try await stage.sync.pull()
        _ = feed.asked()
        return stage
    }

    @Test("H3.5 The records of a lost scope are removed, and nothing of that is sent")
    func lost() async throws {
        let feed = ScriptedFeed()
        let stage = try await stage(feed)
        feed.add(FeedPage(cursor: "b", lostScopes: ["list:1", "list:9"]))
        #expect(try await stage.sync.pull().deleted == 3)
        #expect(try await stage.tasks() == ["21 T", "22 T"])
        #expect(try await stage.lists() == [2])
        #expect(try await stage.pending().isEmpty)
        // The user may read it again: what had been stored of it says nothing.
        feed.add(
            FeedPage(cursor: "c", changes: [.feed("List", [(["id": 1, "name": "L"], 1)], in: "list:1")]))
        try await stage.sync.pull()
        #expect(try await stage.lists() == [1, 2])
    }

    @Test("C6.7 The journal of conflicts loses the values of records that the user may no longer read")
    func conflicts() async throws {
        let feed = ScriptedFeed()
        let stage = try await stage(feed)
        for id in [11, 21] { try await stage.edit(id, "Mine") }
        feed.add(
            FeedPage(
                cursor: "b",
                changes: [1, 2].map {
                    .feed("Task", [(Self.task($0 * 10 + 1, "Theirs", list: $0), 30 + $0)], in: "list:\($0)")
                }))
        try await stage.sync.pull()
        #expect(try await stage.store.conflicts.entries().map(\.record) == ["11", "21"])
        for change in try await stage.store.outbox.pending() { try await stage.store.outbox.discard(change) }
        feed.add(FeedPage(cursor: "c", lostScopes: ["list:1"]))
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["21 Theirs", "22 T"])
        let rows = try await stage.store.writer.read {
            try Int.fetchAll($0, sql: "SELECT record FROM lockstep_conflict")
        }
        #expect(rows == [21])
    }

    @Test("H3.5 What waits in the outbox for a lost scope is parked, and its record stays until that is discarded")
    func parked() async throws {
        let feed = ScriptedFeed()
        let stage = try await stage(feed)
        try await stage.edit(11, "Mine")
        try await stage.delete(12)
        try await stage.make(13, "New", in: 1)
        feed.add(FeedPage(cursor: "b", lostScopes: ["list:1"]))
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["11 Mine", "13 New", "21 T", "22 T"])
        #expect(try await stage.pending() == ["update 11 403", "delete 12 403", "create 13"])
        let change = try #require(try await stage.store.outbox.pending().first)
        #expect(stage.sync.problem(of: change)?.message?.contains("list:1") == true)

        for change in try await stage.store.outbox.pending() where change.record != "13" {
            try await stage.store.outbox.discard(change)
        }
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["13 New", "21 T", "22 T"])
        #expect(try await stage.pending() == ["create 13"])
    }

    @Test("H3.5 A record that had to be created again, and that the feed does not have then, is removed")
    func createdAgain() async throws {
        // The response to the creation was lost, and the user may no longer read the record when it is repeated.
        let feed = ScriptedFeed { $0.kind == .update ? .absent : .accepted(body: nil, version: nil) }
        let stage = try await stage(feed)
        try await stage.edit(11, "Mine")
        try await stage.sync.push()
        #expect(feed.sent.map(\.kind) == [.update, .create])
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["11 Mine", "12 T", "21 T", "22 T"])
        stage.clock.advance(by: 301)
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["12 T", "21 T", "22 T"])
        #expect(try await stage.pending().isEmpty)
    }

    @Test("H3.5 What a discarded creation deletes of the server is read again", arguments: [false, true])
    func discardedOwner(isEdited: Bool) async throws {
        let feed = ScriptedFeed()
        let stage = try await stage(feed)
        try await stage.make(13, "New", in: 1)
        let part: JSONObject = ["id": 23, "title": "Part", "status": 0, "checklistID": 2, "parentTaskID": 13]
        feed.add(FeedPage(cursor: "b", changes: [.feed("Task", [(part, 23)], in: "list:2")]))
        try await stage.sync.pull()
        if isEdited { try await stage.edit(23, "Mine") }
        _ = feed.asked()

        let creation = try #require(try await stage.store.outbox.pending().first { $0.record == "13" })
        try await stage.store.outbox.discard(creation)
        #expect(try await stage.tasks() == ["11 T", "12 T", "21 T", "22 T"])
        feed.add(FeedPage(cursor: "c", changes: [.feed("Task", [(part, 23)], in: "list:2")]))
        try await stage.sync.pull()
        #expect(feed.asked() == ["start"])
        #expect(try await stage.tasks().contains("23 Part"))
    }

    @Test("H3.5 A record of another scope is not deleted with one of a lost scope")
    func otherScope() async throws {
        let feed = ScriptedFeed()
        let stage = try await stage(feed)
        // A part of task 11 is in another list.
        feed.add(
            FeedPage(
                cursor: "b",
                changes: [
                    .feed(
                        "Task",
                        [(["id": 23, "title": "Part", "status": 0, "checklistID": 2, "parentTaskID": 11], 23)],
                        in: "list:2")
                ]))
        try await stage.sync.pull()
        feed.add(FeedPage(cursor: "c", lostScopes: ["list:1"]))
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["21 T", "22 T", "23 Part"])
        #expect(try await stage.pending().isEmpty)
    }

    @Test("H3.5 A link that was removed locally is removed on the server, although its record was withdrawn since")
    func removedLink() async throws {
        let feed = ScriptedFeed { change in .accepted(body: change.body, version: "30") }
        let stage = try FeedStage(feed, store: Store(ShopSchema.self, at: .inMemory))
        feed.add(
            FeedPage(
                cursor: "a",
                changes: [
                    .feed("Tag", [(["id": 7, "name": "new"], 1)], in: "tags"),
                    .feed("Product", [(["id": 1, "name": "Lamp", "tag_ids": [7]], 2)], in: "products"),
                ]))
        try await stage.sync.pull()
        try await stage.store.perform { context in
            let tag = try #require(try Shop.Tag.find(7, in: context))
            try #require(try Product.find(1, in: context)).tags.remove(tag)
            try context.save()
        }
        feed.add(FeedPage(cursor: "b", lostScopes: ["tags"]))
        try await stage.sync.pull()
        #expect(try await stage.store.perform { try $0.count(Shop.Tag.all()) } == 0)
        #expect(try await stage.pending() == ["update 1"])

        try await stage.sync.push()
        let sent = try #require(feed.sent.first)
        #expect(try JSONValue(json: sent.changes)["tag_ids"] == [])
        #expect(try await stage.pending().isEmpty)
    }

    @Test("H3.5 A confirmed record that the feed does not have is removed when its confirmation is not recent any more")
    func confirmed() async throws {
        let feed = ScriptedFeed { change in .accepted(body: change.body, version: "30") }
        let stage = try await stage(feed)
        try await stage.make(13, "New", in: 1)
        try await stage.edit(21, "Mine")
        try await stage.sync.push()
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["11 T", "12 T", "13 New", "21 Mine", "22 T"])
        feed.add(.tasks("b", [(Self.task(21, "Mine", list: 2), 30)], in: "list:2"))
        try await stage.sync.pull()
        stage.clock.advance(by: 301)
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["11 T", "12 T", "21 Mine", "22 T"])
        #expect(try await stage.pending().isEmpty)
    }

    @Test("H3.5 So is a record whose last version has come with a rejection: it may have left its scope before that")
    func rejected() async throws {
        let feed = ScriptedFeed { change in
            change.version == "40"
                ? .refused(status: 403, body: Data())
                : .outdated(current: try? JSONValue.object(Self.task(11, "Theirs", list: 1)).json(), version: "40")
        }
        let stage = try await stage(feed)
        try await stage.edit(11, "Mine")
        try await stage.sync.push()
        #expect(try await stage.pending() == ["update 11 403"])
        feed.add(.tasks("b", in: "list:1", deleted: [(11, 35, nil)]))
        try await stage.sync.pull()
        for change in try await stage.store.outbox.pending() { try await stage.store.outbox.discard(change) }
        #expect(try await stage.tasks() == ["11 Theirs", "12 T", "21 T", "22 T"])
        stage.clock.advance(by: 301)
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["12 T", "21 T", "22 T"])
    }

    @Test("H3.2 A record that was requested alone, without a version, is edited as the feed has it")
    func requested() async throws {
        let record = try JSONValue.object(Self.task(11, "Theirs", list: 1)).json()
        let feed = ScriptedFeed(fetched: .records(FetchResponse.Records(body: .data(record)))) { change in
            .accepted(body: change.body, version: "50")
        }
        let stage = try await stage(feed)
        try await stage.sync.pull(Task.self, id: 11)
        stage.clock.advance(by: 301)
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["11 Theirs", "12 T", "21 T", "22 T"])
        try await stage.edit(11, "Mine")
        try await stage.sync.push()
        #expect(feed.sent.map(\.version) == ["11"])
    }

    @Test("H3.5 A record stays if a response has the version that the feed has brought: it does not come again")
    func unchanged() async throws {
        let feed = ScriptedFeed { change in
            change.identity?.text == "11"
                ? .accepted(body: change.body, version: "11") : .refused(status: 403, body: Data())
        }
        let stage = try await stage(feed)
        try await stage.edit(11, "Mine")
        try await stage.edit(12, "Mine")
        try await stage.sync.push()
        for change in try await stage.store.outbox.pending() { try await stage.store.outbox.discard(change) }
        stage.clock.advance(by: 301)
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["11 Mine", "12 T", "21 T", "22 T"])
    }

    @Test("H3.4 A part is not deleted with its task, which the user may no longer read, but with its own deletion")
    func parts() async throws {
        let feed = ScriptedFeed()
        let stage = try await stage(feed)
        feed.add(
            FeedPage(
                cursor: "b",
                changes: [
                    .feed(
                        "Task",
                        [(["id": 23, "title": "Part", "status": 0, "checklistID": 2, "parentTaskID": 21], 23)],
                        in: "list:2")
                ]))
        try await stage.sync.pull()
        feed.add(.tasks("c", in: "list:2", deleted: [(21, 24, nil)]))
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["11 T", "12 T", "22 T", "23 Part"])
        feed.add(.tasks("d", in: "list:2", deleted: [(23, 25, nil)]))
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["11 T", "12 T", "22 T"])
    }

    @Test("H3.6 If the server no longer knows the cursor, everything is read again, and what is not there is removed")
    func expired() async throws {
        let feed = ScriptedFeed()
        let stage = try await stage(feed)
        try await stage.edit(11, "Mine")
        try await stage.make(13, "New", in: 1)
        feed.add(
            .expired,
            // Restored from a backup: the versions are lower.
            .tasks("x", more: true, [(Self.task(21, "Restored", list: 2), 3)], in: "list:2"),
            FeedPage(cursor: "y", changes: [.feed("List", [(["id": 2, "name": "L"], 2)], in: "list:2")]))
        try await stage.sync.pull()
        #expect(feed.asked() == ["a", "start", "x"])
        #expect(try await stage.tasks() == ["11 Mine", "13 New", "21 Restored"])
        #expect(try await stage.lists() == [2])
        #expect(try await stage.pending() == ["update 11 403", "create 13"])
        feed.add(.tasks("z", [(Self.task(21, "Next", list: 2), 4)], in: "list:2"))
        try await stage.sync.pull()
        #expect(feed.asked() == ["y"])
        #expect(try await stage.tasks() == ["11 Mine", "13 New", "21 Next"])
    }

    @Test("H3.6 A reading of everything that was interrupted goes on, and removes what it has not contained in the end")
    func interrupted() async throws {
        let feed = ScriptedFeed()
        let stage = try await stage(feed)
        feed.add(
            .tasks("x", more: true, [(Self.task(21, "Again", list: 2), 21)], in: "list:2"),
            FeedPage(cursor: "y", changes: [FeedPage.Changes(of: "Task", in: "list:2", records: Data("]".utf8))]))
        await #expect(throws: SyncError.self) { try await stage.sync.pull(everything: true) }
        #expect(try await stage.tasks().count == 4)
        // The device is started again.
        let next = try FeedStage(feed, store: stage.store)
        _ = feed.asked()
        feed.add(.tasks("y", [(Self.task(12, "Again", list: 1), 12)]))
        try await next.sync.pull()
        #expect(feed.asked() == ["x"])
        #expect(try await next.tasks() == ["12 Again", "21 Again"])
        #expect(try await next.lists().isEmpty)
    }

    @Test("H3.6 A feed that expires again and again is an error")
    func neverStarts() async throws {
        let feed = ScriptedFeed()
        let stage = try await stage(feed)
        feed.add(.expired, .expired)
        await #expect { try await stage.sync.pull() } throws: { ($0 as? SyncError)?.code == .malformed }
        #expect(try await stage.tasks().count == 4)
    }

    @Test("H3.6 The first reading removes what no page contained, such as what another remote has brought")
    func firstReading() async throws {
        let feed = ScriptedFeed()
        let stage = try FeedStage(feed)
        try await stage.store.merge(#"[{"id": 1, "title": "Earlier", "status": 0}]"#, into: Checklist.Task.self)
        try await stage.make(2, "Mine")
        feed.add(.tasks("a", [(Self.task(3, "Three"), 1)]))
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["2 Mine", "3 Three"])
    }
}
