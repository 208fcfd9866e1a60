import Foundation
import GRDB
import HTTPTypes
import Journal
import LinkSamples
import LockstepStore
import LockstepSync
import LockstepSystem
import LockstepTesting
import ServerSamples
import Testing
import TestSupport

/// A single device: whatever happens to requests and responses, the last edits count.
///
/// `SEEDS=50000 LAST_WORD_FIRST_SEED=1000 swift test --filter LastWordTests` runs 2,000 seeds.
@Suite("P4 The last local edits are kept and arrive if no other client edits")
struct LastWordTests {
    private static let seeds: Range<UInt64> = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["LAST_WORD_FIRST_SEED"].flatMap { UInt64($0) } ?? 0
        return first..<first + UInt64(Seeds.count(12, of: 40))
    }()

    @Test("Records with their own identities", arguments: seeds)
    func journal(seed: UInt64) async throws { try await Run(seed, JournalDesk(seed)).run() }

    @Test("Embedded records with server-generated identities, in lists that the server merges", arguments: seeds)
    func orders(seed: UInt64) async throws { try await Run(seed, OrdersDesk(seed)).run() }

    @Test(
        "Embedded records with their own identities, in lists that are replaced, and links",
        arguments: seeds)
    func museum(seed: UInt64) async throws { try await Run(seed, MuseumDesk(seed)).run() }

    // MARK: A run

    enum Mishap: CaseIterable { case none, responseLost, requestLost, refused, failing, page }

    private struct Run<Work: Desk> {
        let work: Work
        let sync: Sync
        let clock = ManualClock()
        let seed: UInt64

        init(_ seed: UInt64, _ work: Work) throws {
            self.seed = seed
            self.work = work
            var random = SeededRandom(seed: seed &+ 7)
            let policies: [ConflictPolicies] = [.localChangesWin, .localChangesWin, .serverWins]
            sync = Sync(
                store: work.store, remote: work.remote, conflicts: random.element(of: policies),
                retries: RetrySchedule(attemptsPerPush: 1), clock: clock, random: { 0.5 })
        }

        func run() async throws {
            var random = SeededRandom(seed: seed)
            var trace: [String] = []
            var here = try await work.here()
            for _ in 0..<Int.random(in: 4...24, using: &random) {
                switch Int.random(in: 0..<10, using: &random) {
                case ..<6:
                    trace.append(try await work.edit(random.next()))
                    here = try await work.here()
                case ..<9:
                    let mishap = random.element(of: Mishap.allCases)
                    trace.append("push, \(mishap)")
                    work.respondNextWrite(mishap)
                    _ = try? await sync.push()
                    work.forgetMishaps()
                    clock.advance(by: 100_000)
                default:
                    trace.append("pull")
                    try await pull()
                }
                try await #require(work.here() == here, "seed \(seed): \(trace)")
            }
            try await work.store.outbox.retryAll()
            for _ in 1...4 {
                _ = try await sync.push()
                clock.advance(by: 100_000)
            }
            let state: Comment = "seed \(seed): \(trace)"
            #expect(try await work.store.outbox.pending().map { "\($0.kind) \($0.entity) \($0.record)" } == [], state)
            #expect(work.there() == here, state)
            try await pull()
            try await #expect(work.here() == here, state)
            let left = try await work.store.writer.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM lockstep_outbox")
            }
            #expect(left == 0, state)
        }

        /// Again, as if nothing had been read before.
        private func pull() async throws {
            try await sync.forgetValidators()
            try await work.pull(sync)
        }
    }
}

/// A store with a server, and the changes made to the store.
private protocol Desk: Sendable {
    var store: Store { get }
    var remote: any Remote { get }

    /// The contents of the store, as texts.
    func here() async throws -> [String]
    /// The contents of the server, in the same format.
    func there() -> [String]
    /// Makes a change, chosen by a number, and describes it.
    func edit(_ number: UInt64) async throws -> String
    func respondNextWrite(_ mishap: LastWordTests.Mishap)
    func forgetMishaps()
    func pull(_ sync: Sync) async throws
}

extension Desk {
    fileprivate func change(_ body: @escaping @Sendable (ManagedObjectContext) throws -> String) async throws -> String
    {
        try await store.perform { context in
            let text = try body(context)
            try context.save()
            return text
        }
    }
}

/// Whether a server rejects a request, unless it has processed the same one already.
private final class Refusal: Sendable {
    private let state = Locked(false)
    var isOn: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
    var validate: @Sendable (String, JSONValue) -> [String: [String]] {
        { [self] _, _ in isOn ? ["base": ["is refused"]] : [:] }
    }
}

