import Foundation
import GRDB
import Journal
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import Shop
import TestSupport
import Testing

/// Changes that travel at the same time, with a server in memory that holds its responses until it is told.
@Suite("P18 Several changes at the same time")
struct ConcurrentPushStories {
    private let clock = ManualClock()
    private let remote = MemoryRemote(traits: RemoteTraits(), maximumConcurrentChanges: nil)

    private func journal(_ count: Int, _ limit: Int = 4) async throws -> (Store, Sync) {
        let store = try Store(JournalSchema.self, at: .inMemory)
        try await make(0..<count, in: store)
        return (store, sync(store, limit))
    }

    private func make(_ numbers: Range<Int>, in store: Store) async throws {
        for number in numbers {
            try await store.perform { context in
                Entry(identifier: Self.id(number), title: "\(number)", context: context)
                try context.save()
            }
        }
    }

    private func sync(_ store: Store, _ limit: Int = 4) -> Sync {
        Sync(store: store, remote: remote, maximumConcurrentPushes: limit, clock: clock, random: { 0.5 })
    }

    private static func id(_ number: Int) -> UUID {
        UUID(uuidString: "00000000-0000-4000-9000-00000000000\(number)") ?? UUID()
    }

    /// Holds the response to the next change of a record.
    private func hold(_ path: String, _ identity: String) -> Gate {
        let gate = Gate()
        remote.respondNext(.responseHeld(gate), to: Self.change(path, identity))
        return gate
    }

    private func hold(entry number: Int) -> Gate { hold("/entries", Self.name(number)) }

    private static func name(_ number: Int) -> String { id(number).uuidString.lowercased() }

    private static func change(_ path: String, _ identity: String) -> RemoteCallFilter {
        RemoteCallFilter { $0.isChange && $0.path == path && $0.identity?.text == identity }
    }

    /// The records that were sent, by what they end with.
    private var sent: [String] {
        remote.log.filter(\.isChange).map { $0.identity.map { String($0.text.suffix(1)) } ?? "" }
    }

    // MARK: How many

    @Test("As many as the limit travel, and the next one leaves with the first response")
    func limit() async throws {
        let (store, sync) = try await journal(6)
        let gates = (0..<6).map(hold(entry:))
        let push = Task { try await sync.push() }
        for gate in gates[0..<4] { try await gate.reached() }
        #expect(Set(sent) == ["0", "1", "2", "3"])
        gates[2].open()
        try await gates[4].reached()
        #expect(Set(sent) == ["0", "1", "2", "3", "4"])
        for gate in gates { gate.open() }
        #expect(try await push.value.created == 6)
        #expect(try await store.outbox.pending().isEmpty)
        #expect(remote.records(of: "/entries").count == 6)
    }

    @Test("With 1 or less, each is sent after the response to the previous one", arguments: [1, 0, -3])
    func oneAtATime(limit: Int) async throws {
        let (_, sync) = try await journal(3, limit)
        #expect(sync.maximumConcurrentPushes == 1)
        let gate = hold(entry: 0)
        let push = Task { try await sync.push() }
        try await gate.reached()
        #expect(sent == ["0"])
        gate.open()
        #expect(try await push.value.created == 3)
        #expect(sent == ["0", "1", "2"])
    }

    @Test("A remote may take fewer")
    func remoteLimit() throws {
        let store = try Store(JournalSchema.self, at: .inMemory)
        #expect(Sync(store: store, remote: MemoryRemote()).maximumConcurrentPushes == 1)
        #expect(Sync(store: store, remote: remote).maximumConcurrentPushes == 4)
        #expect(Sync(store: store, remote: remote, maximumConcurrentPushes: 9).maximumConcurrentPushes == 9)
    }

    // MARK: What depends on what

    private func shop(_ change: @escaping @Sendable (ManagedObjectContext) throws -> Void) async throws -> (Store, Sync)
    {
        let store = try Store(ShopSchema.self, at: .inMemory)
        try await store.perform { context in
            try change(context)
            try context.save()
        }
        return (store, sync(store))
    }

