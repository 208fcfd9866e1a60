import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import RuntimeTestSupport
import Shop
import TestSupport
import Testing

/// Lists that lack records which the server has: those of a replica that lags, and faulty ones.
@Suite("Doubtful lists")
struct DoubtfulListStories {
    private let remote: MemoryRemote
    private let clock = ManualClock()
    private let store: Store
    private let sync: Sync

    private static let all = MergeOptions(records: .all)

    init() throws {
        remote = MemoryRemote(traits: RemoteTraits(hasEvents: true), clock: clock)
        store = try Store(ShopSchema.self, at: .inMemory)
        sync = Sync(store: store, remote: remote, clock: clock, random: { 0 })
    }

    private func fill(_ ids: ClosedRange<Int>) {
        for id in ids {
            remote.set(
                ["id": .integer(Int64(id)), "title": .string("T\(id)"), "body_text": "b"], id: "\(id)", in: "/articles")
        }
    }

    /// Pulls five articles from a server whose lists lag by a minute from then on.
    private func pullAndLag() async throws {
        fill(1...5)
        try await sync.pull(Article.self)
        clock.advance(by: 60)
        remote.lagLists(bySeconds: 60)
    }

    private func ids() async throws -> [Int] { try await store.representations(Article.order(\.id)).map(\.id) }

    private func asked() -> [String] {
        remote.log.filter { $0.kind == .fetch && $0.identity != nil }.map(\.description)
    }

    private func create(_ id: Int, in store: Store) async throws {
        try await store.perform { context in
            Article(id: id, title: "New", bodyText: "b", context: context)
            try context.save()
        }
    }

    // MARK: Lists that lag

