import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import Shop
import TestSupport
import Testing

/// Pulls of what has changed since the last one.
@Suite("H2 Only what has changed")
struct ChangesStories {
    /// 2023-11-14T22:13:20Z
    private static let start = Date(timeIntervalSince1970: 1_700_000_000)
    /// The device's clock is two hours ahead.
    private let deviceClock = ManualClock(now: start.addingTimeInterval(7_200))
    private let serverClock = ManualClock(now: start)
    private let store: Store

    init() throws {
        store = try Store(ShopSchema.self, at: .inMemory)
    }

    private static let all = MergeOptions(records: .all)
    private static let furtherPages = ServerRequestFilter { $0.query.contains { $0.name == "page" } }

    private func server(_ changes: RailsChanges, _ change: (inout RailsRules) -> Void = { _ in }) -> FakeRails {
        var rules = RailsRules(changes: changes)
        change(&rules)
        return FakeRails(rules, clock: serverClock)
    }

    private func sync(
        _ server: FakeRails, _ changes: RESTConventions.Changes, _ change: (inout RESTConventions) -> Void = { _ in }
    ) -> Sync {
        var conventions = RESTConventions()
        conventions.reads.changes = changes
        change(&conventions)
        let remote = RESTRemote(server.url, client: server.client, conventions: conventions, clock: deviceClock)
        return Sync(store: store, remote: remote, clock: deviceClock, random: { 0 })
    }

    private func set(_ server: FakeRails, _ ids: ClosedRange<Int>, _ title: String = "T") {
        for id in ids {
            server.set(
                ["id": .integer(Int64(id)), "title": .string("\(title)\(id)"), "body_text": "b"], in: "/articles")
        }
    }

    private func pass(_ seconds: TimeInterval) {
        serverClock.advance(by: seconds)
        deviceClock.advance(by: seconds)
    }

    private func titles() async throws -> [String] {
        try await store.representations(Article.order(\.id)).map(\.title)
    }

    /// The requests since the last call.
    private func asked(_ server: FakeRails) -> [String] {
        defer { server.clearLog() }
        return server.log
    }

    // MARK: Where a list begins

    @Test("A list begins with the time of the last pull by the server's clock, less the overlap")
    func serverTime() async throws {
        let server = server(RailsChanges())
        let sync = sync(server, .updatedSince(overlapSeconds: 60))
        set(server, 1...3)
        try await sync.pull(Article.self)
        #expect(asked(server) == ["GET /articles"])

        pass(600)
        set(server, 2...2, "New")
        pass(600)
        let summary = try await sync.pull(Article.self)
        #expect(asked(server) == ["GET /articles?updated_since=2023-11-14T22:12:20Z"])
        // The others are within the overlap.
        #expect(summary.updated == 1 && summary.unchanged == 2)
        #expect(try await titles() == ["T1", "New2", "T3"])

        pass(600)
        let quiet = try await sync.pull(Article.self)
        #expect(quiet.updated == 0 && quiet.unchanged == 0)
        #expect(asked(server) == ["GET /articles?updated_since=2023-11-14T22:32:20Z"])
    }

    @Test("A commit that becomes visible late is received if the overlap is longer than its transaction")
    func lateCommit() async throws {
        let server = server(RailsChanges { $0 > 3 ? 50 : 0 })
        let sync = sync(server, .updatedSince(overlapSeconds: 60))
        set(server, 1...3)
        pass(10)
        try await sync.pull(Article.self)
        pass(20)
        // Its time is before that of the pull.
        set(server, 3...3, "Late")
        #expect(try await sync.pull(Article.self).updated == 1)
        #expect(try await titles() == ["T1", "T2", "Late3"])
    }

    @Test("Without an overlap, a late commit is lost until the whole collection is pulled")
    func lostCommit() async throws {
        let server = server(RailsChanges { $0 > 3 ? 50 : 0 })
        let sync = sync(server, .updatedSince(overlapSeconds: 0))
        set(server, 1...3)
        pass(10)
        try await sync.pull(Article.self)
        pass(20)
        set(server, 3...3, "Late")
        #expect(try await sync.pull(Article.self).updated == 0)
        pass(600)
        #expect(try await sync.pull(Article.self).updated == 0)
        #expect(try await sync.pull(Article.self, everything: true).updated == 1)
    }

