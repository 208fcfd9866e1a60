import Foundation
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import Shop
import TestSupport
import Testing

/// Lists that lack any number of records, some of which were confirmed at any time before, and servers that respond in
/// any way to requests for them.
@Suite("M7 What is deleted after a list without it")
struct UnlistedPropertyTests {
    @Test(
        "M7.6 M7.7 M7.8 M7.9 M7.10 M7.11 M7.12 M7.13 M7.14 Exactly what the rules say is requested, deleted and noted",
        arguments: Seeds.some(40, of: UInt64(0)...999))
    func lists(seed: UInt64) async throws {
        let stage = try UnlistedStage(seed: seed)
        try await stage.confirmSome()
        try await stage.pullAndCheck()
    }

    @Test(
        "M7.17 M7.18 Of a record that was requested, 410 or an old confirmation decides",
        arguments: Seeds.some(10, of: UInt64(0)...199))
    func oneRecord(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let server = UnlistedServer(pageSize: nil, isSnapshot: false)
        let (clock, store) = (ManualClock(), try Store(ShopSchema.self, at: .inMemory))
        let sync = Sync(
            store: store, remote: server, conflicts: .serverWins, retries: RetrySchedule(attemptsPerPush: 1),
            clock: clock, random: { 0.5 })
        try await UnlistedStage.create(1, in: store)
        try await sync.push()
        let age = random.element(of: UnlistedStage.ages)
        clock.advance(by: age)
        let answer = random.element(of: [UnlistedServer.Answer.absent, .gone])
        server.answers = [1: answer]
        if random.isOne(in: 2) {
            try await sync.pull(Article.self, id: 1)
        } else {
            // The version is not known after a response without a body, so the record is requested first.
            try await UnlistedStage.edit(1, in: store)
            try await sync.push()
        }
        let isThere = try await store.representations(Article.all()).count == 1
        #expect(isThere == (answer == .absent && age < 300), "\(answer) after \(age) s")
    }

    @Test(
        "M7.15 M7.16 A list of linked records removes links if it is in one page, and never deletes a record",
        arguments: Seeds.some(10, of: UInt64(0)...199))
    func links(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let all = Array(1...Int.random(in: 1...8, using: &random))
        let server = UnlistedServer(pageSize: random.element(of: [nil, 1, 2, 5]), isSnapshot: random.isOne(in: 3))
        let store = try Store(ShopSchema.self, at: .inMemory)
        let sync = Sync(store: store, remote: server, clock: ManualClock(), random: { 0 })
        let product: JSONValue = [
            "id": 1, "name": "Pen", "tag_ids": .array(all.map { .integer(Int64($0)) }),
        ]
        try await store.merge(JSONValue.array([product]).json(), into: Product.self)
        let scope = MergeScope<Shop.Tag>.children(of: 1, in: Product.Relationships.tags)
        server.listed = all
        try await sync.pull(Shop.Tag.self, scope: scope, path: "/products/1/tags")
        server.listed = all.filter { _ in !random.isOne(in: 3) }
        try await sync.pull(
            Shop.Tag.self, scope: scope, path: "/products/1/tags", options: MergeOptions(records: .all))
        let isPaged = !server.isSnapshot && server.pageSize.map { server.listed.count > $0 } ?? false
        let linked = try await store.perform { try Product.find(1, in: $0)?.tags.map(\.id).sorted() }
        #expect(linked == (isPaged ? all : server.listed))
        #expect(try await store.representations(Shop.Tag.all()).count == all.count)
    }
}

/// A device with articles, and what the rules say of a list that lacks some of them.
private final class UnlistedStage {
    /// How long ago a record was confirmed, in seconds: the limit is 300.
    static let ages: [TimeInterval] = [1, 60, 299, 301, 3_600]