    @Test("M7.8 A record that was confirmed a moment ago is requested before a list without it deletes it")
    func confirmed() async throws {
        try await pullAndLag()
        try await create(9, in: store)
        try await sync.push()
        var summary = try await sync.pull(Article.self, options: Self.all)
        #expect(summary.deleted == 0)
        #expect(try await ids() == [1, 2, 3, 4, 5, 9])
        #expect(asked() == ["fetch /articles/9"])

        // What nobody has confirmed lately is deleted as before.
        remote.remove("2", from: "/articles")
        summary = try await sync.pull(Article.self, options: Self.all)
        #expect(try await ids() == [1, 3, 4, 5, 9])
        #expect(asked() == ["fetch /articles/9", "fetch /articles/9"])

        remote.lagLists(bySeconds: 0)
        remote.remove("9", from: "/articles")
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 1)
        #expect(asked().count == 3)
    }

    @Test(
        "M7.8 After a few minutes, the list is believed again, but not if the clock was set back",
        arguments: [301.0, -301])
    func longAgo(seconds: Double) async throws {
        fill(1...5)
        try await sync.pull(Article.self)
        try await create(9, in: store)
        try await sync.push()
        let later = Sync(store: store, remote: remote, clock: ManualClock(now: clock.now.addingTimeInterval(seconds)))
        if seconds < 0 {
            remote.lagLists(bySeconds: 3600)
            #expect(try await later.pull(Article.self, options: Self.all).deleted == 0)
            remote.lagLists(bySeconds: 0)
        }
        remote.remove("9", from: "/articles")
        #expect(try await later.pull(Article.self, options: Self.all).deleted == 1)
        #expect(asked().contains("fetch /articles/9") == (seconds < 0))
    }

    @Test("M7.9 An update counts as a confirmation, also for another process")
    func otherProcess() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("doubts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("shop.sqlite")
        let store = try Store(ShopSchema.self, at: .file(file))
        let sync = Sync(store: store, remote: remote, clock: clock)
        fill(1...5)
        try await sync.pull(Article.self)
        clock.advance(by: 600)
        fill(6...6)
        remote.lagLists(bySeconds: 700)
        try await store.perform { context in
            try #require(try Article.find(5, in: context)).title = "Here"
            try context.save()
        }
        try await sync.push()
        try store.close()
        let other = try Store(ShopSchema.self, at: .file(file))
        var options = Self.all
        options.unlistedShareLimit = 1
        try await Sync(store: other, remote: remote, clock: clock).pull(Article.self, options: options)
        #expect(try await other.representations(Article.order(\.id)).map(\.id) == [5])
        try other.close()
    }

    @Test("M7.9 So does a response with the record, a list of what has changed, an event, and the snapshot of a stream")
    func received() async throws {
        try await pullAndLag()
        fill(6...8)
        try await sync.pull(Article.self, id: 6)
        let record = try #require(remote.record("7", of: "/articles"))
        try await sync.handle(.changed(try JSONValue.array([record]).json()), of: Article.self, options: Self.all)
        let records = try (1...8).map { try #require(remote.record("\($0)", of: "/articles")) }
        try await sync.handle(.snapshot(try JSONValue.array(records).json()), of: Article.self, options: Self.all)
        remote.clearLog()
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 0)
        #expect(try await ids() == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(asked() == ["fetch /articles/6", "fetch /articles/7", "fetch /articles/8"])
    }

    @Test("M7.9 So does an event that shows that a creation without a response has arrived")
    func arrived() async throws {
        try await pullAndLag()
        try await create(9, in: store)
        remote.respondNext(.responseLost, to: .changes)
        remote.respondNext(.unauthorized, to: .changes)
        await #expect(throws: SyncError.self) { try await sync.push() }
        let record = try #require(remote.record("9", of: "/articles"))
        try await sync.handle(.changed(try JSONValue.array([record]).json()), of: Article.self, options: Self.all)
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 0)
        #expect(try await ids() == [1, 2, 3, 4, 5, 9])
        #expect(asked() == ["fetch /articles/9"])
    }

    @Test("M7.9 So does an event with which a record changes its owner: a list of the new owner may lack it")
    func moved() async throws {
        fill(1...2)
        try await sync.pull(Article.self)
        let comment: JSONValue = ["id": 3, "name": "n", "text": "t", "article_id": 1]
        remote.set(comment, id: "3", in: "/article_comments")
        try await sync.pull(ArticleComment.self)
        let moved: JSONValue = ["id": 3, "name": "n", "text": "t", "article_id": 2]
        try await sync.handle(.changed(try JSONValue.array([moved]).json()), of: ArticleComment.self, options: Self.all)
        let scope = MergeScope<ArticleComment>.children(of: 2, in: Article.Relationships.comments)
        remote.set(["id": 4, "name": "n", "text": "t", "article_id": 2], id: "4", in: "/articles/2/comments")
        var options = Self.all
        options.unlistedShareLimit = 1
        let summary = try await sync.pull(
            ArticleComment.self, scope: scope, path: "/articles/2/comments", options: options)
        #expect(summary.deleted == 0)
        #expect(asked() == ["fetch /article_comments/3"])
    }

    @Test("M7.9 Of the records that one merge inserts, the first 1,000 are confirmed")
    func manyReceived() async throws {
        let records = (1...1_001).map { id -> JSONValue in
            ["id": .integer(Int64(id)), "title": "T", "body_text": "b"]
        }
        try await sync.handle(.changed(try JSONValue.array(records).json()), of: Article.self, options: Self.all)
        #expect(try await ids().count == 1_001)
        #expect(try store.rows("SELECT COUNT(*) FROM lockstep_confirmed") == ["1000"])
    }

    // MARK: A record that is not there

    @Test("M7.17 A record that was confirmed a moment ago stays if the server responds with 404, and a note says so")
    func absent() async throws {
        try await create(9, in: store)
        try await sync.push()
        remote.remove("9", from: "/articles")
        let summary = try await sync.pull(Article.self, id: 9)
        #expect(summary.deleted == 0 && summary.absent == ["Article"])
        #expect(summary.merges.flatMap(\.notes).map(\.code) == [.unconfirmedDeletion])
        #expect("\(summary)".contains("Article “9”: the server does not have it (404), but has confirmed it"))
        #expect(try await ids() == [9])

        clock.advance(by: 301)
        #expect(try await sync.pull(Article.self, id: 9).deleted == 1)
        #expect(try await ids().isEmpty)
    }

    @Test("M7.18 410 says that the record was deleted, and so does a response that shows it as deleted")
    func gone() async throws {
        try await create(9, in: store)
        try await sync.push()
        let client = ScriptedClient([.init(status: 410)])
        let rest = RESTRemote(URL(string: "https://example.com")!, client: client)
        let summary = try await Sync(store: store, remote: rest, clock: clock).pull(Article.self, id: 9)
        #expect(summary.deleted == 1 && summary.merges.flatMap(\.notes).isEmpty)
        #expect(try await ids().isEmpty)
    }

    @Test("M7.18 An event that names the deleted record is believed, and so is a delete of this device")
    func named() async throws {
        for id in 8...9 { try await create(id, in: store) }
        try await sync.push()
        try await sync.handle(.deleted([RemoteIdentity([9])]), of: Article.self, options: Self.all)
        #expect(try await ids() == [8])
        try await store.perform { context in
            context.delete(try #require(try Article.find(8, in: context)))
            try context.save()
        }
        remote.remove("8", from: "/articles")
        #expect(try await sync.push().deleted == 1)
        #expect(try await ids().isEmpty)
    }

    @Test(
        "M7.17 C4 If the record that is requested before an update is not there, the update waits, and the record stays"
    )
    func absentBeforeUpdate() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(hasVersions: true), clock: clock)
        let sync = Sync(
            store: store, remote: remote, retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        try await create(9, in: store)
        try await sync.push()
        var record = try #require(remote.record("9", of: "/articles"))
        record["body_text"] = "theirs"
        remote.set(record, id: "9", in: "/articles")
        // The list shows that the record has changed, so that its version has to be requested.
        try await sync.pull(Article.self)
        try await store.perform { context in
            try #require(try Article.find(9, in: context)).title = "Mine"
            try context.save()
        }
        remote.remove("9", from: "/articles")
        let summary = try await sync.push()
        #expect(summary.remaining == 1 && summary.parked.isEmpty)
        #expect(try await ids() == [9])
        #expect(try await store.outbox.pending().first?.lastError?.contains("confirmed it a moment ago") == true)

        remote.set(record, id: "9", in: "/articles")
        clock.advance(by: 60)
        #expect(try await sync.push().updated == 1)
        #expect(remote.record("9", of: "/articles")?["title"] == "Mine")
    }

    // MARK: Lists that are faulty

    /// A server whose lists are empty, although it has the records.
    private struct Emptied: Remote {
        let remote: MemoryRemote
        var canAsk = true

        func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
            if case .record = request.target {
                guard canAsk else {
                    throw SyncError(.unsupported, reason: "there are whole collections only", remedy: "Pull them.")
                }
                return try await remote.fetch(request)
            }
            return .records(FetchResponse.Records(body: .data(Data("[]".utf8))))
        }

        func send(_ change: OutgoingChange) async throws -> SendResponse { try await remote.send(change) }
    }

    @Test("M7.7 An empty list deletes nothing that the server has")
    func empty() async throws {
        fill(1...300)
        try await sync.pull(Article.self)
        remote.remove("1", from: "/articles")
        let summary = try await Sync(store: store, remote: Emptied(remote: remote), clock: clock, random: { 0 })
            .pull(Article.self, options: Self.all)
        #expect(summary.deleted == 1)
        #expect(try await ids().count == 299)
        #expect(asked().count == MergeOptions.defaultUnlistedRequestLimit)
        #expect(summary.merges.flatMap(\.notes).map(\.code) == [.unconfirmedDeletion])
        #expect("\(summary)".contains("it lacks 300 of 300"))
    }

    @Test("M7.12 If the server has none of the records that were requested, all that the list lacks are deleted")
    func right() async throws {
        fill(1...300)
        try await sync.pull(Article.self)
        for id in 1...280 { remote.remove("\(id)", from: "/articles") }
        let summary = try await sync.pull(Article.self, options: Self.all)
        #expect(summary.deleted == 280)
        #expect(summary.merges.flatMap(\.notes).isEmpty)
        #expect(asked().count == MergeOptions.defaultUnlistedRequestLimit)
        #expect(try await sync.pull(Article.self, options: Self.all).notModified == 1)
    }

    @Test(
        "M7.11 If the list lacks most records, one that was confirmed a moment ago is requested first, and says nothing about others",
        arguments: [1, 3])
    func confirmedAmongMost(requestLimit: Int) async throws {
        fill(1...5)
        try await sync.pull(Article.self)
        try await create(9, in: store)
        try await sync.push()
        for id in 1...5 { remote.remove("\(id)", from: "/articles") }
        var options = Self.all
        options.unlistedRequestLimit = requestLimit
        remote.clearLog()
        let empty = Sync(store: store, remote: Emptied(remote: remote), clock: clock, random: { 0 })
        let summary = try await empty.pull(Article.self, options: options)
        #expect(asked().count == requestLimit && asked().first == "fetch /articles/9")
        #expect(try await ids().contains(9))
        #expect(summary.merges.flatMap(\.notes).map(\.code) == [.unconfirmedDeletion])

        // If the server does not have it, this says nothing about records that were not requested.
        remote.remove("9", from: "/articles")
        let before = Set(try await ids())
        try await empty.pull(Article.self, options: options)
        #expect(try await ids() == (requestLimit == 1 ? before.subtracting([9]).sorted() : []))
    }

    @Test("M7 A record whose edit loses against the server is requested once, and counts once")
    func edited() async throws {
        fill(1...4)
        let sync = Sync(store: store, remote: remote, conflicts: .serverWins, clock: clock, random: { 0 })
        try await sync.pull(Article.self)
        try await store.perform { context in
            for id in 1...2 { try #require(try Article.find(id, in: context)).title = "Mine" }
            try context.save()
        }
        for id in 1...2 { remote.remove("\(id)", from: "/articles") }
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 2)
        #expect(asked().isEmpty)
        try await store.perform { context in
            try #require(try Article.find(3, in: context)).title = "Mine"
            try context.save()
        }
        for id in 3...4 { remote.remove("\(id)", from: "/articles") }
        let summary = try await sync.pull(Article.self, options: Self.all)
        #expect(summary.deleted == 2 && summary.merges.flatMap(\.notes).isEmpty)
        #expect(asked().count == 2)
        #expect(try await store.outbox.count() == 0)
    }

    @Test("M7.12 If more records were confirmed a moment ago than may be requested, no other is deleted")
    func confirmedBeyondLimit() async throws {
        fill(1...5)
        try await sync.pull(Article.self)
        for id in 8...9 { try await create(id, in: store) }
        try await sync.push()
        for id in [1, 2, 3, 4, 5, 8] { remote.remove("\(id)", from: "/articles") }
        var options = Self.all
        options.unlistedRequestLimit = 1
        let empty = Sync(store: store, remote: Emptied(remote: remote), clock: clock, random: { 0 })
        try await empty.pull(Article.self, options: options)
        #expect(try await ids() == [1, 2, 3, 4, 5, 9])
    }

    @Test("M7.10 In a small collection, each record that is deleted costs at most one request", arguments: 1...3)
    func small(count: Int) async throws {
        fill(1...3)
        try await sync.pull(Article.self)
        for id in 1...count { remote.remove("\(id)", from: "/articles") }
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == count)
        #expect(asked().count == (count == 1 ? 0 : count))
    }

    @Test("M7.10 Nothing that a doubtful list lacks is deleted without 404 or 410", arguments: [400, 403, 422, 500])
    func otherResponses(status: Int) async throws {
        fill(1...3)
        try await sync.pull(Article.self)
        for id in 1...3 { remote.remove("\(id)", from: "/articles") }
        let script = status == 500 ? ScriptedResponse.unavailable(status: 500) : .refused(status: status)
        remote.respondNext(script, to: RemoteCallFilter { $0.identity != nil }, times: 3)
        let summary = try await sync.pull(Article.self, options: Self.all)
        #expect(summary.deleted == 0)
        #expect(summary.merges.flatMap(\.notes).map(\.code) == [.unconfirmedDeletion])
        #expect(try await ids() == [1, 2, 3])
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 3)
    }

    @Test("M7.7 A list of other records is doubtful, too: new ones are not among those that it could lack")
    func otherList() async throws {
        fill(1...3)
        try await sync.pull(Article.self)
        for id in 1...3 { remote.remove("\(id)", from: "/articles") }
        fill(11...19)
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 3)
        #expect(asked().count == 3)
    }

    @Test("M7 A connection that fails while records are requested changes nothing")
    func offline() async throws {
        fill(1...3)
        try await sync.pull(Article.self)
        for id in 1...3 { remote.remove("\(id)", from: "/articles") }
        remote.respondNext(.connectionFails, to: RemoteCallFilter { $0.identity?.text == "2" })
        await #expect(throws: SyncError.self) { try await sync.pull(Article.self, options: Self.all) }
        #expect(try await ids() == [1, 2, 3])
    }

    @Test("M7.7 If the remote cannot request one record, the app can say that its lists are right")
    func cannotAsk() async throws {
        fill(1...3)
        try await sync.pull(Article.self)
        let sync = Sync(store: store, remote: Emptied(remote: remote, canAsk: false), clock: clock)
        let summary = try await sync.pull(Article.self, options: Self.all)
        #expect(summary.deleted == 0)
        #expect("\(summary)".contains("the remote cannot request one record"))
        var options = Self.all
        options.unlistedShareLimit = 1
        #expect(try await sync.pull(Article.self, options: options).deleted == 3)
    }

    @Test("M7.14 P11 The same for the snapshot of a stream: what is doubtful is pulled")
    func snapshot() async throws {
        fill(1...3)
        try await sync.pull(Article.self)
        try await sync.handle(.snapshot(Data("[]".utf8)), of: Article.self, options: Self.all)
        #expect(try await ids() == [1, 2, 3])
        for id in 1...3 { remote.remove("\(id)", from: "/articles") }
        try await sync.handle(.snapshot(Data("[]".utf8)), of: Article.self, options: Self.all)
        #expect(try await ids().isEmpty)
    }
}
