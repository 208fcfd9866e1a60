import Checklist
import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import TestSupport
import Testing

/// Pulls from a server that lists the last change of each record in the order of commits.
@Suite("H3 A feed")
struct FeedStories {
    private static func task(_ id: Int, _ title: String, _ members: JSONObject = [:]) -> JSONObject {
        var json: JSONObject = ["id": .integer(Int64(id)), "title": .string(title), "status": 0]
        for (key, value) in members { json[key] = value }
        return json
    }

    // MARK: Pages

    @Test("H3.1 A pull reads the feed to its end, and the next one begins there")
    func pages() async throws {
        let feed = ScriptedFeed()
        let stage = try FeedStage(feed)
        feed.add(
            .tasks("a", more: true, [(Self.task(1, "One"), 1)]), .tasks("b", more: true, [(Self.task(2, "Two"), 2)]),
            .tasks("c", [(Self.task(3, "Three"), 3)]))
        let summary = try await stage.sync.pull()
        #expect(summary.inserted == 3)
        #expect(summary.requests == 3)
        #expect(feed.asked() == ["start", "a", "b"])
        #expect(try await stage.tasks() == ["1 One", "2 Two", "3 Three"])

        #expect(try await stage.sync.pull().merges.isEmpty)
        #expect(feed.asked() == ["c"])
    }

    @Test("H3.1 After a failure, a pull goes on with the page that was not merged")
    func failure() async throws {
        let feed = ScriptedFeed()
        let stage = try FeedStage(feed)
        feed.add(
            .tasks("a", more: true, [(Self.task(1, "One"), 1)]),
            FeedPage(
                cursor: "b", changes: [FeedPage.Changes(of: "Task", in: "list:1", records: Data("[{".utf8))]))
        await #expect(throws: SyncError.self) { try await stage.sync.pull() }
        #expect(try await stage.tasks() == ["1 One"])
        _ = feed.asked()
        feed.add(.tasks("b", [(Self.task(2, "Two"), 2)]))
        try await stage.sync.pull()
        #expect(feed.asked() == ["a"])
        #expect(try await stage.tasks() == ["1 One", "2 Two"])
    }

    @Test("H3.1 What was read before a request fails is merged")
    func failedRequest() async throws {
        let feed = ScriptedFeed()
        let stage = try FeedStage(feed)
        feed.add(.tasks("a", more: true, [(Self.task(1, "One"), 1)]), .tasks("b", more: true))
        feed.addFailure()
        await #expect(throws: SyncError.self) { try await stage.sync.pull() }
        #expect(try await stage.tasks() == ["1 One"])
        _ = feed.asked()
        try await stage.sync.pull()
        #expect(feed.asked() == ["b"])
    }

    @Test("H3.1 Pages that do not end are an error")
    func endless() async throws {
        let feed = ScriptedFeed()
        let stage = try FeedStage(feed)
        feed.add(.tasks("a", more: true), .tasks("a", more: true))
        await #expect { try await stage.sync.pull() } throws: { ($0 as? SyncError)?.code == .malformed }
    }

    @Test("H3.1 A dry run writes nothing, not even the cursor")
    func dryRun() async throws {
        let feed = ScriptedFeed()
        let stage = try FeedStage(feed)
        feed.add(.tasks("a", [(Self.task(1, "One"), 1)]))
        let summary = try await stage.sync.pull(options: MergeOptions(isDryRun: true))
        #expect(summary.inserted == 1 && summary.merges.allSatisfy(\.isDryRun))
        #expect(try await stage.tasks().isEmpty)
        try await stage.sync.pull()
        #expect(feed.asked() == ["start", "start"])
    }

    @Test("H3.1 An app that forgets the validators reads everything again")
    func forgetting() async throws {
        let feed = ScriptedFeed()
        let stage = try FeedStage(feed)
        feed.add(.tasks("a", [(Self.task(1, "One"), 1)]))
        try await stage.sync.pull()
        try await stage.sync.forgetValidators(of: List.self)
        feed.add(.tasks("b", [(Self.task(1, "Again"), 1)]))
        try await stage.sync.pull()
        #expect(feed.asked() == ["start", "start"])
        // The version is not above the stored one, but everything is read again.
        #expect(try await stage.tasks() == ["1 Again"])
    }

    // MARK: Versions