    @Test("With an attribute, a list begins with the latest time of a record, and never with one in the future")
    func recordTime() async throws {
        let server = server(RailsChanges())
        let sync = sync(server, .updatedSince(attribute: "updated_at", overlapSeconds: 60))
        set(server, 1...2)
        pass(600)
        try await sync.pull(Article.self)
        #expect(asked(server) == ["GET /articles"])
        pass(600)
        try await sync.pull(Article.self)
        #expect(asked(server) == ["GET /articles?updated_since=2023-11-14T22:12:20Z"])

        // As from a client that sets the time itself.
        server.set(
            ["id": 3, "title": "Future", "body_text": "b", "updated_at": "2031-01-01T00:00:00Z"], in: "/articles")
        try await sync.pull(Article.self)
        _ = asked(server)
        set(server, 1...1, "New")
        try await sync.pull(Article.self)
        #expect(asked(server) == ["GET /articles?updated_since=2023-11-14T22:32:20Z"])
        #expect(try await titles() == ["New1", "T2", "Future"])
    }

    @Test(
        "The time is sent in the form that the server reads, never later",
        arguments: [
            (DateFormat.iso8601, "2023-11-14T22:13:18.500Z"), (.secondsSince1970, "1699999998"),
            (.millisecondsSince1970, "1699999998500"), (.microsecondsSince1970, "1699999998500000"),
            (.fractionalSecondsSince1970, "1699999998.5"), (.pattern("yyyy-MM-dd HH:mm:ss"), "2023-11-14 22:13:18"),
        ])
    func forms(_ format: DateFormat, _ text: String) async throws {
        let server = server(RailsChanges(parameter: "since"))
        let changes = RESTConventions.Changes.updatedSince(
            "since", comparison: "gte.", format: format, overlapSeconds: 1.5)
        let sync = sync(server, changes)
        try await sync.pull(Article.self)
        _ = asked(server)
        try await sync.pull(Article.self)
        #expect(asked(server) == ["GET /articles?since=gte.\(text)"])
    }

    @Test("The first page determines where the next list begins, although the others are read later")
    func pages() async throws {
        let server = server(RailsChanges()) { $0.pageSize = 2 }
        let sync = sync(server, .updatedSince(overlapSeconds: 0))
        set(server, 1...5)
        let gate = Gate()
        server.respondNext(.held(gate), to: Self.furtherPages)
        let pull = _Concurrency.Task { try await sync.pull(Article.self) }
        try await gate.reached()
        pass(600)
        // It is on a page that was read already.
        set(server, 1...1, "New")
        pass(600)
        gate.open()
        _ = try await pull.value
        _ = asked(server)
        #expect(try await sync.pull(Article.self).updated == 1)
        #expect(asked(server).first == "GET /articles?updated_since=2023-11-14T22:13:20Z")
        #expect(try await titles() == ["New1", "T2", "T3", "T4", "T5"])
    }

    @Test("With an attribute, too, a change to a page that was read already is in the next list")
    func slowPages() async throws {
        let server = server(RailsChanges()) { $0.pageSize = 2 }
        let sync = sync(server, .updatedSince(attribute: "updated_at", overlapSeconds: 60))
        set(server, 1...5)
        let gate = Gate()
        server.respondNext(.held(gate), to: Self.furtherPages)
        let pull = _Concurrency.Task { try await sync.pull(Article.self) }
        try await gate.reached()
        pass(600)
        set(server, 1...1, "New")
        pass(600)
        // It is on the last page, which is read then.
        set(server, 5...5, "New")
        gate.open()
        _ = try await pull.value
        #expect(try await titles() == ["T1", "T2", "T3", "T4", "New5"])
        #expect(try await sync.pull(Article.self).updated == 1)
        #expect(try await titles() == ["New1", "T2", "T3", "T4", "New5"])
    }

    @Test("A response without a Date is an error that says what to set")
    func undated() async throws {
        let server = server(RailsChanges())
        server.respondNext(.response(ServerResponse(200, body: Data("[]".utf8))))
        let error = try await syncError { try await sync(server, .updatedSince()).pull(Article.self) }
        #expect(error.code == .malformed)
        #expect(error.reason == "the response has no `Date`, which the next list of changes would begin with")
        #expect(error.remedy.contains("attribute"))
    }

    // MARK: What was deleted