extension FakeRails {
    fileprivate func respondNextWrite(_ mishap: LastWordTests.Mishap) {
        let writes = ServerRequestFilter.changes
        switch mishap {
        case .none: break
        case .responseLost: respondNext(.responseLost, to: writes)
        case .requestLost: respondNext(.connectionFails, to: writes)
        case .refused: break
        case .failing: respondNext(.status(500), to: writes)
        case .page: respondNext(.response(ServerResponse(200, body: Data("<p>".utf8))), to: writes)
        }
    }
}

private protocol RailsDesk: Desk {
    var server: FakeRails { get }
    var refusal: Refusal { get }
}

extension RailsDesk {
    fileprivate func respondNextWrite(_ mishap: LastWordTests.Mishap) {
        refusal.isOn = mishap == .refused
        server.respondNextWrite(mishap)
    }
    fileprivate func forgetMishaps() {
        refusal.isOn = false
        server.clearScripts()
    }
}

/// Values repeat, so that an edit can undo another one.
private let words = ["a", "b", "c"]

private struct JournalDesk: RailsDesk {
    let store: Store
    let server: FakeRails
    let remote: any Remote
    let refusal = Refusal()
    private let ids = (1...2).map { UUID(uuidString: "00000000-0000-4000-8000-00000000000\($0)")! }

    init(_ seed: UInt64) throws {
        server = FakeRails(
            RailsRules(
                identityKeys: ["/entries": "identifier"], respondsWithBody: seed % 3 > 0,
                honoursIdempotencyKeys: seed % 2 == 0,
                validate: refusal.validate))
        store = try Store(JournalSchema.self, at: .inMemory)
        remote = RESTRemote(server.url, client: server.client)
    }

    func here() async throws -> [String] {
        try await store.perform { context in
            try context.fetch(Entry.all()).map { "\($0.identifier.uuidString.suffix(1)) \($0.title)" }.sorted()
        }
    }

    func there() -> [String] {
        server.records(of: "/entries").map { "\($0.text("identifier").suffix(1)) \($0.text("title"))" }.sorted()
    }

    func edit(_ number: UInt64) async throws -> String {
        var random = SeededRandom(seed: number)
        let (id, word, isDeleted) = (random.element(of: ids), random.element(of: words), random.isOne(in: 4))
        return try await change { context in
            let name = id.uuidString.suffix(1)
            guard let entry = try Entry.find(id, in: context) else {
                Entry(identifier: id, title: word, timestamp: Date(timeIntervalSince1970: 0), context: context)
                return "make \(name) \(word)"
            }
            if isDeleted {
                context.delete(entry)
                return "delete \(name)"
            }
            entry.title = word
            return "set \(name) \(word)"
        }
    }

    func pull(_ sync: Sync) async throws { try await sync.pull(Entry.self, options: MergeOptions(records: .all)) }
}

private struct OrdersDesk: RailsDesk {
    let store: Store
    let server: FakeRails
    let remote: any Remote
    let refusal = Refusal()

    init(_ seed: UInt64) throws {
        server = FakeRails(
            RailsRules(
                wrapKeys: ["/orders": "order"], respondsWithBody: seed % 3 > 0,
                nested: ["/orders": [RailsNesting("lines")]], validate: refusal.validate))
        store = try Store(OrdersSchema.self, at: .inMemory)
        remote = RESTRemote(server.url, client: server.client)
    }

    func here() async throws -> [String] {
        try await store.perform { context in
            try context.fetch(Order.all()).map { order in
                "\(order.name): \(order.lines.map { "\($0.count ?? 0) \($0.title)" }.sorted())"
            }.sorted()
        }
    }

    func there() -> [String] {
        server.records(of: "/orders").map { order in
            "\(order.text("name")): \(order.list("lines").map { "\($0.text("count")) \($0.text("title"))" }.sorted())"
        }.sorted()
    }

    func edit(_ number: UInt64) async throws -> String {
        var random = SeededRandom(seed: number)
        let (choice, word) = (Int.random(in: 0..<20, using: &random), random.element(of: words))
        let (first, second) = (random.next(), random.next())
        return try await change { context in
            let orders = try context.fetch(Order.all()).sorted { $0.name < $1.name }
            let lines = try context.fetch(Line.all()).filter { $0.order != nil }.sorted {
                $0.count ?? 0 < $1.count ?? 0
            }
            guard !orders.isEmpty, choice > 2 || orders.count > 3 else {
                let name = "o\(first % 1_000_000)"
                Order(name: name, context: context)
                return "make \(name)"
            }
            let order = orders[Int(first % UInt64(orders.count))]
            guard !lines.isEmpty, choice > 5 || lines.count > 5 else {
                let count = Int(second % 1_000_000)
                order.lines.insert(Line(title: word, count: count, context: context))
                return "make \(count) \(word) in \(order.name)"
            }
            let line = lines[Int(second % UInt64(lines.count))]
            switch choice {
            case ..<7:
                context.delete(order)
                return "delete \(order.name)"
            case ..<10:
                context.delete(line)
                return "delete \(line.count ?? 0)"
            case ..<15:
                line.order = order
                return "move \(line.count ?? 0) to \(order.name)"
            default:
                line.title = word
                return "set \(line.count ?? 0) \(word)"
            }
        }
    }