    @Test("H3.2 A record whose version is not above the stored one is old")
    func old() async throws {
        let feed = ScriptedFeed()
        let stage = try FeedStage(feed)
        feed.add(.tasks("a", [(Self.task(1, "Five"), 5)]))
        try await stage.sync.pull()
        feed.add(.tasks("b", [(Self.task(1, "Four"), 4)]), .tasks("c", [(Self.task(1, "Other five"), 5)]))
        for _ in 0..<2 { #expect(try await stage.sync.pull().merges.isEmpty) }
        feed.add(.tasks("d", deleted: [(1, 4, nil)]))
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["1 Five"])
        feed.add(.tasks("e", [(Self.task(1, "Six"), 6), (Self.task(1, "Seven"), 7)]))
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["1 Seven"])
    }

    @Test("H3.2 What comes back of a push is not merged again, unless the response had no record")
    func echo() async throws {
        for hasRecord in [true, false] {
            let feed = ScriptedFeed { change in .accepted(body: hasRecord ? change.body : nil, version: "8") }
            let stage = try FeedStage(feed)
            try await stage.sync.pull()
            try await stage.make(1, "Mine")
            try await stage.sync.push()
            feed.add(.tasks("a", [(Self.task(1, "Mine, as the server has it"), 8)]))
            try await stage.sync.pull()
            #expect(try await stage.tasks() == [hasRecord ? "1 Mine" : "1 Mine, as the server has it"])
            // It was in the feed, so it belongs to a scope.
            feed.add(.tasks("b", lost: ["list:1"]))
            try await stage.sync.pull()
            #expect(try await stage.tasks().isEmpty)
        }
    }

    @Test(
        "H3.2 A response that may be older than what the feed has brought only confirms",
        // The latter is that of a server which answers a repeated change with the version of what there is now.
        arguments: [(hasRecord: true, version: "2"), (hasRecord: false, version: "3")])
    func oldResponse(hasRecord: Bool, version: String) async throws {
        let count = Locked(0)
        let feed = ScriptedFeed { change in
            count.withLock { $0 += 1 }
            // The first response is lost.
            if count.withLock(\.self) == 1 { return .unavailable(status: 500) }
            return .accepted(body: hasRecord ? change.body : nil, version: version)
        }
        let stage = try FeedStage(feed)
        feed.add(.tasks("a", [(Self.task(1, "One"), 1)]))
        try await stage.sync.pull()
        try await stage.edit(1, "Mine")
        _ = try? await stage.sync.push()
        feed.add(.tasks("b", [(Self.task(1, "Theirs"), 3)]))
        try await stage.sync.pull()
        try await stage.sync.retryNow()
        try await stage.sync.push()
        #expect(try await stage.pending().isEmpty)
        // The feed is read again, because it would not bring the record otherwise.
        _ = feed.asked()
        feed.add(.tasks("b", [(Self.task(1, "Theirs"), 3)]))
        try await stage.sync.pull()
        #expect(feed.asked() == ["start"])
        #expect(try await stage.tasks() == ["1 Theirs"])
    }

    @Test("H3.2 A change is sent with the version that the feed has brought")
    func conditional() async throws {
        let feed = ScriptedFeed { change in .accepted(body: change.body, version: "9") }
        let stage = try FeedStage(feed)
        feed.add(.tasks("a", [(Self.task(1, "One"), 7)]))
        try await stage.sync.pull()
        try await stage.edit(1, "Mine")
        try await stage.sync.push()
        try await stage.edit(1, "Mine again")
        try await stage.sync.push()
        #expect(feed.sent.map(\.version) == ["7", "9"])
    }

    // MARK: Scopes

    @Test("H3.3 A record that has moved only changes its scope")
    func moves() async throws {
        let feed = ScriptedFeed()
        let stage = try FeedStage(feed)
        feed.add(.tasks("a", [(Self.task(1, "One"), 1), (Self.task(2, "Two"), 2)]))
        try await stage.sync.pull()
        feed.add(.tasks("b", deleted: [(1, 3, "list:2")]))
        #expect(try await stage.sync.pull().deleted == 0)
        feed.add(.tasks("c", lost: ["list:1"]))
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["1 One"])
        // The record itself, with what the move has changed.
        feed.add(.tasks("d", [(Self.task(1, "Moved"), 3)], in: "list:2"))
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["1 Moved"])
    }

    @Test("H3.3 A deletion in another scope than the record's is ignored")
    func otherScope() async throws {
        let feed = ScriptedFeed()
        let stage = try FeedStage(feed)
        feed.add(
            FeedPage(
                cursor: "a",
                changes: [
                    .feed("Task", in: "list:1", deleted: [(1, 5, "list:2")]),
                    .feed("Task", [(Self.task(1, "One"), 5)], in: "list:2"),
                ]))
        try await stage.sync.pull()
        feed.add(.tasks("b", in: "list:1", deleted: [(1, 9, nil)]))
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["1 One"])
        feed.add(.tasks("c", in: "list:2", deleted: [(1, 9, nil)]))
        #expect(try await stage.sync.pull().deleted == 1)
        #expect(try await stage.tasks().isEmpty)
    }

    // MARK: Deletions

    @Test("H3.4 A deletion is merged as any other of the server, whatever the options allow")
    func deletions() async throws {
        for wins in [true, false] {
            let feed = ScriptedFeed()
            let stage = try FeedStage(feed, conflicts: wins ? .localChangesWin : .serverWins)
            feed.add(.tasks("a", [(Self.task(1, "One"), 1), (Self.task(2, "Two"), 2), (Self.task(3, "Three"), 3)]))
            try await stage.sync.pull()
            try await stage.edit(2, "Mine")
            try await stage.delete(3)
            feed.add(.tasks("b", deleted: [(1, 4, nil), (2, 5, nil), (3, 6, nil), (4, 7, nil)]))
            try await stage.sync.pull()
            #expect(try await stage.tasks() == (wins ? ["2 Mine"] : []))
            #expect(try await stage.pending() == (wins ? ["create 2"] : []))
        }
    }

    @Test("H3.4 Records come before deletions: what has moved to another owner is not deleted with the former one")
    func recordsFirst() async throws {
        let feed = ScriptedFeed()
        let stage = try FeedStage(feed)
        feed.add(
            FeedPage(
                cursor: "a",
                changes: [
                    .feed("List", [(["id": 1, "name": "Old"], 1)], in: "list:1"),
                    .feed("Task", [(Self.task(1, "One", ["checklistID": 1]), 2)], in: "list:1"),
                ]))
        try await stage.sync.pull()
        try await stage.edit(1, "Mine")
        feed.add(
            FeedPage(
                cursor: "b",
                changes: [
                    .feed("List", in: "list:1", deleted: [(1, 5, nil)]),
                    .feed("List", [(["id": 2, "name": "New"], 3)], in: "list:2"),
                    .feed("Task", in: "list:1", deleted: [(1, 4, "list:2")]),
                    .feed("Task", [(Self.task(1, "One", ["checklistID": 2]), 4)], in: "list:2"),
                ]))
        try await stage.sync.pull()
        #expect(try await stage.lists() == [2])
        #expect(try await stage.tasks() == ["1 Mine"])
        #expect(try await stage.pending() == ["update 1"])
    }

    // MARK: What is left out

    @Test("H3.8 An entity that the schema does not have is left out, and reported once")
    func unknownEntity() async throws {
        let feed = ScriptedFeed()
        let stage = try FeedStage(feed)
        var events = stage.sync.diagnostics.makeAsyncIterator()
        for cursor in ["a", "b"] {
            feed.add(
                FeedPage(
                    cursor: cursor,
                    changes: [
                        .feed("Robot", [(["id": 1], 1)], in: "list:1"),
                        .feed("Task", [(Self.task(1, cursor), cursor == "a" ? 1 : 2)], in: "list:1"),
                    ]))
            try await stage.sync.pull()
        }
        #expect(try await stage.tasks() == ["1 b"])
        var notes: [String] = []
        for _ in 0..<3 {
            if case .merge(let note)? = await events.next()?.event { notes.append(note.entity) }
        }
        #expect(notes == ["Robot"])
    }

    @Test("H3.8 A page with another number of versions than records changes nothing")
    func malformed() async throws {
        let feed = ScriptedFeed()
        let stage = try FeedStage(feed)
        feed.add(
            FeedPage(
                cursor: "a",
                changes: [
                    .feed("List", [(["id": 1, "name": "A"], 1)], in: "list:1"),
                    FeedPage.Changes(of: "Task", in: "list:1", records: Data("[]".utf8), versions: [1]),
                ]))
        await #expect { try await stage.sync.pull() } throws: { ($0 as? SyncError)?.code == .malformed }
        #expect(try await stage.lists().isEmpty)
    }

    @Test("H3.8 A record that is not valid is skipped, and merged when it comes again")
    func invalid() async throws {
        let feed = ScriptedFeed()
        let stage = try FeedStage(feed)
        feed.add(.tasks("a", [(Self.task(1, "One"), 1), (Self.task(2, "Two"), 2)]))
        try await stage.sync.pull()
        feed.add(.tasks("b", [(["id": 1, "title": .null], 3), (Self.task(2, "Two"), 4), (["title": "No id"], 5)]))
        #expect(try await stage.sync.pull().skipped.count == 2)
        feed.add(.tasks("c", [(Self.task(1, "Right"), 3)]))
        try await stage.sync.pull()
        #expect(try await stage.tasks() == ["1 Right", "2 Two"])
    }

    // MARK: Running

    @Test("H3.9 A running sync polls the feed, and reads it at once if the app says so")
    func running() async throws {
        let feed = ScriptedFeed()
        let stage = try FeedStage(feed)
        let run = _Concurrency.Task { try await stage.sync.run(RunOptions(pollSeconds: 60)) }
        try await stage.clock.waitForSleepers(1)
        #expect(feed.asked() == ["start"])
        #expect(stage.sync.currentStatus.isUpToDate)
        feed.add(.tasks("a", [(Self.task(1, "One"), 1)]))
        await stage.sync.wake()
        #expect(try await soon { try await stage.tasks() == ["1 One"] })
        try await stage.clock.waitForSleepers(1)
        feed.add(.tasks("b", [(Self.task(2, "Two"), 2)]))
        stage.clock.advance(by: 60)
        #expect(try await soon { try await stage.tasks() == ["1 One", "2 Two"] })
        run.cancel()
        try await run.value
    }
}
