import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import Shop
import TestSupport
import Testing

/// Feeds in pages of any size that repeat versions, exchange unique values, and fail in between.
@Suite("H3 Any feed")
struct FeedPropertyTests {
    @Test(
        "H3.1 H3.2 H3.3 H3.4 H3.5 H3.7 H3.8 After a reading to its end, a device has what the feed says, whatever it repeats",
        arguments: Seeds.some(25, of: UInt64(0)...999))
    func feeds(seed: UInt64) async throws {
        let stage = try FeedPropertyStage(seed: seed)
        for number in 1...Int.random(in: 3...12, using: &stage.random) {
            for _ in 1...Int.random(in: 1...4, using: &stage.random) { stage.change(number) }
            try await stage.pull()
        }
        try await stage.loseScope()
    }

    @Test(
        "H3.9 A running sync reads the feed at once, and each time that its interval has passed",
        arguments: Seeds.some(2, of: UInt64(0)...99))
    func running(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let seconds = random.element(of: [1.0, 10, 60, 3_600])
        let (feed, clock) = (ScriptedFeed(), ManualClock())
        let store = try Store(ShopSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: feed, clock: clock, random: { 0.5 })
        feed.add(FeedPage(cursor: "0"))
        let run = _Concurrency.Task { try await sync.run(RunOptions(pollSeconds: seconds)) }
        for number in 0...Int.random(in: 1...3, using: &random) {
            try await clock.waitForSleepers(1)
            #expect(feed.asked() == [number == 0 ? "start" : "\(number - 1)"])
            feed.add(FeedPage(cursor: "\(number + 1)"))
            clock.advance(by: seconds - 0.5)
            #expect(feed.asked() == [])
            clock.advance(by: 0.5)
            if number == 0 { continue }
        }
        run.cancel()
        try await run.value
    }
}

/// A feed of tags, as an endless list of changes.
private final class TagFeed: Remote {
    struct Event: Sendable {
        var version: Int64
        var scope: String
        /// `nil` for a deletion.
        var record: JSONObject?
        var deleted = 0
        var movedTo: String?
        var isLost = false

        var page: FeedPage.Changes? {
            if isLost { return nil }
            let list = record.map { JSONValue.array([.object($0)]) } ?? []
            let deletion = FeedPage.Deletion(
                RemoteIdentity([.integer(Int64(deleted))]), version: version, movedTo: movedTo)
            return FeedPage.Changes(
                of: "Tag", in: scope, records: (try? list.json()) ?? Data(), versions: record == nil ? [] : [version],
                deletions: record == nil ? [deletion] : [])
        }
    }

    struct State {
        var events: [Event] = []
        var pageSize = 1
        /// After so many pages, a request fails.
        var failsAfter: Int?
        var asked: [Int] = []
    }

    let state = Locked(State())
    let sent = Locked(0)

    var traits: RemoteTraits { RemoteTraits(hasFeed: true) }

    func feed(after cursor: String?) async throws -> FeedPage {
        try state.withLock { state in
            let first = cursor.flatMap(Int.init) ?? 0
            if state.failsAfter == state.asked.count {
                throw SyncError(.network, reason: "the connection was lost", remedy: "Try again.")
            }
            state.asked.append(first)
            let events = state.events.dropFirst(first).prefix(state.pageSize)
            let end = first + events.count
            return FeedPage(
                cursor: "\(end)", hasMore: end < state.events.count, changes: events.compactMap(\.page),
                lostScopes: events.filter(\.isLost).map(\.scope))
        }
    }

    func fetch(_ request: RemoteRequest) async throws -> FetchResponse { .absent }

    func send(_ change: OutgoingChange) async throws -> SendResponse {
        sent.withLock { $0 += 1 }
        return .unavailable(status: 500)
    }
}

/// A device, and what it must have.
private final class FeedPropertyStage {
    private struct Tag {
        var name: String
        var scope: String
        var version: Int64
    }