    @Test("P2 A new parent is sent before its children, which travel together")
    func parents() async throws {
        let (store, sync) = try await shop { context in
            let article = Article(id: 7, title: "New", bodyText: "", context: context)
            for id in 1...3 { ArticleComment(id: id, name: "", text: "", article: article, context: context) }
        }
        let parent = hold("/articles", "7")
        let children = (1...3).map { hold("/article_comments", "\($0)") }
        let push = Task { try await sync.push() }
        try await parent.reached()
        #expect(sent == ["7"])
        parent.open()
        for child in children { try await child.reached() }
        for child in children { child.open() }
        #expect(try await push.value.created == 4)

        // They are deleted before it.
        try await store.perform { context in
            context.delete(try #require(try Article.find(7, in: context)))
            try context.save()
        }
        let deletions = (1...3).map { hold("/article_comments", "\($0)") }
        let second = Task { try await sync.push() }
        for deletion in deletions { try await deletion.reached() }
        deletions[0].open()
        deletions[2].open()
        #expect(!remote.log.contains { $0.kind == .delete && $0.path == "/articles" })
        deletions[1].open()
        #expect(try await second.value.deleted == 4)
        #expect(remote.log.last?.path == "/articles")
    }

    @Test("A record and one that refers to it are not changed at the same time, others are")
    func linked() async throws {
        let (store, sync) = try await shop { context in
            let article = Article(id: 7, title: "Old", bodyText: "", context: context)
            Article(id: 8, title: "Other", bodyText: "", context: context)
            ArticleComment(id: 1, name: "", text: "", article: article, context: context)
        }
        try await sync.push()
        try await store.perform { context in
            try #require(try Article.find(7, in: context)).title = "New"
            try context.save()
            try #require(try ArticleComment.find(1, in: context)).text = "New"
            try context.save()
            try #require(try Article.find(8, in: context)).title = "Newer"
            try context.save()
        }
        remote.clearLog()
        let (first, other) = (hold("/articles", "7"), hold("/articles", "8"))
        let push = Task { try await sync.push() }
        try await first.reached()
        try await other.reached()
        #expect(Set(sent) == ["7", "8"])
        first.open()
        other.open()
        #expect(try await push.value.updated == 3)
        #expect(remote.log.last?.path == "/article_comments")
    }

    @Test("A unique value is free before another record takes it")
    func uniqueValues() async throws {
        let (store, sync) = try await shop { context in
            for (id, name) in [(1, "red"), (2, "green"), (3, "blue")] { Tag(id: id, name: name, context: context) }
        }
        try await sync.push()
        try await store.perform { context in
            for (id, name) in [(1, "black"), (2, "red"), (3, "white")] {
                try #require(try Tag.find(id, in: context)).name = name
                try context.save()
            }
        }
        remote.clearLog()
        let (first, third) = (hold("/tags", "1"), hold("/tags", "3"))
        let push = Task { try await sync.push() }
        try await first.reached()
        try await third.reached()
        #expect(Set(sent) == ["1", "3"])
        third.open()
        first.open()
        #expect(try await push.value.updated == 3)
        #expect(sent.last == "2")
    }

    @Test(
        "P18 A unique value that moves from record to record is never there twice, however many changes travel",
        arguments: Seeds.some(8, of: UInt64(0)...299))
    func uniqueChains(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let count = Int.random(in: 2...7, using: &random)
        let (store, _) = try await shop { context in
            for id in 1...count { Tag(id: id, name: "n\(id)", context: context) }
        }
        let server = UniqueNames()
        let sync = Sync(
            store: store, remote: server, maximumConcurrentPushes: Int.random(in: 2...6, using: &random), clock: clock,
            random: { 0.5 })
        try await sync.push()
        // The first gets a new name, and others that of the one before them.
        let chain = (1...count).shuffled(using: &random).prefix(Int.random(in: 2...count, using: &random))
        for (place, id) in chain.enumerated() {
            let name = place == 0 ? "new" : "n\(chain[chain.startIndex + place - 1])"
            try await store.perform { context in
                try #require(try Tag.find(id, in: context)).name = name
                try context.save()
            }
        }
        #expect(try await sync.push().updated == chain.count)
        #expect(server.problem == nil)
    }

    @Test("So are the values of a unique index of several columns")
    func uniqueIndex() async throws {
        let (store, sync) = try await shop { context in
            for id in 1...2 { Article(id: id, title: "T\(id)", bodyText: "b", context: context) }
        }
        try await store.writer.write {
            try $0.execute(sql: "CREATE UNIQUE INDEX one_title ON article (title, body_text)")
        }
        try await sync.push()
        try await store.perform { context in
            for (id, title) in [(1, "T3"), (2, "T1")] {
                try #require(try Article.find(id, in: context)).title = title
                try context.save()
            }
        }
        remote.clearLog()
        let first = hold("/articles", "1")
        let push = Task { try await sync.push() }
        try await first.reached()
        for _ in 1...100 { await Task.yield() }
        #expect(sent == ["1"])
        first.open()
        #expect(try await push.value.updated == 2)
        #expect(sent == ["1", "2"])
    }

    @Test("What a change depends on is found out again if it was edited meanwhile")
    func editedMeanwhile() async throws {
        let (store, sync) = try await shop { context in
            for id in 1...6 { Article(id: id, title: "T\(id)", bodyText: "b", context: context) }
        }
        try await sync.push()
        try await store.perform { context in
            for id in 1...6 { try #require(try Article.find(id, in: context)).title = "N\(id)" }
            ArticleComment(id: 9, name: "n", text: "C", context: context)
            try context.save()
        }
        remote.clearLog()
        // Four travel; the last article waits. Then the new comment becomes its own.
        let gates = (1...4).map { hold("/articles", "\($0)") }
        let push = Task { try await sync.push() }
        for gate in gates { try await gate.reached() }
        try await store.perform { context in
            try #require(try ArticleComment.find(9, in: context)).article = try Article.find(6, in: context)
            try context.save()
        }
        let last = hold("/articles", "6")
        for gate in gates { gate.open() }
        try await last.reached()
        for _ in 1...100 { await Task.yield() }
        #expect(!remote.log.contains { $0.isChange && $0.path == "/comments" })
        last.open()
        _ = try await push.value
        #expect(try await store.outbox.count() == 0)
    }

    @Test("A record whose response lists others is not sent at the same time as they are")
    func listed() async throws {
        let (store, sync) = try await shop { context in
            Product(id: 1, name: "Lamp", context: context)
            Product(id: 2, name: "Chair", context: context)
            Tag(id: 3, name: "red", context: context)
        }
        try await sync.push()
        try await store.perform { context in
            try #require(try Product.find(1, in: context)).name = "Lamps"
            try context.save()
            try #require(try Tag.find(3, in: context)).name = "green"
            try context.save()
            try #require(try Product.find(2, in: context)).name = "Chairs"
            try context.save()
        }
        remote.clearLog()
        let gate = hold("/products", "1")
        let push = Task { try await sync.push() }
        try await gate.reached()
        // The tag has to wait, and the product behind it waits for the tag.
        #expect(sent == ["1"])
        gate.open()
        #expect(try await push.value.updated == 3)
        #expect(sent == ["1", "3", "2"])
    }

    // MARK: Failures

    @Test("P9 After an error that ends the push nothing more is sent, and what travels has its response")
    func unauthorized() async throws {
        let (store, sync) = try await journal(4, 2)
        remote.respondNext(.unauthorized, to: Self.change("/entries", Self.name(0)))
        let gate = hold(entry: 1)
        let push = Task { try await sync.push() }
        try await gate.reached()
        gate.open()
        let error = await #expect(throws: SyncError.self) { try await push.value }
        #expect(error?.code == .unauthorized)
        let pending = try await store.outbox.pending().map(\.record)
        #expect(!pending.contains { $0.contains(Self.name(1)) })
        #expect(Set(sent).isSubset(of: ["0", "1", "2"]))
        #expect(try await sync.push().created == pending.count)
        #expect(remote.changes.filter { $0.kind == .created }.count == 4)
    }

    @Test("P7.2 Requests without a response at the same time are one failed attempt, and nothing more is sent")
    func unreachable() async throws {
        let (store, sync) = try await journal(5, 2)
        remote.respondNext(.connectionFails, times: 2)
        let push = Task { try await sync.push() }
        try await clock.waitForSleepers(1)
        #expect(Set(sent) == ["0", "1"])
        // Half of the first delay, not of the second.
        #expect(clock.deadlines == [clock.now.addingTimeInterval(0.5)])
        #expect(try await store.outbox.pending().filter { $0.attempts > 0 }.count == 2)
        clock.advance(by: 1)
        #expect(try await push.value.created == 5)
    }

    @Test("P7.3 A time that the server has set is kept, whatever else travels")
    func retryAfter() async throws {
        let (_, sync) = try await journal(5, 3)
        let gates = (0..<3).map { _ in Gate() }
        remote.respondNext(.responseHeld(gates[2]), to: Self.change("/entries", Self.name(2)))
        for (number, seconds) in [(0, 60.0), (1, 30)] {
            remote.respondNext(
                .unavailable(status: 429, retryAfter: seconds), to: Self.change("/entries", Self.name(number)))
        }
        let push = Task { try await sync.push() }
        try await gates[2].reached()
        gates[2].open()
        try await clock.waitForSleepers(1)
        #expect(clock.deadlines == [clock.now.addingTimeInterval(60)])
        #expect(Set(sent) == ["0", "1", "2"])
        #expect(remote.records(of: "/entries").count == 1)
        clock.advance(by: 61)
        #expect(try await push.value.created == 5)
    }

    @Test("P10.1 Responses that are lost at the same time create no second record")
    func lostResponses() async throws {
        let (store, sync) = try await journal(4)
        remote.respondNext(.responseLost, to: .changes, times: 4)
        let clock = clock
        #expect(try await clock.whilePassing { try await sync.push() }.created == 4)
        #expect(remote.changes.filter { $0.kind == .created }.count == 4)
        #expect(Set(remote.log.compactMap(\.idempotencyKey)).count == 4)
        #expect(try await store.outbox.pending().isEmpty)
    }

    @Test("P11 Cancelled, a push loses nothing of what travels", arguments: [true, false])
    func cancelled(hasArrived: Bool) async throws {
        let (store, sync) = try await journal(6)
        let gate = Gate()
        remote.respondNext(hasArrived ? .responseHeld(gate) : .held(gate), to: .changes, times: 4)
        let push = Task { try await sync.push() }
        try await gate.reached()
        push.cancel()
        await #expect(throws: CancellationError.self) { try await push.value }
        #expect(try await store.outbox.pending().count == 6)
        remote.clearScripts()
        #expect(try await sync.push().created == 6)
        #expect(remote.changes.filter { $0.kind == .created }.count == 6)
    }

    @Test("P8 A rejected change holds back only what depends on it")
    func parked() async throws {
        let (_, sync) = try await journal(5)
        remote.respondNext(.refused(status: 422), to: Self.change("/entries", Self.name(1)))
        let summary = try await sync.push()
        #expect(summary.created == 4)
        #expect(summary.parked.count == 1)
    }

    // MARK: Transactions

    @Test("What has arrived together is recorded in one transaction, as is what leaves together")
    func together() async throws {
        let (store, _) = try await journal(1)
        let sync = Sync(store: store, remote: AllAtOnce(remote: remote), clock: clock, random: { 0.5 })
        // The store is named by its first push.
        try await sync.push()
        try await make(1..<5, in: store)
        let commits = CommitCounter()
        store.writer.add(transactionObserver: commits, extent: .observerLifetime)
        #expect(try await sync.push().created == 4)
        #expect(commits.count == 2)
    }

    @Test("If what has arrived together cannot be recorded together, each is recorded for itself")
    func apart() async throws {
        let (store, _) = try await journal(3)
        let sync = Sync(store: store, remote: AllAtOnce(remote: remote), clock: clock, random: { 0.5 })
        // A payload that repeats a key is read twice.
        let body = Data(#"{"identifier": "\#(Self.name(1))", "title": "first", "title": "last"}"#.utf8)
        remote.respondNext(.response(.accepted(body: body)), to: Self.change("/entries", Self.name(1)))
        #expect(try await sync.push().created == 3)
        #expect(try await store.outbox.pending().isEmpty)
        #expect(try await store.perform { try Entry.find(Self.id(1), in: $0)?.title } == "last")
    }
}

/// A server whose responses all arrive at the same time.
private struct AllAtOnce: PacedRemote {
    let remote: MemoryRemote

    var traits: RemoteTraits { remote.traits }

    func letOneArrive(of travelling: Int) async -> Bool { travelling > 1 }
    func fetch(_ request: RemoteRequest) async throws -> FetchResponse { try await remote.fetch(request) }
    func send(_ change: OutgoingChange) async throws -> SendResponse { try await remote.send(change) }
}

/// Counts transactions that were committed.
private final class CommitCounter: TransactionObserver {
    private(set) var count = 0

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ database: Database) { count += 1 }
    func databaseDidRollback(_ database: Database) {}
}

/// A server whose records have names, each once. It takes a while to look at each request.
private final class UniqueNames: Remote {
    private let state = Locked((names: [String: String](), problem: String?.none))

    var problem: String? { state.withLock { $0.problem } }

    let traits = RemoteTraits(maximumConcurrentChanges: nil)

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse { .absent }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        guard case .string(let name)? = try JSONValue(json: change.changes)["name"], let id = change.identity?.text
        else {
            return .refused(status: 422, body: Data())
        }
        // The later ones are faster.
        for _ in 0..<(10 - (Int(id) ?? 0)) * 3 { await Task.yield() }
        state.withLock { state in
            if let other = state.names.first(where: { $0.value == name && $0.key != id }) {
                state.problem = "\(id) gets \(name), which \(other.key) has"
            }
            state.names[id] = name
        }
        return .accepted(body: nil)
    }
}
