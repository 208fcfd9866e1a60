import Checklist
import Foundation
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepTesting
import Shop
import TestSupport
import Testing

/// Lists that come in pages and shift while they are read: a record on no page may exist nevertheless.
@Suite("Shifting pages")
struct PagingStories {
    private let remote = MemoryRemote(traits: RemoteTraits(), pageSize: 3)
    private let store: Store
    private let sync: Sync

    private static let all = MergeOptions(records: .all)
    private static let nextPage = RemoteCallFilter { $0.page != nil }
    private static let records = RemoteCallFilter { $0.kind == .fetch && $0.identity != nil }

    init() throws {
        store = try Store(ShopSchema.self, at: .inMemory)
        sync = Sync(store: store, remote: remote, clock: ManualClock(), random: { 0 })
    }

    private func fill(_ ids: ClosedRange<Int>, title: String = "T") {
        for id in ids {
            remote.set(
                ["id": .integer(Int64(id)), "title": .string("\(title)\(id)"), "body_text": "b"], id: "\(id)",
                in: "/articles")
        }
    }

    private func titles() async throws -> [String] {
        try await store.representations(Article.order(\.id)).map(\.title)
    }

    private func edit(_ id: Int, _ title: String) async throws {
        try await store.perform { context in
            try #require(try Article.find(id, in: context)).title = title
            try context.save()
        }
    }

    /// Pulls; after the first page was read, other clients make changes.
    private func pull(
        _ options: MergeOptions = all, _ others: () -> Void
    ) async throws -> PullSummary {
        let gate = Gate()
        remote.respondNext(.held(gate), to: Self.nextPage)
        let sync = sync
        let pull = _Concurrency.Task { try await sync.pull(Article.self, options: options) }
        try await gate.reached()
        others()
        gate.open()
        return try await pull.value
    }