    var random: SeededRandom
    private let feed = TagFeed()
    private let store: Store
    private let sync: Sync
    private var tags: [Int: Tag] = [:]
    private var version: Int64 = 0
    private var trace: [String] = []
    /// Whether a deletion names the scope that the record has moved to.
    private let namesScopes: Bool
    /// Whether a record may be refused for a while because of its name.
    private var hasExchanged = false
    /// The records that the device has as they are.
    private var known: [Int: Tag] = [:]

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        namesScopes = random.isOne(in: 2)
        store = try Store(ShopSchema.self, at: .inMemory)
        sync = Sync(
            store: store, remote: feed, retries: RetrySchedule(attemptsPerPush: 1), clock: ManualClock(),
            random: { 0.5 })
    }

    private var state: Comment { "\(trace)" }

    // MARK: The server

    private func add(_ event: TagFeed.Event) {
        feed.state.withLock { $0.events.append(event) }
        trace.append(
            "\(event.version) \(event.scope): \(event.record.map { "\($0["id"] ?? .null) \($0["name"] ?? .null)" } ?? "-\(event.deleted)")"
                + (event.movedTo.map { " to \($0)" } ?? "") + (event.isLost ? " lost" : ""))
    }

    private func next() -> Int64 {
        version += 1
        return version
    }

    private func put(_ id: Int, _ name: String, _ scope: String) {
        let tag = Tag(name: name, scope: scope, version: next())
        tags[id] = tag
        add(TagFeed.Event(version: tag.version, scope: scope, record: Self.json(id, .string(name))))
    }

    private static func json(_ id: Int, _ name: JSONValue) -> JSONObject { ["id": .integer(Int64(id)), "name": name] }

    /// What others do.
    func change(_ number: Int) {
        let id = Int.random(in: 1...5, using: &random)
        guard let tag = tags[id] else { return put(id, "n\(version)", random.element(of: ["a", "b"])) }
        switch Int.random(in: 0..<7, using: &random) {
        case 0: put(id, "n\(version)", tag.scope)
        case 1:
            tags[id] = nil
            add(TagFeed.Event(version: next(), scope: tag.scope, deleted: id))
        case 2: move(id, tag)
        case 3: exchange(id, tag)
        case 4 where known[id]?.version == tag.version:
            // The same version again, with values from somewhere else: it is old.
            add(TagFeed.Event(version: tag.version, scope: tag.scope, record: Self.json(id, .string("old \(version)"))))
        case 5:
            // It is not valid at first, and comes again with the same version.
            let version = next()
            add(TagFeed.Event(version: version, scope: tag.scope, record: Self.json(id, .null)))
            let name = "fixed \(version)"
            tags[id] = Tag(name: name, scope: tag.scope, version: version)
            add(TagFeed.Event(version: version, scope: tag.scope, record: Self.json(id, .string(name))))
        default: put(id, "n\(version)", tag.scope)
        }
    }

    /// The record comes in another scope, and its deletion in the former one after it.
    private func move(_ id: Int, _ tag: Tag) {
        let scope = tag.scope == "a" ? "b" : "a"
        put(id, tag.name, scope)
        add(
            TagFeed.Event(
                version: next(), scope: tag.scope, deleted: id, movedTo: namesScopes ? scope : nil))
    }

    private func exchange(_ id: Int, _ tag: Tag) {
        guard let (other, others) = tags.filter({ $0.key != id }).min(by: { $0.key < $1.key }) else { return }
        hasExchanged = true
        put(id, others.name, tag.scope)
        put(other, tag.name, others.scope)
    }

    // MARK: The device

    /// Reads the feed to its end, perhaps after a reading that fails.
    func pull() async throws {
        let size = Int.random(in: 1...4, using: &random)
        if random.isOne(in: 3) {
            let count = Int.random(in: 0...3, using: &random)
            feed.state.withLock { ($0.pageSize, $0.failsAfter, $0.asked) = (size, count, []) }
            _ = try? await sync.pull()
            let last = feed.state.withLock { $0.asked.last.map { [size] in $0 + size } }
            trace.append("fails after \(count) pages of \(size)")
            if let last, !hasExchanged { try await read(size, from: last) } else { try await read(size, from: nil) }
        } else {
            try await read(size, from: nil)
        }
        let here = try await store.representations(Shop.Tag.order(\.id)).map { "\($0.id) \($0.name)" }
        try #require(here == tags.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.name)" }, state)
        known = tags
    }

    /// - Parameter first: Where the reading begins, if nothing was refused before.
    private func read(_ size: Int, from first: Int?) async throws {
        feed.state.withLock { ($0.pageSize, $0.failsAfter, $0.asked) = (size, nil, []) }
        try await sync.pull()
        let (asked, count) = feed.state.withLock { ($0.asked, $0.events.count) }
        if let first { #expect(asked.first == min(first, count), state) }
        trace.append("pulled by \(size)")
    }

    /// The device may no longer read a scope, for which a change of it waits.
    func loseScope() async throws {
        let scope = random.element(of: ["a", "b"])
        let lost = tags.filter { $0.value.scope == scope }.keys.sorted()
        let edited = lost.filter { _ in random.isOne(in: 2) }
        try await store.perform { context in
            for id in edited { try #require(try Shop.Tag.find(id, in: context)).name = "mine \(id)" }
            try context.save()
        }
        add(TagFeed.Event(version: next(), scope: scope, isLost: true))
        try await read(1, from: nil)
        let here = try await store.representations(Shop.Tag.order(\.id)).map(\.id)
        #expect(here == tags.keys.filter { !lost.contains($0) || edited.contains($0) }.sorted(), state)
        let pending = try await store.outbox.pending().map { "\($0.record) \($0.parked?.status ?? 0)" }
        #expect(Set(pending) == Set(edited.map { "\($0) 403" }), state)
        _ = try? await sync.push()
        #expect(feed.sent.withLock { $0 } == 0, state)
    }
}