    private var random: SeededRandom
    private let server: UnlistedServer
    private let clock = ManualClock()
    private let store: Store
    private let sync: Sync
    private var ids: [Int]
    private var recent: Set<Int> = []
    private var options = MergeOptions(records: .all)

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        server = UnlistedServer(
            pageSize: random.element(of: [nil, nil, nil, 1, 2, 4]), isSnapshot: random.isOne(in: 3))
        store = try Store(ShopSchema.self, at: .inMemory)
        let numbers = Locked(SeededRandom(seed: seed &+ 1))
        sync = Sync(store: store, remote: server, clock: clock) {
            numbers.withLock { Double.random(in: 0..<1, using: &$0) }
        }
        ids = Array(1...Int.random(in: 1...8, using: &random))
    }

    static func create(_ id: Int, in store: Store) async throws {
        try await store.perform { context in
            Article(id: id, title: "New", bodyText: "b", context: context)
            try context.save()
        }
    }

    static func edit(_ id: Int, title: String = "Mine", in store: Store) async throws {
        try await store.perform { context in
            try #require(try Article.find(id, in: context)).title = title
            try context.save()
        }
    }

    /// Reads some records, of which some are confirmed at different times before the next list.
    func confirmSome() async throws {
        server.listed = ids
        try await sync.pull(Article.self)
        clock.advance(by: 10_000)
        let isClockSetBack = random.isOne(in: 6)
        let count = Int.random(in: 0...4, using: &random)
        let ages = (0..<count).map { _ in random.element(of: Self.ages) }.sorted(by: >)
        for (index, age) in ages.enumerated() {
            // A confirmation forgets those that are not recent by then.
            let isRecent = isClockSetBack ? age - (ages.last ?? 0) <= 300 : age < 300
            try await confirm(new: 20 + index, isRecent: isRecent)
            clock.advance(by: age - (index + 1 < ages.count ? ages[index + 1] : 0))
        }
        // Then all of them were confirmed in the future.
        if isClockSetBack { clock.advance(by: -9_000) }
    }

    private func confirm(new id: Int, isRecent: Bool) async throws {
        var id = id
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            try await Self.create(id, in: store)
            try await sync.push()
        case 1:
            id = random.element(of: ids)
            try await Self.edit(id, title: "Mine, as of \(clock.now)", in: store)
            try await sync.push()
        case 2: try await sync.pull(Article.self, id: id)
        default:
            let json = try JSONValue.array([UnlistedServer.record(id)]).json()
            try await sync.handle(.changed(json), of: Article.self, options: options)
        }
        if !ids.contains(id) { ids.append(id) }
        if isRecent { recent.insert(id) } else { recent.remove(id) }
    }

    /// Pulls a list that lacks some records, or hears of it as of a snapshot.
    func pullAndCheck() async throws {
        let chance = random.element(of: [1, 2, 4])
        server.listed = ids.filter { _ in !random.isOne(in: chance) }
        let missing = ids.filter { !server.listed.contains($0) }
        server.listed += Array(100..<100 + Int.random(in: 0...3, using: &random))
        let answers: [UnlistedServer.Answer] = [.present, .error(500), .error(429), .unchanged]
        let isClear = random.isOne(in: 2)
        for id in missing {
            server.answers[id] =
                isClear || !random.isOne(in: 3)
                ? random.element(of: [.absent, .gone]) : random.element(of: answers)
        }
        let exactly = Double(missing.count) / Double(max(1, ids.count))
        options.unlistedShareLimit = random.element(of: [0, 0.25, 0.5, 1, exactly])
        options.unlistedRequestLimit = random.element(of: [0, 1, 2, 3, 100])
        _ = server.takeAsked()
        let isHeard = random.isOne(in: 4)
        var notes: [MergeNote.Code] = []
        if isHeard {
            let json = try await UnlistedServer.json(server.listed).collected(upTo: 1 << 20)
            try await sync.handle(.snapshot(json), of: Article.self, options: options)
        } else {
            notes = try await sync.pull(Article.self, options: options).merges.flatMap(\.notes).map(\.code)
        }
        let asked = server.takeAsked()
        let expected = expectation(missing, asked, isHeard: isHeard)
        #expect(expected.problem == nil)
        let here = Set(try await store.representations(Article.all()).map(\.id)).intersection(ids)
        #expect(here == Set(ids).subtracting(expected.deleted), "\(state(missing, asked))")
        if !isHeard { #expect(notes == (expected.isNoted ? [.unconfirmedDeletion] : []), "\(state(missing, asked))") }
    }

    private func state(_ missing: [Int], _ asked: [Int]) -> String {
        """
        of \(ids), confirmed \(recent.sorted()), missing \(missing), limits \(options.unlistedShareLimit) \
        \(options.unlistedRequestLimit), asked \(asked.map { "\($0) \(server.answers[$0] ?? .present)" })
        """
    }

    private struct Expectation {
        var deleted: Set<Int> = []
        var isNoted = false
        /// What is wrong with the requests.
        var problem: String?
    }

    /// What the rules say, given which records were requested.
    private func expectation(_ missing: [Int], _ asked: [Int], isHeard: Bool) -> Expectation {
        let confirmed = missing.filter(recent.contains)
        let isMostly = Double(missing.count) > options.unlistedShareLimit * Double(ids.count)
        let isPaged = !server.isSnapshot && server.pageSize.map { server.listed.count > $0 } ?? false
        // A snapshot of a stream that is not doubtful counts.
        let isBelieved = missing.isEmpty || confirmed.isEmpty && !isMostly && (isHeard || !isPaged)
        if isBelieved {
            return Expectation(deleted: Set(missing), problem: asked.isEmpty ? nil : "\(asked) were requested")
        }
        let candidates = isPaged || isMostly ? missing : confirmed
        let answers = asked.map { server.answers[$0] ?? .present }
        var expectation = Expectation()
        expectation.problem = problem(asked, of: candidates, confirmed: confirmed)
        let gone = Set(asked.filter { server.answers[$0]?.isGone == true })
        let isRight = answers.allSatisfy(\.isGone) && gone.contains { !confirmed.contains($0) }
        if !isPaged, isMostly, isRight {
            expectation.deleted = Set(missing).subtracting(Set(confirmed).subtracting(gone))
            return expectation
        }
        expectation.deleted = isPaged || isMostly ? gone : Set(missing).subtracting(confirmed).union(gone)
        let isExplained = isPaged || !isMostly
        let keptCount = candidates.count - gone.count - (isExplained ? answers.count { $0 == .present } : 0)
        expectation.isNoted = keptCount > 0
        return expectation
    }

    /// Whether as many of the candidates were requested as may be, the confirmed ones first.
    private func problem(_ asked: [Int], of candidates: [Int], confirmed: [Int]) -> String? {
        let count = min(candidates.count, options.unlistedRequestLimit)
        let isEnded = asked.last.map { server.answers[$0] == .error(429) } ?? false
        let isFirst = asked.prefix(confirmed.count).allSatisfy(confirmed.contains)
        let areCandidates = Set(asked).isSubset(of: candidates) && Set(asked).count == asked.count
        if areCandidates, isFirst, asked.count == count || isEnded && asked.count < count { return nil }
        return "requested were \(asked), not \(count) of \(candidates), of which \(confirmed) first"
    }
}