    @Test("C3 A record that was deleted locally does not come back with a record of another page that refers to it")
    func deletedDestination() async throws {
        let remote = MemoryRemote(traits: RemoteTraits(), pageSize: 10)
        let store = try Store(MuseumSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: remote, clock: ManualClock(), random: { 0 })
        try await store.perform { context in
            let holder = Loan(title: "holder", context: context)
            Loan(title: "held", holder: holder, context: context)
            try context.save()
        }
        try await sync.push()
        try await store.perform { context in
            context.delete(try #require(try context.fetch(Loan.filter { $0.title == "holder" }).first))
            try context.save()
        }
        for id in 3...11 {
            remote.set(["id": .integer(Int64(id)), "title": .string("other")], id: "\(id)", in: "/loans")
        }
        try await sync.pull(Loan.self, options: Self.all)
        #expect(try await store.representations(Loan.filter { $0.title == "holder" }).isEmpty)
        #expect(try await store.outbox.pending().contains { $0.kind == .delete })
    }

    @Test(
        "C3 R2 A link to a record that was deleted locally is valid again if others restore that record",
        arguments: ["", #"{"id": 1, "title": "holder"}, "#])
    func restoredDestination(before: String) async throws {
        let remote = MemoryRemote(traits: RemoteTraits())
        let store = try Store(MuseumSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: remote, clock: ManualClock(), random: { 0 })
        remote.set(["id": 1, "title": "holder"], id: "1", in: "/loans")
        try await sync.pull(Loan.self)
        try await store.perform { context in
            context.delete(try #require(try context.fetch(Loan.all()).first))
            try context.save()
        }
        func hear(_ json: String) async throws {
            try await sync.handle(.changed(Data(json.utf8)), of: Loan.self, options: MergeOptions())
        }
        try await hear("[\(before)" + #"{"id": 2, "title": "held", "holder_id": 1}]"#)
        try await sync.push()
        #expect(remote.record("1", of: "/loans") == nil)
        try await hear(#"[{"id": 1, "title": "holder"}]"#)
        let holder = try await store.perform { context in
            try context.fetch(Loan.filter { $0.title == "held" }).first?.holder?.title
        }
        #expect(holder == "holder")
    }

    private func asked() -> [String] {
        remote.log.filter { $0.kind == .fetch && $0.identity != nil }.map(\.description)
    }

    @Test("M7.6 A record that moved to a page already read is kept, with the server's current values")
    func shifted() async throws {
        fill(1...8)
        try await sync.pull(Article.self)
        // The newest come first. Number 5 is the third on the first page then, and number 2 the third on the second.
        let summary = try await pull {
            remote.remove("7", from: "/articles")
            fill(5...5, title: "New")
        }
        #expect(try await titles() == ["T1", "T2", "T3", "T4", "New5", "T6", "T7", "T8"])
        #expect(asked() == ["fetch /articles/5"])
        #expect(summary.deleted == 0)

        // The next list lacks number 7, which was deleted.
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 1)
        #expect(try await titles() == ["T1", "T2", "T3", "T4", "New5", "T6", "T8"])
        #expect(asked() == ["fetch /articles/5", "fetch /articles/7"])
        #expect(try await sync.pull(Article.self, options: Self.all).notModified == 3)
    }

    @Test("M7 Records missing from a list in one page are not fetched")
    func onePage() async throws {
        fill(1...3)
        try await sync.pull(Article.self)
        remote.remove("2", from: "/articles")
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 1)
        #expect(asked().isEmpty)
    }

    @Test("M7.6 Records missing from pages that the server guarantees to be consistent are deleted at once")
    func snapshot() async throws {
        fill(1...8)
        let sync = Sync(store: store, remote: SnapshotRemote(remote: remote), clock: ManualClock())
        try await sync.pull(Article.self)
        remote.remove("2", from: "/articles")
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 1)
        #expect(asked().isEmpty)
    }

    @Test("M7.2 If only one page has changed, the others (304) are read again before anything is deleted")
    func unchangedPage() async throws {
        fill(1...8)
        let sync = Sync(store: store, remote: TaggedPages(remote: remote), clock: ManualClock())
        #expect(try await sync.pull(Article.self, options: Self.all).inserted == 8)
        // The newest come first.
        remote.edit("8", of: "/articles", ["title": "New8"])
        let summary = try await sync.pull(Article.self, options: Self.all)
        #expect(summary.deleted == 0)
        #expect(try await titles() == ["T1", "T2", "T3", "T4", "T5", "T6", "T7", "New8"])
        #expect(try await sync.pull(Article.self, options: Self.all).notModified == 3)
    }

    @Test("M7.11 The number of checks is limited; the other records are kept, reported, and checked the next times")
    func limit() async throws {
        fill(1...12)
        try await sync.pull(Article.self)
        for id in 2...6 { remote.remove("\(id)", from: "/articles") }
        var options = Self.all
        options.unlistedRequestLimit = 2
        var summary = try await sync.pull(Article.self, options: options)
        #expect(summary.deleted == 2)
        #expect(summary.merges.flatMap(\.notes).map(\.code) == [.unconfirmedDeletion])
        #expect("\(summary)".contains("3 records that the list lacks were kept"))
        // Although the server would report that its pages are unchanged.
        summary = try await sync.pull(Article.self, options: options)
        #expect(summary.deleted == 2)
        summary = try await sync.pull(Article.self, options: options)
        #expect(summary.deleted == 1)
        #expect(summary.merges.flatMap(\.notes).isEmpty)
        #expect(try await titles().count == 7)
        #expect(try await sync.pull(Article.self, options: options).merges.isEmpty)
    }

    @Test("M7.13 A record that the server cannot check is kept, and the others are deleted")
    func unclear() async throws {
        fill(1...8)
        try await sync.pull(Article.self)
        for id in 2...4 { remote.remove("\(id)", from: "/articles") }
        remote.respondNext(.unavailable(status: 500), to: RemoteCallFilter { $0.identity?.text == "3" })
        let summary = try await sync.pull(Article.self, options: Self.all)
        #expect(summary.deleted == 2)
        #expect(summary.merges.flatMap(\.notes).map(\.code) == [.unconfirmedDeletion])
        #expect(try await titles() == ["T1", "T3", "T5", "T6", "T7", "T8"])
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 1)
    }

    @Test("M7 If the connection breaks during the checks, nothing is changed")
    func offline() async throws {
        fill(1...8)
        try await sync.pull(Article.self)
        for id in 2...4 { remote.remove("\(id)", from: "/articles") }
        fill(9...9)
        remote.respondNext(.connectionFails, to: RemoteCallFilter { $0.identity?.text == "3" })
        await #expect(throws: SyncError.self) { try await sync.pull(Article.self, options: Self.all) }
        #expect(try await titles().count == 8)
        #expect(try await sync.pull(Article.self, options: Self.all).deleted == 3)
        #expect(try await titles().count == 6)
    }

    @Test("M7 P1 Local writes do not wait for the network during the checks")
    func writesMeanwhile() async throws {
        fill(1...8)
        try await sync.pull(Article.self)
        for id in 2...3 { remote.remove("\(id)", from: "/articles") }
        let gate = Gate()
        remote.respondNext(.held(gate), to: Self.records)
        let sync = sync
        let pull = _Concurrency.Task { try await sync.pull(Article.self, options: Self.all) }
        try await gate.reached()
        try await edit(2, "Here")
        gate.open()

        // A record edited meanwhile is created there again.
        #expect(try await pull.value.deleted == 1)
        #expect(try await titles().prefix(2) == ["T1", "Here"])
        #expect(try await store.outbox.pending().map(\.kind) == [.create])
    }

    @Test("C3 M7 A locally edited record on no page is created again only if it was deleted on the server")
    func edited() async throws {
        fill(1...8)
        try await sync.pull(Article.self)
        try await edit(7, "Here")
        try await edit(5, "Here")
        _ = try await pull { remote.remove("7", from: "/articles") }
        #expect(try await store.outbox.pending().map(\.kind) == [.update, .update])
        try await sync.pull(Article.self, options: Self.all)
        #expect(try await store.outbox.pending().map { "\($0.kind) \($0.record)" } == ["create 7", "update 5"])
    }

    @Test("M7 M8 A record that left the scope is on none of its pages, is updated from the server, and kept")
    func leftScope() async throws {
        fill(1...2)
        try await sync.pull(Article.self)
        for id in 1...7 { comment(id, of: 1) }
        let query = [URLQueryItem(name: "article_id", value: "1")]
        try await sync.pull(ArticleComment.self, query: query, options: Self.all)
        comment(3, of: 2)
        remote.remove("4", from: "/article_comments")
        let summary = try await sync.pull(ArticleComment.self, query: query, options: Self.all)
        #expect(summary.deleted == 1)
        let moved = try await store.perform { try ArticleComment.find(3, in: $0)?.article?.id }
        #expect(moved == 2)
    }

    private func comment(_ id: Int, of article: Int64) {
        remote.set(
            ["id": .integer(Int64(id)), "name": "n", "text": "t", "article_id": .integer(article)], id: "\(id)",
            in: "/article_comments")
    }

    @Test("M7.15 R3 Members missing from pages stay linked: their addresses say nothing about links")
    func members() async throws {
        remote.set(["id": 1, "name": "Pen", "tag_ids": .array((1...7).map { .integer($0) })], id: "1", in: "/products")
        let path = "/products/1/tags"
        for id in 1...7 { remote.set(["id": .integer(Int64(id)), "name": .string("n\(id)")], id: "\(id)", in: path) }
        try await sync.pull(Product.self)
        let scope = MergeScope<Shop.Tag>.children(of: 1, in: Product.Relationships.tags)
        try await sync.pull(Shop.Tag.self, scope: scope, path: path)
        remote.remove("2", from: path)
        let summary = try await sync.pull(Shop.Tag.self, scope: scope, path: path, options: Self.all)
        #expect(summary.merges.flatMap(\.notes).map(\.code) == [.unconfirmedDeletion])
        let count = try await store.perform { try Product.find(1, in: $0)?.tags.count }
        #expect(count == 7)
    }

    @Test("M7 A record on a page is kept, even if the delete of another one would cascade to it")
    func listedChild() async throws {
        let store = try Store(ChecklistSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: remote, clock: ManualClock())
        for id in 1...5 {
            remote.set(
                ["id": .integer(Int64(id)), "title": "t", "parentTaskID": id == 5 ? 1 : .null], id: "\(id)",
                in: "/tasks")
        }
        try await sync.pull(Checklist.Task.self)
        // This server does not delete the parts of a task.
        remote.remove("1", from: "/tasks")
        #expect(try await sync.pull(Checklist.Task.self, options: Self.all).deleted == 1)
        #expect(try await store.representations(Checklist.Task.order(\.id)).map(\.id) == [2, 3, 4, 5])
    }
}

/// A server with a cursor: its pages are from one moment.
private struct SnapshotRemote: Remote {
    let remote: MemoryRemote

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        guard case .records(var records) = try await remote.fetch(request) else { return .absent }
        records.isSnapshot = true
        return .records(records)
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse { try await remote.send(change) }
}

/// The same, with a tag for each page.
private struct TaggedPages: Remote {
    let remote: MemoryRemote

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        var unconditional = request
        unconditional.validators = { _ in nil }
        guard case .records(var records) = try await remote.fetch(unconditional) else { return .absent }
        let body = try await records.body.collected(upTo: 1 << 20)
        let (address, tag) = ("page \(request.page ?? "1")", String(decoding: body, as: UTF8.self))
        if try await request.validators(address)?.entityTag == tag { return .notModified(address: address) }
        (records.body, records.address, records.isSnapshot) = (.data(body), address, true)
        records.validators = Validators(entityTag: tag, next: records.next)
        return .records(records)
    }

    func send(_ change: OutgoingChange) async throws -> SendResponse { try await remote.send(change) }
}