    @Test("Records that are marked as deleted are deleted, and not merged")
    func marked() async throws {
        let server = server(RailsChanges(deletions: .marked(by: "deleted_at")))
        let sync = sync(server, .updatedSince(deletions: .marked(by: "deleted_at")))
        set(server, 1...3)
        try await sync.pull(Article.self, options: Self.all)
        server.remove("2", from: "/articles")
        set(server, 3...3, "New")
        _ = asked(server)
        let summary = try await sync.pull(Article.self, options: Self.all)
        #expect(asked(server) == ["GET /articles?updated_since=2023-11-14T22:08:20Z"])
        #expect(summary.deleted == 1 && summary.skipped.isEmpty)
        #expect(try await titles() == ["T1", "New3"])
        // Deleted once.
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 0)
    }

    @Test("Identities beside the list are deleted, unless the list has the record")
    func listed() async throws {
        let server = server(RailsChanges(deletions: .listed(in: "gone"))) {
            $0.wrapKeys = ["/articles": "article"]
            $0.wrapsResponses = true
        }
        let sync = sync(server, .updatedSince(deletions: .listed(in: "gone")))
        set(server, 1...3)
        try await sync.pull(Article.self, options: Self.all)
        server.remove("2", from: "/articles")
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 1)
        #expect(try await titles() == ["T1", "T3"])
        server.respondNext(
            .response(
                ServerResponse(
                    200, headers: [.date: "Tue, 14 Nov 2023 22:13:20 GMT"],
                    body: Data(
                        #"{"articles": [{"id": 3, "title": "Again", "body_text": "b"}], "gone": [3, {"id": 1}, 77]}"#
                            .utf8))))
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 1)
        #expect(try await titles() == ["Again"])
    }

    @Test("Without deletes in the options, nothing is deleted")
    func noDeletes() async throws {
        let server = server(RailsChanges(deletions: .marked(by: "deleted_at")))
        let sync = sync(server, .updatedSince(deletions: .marked(by: "deleted_at")))
        set(server, 1...2)
        try await sync.pull(Article.self)
        server.remove("2", from: "/articles")
        #expect(try await sync.pull(Article.self).deleted == 0)
        #expect(try await titles() == ["T1", "T2"])
        // With other options, the collection is read again.
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 1)
    }

    @Test("H2 A list that names what was deleted is not called incomplete, and without deletes a note says what stays")
    func notes() async throws {
        let server = server(RailsChanges(deletions: .marked(by: "deleted_at")))
        let sync = sync(server, .updatedSince(deletions: .marked(by: "deleted_at")))
        set(server, 1...3)
        try await sync.pull(Article.self)
        pass(600)
        for id in ["1", "2"] { server.edit(id, of: "/articles", ["deleted_at": "2023-11-14T22:13:20Z"]) }
        let kept = try await sync.pull(Article.self)
        #expect(kept.deleted == 0)
        #expect(
            kept.merges.flatMap(\.notes).map(\.text) == [
                """
                2 records that the server has deleted stay, because the merge does not delete; set `records` of the \
                options to `.all`
                """
            ])
        // With other options, it begins with the whole collection.
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 2)
        for isDeleted in [false, true] {
            pass(600)
            if isDeleted { server.edit("3", of: "/articles", ["deleted_at": "2023-11-14T22:13:20Z"]) }
            let listed = try await sync.pull(Article.self, options: Self.all)
            #expect(listed.deleted == (isDeleted ? 1 : 0) && listed.merges.flatMap(\.notes).isEmpty)
        }
    }

    @Test("If the server does not list deleted records, a pull that deletes reads the whole collection")
    func unlisted() async throws {
        let server = server(RailsChanges())
        let sync = sync(server, .updatedSince())
        set(server, 1...2)
        try await sync.pull(Article.self, options: Self.all)
        server.remove("2", from: "/articles")
        _ = asked(server)
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 1)
        #expect(asked(server) == ["GET /articles"])
    }

    @Test("A pull of everything is not conditional: the collection may be what it was before the lists of changes")
    func unconditional() async throws {
        let server = server(RailsChanges())
        let sync = sync(server, .updatedSince())
        set(server, 1...2)
        try await sync.pull(Article.self, options: Self.all)
        set(server, 9...9)
        let run = RunOptions(pollSeconds: 60, merge: Self.all)
        try await pullChanges(sync, run)
        #expect(try await titles() == ["T1", "T2", "T9"])
        // Its tag is that of the first response again.
        server.remove("9", from: "/articles")
        #expect(try await sync.pull(Article.self, everything: true, options: Self.all).deleted == 1)
        #expect(try await titles() == ["T1", "T2"])
    }

    /// Runs until the collection was pulled once.
    private func pullChanges(_ sync: Sync, _ options: RunOptions) async throws {
        let run = _Concurrency.Task { try await sync.run(options) }
        try await deviceClock.waitForSleepers(sync.syncedTypes.count)
        run.cancel()
        try await run.value
    }

    @Test(
        "A mark that says no is none",
        arguments: [JSONValue.null, false, 0, "", "0", "false"])
    func noMark(_ value: JSONValue) async throws {
        let server = server(RailsChanges())
        let sync = sync(server, .updatedSince(deletions: .marked(by: "deleted")))
        server.set(["id": 1, "title": "T1", "body_text": "b", "deleted": value], in: "/articles")
        server.set(["id": 2, "title": "T2", "body_text": "b", "deleted": 1], in: "/articles")
        try await sync.pull(Article.self, options: Self.all)
        #expect(try await titles() == ["T1"])
    }

    @Test("A record that is marked as deleted does not come back by a query, or by its identity")
    func markedElsewhere() async throws {
        let server = server(RailsChanges())
        let sync = sync(server, .updatedSince(deletions: .marked(by: "deleted_at")))
        set(server, 1...2)
        try await sync.pull(Article.self, options: Self.all)
        server.edit("2", of: "/articles", ["deleted_at": "2023-11-14T22:13:20Z"])
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 1)
        try await sync.pull(Article.self, query: [URLQueryItem(name: "body_text", value: "b")])
        #expect(try await sync.pull(Article.self, id: 2).absent == ["Article"])
        #expect(try await titles() == ["T1"])
    }

    @Test("What was deleted there does not make other collections be pulled as a whole")
    func neighbours() async throws {
        let server = server(RailsChanges(deletions: .marked(by: "deleted_at")))
        let sync = sync(server, .updatedSince(deletions: .marked(by: "deleted_at")))
        set(server, 1...2)
        try await sync.pull(options: Self.all)
        server.remove("2", from: "/articles")
        try await sync.pull(options: Self.all)
        server.clearLog()
        try await sync.pull(options: Self.all)
        #expect(server.requests.allSatisfy { $0.parameter("updated_since") != nil })
        #expect(server.requests.count == sync.syncedTypes.count)
    }

    @Test("C3 A record that was deleted there and changed here is kept, as the policy says")
    func deletedThere() async throws {
        let server = server(RailsChanges(deletions: .marked(by: "deleted_at")))
        let sync = sync(server, .updatedSince(deletions: .marked(by: "deleted_at")))
        set(server, 1...2)
        try await sync.pull(Article.self, options: Self.all)
        try await store.perform { context in
            try #require(try Article.find(2, in: context)).title = "Mine"
            try context.save()
        }
        server.remove("2", from: "/articles")
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 0)
        #expect(try await titles() == ["T1", "Mine"])
    }

    @Test(
        "A list that does not say which record was deleted is an error",
        arguments: [
            (#"{"articles": [], "gone": 7}"#, "“gone” is not a list of deleted records"),
            (
                #"{"articles": [], "gone": [{"key": 7}]}"#,
                "an element of “gone” does not have the identity of the deleted record"
            ),
            (
                #"{"articles": [], "gone": [null]}"#,
                "an element of “gone” does not have the identity of the deleted record"
            ),
        ])
    func wrongDeletions(_ body: String, _ reason: String) async throws {
        let server = server(RailsChanges())
        set(server, 1...1)
        let sync = sync(server, .updatedSince(deletions: .listed(in: "gone")))
        try await sync.pull(Article.self, options: Self.all)
        server.respondNext(
            .response(
                ServerResponse(200, headers: [.date: "Tue, 14 Nov 2023 22:13:20 GMT"], body: Data(body.utf8))))
        let error = try await syncError { try await sync.pull(Article.self, options: Self.all) }
        #expect(error.code == .malformed && error.reason == reason)
        #expect(try await titles() == ["T1"])
    }

    // MARK: What is stored

    @Test("410 means that the server no longer knows what has changed: the whole collection is pulled")
    func expired() async throws {
        let server = server(RailsChanges(deletions: .marked(by: "deleted_at"), memorySeconds: 3_600))
        let sync = sync(server, .updatedSince(deletions: .marked(by: "deleted_at")))
        set(server, 1...2)
        try await sync.pull(Article.self, options: Self.all)
        server.remove("1", from: "/articles")
        pass(86_400)
        _ = asked(server)
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 1)
        #expect(asked(server) == ["GET /articles?updated_since=2023-11-14T22:08:20Z", "GET /articles"])
        try await sync.pull(Article.self, options: Self.all)
        #expect(asked(server) == ["GET /articles?updated_since=2023-11-15T22:08:20Z"])
    }

    @Test("Where the next list begins is stored with what was merged: a merge that fails changes neither")
    func failedMerge() async throws {
        let server = server(RailsChanges())
        let sync = sync(server, .updatedSince())
        set(server, 1...2)
        try await sync.pull(Article.self)
        pass(3_600)
        set(server, 1...1, "New")
        server.set(["id": 2, "title": 7, "body_text": ["not", "a", "text"]], in: "/articles")
        var strict = MergeOptions()
        strict.invalidRecords = .abort
        await #expect(throws: MergeError.self) { try await sync.pull(Article.self, options: strict) }
        #expect(try await titles() == ["T1", "T2"])
        set(server, 2...2, "Mended")
        pass(3_600)
        _ = asked(server)
        #expect(try await sync.pull(Article.self).updated == 2)
        #expect(asked(server) == ["GET /articles?updated_since=2023-11-14T22:08:20Z"])
    }

    @Test("If a page is missing, nothing of the list is merged, and the next one begins at the same time")
    func brokenList() async throws {
        let server = server(RailsChanges()) { $0.pageSize = 2 }
        let sync = sync(server, .updatedSince())
        set(server, 1...5)
        try await sync.pull(Article.self)
        pass(3_600)
        set(server, 1...5, "New")
        server.respondNext(.connectionFails, to: Self.furtherPages)
        await #expect(throws: SyncError.self) { try await sync.pull(Article.self) }
        #expect(try await titles() == ["T1", "T2", "T3", "T4", "T5"])
        _ = asked(server)
        #expect(try await sync.pull(Article.self).updated == 5)
        #expect(asked(server).first == "GET /articles?updated_since=2023-11-14T22:08:20Z")
    }

    @Test(
        "H2 Records that were skipped because of other ones are in the next lists, too",
        arguments: Seeds.some(5, of: UInt64(0)...199))
    func skipped(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let server = server(RailsChanges())
        let sync = sync(server, .updatedSince(overlapSeconds: 0))
        let names = Array(["red", "blue", "grey", "pink"].prefix(Int.random(in: 1...4, using: &random)))
        for (id, name) in names.enumerated() {
            server.set(["id": .integer(Int64(id)), "name": .string(name)], in: "/tags")
        }
        try await sync.pull(Tag.self)
        pass(3_600)
        // The server has deleted some, but does not list that.
        let replaced = names.indices.filter { $0 == 0 || random.isOne(in: 2) }
        for id in replaced {
            server.remove("\(id)", from: "/tags")
            server.set(["id": .integer(Int64(id + 10)), "name": .string(names[id])], in: "/tags")
        }
        for _ in 1...Int.random(in: 1...3, using: &random) {
            pass(60)
            #expect(try await sync.pull(Tag.self).skipped.count == replaced.count)
        }
        pass(3_600)
        try await store.perform { context in
            for id in replaced { context.delete(try #require(try Tag.find(id, in: context))) }
            try context.save()
        }
        #expect(try await sync.pull(Tag.self).inserted == replaced.count)
    }

    @Test("What was forgotten is pulled as a whole: validators, other parameters, a query")
    func forgotten() async throws {
        let server = server(RailsChanges())
        let sync = sync(server, .updatedSince())
        try await sync.pull(Article.self)
        try await sync.forgetValidators(of: Article.self)
        _ = asked(server)
        try await sync.pull(Article.self)
        #expect(asked(server) == ["GET /articles"])

        // Its watermarks could have another meaning.
        try await self.sync(server, .updatedSince("modified_since")).pull(Article.self)
        #expect(asked(server) == ["GET /articles"])
        let more = self.sync(server, .updatedSince()) {
            $0.reads.collectionQuery = { _ in [URLQueryItem(name: "all", value: "1")] }
        }
        try await more.pull(Article.self)
        #expect(asked(server) == ["GET /articles?all=1"])
        try await sync.pull(Article.self, query: [URLQueryItem(name: "title", value: "T1")])
        #expect(asked(server) == ["GET /articles?title=T1"])
        try await sync.pull(Article.self)
        #expect(asked(server) == ["GET /articles?updated_since=2023-11-14T22:08:20Z"])
    }

    @Test("A token on the last page is sent back with the next list")
    func token() async throws {
        let client = PagesClient([
            "/articles": #"{"articles": [{"id": 1, "title": "T1", "body_text": "b"}], "next": 2}"#,
            "/articles?page=2":
                #"{"articles": [{"id": 2, "title": "T2", "body_text": "b"}], "next": null, "sync": "a b"}"#,
            "/articles?sync_token=a%20b": #"{"articles": [], "gone": [1], "next": null, "sync": 17}"#,
            "/articles?sync_token=17": #"{"articles": [], "next": null}"#,
        ])
        var conventions = RESTConventions()
        conventions.reads.paging = .cursor(in: "next", parameter: "page")
        conventions.reads.changes = .token(in: "sync", parameter: "sync_token", deletions: .listed(in: "gone"))
        let remote = RESTRemote(
            URL(string: "https://shop.test")!, client: client, conventions: conventions, clock: deviceClock)
        let sync = Sync(store: store, remote: remote, clock: deviceClock)
        #expect(try await sync.pull(Article.self, options: Self.all).inserted == 2)
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 1)
        // Without a new token, the last one stays.
        for _ in 1...2 { #expect(try await sync.pull(Article.self, options: Self.all).deleted == 0) }
        #expect(try await titles() == ["T2"])
        #expect(
            client.log.withLock { $0 } == [
                "/articles", "/articles?page=2", "/articles?sync_token=a%20b", "/articles?sync_token=17",
                "/articles?sync_token=17",
            ])
    }

    @Test("A running sync pulls what has changed, and everything once a day")
    func run() async throws {
        let server = server(RailsChanges())
        let sync = sync(server, .updatedSince()) { $0.addresses.collectionPath = { entity, _ in entity.path } }
        set(server, 1...2)
        try await sync.pull(Article.self, options: Self.all)
        server.remove("1", from: "/articles")
        let options = RunOptions(pollSeconds: 3_600)
        let run = _Concurrency.Task { try await sync.run(options) }
        func requests() -> [String] {
            server.requests.filter { $0.path == "/articles" }.map { $0.query.isEmpty ? "everything" : "changes" }
        }
        for hour in 1...24 {
            #expect(try await soon { requests().count > hour })
            try await deviceClock.waitForSleepers(sync.syncedTypes.count)
            pass(3_600)
        }
        #expect(try await soon { try await titles() == ["T2"] })
        run.cancel()
        try await run.value
        #expect(requests().prefix(2) == ["everything", "changes"])
        #expect(requests().filter { $0 == "everything" }.count == 2)
    }

    @Test("If the whole collection cannot be read, what has changed is merged nevertheless")
    func weakNetwork() async throws {
        let server = server(RailsChanges())
        let sync = sync(server, .updatedSince())
        set(server, 1...2)
        try await sync.pull(Article.self, options: Self.all)
        set(server, 2...2, "New")
        pass(86_400)
        let everything = ServerRequestFilter { $0.path == "/articles" && $0.parameter("updated_since") == nil }
        server.respondNext(.connectionFails, to: everything, times: 100)
        let run = _Concurrency.Task { try await sync.run() }
        #expect(try await soon { try await titles() == ["T1", "New2"] })
        run.cancel()
        try await run.value
    }
}

/// A server of pages that are known in advance.
private struct PagesClient: HTTPClient {
    let pages: [String: String]
    let log = Locked<[String]>([])

    init(_ pages: [String: String]) { self.pages = pages }

    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPClientResponse {
        let path = request.path ?? ""
        log.withLock { $0.append(path) }
        let page = try #require(pages[path])
        return HTTPClientResponse(HTTPResponse(status: .ok), body: .data(Data(page.utf8)), address: nil)
    }
}