    /// After a creation without a response, a pull inserts a second row; the response merges it into the first.
    func pull(_ sync: Sync) async throws {
        guard try await !store.outbox.pending().contains(where: { $0.kind == .create || $0.idempotencyKey != nil })
        else { return }
        try await sync.pull(Order.self, options: MergeOptions(records: .all))
    }
}

private struct MuseumDesk: Desk {
    private typealias Letter = LinkSamples.Letter

    let store: Store
    let memory: MemoryRemote
    let remote: any Remote

    init(_ seed: UInt64) throws {
        store = try Store(MuseumSchema.self, at: .inMemory)
        memory = MemoryRemote(traits: RemoteTraits())
        remote = memory
    }

    func here() async throws -> [String] {
        try await store.perform { context in
            let letters = try context.fetch(Letter.all()).map { letter in
                "letter \(letter.id) \(letter.title): \(letter.stamps.map { "\($0.id) \($0.text)" }.sorted())"
            }
            let themes = try context.fetch(Theme.all()).map { theme in
                "theme \(theme.id): \(theme.stamps.filter { $0.letter != nil }.map { String($0.id) }.sorted())"
            }
            return (letters + themes).sorted()
        }
    }

    func there() -> [String] {
        let letters = memory.records(of: "/letters")
        let known = Set(letters.flatMap { $0.list("stamps") }.map { $0.text("id") })
        let themes = memory.records(of: "/themes").map { theme in
            let stamps = theme.list("stamp_ids").compactMap {
                if case .integer(let id) = $0 { String(id) } else { nil }
            }
            return "theme \(theme.text("id")): \(stamps.filter(known.contains).sorted())"
        }
        return
            (letters.map { letter in
                let stamps = letter.list("stamps").map { "\($0.text("id")) \($0.text("text"))" }
                return "letter \(letter.text("id")) \(letter.text("title")): \(stamps.sorted())"
            } + themes).sorted()
    }

    func edit(_ number: UInt64) async throws -> String {
        var random = SeededRandom(seed: number)
        let (choice, word) = (Int.random(in: 0..<20, using: &random), random.element(of: words))
        let (letterID, stampID) = (Int.random(in: 1...3, using: &random), Int.random(in: 11...13, using: &random))
        return try await change { context in
            guard let letter = try Letter.find(letterID, in: context) else {
                Letter(id: letterID, title: word, context: context)
                return "make letter \(letterID)"
            }
            guard let stamp = try Stamp.find(stampID, in: context) else {
                Stamp(id: stampID, text: word, letter: letter, context: context)
                return "make \(stampID) in \(letterID)"
            }
            switch choice {
            case 0:
                context.delete(letter)
                return "delete letter \(letterID)"
            case ..<4:
                context.delete(stamp)
                return "delete \(stampID)"
            case ..<9:
                stamp.letter = letter
                return "move \(stampID) to \(letterID)"
            case ..<12:
                letter.title = word
                return "set letter \(letterID) \(word)"
            case ..<16:
                let theme = try Theme.find(1, in: context) ?? Theme(id: 1, name: "post", context: context)
                if theme.stamps.contains(stamp) {
                    theme.stamps.remove(stamp)
                    return "unlink \(stampID)"
                }
                theme.stamps.insert(stamp)
                return "link \(stampID)"
            default:
                stamp.text = word
                return "set \(stampID) \(word)"
            }
        }
    }

    func respondNextWrite(_ mishap: LastWordTests.Mishap) {
        switch mishap {
        case .none: break
        case .responseLost: memory.respondNext(.responseLost, to: .changes)
        case .requestLost: memory.respondNext(.connectionFails, to: .changes)
        case .refused: memory.respondNext(.refused(status: 422), to: .changes)
        case .failing, .page: memory.respondNext(.unavailable(status: 500), to: .changes)
        }
    }
    func forgetMishaps() { memory.clearScripts() }

    func pull(_ sync: Sync) async throws {
        try await sync.pull(Letter.self, options: MergeOptions(records: .all))
        try await sync.pull(Theme.self, options: MergeOptions(records: .all))
    }
}
